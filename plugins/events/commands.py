"""`cms calendar`: writes the calendar to a file, for sites that serve it from elsewhere."""

from __future__ import annotations

from pathlib import Path

import click

from cms.plugin import Site, pass_site

from .feed import make_calendar


@click.command()
@click.option(
    "--output",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    metavar="FILE",
    help="Write to this file instead of standard output.",
)
@pass_site
def calendar(site: Site, output: Path | None) -> None:
    """Write the calendar of public events, as /events/calendar serves it."""
    text = make_calendar(site)
    if output is None:
        click.echo(text, nl=False)
    else:
        output.write_bytes(text)
        click.echo(f"Wrote {text.count(b'BEGIN:VEVENT')} event(s) to {output}.")

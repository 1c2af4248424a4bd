"""`cms url`: leads addresses in texts to where what they name lies now."""

from __future__ import annotations

import click

from cms.cli.instance import Instance, pass_instance
from cms.plugin.output import json_option, print_json, print_table, progress_bar


@click.command()
@click.argument("old")
@click.argument("new")
@click.option("--dry-run", is_flag=True, help="Say what would change, and change nothing.")
@json_option
@pass_instance
def url(instance: Instance, old: str, new: str, dry_run: bool, as_json: bool) -> None:
    """Rewrite addresses in texts that begin with OLD so that they begin with NEW.

    Both are addresses of sites, or of folders in them: cms url http://localhost:8000 https://example.org
    They are found in contents, excerpts, comments, descriptions, menus and values of plugins, by http and https.
    Revisions stay as they were. Copy the database first.
    """
    from cms.resources.addresses import AddressRewriter, NoAddress, rewrite_addresses

    try:
        rewriter = AddressRewriter(old, new)
    except NoAddress as error:
        raise click.UsageError(
            f"{str(error)!r} isn't an address such as https://example.org or https://example.org/blog."
        ) from error
    with instance.ready() as site, progress_bar() as progress:
        changed = rewrite_addresses(site, rewriter, dry_run, progress)
    if as_json:
        print_json({"changed": changed, "addresses": rewriter.count, "dry_run": dry_run})
        return
    print_table(("Where", "Rows"), changed.items())
    said = "would change" if dry_run else "changed"
    click.echo(f"{rewriter.count} address(es) {said}.")

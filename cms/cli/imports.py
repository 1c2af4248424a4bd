"""`cms import`: brings in the export of another site."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from cms.cli.instance import Instance, pass_instance
from cms.cli.output import json_option, print_json, print_table, printable, progress_bar

if TYPE_CHECKING:
    from cms.transfer.importer import Report


@click.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@json_option
@pass_instance
def import_file(instance: Instance, file: Path, as_json: bool) -> None:
    """Bring in FILE, an export in the WordPress format (WXR, a file that ends in .xml).

    The whole file lands or nothing does. Run twice, it adds nothing twice. At the end tables tell what came in,
    what was known already, and what was left out and why.
    """
    from cms.transfer.importer import import_wxr

    with instance.ready() as site, progress_bar() as progress:
        report = import_wxr(site, file, progress)
    if as_json:
        print_json(report.as_dict())
    else:
        _tell(report)


def _tell(report: Report) -> None:
    kinds = dict.fromkeys([*report.imported, *report.known])
    print_table(("What", "Came in", "Known already"),
                [(kind, report.imported.get(kind, 0), report.known.get(kind, 0)) for kind in kinds])
    if report.left_out:
        print_table(("Left out", "How many", "Why"),
                    [(kind, number, reason) for (kind, reason), number in report.left_out.items()])
    for name, value in report.settings.items():
        click.echo(printable(f"The site had no {name} of its own; it is now: {value}"))
    for notice in report.as_dict()["notices"]:
        click.echo(printable(f"Notice: {notice}"))
    if report.further_notices:
        click.echo(f"There are {report.further_notices} more notices.")

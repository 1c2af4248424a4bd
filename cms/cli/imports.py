"""`cms import`: brings in the export of another site."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from cms.cli.instance import Instance, pass_instance
from cms.cli.output import json_option, print_json, print_table

#: Told how many of how many items are done.
Advance = Callable[[int, int], None]


@click.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@json_option
@pass_instance
def import_file(instance: Instance, file: Path, as_json: bool) -> None:
    """Bring in FILE, an export in the WordPress format (WXR, a file that ends in .xml).

    The whole file lands or nothing does. Run twice, it adds nothing twice. At the end a table tells what came in,
    what was known already, and what was left out and why.
    """
    from cms.transfer.importer import import_wxr

    with instance.ready() as site, _progress() as advance:
        report = import_wxr(site, file, advance).as_dict()
    if as_json:
        print_json(report)
    else:
        _tell(report)


@contextmanager
def _progress() -> Iterator[Advance | None]:
    """Show a bar on standard error while a person watches."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("Importing"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("import", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _tell(report: Mapping[str, Any]) -> None:
    kinds = dict.fromkeys([*report["imported"], *report["known"]])
    rows = [(kind, report["imported"].get(kind, 0), report["known"].get(kind, 0)) for kind in kinds]
    print_table(("What", "Came in", "Known already"), rows)
    if report["left_out"]:
        print_table(("Left out", "How many"), list(report["left_out"].items()))
    for notice in report["notices"]:
        click.echo(f"Note: {notice}")

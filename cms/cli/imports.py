"""`cms import`: brings in the export of another site."""

from __future__ import annotations

import html
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cms.cli.faults import Interrupted
from cms.cli.instance import Instance, pass_instance
from cms.plugin.output import json_option, print_json, print_table, printable, progress_bar

if TYPE_CHECKING:
    from cms.transfer.importing.importer import Report
    from cms.transfer.importing.media.fetch import Source


@click.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--media",
    "folder",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="DIR",
    help="Take uploaded files from a copy of the old site's wp-content/uploads.",
)
@click.option("--no-media", is_flag=True, help="Leave uploaded files at their old addresses.")
@click.option(
    "--encoding",
    metavar="NAME",
    help="Read the file in this encoding, whatever it says; wrong bytes become U+FFFD.",
)
@click.option(
    "--trust-markup",
    is_flag=True,
    help="Keep scripts and other markup that not every author may write. For a file that you trust.",
)
@json_option
@pass_instance
def import_file(
    instance: Instance,
    file: Path,
    folder: Path | None,
    no_media: bool,
    encoding: str | None,
    trust_markup: bool,
    as_json: bool,
) -> None:
    """Bring in FILE, an export in the WordPress format (WXR, a file that ends in .xml); - is standard input.

    Uploaded files are fetched from the old site, unless an option says otherwise. The whole export lands or nothing
    does. Run twice, it adds nothing twice, and brings the files that were missing. At the end tables tell what came
    in, what was known already, and what was left out and why.
    """
    from cms.transfer.importing.importer import import_wxr

    source = _choose_media_source(folder, no_media)
    with instance.ready() as site, _readable_file(file) as path, progress_bar() as progress, _interruptible():
        report = import_wxr(site, path, progress, source, encoding, trust_markup)
    if as_json:
        print_json(report.as_dict())
    else:
        _print_report(report, file)


#: Why things are left out that files of types can declare.
UNKNOWN = ("the site has no such type", "the site has no such taxonomy")


@contextmanager
def _interruptible() -> Iterator[None]:
    """Say what Ctrl-C leaves behind."""
    try:
        yield
    except KeyboardInterrupt:
        raise Interrupted("Stopped. Nothing of the export came in; run the command again.") from None


@contextmanager
def _readable_file(file: Path) -> Iterator[Path]:
    """Give the path to read from, that of a copy for standard input."""
    from cms.transfer.importing.spool import spooled

    if str(file) != "-":
        yield file
        return
    with spooled(sys.stdin.buffer) as copy:
        yield copy


def _choose_media_source(folder: Path | None, no_media: bool) -> Source | None:
    """Return where uploaded files come from, None for nowhere."""
    from cms.transfer.importing.media.sources import Folder, Web

    if folder and no_media:
        raise click.UsageError("Choose one of --media and --no-media.")
    if no_media:
        return None
    if folder:
        return Folder(folder)
    return Web()


def _print_report(report: Report, file: Path) -> None:
    _print_counts(report, file)
    _print_files(report)
    if report.cleaned:
        click.echo(
            f"{report.cleaned} texts lost markup that not every author may write; into an empty site, "
            "--trust-markup brings it too."
        )
    for notice in report.as_dict()["notices"]:
        click.echo(printable(f"Notice: {notice}"))
    if report.further_notices:
        click.echo(f"There are {report.further_notices} more notices.")


def _print_counts(report: Report, file: Path) -> None:
    kinds = dict.fromkeys([*report.imported, *report.known])
    lines = []
    for kind in kinds:
        lines.append((kind, report.imported.get(kind, 0), report.known.get(kind, 0)))
    print_table(("What", "Came in", "Known already"), lines)
    if report.left_out:
        reasons = []
        for (kind, reason), number in report.left_out.items():
            reasons.append((kind, number, reason))
        print_table(("Left out", "How many", "Why"), reasons)
    _print_undeclared(report, file)
    for type, number in report.hidden_comments.items():
        click.echo(printable(f"{number} comments are of the type {type}: those alone who moderate see them."))
    for name, value in report.settings.items():
        click.echo(printable(f"The site had no {name} of its own; it is now: {html.unescape(value)}"))


def _print_undeclared(report: Report, file: Path) -> None:
    """Name what files of types would bring."""
    rows = []
    for type, names in report.left_out_meta.items():
        rows += [(type, name, number) for name, number in names.items()]
    if rows:
        print_table(("Values left out of", "Name", "How many"), rows)
    unknown = [kind for kind, reason in report.left_out if reason in UNKNOWN]
    if rows or unknown:
        click.echo(
            f"Declare what is left out and is yours: cms types suggest {file} writes drafts of such files. Then import "
            "into a site that doesn't have these items yet; items that are here stay as they are."
        )


def _print_files(report: Report) -> None:
    if report.missing_files:
        print_table(
            ("Item", "Line", "File that is still at its old address", "Why"),
            [(file.item or "", file.line, file.address, file.reason) for file in report.missing_files],
        )
    if report.further_missing_files:
        click.echo(
            f"There are {report.further_missing_files} more files that are still at their old addresses."
        )
    if report.addresses:
        click.echo(f"{report.addresses} addresses in texts lead to files that are here now.")

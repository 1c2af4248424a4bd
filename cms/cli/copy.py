"""`cms copy`: brings the whole site into another database."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cms.cli.faults import WrongUse
from cms.cli.instance import Instance, pass_instance
from cms.config import FILE, Config, load_config
from cms.plugin.output import json_option, print_json, print_table, printable, progress_bar

if TYPE_CHECKING:
    from cms.media.storage import Storage
    from cms.transfer.site_copy import CopiedSite

#: The password in the address of a server.
PASSWORD = re.compile(r"(//[^:/@]*:)[^@]*@")
#: How many digits of a sum people compare.
DIGITS = 16


@click.command("copy")
@click.option("--to", required=True, metavar="ADDRESS", help="postgresql://…, or the path of a new file.")
@click.option(
    "--uploads", metavar="PLACE", help="Copy the files of media too: a folder, or s3://bucket/prefix."
)
@json_option
@pass_instance
def copy(instance: Instance, to: str, uploads: str | None, as_json: bool) -> None:
    """Bring the whole site into another database: from a file to PostgreSQL, or from there to a file.

    Every row comes along, with its id; then all tables are compared on both sides. A database that isn't empty is
    refused, and it is empty still where anything fails. The site may be read and written meanwhile, but what is
    written after the beginning isn't in the copy: stop the site first. Nothing changes for the site itself. At the end
    this prints the settings by which it is served from the new place. It ends with exit code 1 where a file couldn't be
    copied.
    """
    target = _target(instance, to, uploads)
    with instance.ready() as site, progress_bar() as advance:
        from cms.transfer.site_copy import copy_site

        copied = copy_site(site, target, _storage(target) if uploads else None, advance)
        source = _named(site.config)
    report = _report(copied, source, target)
    report["settings"] = _settings(instance.config(), target)
    if as_json:
        print_json(report)
    else:
        _print(report, instance)
    if copied.files and copied.files.failed:
        sys.exit(1)


def _target(instance: Instance, to: str, uploads: str | None) -> Config:
    """Return the settings of the copy; raises WrongUse or ConfigError for a place that can't be one."""
    wanted: dict[str, object] = {"database": to}
    if "://" not in to:
        wanted["database"] = str(Path(to).absolute())
    if uploads is not None:
        wanted["uploads"] = uploads if "://" in uploads else str(Path(uploads).absolute())
    target = load_config(instance.folder, wanted, instance.environ)
    if "://" in to and not target.server:
        raise WrongUse("--to takes postgresql://user:password@host/database, or the path of a new file.")
    return target


def _storage(target: Config) -> Storage:
    from cms.assembly import open_storage

    if target.bucket is None:
        target.uploads.mkdir(parents=True, exist_ok=True)
    return open_storage(target)


def _named(config: Config) -> str:
    """Return where a site lies, without a password."""
    return PASSWORD.sub(r"\1***@", config.server) or str(config.database)


def _settings(present: Config, target: Config) -> dict[str, str]:
    """Return the settings that have other values for the copy, passwords left out."""
    changed = {}
    for name in ("database", "uploads"):
        if target[name] != present[name]:
            changed[name] = PASSWORD.sub(r"\1***@", str(target[name]))
    return changed


def _report(copied: CopiedSite, source: str, target: Config) -> dict[str, Any]:
    tables = {}
    for name, sums in copied.tables.sums.items():
        tables[name] = {"rows": sums.rows, "hash": sums.hash}
    report: dict[str, Any] = {
        "from": source,
        "to": _named(target),
        "rows": copied.tables.rows,
        "tables": tables,
        "left_out": copied.tables.left_out,
        "shortened": copied.tables.shortened,
        "written_meanwhile": copied.is_behind,
    }
    if copied.files:
        files = copied.files
        report["files"] = {"copied": files.copied, "known": files.known, "failed": files.failed}
    return report


def _print(report: dict[str, Any], instance: Instance) -> None:
    rows = []
    for name, table in report["tables"].items():
        rows.append((name, table["rows"], table["hash"][:DIGITS]))
    print_table(("Table", "Rows", "Hash on both sides"), rows)
    click.echo(
        f"Copied {report['rows']} rows of {len(rows)} tables to {report['to']}; all are the same there."
    )
    files = report.get("files")
    if files:
        click.echo(f"Copied {files['copied']} file(s), {files['known']} were there already.")
        for key, reason in files["failed"].items():
            click.echo(printable(f"{key}: {reason}."), err=True)
    if report["left_out"]:
        names = ", ".join(report["left_out"])
        click.echo(f"Not copied, since no plugin that is loaded makes them: the tables {names}.", err=True)
    for place in report["shortened"]:
        click.echo(printable(f"{place}: left out the character with the number 0."), err=True)
    if report["written_meanwhile"]:
        click.echo("The site was written to meanwhile; that isn't in the copy.", err=True)
    click.echo(f"\nThe site goes on with the old database until {instance.folder / FILE} says:\n")
    for name, value in report["settings"].items():
        click.echo(f'  {name} = "{value}"')

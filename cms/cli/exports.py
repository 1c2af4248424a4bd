"""`cms export`: writes the whole site to a file that other programs read."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cms.cli.instance import Instance, pass_instance
from cms.plugin.output import json_option, print_json, print_table, progress_bar

if TYPE_CHECKING:
    from cms.site import Site
    from cms.transfer.exporting.exporter import Progress

STANDARD_OUTPUT = Path("-")


@click.command("export")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--force", is_flag=True, help="Replace FILE if it is there.")
@json_option
@pass_instance
def export_file(instance: Instance, file: Path, force: bool, as_json: bool) -> None:
    """Write the site to FILE in the WordPress format (WXR 1.2); "-" stands for standard output.

    The file holds accounts without their passwords and roles, terms, posts, pages, media without their files, and
    comments, all as they are at one moment; the site may be read and written meanwhile. "cms import" brings it into
    another site. Keep it safe: e-mail addresses and the passwords of posts stand in it. FILE appears when it is
    whole. With "-" the summary goes to standard error.
    """
    if file != STANDARD_OUTPUT:
        _check_target(file, force)
    with instance.ready() as site, progress_bar() as progress:
        counted = _export(site, file, progress)
    report = {"file": str(file), "exported": counted}
    if as_json:
        print_json(report, err=file == STANDARD_OUTPUT)
    else:
        print_table(("What", "Exported"), counted.items(), err=file == STANDARD_OUTPUT)


def _check_target(file: Path, force: bool) -> None:
    if not file.parent.is_dir():
        raise click.ClickException(f"There is no folder {file.parent}. Make it first, or choose another.")
    if file.is_dir() or (file.exists() and not file.is_file()):
        raise click.ClickException(f"{file} isn't a file. Name one, or - for standard output.")
    if file.exists() and not force:
        raise click.ClickException(
            f"{file} is there already. Choose another name, or add --force to replace it."
        )


def _export(site: Site, file: Path, progress: Progress | None) -> dict[str, int]:
    from cms.transfer.exporting.atomic_file import write_whole
    from cms.transfer.exporting.exporter import export_wxr

    if file == STANDARD_OUTPUT:
        return export_wxr(site, sys.stdout.buffer, progress)
    with write_whole(file) as target:
        return export_wxr(site, target, progress)

"""`cms backup`: makes, lists and verifies backups."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from cms.backup.archive import open_archive
from cms.backup.errors import BackupError
from cms.backup.making import Backup, aside, dated_name, default_target, make_backup, verify_archive
from cms.backup.manifest import Manifest
from cms.backup.targets import SUFFIX, FolderTarget
from cms.cli.faults import Commands
from cms.cli.instance import Instance, pass_instance
from cms.plugin.output import json_option, print_json, print_table, progress_bar
from cms.site import Site


class BackupCommands(Commands):
    """Commands of which the first is meant where a place is named instead of a command."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that is named, else the one that makes a backup."""
        if args[0] not in self.commands:
            args = ["make", *args]
        return super().resolve_command(ctx, args)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take a call without a command, or with options of the first alone, as one of the first."""
        if not args or (args[0].startswith("-") and args[0] not in ("-h", "--help")):
            args = ["make", *args]
        return super().parse_args(ctx, args)


@click.group(cls=BackupCommands)
def backup() -> None:
    """Back the site up: "cms backup TARGET", a folder or a file. The site may be served and written to meanwhile.

    The archive holds the database, every upload that it names, config.toml and a manifest with the sums of all of
    these. It is read again before it appears under its name. "cms restore" brings it back.
    """


@backup.command()
@click.argument("target", type=click.Path(path_type=Path), required=False)
@json_option
@pass_instance
def make(instance: Instance, target: Path | None, as_json: bool) -> None:
    """Make a backup in the folder TARGET, or the file TARGET, or the folder that the setting backup_target names."""
    with instance.existing() as site, progress_bar() as progress:
        folder, name = _place(site, target)
        made = make_backup(site.context, folder, name, progress)
    if as_json:
        print_json(describe(made))
    else:
        _print_made(made)


def describe(made: Backup) -> dict[str, Any]:
    """Return what programs are told of a backup."""
    manifest = made.manifest
    return {
        "file": made.place,
        "made_gmt": manifest.made_gmt,
        "files": len(manifest.files),
        "bytes": manifest.size,
        "counts": dict(manifest.counts),
        "missing": manifest.missing,
    }


def _place(site: Site, target: Path | None) -> tuple[FolderTarget, str]:
    """Return the folder to write to and the name in it."""
    if target is None and not site.config["backup_target"]:
        raise click.UsageError(
            "Name a folder or a file: cms backup TARGET. Or set backup_target in config.toml."
        )
    if target is not None and (target.suffix == SUFFIX or target.is_file()) and not target.is_dir():
        if not target.parent.is_dir():
            raise BackupError(f"There is no folder {target.parent}. Make it first, or choose another.")
        return FolderTarget(target.parent.absolute()), target.name
    folder = default_target(site.config) if target is None else FolderTarget(target.absolute())
    return folder, dated_name(site.context, folder)


def _print_made(made: Backup) -> None:
    manifest = made.manifest
    click.echo(f"Made {made.place} ({manifest.size:,} bytes) and verified it.")
    _print_counts(manifest)
    for key in manifest.missing:
        click.echo(
            f"The site has no file {key}, which an item of it names; so the backup has none.", err=True
        )


def _print_counts(manifest: Manifest) -> None:
    print_table(("What", "Held"), [*manifest.counts.items(), ("files", len(manifest.files))])


@backup.command("list")
@click.argument("folder", type=click.Path(path_type=Path), required=False)
@json_option
@pass_instance
def list_backups(instance: Instance, folder: Path | None, as_json: bool) -> None:
    """List the archives in FOLDER, or where backups of this site go; what can't be read is named with the reason."""
    place = FolderTarget(folder.absolute()) if folder else default_target(instance.config())
    rows: list[dict[str, Any]] = []
    for name in place.names():
        path = place.folder / name
        row: dict[str, Any] = {"file": str(path), "bytes": path.stat().st_size, "fault": ""}
        try:
            with open_archive(path) as archive:
                row |= {"made_gmt": archive.manifest.made_gmt, "software": archive.manifest.software}
        except BackupError as error:
            row["fault"] = str(error)
        rows.append(row)
    if as_json:
        print_json({"backups": rows})
        return
    columns = ("file", "made_gmt", "software", "bytes", "fault")
    print_table(("File", "Made (GMT)", "Version", "Bytes", "Fault"), [_cells(row, columns) for row in rows])


def _cells(row: dict[str, Any], columns: tuple[str, ...]) -> list[Any]:
    return [row.get(name, "") for name in columns]


@backup.command()
@click.argument("file", type=click.Path(path_type=Path))
@json_option
@pass_instance
def verify(instance: Instance, file: Path, as_json: bool) -> None:
    """Read the archive FILE from beginning to end: sums of all files, integrity of the database, counts.

    Nothing is restored; "cms restore --check" does that too, into a folder of its own.
    """
    with aside(instance.config()) as folder, progress_bar() as progress:
        manifest = verify_archive(file, folder, progress)
    if as_json:
        print_json(describe(Backup(str(file), manifest)))
        return
    click.echo(f"{file} is whole: made at {manifest.made_gmt} GMT by version {manifest.software}.")
    _print_counts(manifest)

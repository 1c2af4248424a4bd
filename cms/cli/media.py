"""`cms media`: looks after uploaded files."""

from __future__ import annotations

import os
import sys

import click

from cms.cli.faults import Commands
from cms.cli.instance import Instance, pass_instance
from cms.db.stores.media import Picture
from cms.media.storage import Storage
from cms.plugin.output import json_option, print_json, printable, progress_bar
from cms.site import Site


@click.group(cls=Commands)
def media() -> None:
    """Make renditions of pictures anew, move files to another storage, remove what nothing needs."""


@media.command()
@click.argument("ids", type=int, nargs=-1)
@json_option
@pass_instance
def render(instance: Instance, ids: tuple[int, ...], as_json: bool) -> None:
    """Make the renditions of all pictures anew, or of the media items with these IDS.

    The renditions that they had go later, as files of deleted items do. This ends with exit code 1 where some could
    not be made.
    """
    from cms.resources.media.cleanup import regenerate_renditions

    failed: dict[str, list[str]] = {}
    with instance.ready() as site, progress_bar() as advance:
        wanted = _pictures(site, ids)
        for number, row in enumerate(wanted, start=1):
            try:
                missing = regenerate_renditions(site.context, row)
            except FileNotFoundError:
                missing = [f"anything, since the file {row['file']} isn't in the storage"]
            if missing:
                failed[str(row["id"])] = missing
            if advance:
                advance("rendering", number, len(wanted))
    done = len(wanted) - len(failed)
    if as_json:
        print_json({"rendered": done, "failed": failed})
    else:
        click.echo(f"Made the renditions of {done} picture(s) anew.")
        for id, names in failed.items():
            click.echo(f"Media item {id}: could not make {', '.join(names)}.", err=True)
    if failed:
        sys.exit(1)


def _pictures(site: Site, ids: tuple[int, ...]) -> list[Picture]:
    """Return the pictures with these ids, or all; refuses an id that isn't one of a picture's."""
    found, unknown = [], set(ids)
    for row in site.stores.media.pictures():
        if not ids or row["id"] in ids:
            found.append(row)
            unknown.discard(row["id"])
    if unknown:
        numbers = ", ".join(map(str, sorted(unknown)))
        raise click.ClickException(f"No picture has the id {numbers}. The route /media lists all media.")
    return found


@media.command()
@click.option("--back", is_flag=True, help="Copy from that storage into the site's folder.")
@json_option
@pass_instance
def move(instance: Instance, back: bool, as_json: bool) -> None:
    """Copy the files of all media from the site's folder into a bucket, or a plugin's storage.

    Run it when the setting uploads has become a bucket (the folder is uploads in the instance folder then), or a plugin
    begins to store the files; media that were there before are missing until then. Each copy is
    checked, nothing is written over, and the files stay where they were: remove them when you like. Run again, it
    copies what is missing. This ends with exit code 1 where a file could not be copied.
    """
    from cms.media.storage import LocalStorage
    from cms.resources.media.moving import move_files

    with instance.ready() as site, progress_bar() as advance:
        folder, storage = LocalStorage(site.config.uploads), _find_other_storage(site)
        if back:
            moved = move_files(site.context, storage, folder, advance)
        else:
            moved = move_files(site.context, folder, storage, advance)
    if as_json:
        print_json({"copied": moved.copied, "known": moved.known, "failed": moved.failed})
    else:
        click.echo(f"Copied {moved.copied} file(s), {moved.known} were there already.")
        for key, reason in moved.failed.items():
            click.echo(printable(f"{key}: {reason}."), err=True)
    if moved.failed:
        sys.exit(1)


@media.command()
@json_option
@pass_instance
def clean(instance: Instance, as_json: bool) -> None:
    """Remove files whose items were deleted some days ago, and what interrupted uploads left.

    Running sites do this by themselves. Nothing is removed while "cms media hold" runs.
    """
    from cms.resources.media.cleanup import remove_abandoned, remove_unused

    with instance.ready() as site:
        unused, abandoned = remove_unused(site.context), remove_abandoned(site.context)
    if as_json:
        print_json({"unused": unused, "abandoned": abandoned})
        return
    click.echo(f"Removed {unused} file(s) of deleted items and {abandoned} that interrupted uploads left.")


@media.command(context_settings={"ignore_unknown_options": True})
@click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED)
@pass_instance
def hold(instance: Instance, command: tuple[str, ...]) -> None:
    """Run COMMAND, which copies the site, and remove no uploaded file until it ends.

    Copy the database first, then the files: cms media hold sh -c 'sqlite3 instance/site.db ".backup copy.db" &&
    rsync -a instance/uploads/ backup/'
    """
    import subprocess

    from cms.media.storage import holding

    with instance.existing() as site:
        lock = site.config.uploads_lock
    with holding(lock):
        done = subprocess.run(command, env=dict(os.environ), check=False)  # noqa: S603 (the user's own command)
    sys.exit(done.returncode)


def _find_other_storage(site: Site) -> Storage:
    from cms.media.storage import LocalStorage

    storage = site.context.storage
    if isinstance(storage, LocalStorage):
        raise click.ClickException(
            f"No plugin or setting brings a storage: the files lie in {storage.folder} already."
        )
    return storage

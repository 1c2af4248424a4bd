"""`cms media`: looks after uploaded files."""

from __future__ import annotations

import os
import sys

import click

from cms.cli.faults import Commands
from cms.cli.instance import Instance, pass_instance
from cms.plugin.output import json_option, print_json, progress_bar


@click.group(cls=Commands)
def media() -> None:
    """Make renditions of pictures anew, remove files that nothing needs, keep files while you copy them."""


@media.command()
@click.argument("ids", type=int, nargs=-1)
@json_option
@pass_instance
def render(instance: Instance, ids: tuple[int, ...], as_json: bool) -> None:
    """Make the renditions of all pictures anew, or of the media items with these IDS.

    The renditions that they had go later, as files of deleted items do.
    """
    from cms.resources.media.cleanup import regenerate_renditions

    failed: dict[str, list[str]] = {}
    done = 0
    with instance.ready() as site, progress_bar() as advance:
        wanted = [row for row in site.stores.media.pictures() if not ids or row["id"] in ids]
        for row in wanted:
            try:
                missing = regenerate_renditions(site.context, row)
            except FileNotFoundError:
                missing = ["the file itself"]
            failed |= {str(row["id"]): missing} if missing else {}
            done += 1
            if advance:
                advance("rendering", done, len(wanted))
    if as_json:
        print_json({"rendered": done, "failed": failed})
        return
    click.echo(f"Made the renditions of {done} picture(s) anew.")
    for id, names in failed.items():
        click.echo(f"Media item {id}: could not make {', '.join(names)}.")


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

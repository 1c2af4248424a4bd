"""`cms restore`: brings a backup back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from cms.backup.archive import open_archive
from cms.backup.manifest import SETTINGS, Manifest
from cms.backup.restoring import Restored, check
from cms.backup.restoring import restore as restore_site
from cms.cli.instance import Instance, pass_instance
from cms.config import FILE
from cms.plugin.output import json_option, print_json, print_table, progress_bar


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--check", "is_check", is_flag=True, help="Restore into a folder of its own and look that through."
)
@json_option
@pass_instance
def restore(instance: Instance, file: Path, is_check: bool, as_json: bool) -> None:
    """Give the site the state of the backup FILE, whole or not at all; what it had before becomes another backup.

    The site may be served meanwhile: its processes go on with the restored content at once. A backup of an older
    version is migrated first. Where there is no site yet, one is made of it, with its settings. Those of a site
    that is there stay as they are.
    """
    if is_check:
        with instance.existing() as site, progress_bar() as progress:
            manifest = check(site.context, file, progress)
        _print({"file": str(file), **_describe(manifest)}, as_json, f"{file} can be restored.")
        return
    with _settings(instance, file), instance.new_or_old() as site, progress_bar() as progress:
        done = restore_site(site.context, site.outbox, file, progress)
    report = {**_describe(done.manifest), "kept": done.kept, "migrated": done.migrated}
    _print({"file": str(file), **report}, as_json, _sentence(file, done, instance))


@contextmanager
def _settings(instance: Instance, file: Path) -> Iterator[None]:
    """Give a folder without a site the settings of an archive; they go again where it can't be restored."""
    target = instance.folder / FILE
    if target.exists() or instance.config().database.exists():
        yield
        return
    with open_archive(file) as archive:
        entry = archive.manifest.entry(SETTINGS)
        text = b"".join(archive.pieces(entry)) if entry else b""
    instance.folder.mkdir(parents=True, exist_ok=True)
    target.touch(mode=0o600)
    target.write_bytes(text)
    try:
        yield
    except BaseException:
        target.unlink(missing_ok=True)
        raise


def _describe(manifest: Manifest) -> dict[str, Any]:
    return {
        "made_gmt": manifest.made_gmt,
        "software": manifest.software,
        "files": len(manifest.files),
        "counts": dict(manifest.counts),
    }


def _sentence(file: Path, done: Restored, instance: Instance) -> str:
    parts = [f"Restored {file}, made at {done.manifest.made_gmt} GMT by version {done.manifest.software}."]
    if done.migrated:
        parts.append(f"It was brought to this version by {len(done.migrated)} migration(s).")
    if done.kept:
        parts.append(f"What the site held before is in {done.kept}")
    if done.settings_differ:
        parts.append(f"Its {FILE} differs from the site's, which stays: compare the two.")
    return "\n".join(parts)


def _print(report: dict[str, Any], as_json: bool, sentence: str) -> None:
    if as_json:
        print_json(report)
        return
    click.echo(sentence)
    print_table(("What", "Held"), [*report["counts"].items(), ("files", report["files"])])

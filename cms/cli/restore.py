"""`cms restore`: brings a backup back."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from cms.backup.archive import open_archive
from cms.backup.checks import missing
from cms.backup.manifest import SETTINGS, Manifest
from cms.backup.restoring import Restored, restored_aside
from cms.backup.restoring import restore as restore_site
from cms.cli.doctor import print_findings
from cms.cli.instance import Instance, pass_instance
from cms.config import FILE as SETTINGS_FILE
from cms.context import SiteContext
from cms.doctor.checks import FAULT, FILE, ROWS
from cms.doctor.examination import Finding, examine
from cms.plugin.output import json_option, print_json, print_table, progress_bar


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--check",
    "is_check",
    is_flag=True,
    help="Restore into a folder of its own and look that through as doctor does.",
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
        _check(instance, file, as_json)
        return
    with _settings(instance, file), instance.new_or_old() as site, progress_bar() as progress:
        done = restore_site(site.context, site.outbox, file, progress)
    report = {**_describe(done.manifest), "kept": done.kept, "migrated": done.migrated}
    _print({"file": str(file), **report}, as_json, _sentence(file, done, instance))


def _check(instance: Instance, file: Path, as_json: bool) -> None:
    """Say whether an archive can be restored, and what the doctor finds in it then; ends with 1 for a fault."""
    with (
        instance.existing() as site,
        progress_bar() as progress,
        restored_aside(site.context, file, progress) as (manifest, copy),
    ):
        findings = _examine(copy, manifest)
    report = {"file": str(file), **_describe(manifest)}
    if as_json:
        report["findings"] = list(map(asdict, findings))
    _print(report, as_json, f"{file} can be restored.")
    if not as_json:
        print_findings(findings)
    if any(finding.level == FAULT for finding in findings):
        sys.exit(1)


def _examine(copy: SiteContext, manifest: Manifest) -> list[Finding]:
    """Return what is wrong with the restored site; files that were lost before the backup are known."""
    known = set(map(missing, manifest.missing))
    found = examine(copy, parts=(FILE, ROWS)).findings
    return [finding for finding in found if finding.what not in known]


@contextmanager
def _settings(instance: Instance, file: Path) -> Iterator[None]:
    """Give a folder without a site the settings of an archive; they go again where it can't be restored."""
    target = instance.folder / SETTINGS_FILE
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
        parts.append(f"Its {SETTINGS_FILE} differs from the site's, which stays: compare the two.")
    return "\n".join(parts)


def _print(report: dict[str, Any], as_json: bool, sentence: str) -> None:
    if as_json:
        print_json(report)
        return
    click.echo(sentence)
    print_table(("What", "Held"), [*report["counts"].items(), ("files", report["files"])])

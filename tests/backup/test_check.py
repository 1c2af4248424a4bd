"""`cms restore --check`: the restored copy is looked through as `cms doctor` looks through a site, and leaves nothing."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from backup.sites import Site, make_site
from cms.cli import main

Run = Callable[..., tuple[int, str]]

#: What is wrong with the rows of a site, and what the doctor calls it.
FAULTS = {
    "counts": "UPDATE terms SET count = 9",
    "schema": "DROP INDEX content_date",
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Site:
    return make_site(tmp_path_factory.mktemp("check") / "site")


@pytest.fixture
def site(made: Site, tmp_path: Path) -> Site:
    """A site of its own for each test."""
    shutil.copytree(made.folder, tmp_path / "site")
    return replace(made, folder=tmp_path / "site")


@pytest.fixture
def run(site: Site, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run the command for its exit code and its output."""
    for variable, value in site.environ().items():
        monkeypatch.setenv(variable, value)

    def invoke(*arguments: str) -> tuple[int, str]:
        done = CliRunner().invoke(main, arguments)
        return done.exit_code, done.output

    return invoke


def archive_of(site: Site, run: Run, change: str = "") -> str:
    """Change a site's database, and make a backup of it."""
    with closing(sqlite3.connect(site.folder / "site.db")) as connection:
        connection.execute(change)
        connection.commit()
    code, output = run("backup", str(site.folder.parent / "one.tar"), "--json")
    assert code == 0, output
    return str(json.loads(output)["file"])


def test_of_a_site_without_faults_nothing_is_found(site: Site, run: Run) -> None:
    archive = archive_of(site, run)

    code, output = run("restore", "--check", archive, "--json")

    assert (code, json.loads(output)["findings"]) == (0, [])
    assert run("restore", "--check", archive)[1].startswith(f"{archive} can be restored.\n")
    assert list((site.folder / "incoming").iterdir()) == []


@pytest.mark.parametrize("name", FAULTS)
def test_what_the_doctor_would_find_in_the_restored_site_is_found(site: Site, run: Run, name: str) -> None:
    archive = archive_of(site, run, FAULTS[name])

    code, output = run("restore", "--check", archive, "--json")
    found = json.loads(output)["findings"]

    assert code == 1
    assert name in [finding["check"] for finding in found]
    assert f"Fault {name}: " in run("restore", "--check", archive)[1]
    assert list((site.folder / "incoming").iterdir()) == []


def test_the_machine_and_the_settings_are_not_looked_at(site: Site, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = archive_of(site, run)
    monkeypatch.setenv("CMS_SYNCHRONOUS", "normal")

    assert "unsafe-writes" in run("doctor", "--json")[1]
    assert "unsafe-writes" not in run("restore", "--check", archive, "--json")[1]

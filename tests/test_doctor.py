"""`cms doctor`: each way in which a site can be broken is found and told, and repaired where that is safe."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import time
from collections import namedtuple
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from sites import Client

from cms.cli import main
from cms.db import file_systems
from cms.db.sqlite.copies import connect
from cms.doctor.checks import LEVELS, Check
from cms.doctor.examination import CHECKS  # with those of all modules
from cms.doctor.server import SERVER_CHECKS

#: Files are spoilt here; `test_doctor_server.py` has what is found on a server.
pytestmark = pytest.mark.files_only
DOCUMENT = Path(__file__).parent.parent / "docs" / "doctor.md"
TABLE_HEAD = "| Finding | Level | What it means | What to do | `--fix` |\n| --- | --- | --- | --- | --- |\n"
Usage = namedtuple("Usage", "total used free")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A healthy site with two posts, a term, a comment and a picture."""
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 51, 3))
    folder = tmp_path / "site"
    folder.mkdir()
    client = Client(folder)
    tag = client.new("/tags", "administrator", name="Harbour")["id"]
    post = client.new("/posts", "administrator", title="Lighthouse", status="publish", tags=[tag])["id"]
    client.new("/posts", "administrator", title="Ferry", status="draft", tags=[tag])
    client.new("/comments", "administrator", post=post, content="How high is it?")
    client.site.close()
    (folder / "site.db").chmod(0o640)
    return folder


def told(folder: Path, *arguments: str, code: int = 0, **environ: str) -> Any:
    """Run the command for its JSON, and expect it to end with a code."""
    done = CliRunner().invoke(
        main,
        ["--instance", str(folder), "doctor", "--json", *arguments],
        env={"CMS_PASSWORD_COST": None, "CMS_URL": None, **environ},
    )
    assert done.exit_code == code, done.output
    return json.loads(done.stdout)


def names(found: Any) -> dict[str, str]:
    return {finding["check"]: finding["level"] for finding in found["findings"]}


def run(*statements: str) -> Callable[[Path], None]:
    """Return what breaks a site by statements."""

    def breaking(folder: Path) -> None:
        with connect(folder / "site.db") as file:
            for statement in statements:
                file.execute(statement)

    return breaking


def open_settings(folder: Path) -> None:
    (folder / "config.toml").write_text("")
    (folder / "config.toml").chmod(0o644)


#: Finding, what breaks the site so that it is found and can be repaired.
REPAIRED = [
    ("counts", run("UPDATE content_counts SET number = 7 WHERE holder = 'type' AND type = 'post'")),
    ("counts", run("DELETE FROM content_counts")),
    ("counts", run("DELETE FROM term_items")),
    ("counts", run("UPDATE terms SET count = 5 WHERE name = 'Harbour'")),
    ("search-index", run("DROP TRIGGER content_search_update")),
    (
        "search-index",
        run("INSERT INTO content_search (rowid, title, excerpt, content) VALUES (99, 'gone', '', 'gone')"),
    ),
    (
        "search-index",
        run(
            "UPDATE indexed_ahead SET id = id",
            "INSERT INTO content_search (content_search, rowid, title, excerpt, content) "
            "SELECT 'delete', id, fold(title) || char(10, 10), fold(excerpt) || char(10, 10), "
            "fold(content) || char(10, 10) FROM content WHERE title = 'Ferry'",
        ),
    ),
    ("search-index", run("INSERT INTO comment_search (comment_search) VALUES ('delete-all')")),
    ("statistics", run("ANALYZE")),
    ("statistics", run("DELETE FROM sqlite_stat1 WHERE tbl = 'terms'")),
    ("schema", run("DROP INDEX content_date")),
    ("schema", run("DROP INDEX terms_slug", "CREATE INDEX terms_slug ON terms (slug)")),
    ("schema", run("DROP TRIGGER term_count_link")),
    (
        "orphans",
        run(
            "INSERT INTO revisions (parent_id, date_gmt, title, content, excerpt) "
            "VALUES (9999, '2020-01-01T00:00:00', '', '', '')"
        ),
    ),
    (
        "orphans",
        run(
            "INSERT INTO comments (post_id, content, date_gmt, status) "
            "VALUES (9999, 'To nobody', '2020-01-01T00:00:00', 'approved')"
        ),
    ),
    ("orphans", run("INSERT INTO content_terms (content_id, term_id) VALUES (9999, 1)")),
    ("readable-by-others", lambda folder: (folder / "site.db").chmod(0o644)),
    ("readable-by-others", open_settings),
]


def damage(folder: Path) -> None:
    with connect(folder / "site.db") as file:
        file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        page, size = file.execute(
            "SELECT rootpage, page_size FROM sqlite_schema, pragma_page_size WHERE name = 'comments'"
        ).fetchone()
    with (folder / "site.db").open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * size)


def add_stray(folder: Path) -> None:
    (folder / "uploads").mkdir(exist_ok=True)
    (folder / "uploads" / "stray.txt").write_text("Nobody knows me")
    os.utime(folder / "uploads" / "stray.txt", (time.time() - 8 * 86_400,) * 2)


#: Finding, what breaks the site so that somebody has to see to it.
TOLD = [
    ("damaged", damage),
    (
        "future-migrations",
        run("INSERT INTO schema_migration (name, applied) VALUES ('9999_later', '2030-01-01')"),
    ),
    ("pending-migrations", run("DELETE FROM schema_migration WHERE name = '0022_statistics'")),
    (
        "broken-references",
        run(
            "UPDATE content SET author_id = 9999 WHERE title = 'Ferry'",
            "DELETE FROM content_counts",
        ),
    ),
    ("clock", run("UPDATE content SET modified_gmt = '2999-01-01T00:00:00' WHERE title = 'Ferry'")),
    ("stray-files", add_stray),
    (
        "missing-files",
        run("INSERT INTO media (content_id, file) SELECT id, '2020/01/lost.png' FROM content LIMIT 1"),
    ),
]
#: Finding, and the settings with which a site has it.
UNSAFE = [
    ("url-without-tls", {"CMS_URL": "http://www.headless.org", "CMS_ALLOWED_HOSTS": "www.headless.org"}),
    ("any-host", {"CMS_URL": "https://www.headless.org"}),
    ("any-proxy", {"CMS_TRUSTED_PROXIES": "0.0.0.0/0"}),
    ("cheap-passwords", {"CMS_PASSWORD_COST": "low"}),
    ("unsafe-writes", {"CMS_SYNCHRONOUS": "normal"}),
]


def test_a_healthy_site_has_no_findings(folder: Path) -> None:
    assert told(folder) == {"findings": [], "repaired": {}}
    assert told(folder, "--fix") == {"findings": [], "repaired": {}}


@pytest.mark.parametrize(("name", "breaking"), REPAIRED)
def test_what_is_broken_is_found_and_repaired(
    folder: Path, name: str, breaking: Callable[[Path], None]
) -> None:
    breaking(folder)
    found = told(folder, code=CHECKS[name].level == "fault")
    # With an index its statistics go.
    expected = {name: CHECKS[name].level} | (
        {"statistics": "warning"} if "statistics" in names(found) else {}
    )
    assert names(found) == expected
    assert not found["repaired"]
    assert name in told(folder, "--fix")["repaired"]
    assert told(folder) == {"findings": [], "repaired": {}}


@pytest.mark.parametrize(("name", "breaking"), TOLD)
def test_what_cannot_be_repaired_is_told(folder: Path, name: str, breaking: Callable[[Path], None]) -> None:
    breaking(folder)
    for arguments in ([], ["--fix"]):
        found = told(folder, *arguments, code=CHECKS[name].level == "fault" or name == "broken-references")
        assert names(found)[name] == CHECKS[name].level
        assert name not in found["repaired"]


@pytest.mark.parametrize(("name", "settings"), UNSAFE)
def test_unsafe_settings_are_told(folder: Path, name: str, settings: dict[str, str]) -> None:
    assert names(told(folder, code=CHECKS[name].level == "fault", **settings)) == {name: CHECKS[name].level}


@pytest.mark.parametrize(
    ("free", "expected"), [(10, {"disk-full": "fault"}), (150_000_000, {"disk-narrow": "warning"})]
)
def test_a_disk_without_room_is_told(
    folder: Path, monkeypatch: pytest.MonkeyPatch, free: int, expected: dict[str, str]
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: Usage(10**12, 0, free))
    assert names(told(folder, code="disk-full" in expected)) == expected


def test_a_network_file_system_is_refused(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text(f"/dev/sda1 / ext4 rw 0 0\nserver:/sites {folder} nfs4 rw 0 0\n")
    monkeypatch.setattr(file_systems, "MOUNTS", mounts)
    assert names(told(folder, code=1)) == {"network-file-system": "fault"}


@pytest.mark.parametrize(
    ("version", "is_told"),
    [
        ((3, 51, 2), True),
        ((3, 50, 6), True),
        ((3, 44, 5), True),
        ((3, 45, 0), True),
        ((3, 7, 0), True),
        ((3, 51, 3), False),
        ((3, 50, 7), False),
        ((3, 44, 6), False),
        ((3, 53, 0), False),
    ],
)
def test_an_sqlite_that_may_damage_databases_is_told(
    folder: Path, monkeypatch: pytest.MonkeyPatch, version: tuple[int, ...], is_told: bool
) -> None:
    monkeypatch.setattr(sqlite3, "sqlite_version_info", version)
    assert ("sqlite-version" in names(told(folder))) is is_told


def test_what_cannot_be_written_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda _path, mode: mode != os.W_OK)
    assert names(told(folder, code=1)) == {"not-writable": "fault"}


def test_another_journal_is_told(folder: Path) -> None:
    run("PRAGMA journal_mode = delete")(folder)
    assert names(told(folder)) == {"journal": "warning"}


def test_a_removed_log_is_told_and_no_other_made(folder: Path) -> None:
    with closing(sqlite3.connect(folder / "site.db")) as open_file:
        open_file.execute("INSERT INTO options (name, value) VALUES ('last', '1')")
        open_file.commit()
        (folder / "site.db-wal").unlink()
        assert names(told(folder, code=1))["log-removed"] == "fault"
        assert not (folder / "site.db-wal").exists()
    assert told(folder)["findings"] == []
    with connect(folder / "site.db") as file:
        assert file.execute("SELECT value FROM options WHERE name = 'last'").fetchone()


def test_a_large_log_is_told_and_emptied(folder: Path) -> None:
    with closing(sqlite3.connect(folder / "site.db")) as open_file:
        open_file.execute("SELECT COUNT(*) FROM content").fetchone()
        os.truncate(folder / "site.db-wal", 65_000_000)
        assert names(told(folder)) == {"large-log": "note"}
        assert list(told(folder, "--fix")["repaired"]) == ["large-log"]
        assert told(folder)["findings"] == []


def test_the_search_is_indexed_anew_where_asked(folder: Path) -> None:
    run("INSERT INTO content_search (content_search) VALUES ('delete-all')")(folder)
    assert list(told(folder, "--reindex")["repaired"]) == ["search-index"]
    assert told(folder)["findings"] == []


def test_looking_keeps_no_writer_waiting(folder: Path) -> None:
    with connect(folder / "site.db") as writer:
        writer.execute("BEGIN IMMEDIATE")
        assert told(folder)["findings"] == []
        writer.execute("ROLLBACK")


def test_people_read_what_is_wrong_and_what_to_do(folder: Path) -> None:
    run("DROP INDEX content_date")(folder)
    done = CliRunner().invoke(main, ["--instance", str(folder), "doctor"])
    assert done.exit_code == 1
    assert "Fault schema: Not as the migrations made them: content_date. Make it again" in done.stdout
    fixed = CliRunner().invoke(main, ["--instance", str(folder), "doctor", "--fix"])
    assert "Repaired schema: Made content_date." in fixed.stdout
    assert "Nothing is wrong with the site." in fixed.stdout


def test_a_new_site_is_closed_to_other_accounts(tmp_path: Path) -> None:
    CliRunner().invoke(main, ["--instance", str(tmp_path / "new"), "init"], env={"CMS_PASSWORD_COST": "low"})
    for name in ("site.db", "config.toml"):
        assert (tmp_path / "new" / name).stat().st_mode & 0o007 == 0


def table(checks: dict[str, Check]) -> str:
    """Return the table of findings as the documentation shows it."""
    rows = []
    for check in sorted(checks.values(), key=lambda check: (LEVELS.index(check.level), check.name)):
        fixed = "yes" if check.repair else ""
        rows.append(f"| `{check.name}` | {check.level} | {check.meaning} | {check.advice} | {fixed} |\n")
    return TABLE_HEAD + "".join(rows)


def test_the_documentation_has_all_findings() -> None:
    assert {check.level for check in CHECKS.values()} == set(LEVELS)
    assert table(CHECKS) in DOCUMENT.read_text(encoding="utf-8")
    assert table(SERVER_CHECKS) in DOCUMENT.read_text(encoding="utf-8")


CHECKS_OF_PLUGIN = """
from cms import hookimpl
from cms.plugin import FAULT, NOTE, Check


def look(site):
    return [f"{site.database.scalar('SELECT COUNT(*) FROM content')} item(s)."]


def fail(site):
    raise ValueError("no such luck")


def untitled(site):
    if site.database.exists("SELECT 1 FROM content WHERE title = 'Ferry'"):
        yield "There is a ferry."


def rename(site):
    site.database.execute("UPDATE content SET title = 'Boat' WHERE title = 'Ferry'")
    return "Renamed it."


@hookimpl
def register_checks():
    return [
        Check("items", NOTE, "Items.", "Nothing.", look),
        Check("luck", NOTE, "Luck.", "Try again.", fail),
        Check("schema", FAULT, "Ferries.", "Rename them.", untitled, repair=rename),
    ]
"""


def test_checks_of_plugins_come_last_and_fail_by_themselves(folder: Path) -> None:
    (folder / "plugins").mkdir()
    (folder / "plugins" / "birds.py").write_text(CHECKS_OF_PLUGIN)
    found = told(folder, code=1)
    assert found["findings"] == [
        {"check": "birds.items", "level": "note", "what": "2 item(s).", "advice": "Nothing."},
        {
            "check": "birds.luck",
            "level": "fault",
            "what": "This can't be looked at: no such luck.",
            "advice": "Try again.",
        },
        {"check": "birds.schema", "level": "fault", "what": "There is a ferry.", "advice": "Rename them."},
    ]
    fixed = told(folder, "--fix", code=1)
    assert fixed["repaired"] == {"birds.schema": "Renamed it."}
    assert list(names(fixed)) == ["birds.items", "birds.luck"]
    run("DELETE FROM schema_migration WHERE name = '0022_statistics'")(folder)
    assert list(names(told(folder, code=1))) == ["pending-migrations"]

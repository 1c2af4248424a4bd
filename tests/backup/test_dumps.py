"""Backups of a site on PostgreSQL: dumps in the same archives, restored in one transaction, or beside the site."""

from __future__ import annotations

import json
import os
import tarfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from media.uploading import read, send_raw
from servers import SERVER
from sites import Client

from cms.cli import main

pytest.importorskip("psycopg", reason="the extra postgres isn't installed")
import psycopg

needs_server = pytest.mark.skipif(not SERVER, reason="CMS_TEST_DATABASE names no server of PostgreSQL")
POSTS = "/api/cms/v2/posts"


@pytest.fixture
def site(make_client: Callable[..., Client]) -> Client:
    """A site with a post, a tag and a picture."""
    client = make_client()
    tag = client.new("/tags", "administrator", name="Harbour")["id"]
    client.new("/posts", "administrator", title="Lighthouse", status="publish", tags=[tag])
    send_raw(client, "harbour.png", read("harbour.png"), "administrator")
    return client


def run(site: Client, *arguments: str, code: int = 0) -> str:
    """Run a command on a site, expect it to end with a code, and return what it printed."""
    config = site.site.config
    environ = {"CMS_DATABASE": str(config["database"]), "CMS_PASSWORD_COST": "low", "CMS_URL": config["url"]}
    done = CliRunner().invoke(main, ["--instance", str(config.instance), *arguments], env=environ)
    assert done.exit_code == code, done.output
    return done.output


def archive_of(site: Client, folder: Path) -> str:
    return str(json.loads(run(site, "backup", str(folder / "one.tar"), "--json"))["file"])


def titles(site: Client) -> list[str]:
    return sorted(item["title"]["rendered"] for item in site.get("/posts").json)


@needs_server
def test_an_archive_holds_a_dump_the_uploads_and_no_password(site: Client, tmp_path: Path) -> None:
    with tarfile.open(archive_of(site, tmp_path)) as tar:
        names = tar.getnames()
        manifest: Any = json.loads(tar.extractfile("manifest.json").read())  # type: ignore[union-attr]
    assert "site.dump" in names
    assert "site.db" not in names
    assert [name for name in names if name.startswith("uploads/") and name.endswith("harbour.png")]
    assert (manifest["format"], manifest["counts"]["post"], manifest["counts"]["attachment"]) == (2, 1, 1)
    assert run(site, "backup", "verify", str(tmp_path / "one.tar"))


@needs_server
def test_a_restore_brings_everything_back_and_leaves_what_was_there_as_an_archive(site: Client, tmp_path: Path) -> None:
    archive = archive_of(site, tmp_path)
    made = site.get("/posts").json[0]
    changed = site.post(f"/posts/{made['id']}", {"title": "Lamp"}, "administrator")
    later = site.new("/posts", "administrator", title="Later", status="publish")
    assert titles(site) == ["Lamp", "Later"]

    done = json.loads(run(site, "restore", archive, "--json"))

    assert titles(site) == ["Lighthouse"]
    assert site.get("/posts?search=lighthouse").json[0]["id"] == made["id"]
    assert site.new("/posts", "administrator", title="Next", status="publish")["id"] > later["id"]
    stale = site.post(f"/posts/{made['id']}", {"title": "x"}, "administrator", headers={"If-Match": changed.headers["ETag"]})
    assert stale.status_code == 412
    run(site, "restore", done["kept"])
    assert titles(site) == ["Lamp", "Later"]


@needs_server
def test_others_keep_their_rights_on_tables(site: Client, tmp_path: Path, reader: str) -> None:
    archive = archive_of(site, tmp_path)
    with closing(psycopg.connect(site.site.config.server, autocommit=True)) as connection:
        connection.execute(f"GRANT SELECT ON content TO {reader} WITH GRANT OPTION; GRANT SELECT (name) ON terms TO PUBLIC")
        connection.execute(f"GRANT USAGE ON SEQUENCE terms_id_seq TO {reader}; CREATE TABLE later (id int)")
        connection.execute(f"GRANT INSERT ON later TO {reader}")
        before = rights(connection)

    run(site, "restore", archive)

    with closing(psycopg.connect(site.site.config.server)) as connection:
        assert before - rights(connection) == {("later", "", "INSERT", False)}
        connection.execute(f"SET ROLE {reader}")
        assert connection.execute("SELECT count(*) FROM content").fetchone()
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("SELECT 1 FROM users")


@pytest.fixture
def reader() -> Iterator[str]:
    """An account that may do nothing."""
    name = f"cms_reader_{os.getpid()}"
    with closing(psycopg.connect(f"{SERVER}/postgres", autocommit=True)) as connection:
        connection.execute(f"CREATE ROLE {name}")
        yield name
        for (database,) in connection.execute("SELECT datname FROM pg_database WHERE datname LIKE 'cms_test_%'").fetchall():
            if f"_{os.getpid()}_" in database:
                with closing(psycopg.connect(f"{SERVER}/{database}", autocommit=True)) as other:
                    other.execute(f"DROP OWNED BY {name}")
        connection.execute(f"DROP ROLE {name}")


def rights(connection: psycopg.Connection[Any]) -> set[tuple[Any, ...]]:
    """Return what others than the owner may do, by table and column."""
    return set(connection.execute(
        "SELECT c.relname, '', a.privilege_type, a.is_grantable FROM pg_class c, aclexplode(c.relacl) a "
        "WHERE c.relnamespace = 'public'::regnamespace AND a.grantee <> c.relowner "
        "UNION SELECT c.relname, t.attname, a.privilege_type, a.is_grantable FROM pg_class c "
        "JOIN pg_attribute t ON t.attrelid = c.oid, aclexplode(t.attacl) a"
    ).fetchall())


@needs_server
def test_a_second_restore_is_refused_on_other_hosts_too(site: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = archive_of(site, tmp_path)
    other, told = tmp_path / "other", []
    other.mkdir()
    (other / "site.server").touch()
    elsewhere = {"CMS_DATABASE": str(site.site.config["database"]), "CMS_URL": site.site.config["url"]}

    def restore_elsewhere(*_arguments: object) -> str:
        told.append(CliRunner().invoke(main, ["--instance", str(other), "restore", archive], env=elsewhere))
        return ""

    monkeypatch.setattr("cms.backup.restoring.finish_uploads", restore_elsewhere)
    run(site, "restore", archive)

    assert [done.exit_code for done in told[:1]] == [1]
    assert "Another restore or upgrade of this site is running." in told[0].output


@needs_server
def test_a_damaged_dump_leaves_the_site_as_it_was(site: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = archive_of(site, tmp_path)
    site.new("/posts", "administrator", title="Later", status="publish")
    before = content_of(site)
    monkeypatch.setattr("cms.db.postgres.contents.is_loaded", lambda database: False)

    assert "The site is as it was." in run(site, "restore", archive, code=1)

    assert content_of(site) == before


@needs_server
def test_a_long_reader_is_not_cut_off_the_restore_is_refused(site: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = archive_of(site, tmp_path)
    monkeypatch.setattr("cms.db.postgres.contents.PATIENCE", 50)
    with closing(psycopg.connect(site.site.config.server)) as reader:
        reader.execute("SELECT 1 FROM content")
        assert "Somebody may be reading" in run(site, "restore", archive, code=1)
    assert titles(site) == ["Lighthouse"]


@needs_server
def test_a_check_restores_into_a_database_that_is_removed_again(site: Client, tmp_path: Path) -> None:
    found = json.loads(run(site, "restore", "--check", archive_of(site, tmp_path), "--json"))
    assert found["findings"] == []
    with closing(psycopg.connect(site.site.config.server)) as connection:
        assert connection.execute("SELECT 1 FROM pg_database WHERE datname LIKE 'cms_check_%'").fetchone() is None


@needs_server
def test_a_restore_where_there_is_no_site_makes_one(site: Client, tmp_path: Path) -> None:
    archive, before = archive_of(site, tmp_path), content_of(site)
    with closing(psycopg.connect(site.site.config.server, autocommit=True)) as connection:
        connection.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
    site.site.close()
    site.site.config.database.unlink()

    assert json.loads(run(site, "restore", archive, "--json"))["kept"] == ""

    assert "post" in run(site, "export", "-")

    found = content_of(site)
    assert {name: found[name] for name in ("content", "terms", "users", "media")} == {
        name: before[name] for name in ("content", "terms", "users", "media")}


@needs_server
def test_without_the_program_it_is_said_what_to_install(site: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "postgresql-client" in run(site, "backup", str(tmp_path / "one.tar"), code=1)
    assert not (tmp_path / "one.tar").exists()


@needs_server
def test_an_upgrade_migrates_a_copy_first_and_then_the_site(site: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(psycopg.connect(site.site.config.server, autocommit=True)) as connection:
        connection.execute("DELETE FROM schema_migration WHERE name = '0028_fewer_indexes'")
    before = content_of(site)
    monkeypatch.setattr("cms.cli.upgrade._first_fault", lambda instance, database: "nothing answers")
    assert "nothing answers" in run(site, "upgrade", code=1)
    assert content_of(site) == before
    monkeypatch.undo()

    done = json.loads(run(site, "upgrade", "--json"))

    assert done["applied"] == ["0028_fewer_indexes"]
    assert Path(done["kept"]).is_file()
    assert run(site, "upgrade") == "The site is up to date.\n"


def content_of(site: Client) -> dict[str, list[str]]:
    """Return the rows of all tables."""
    found = {}
    with closing(psycopg.connect(site.site.config.server)) as connection:
        tables = connection.execute("SELECT tablename::text FROM pg_tables WHERE schemaname = 'public'").fetchall()
        for (table,) in tables:
            rows = connection.execute(f'SELECT t::text FROM "{table}" t').fetchall()
            found[table] = sorted(row[0] for row in rows)
    return found

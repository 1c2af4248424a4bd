"""`cms doctor` where the database is on PostgreSQL: what is broken there is found, and repaired where that is safe."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from typing import Any

import pytest
from click.testing import CliRunner
from servers import SERVER
from sites import Client

from cms.cli import main

pytest.importorskip("psycopg", reason="the extra postgres isn't installed")
import psycopg

needs_server = pytest.mark.skipif(not SERVER, reason="CMS_TEST_DATABASE names no server of PostgreSQL")
#: What the servers and settings of tests have.
USUAL = {"cheap-passwords", "readable-by-others", "server-superuser", "unsafe-writes"}

#: Finding, and the statements that break a site so that it is found and can be repaired.
REPAIRED = [
    ("counts", "UPDATE content_counts SET number = 7 WHERE holder = 'type' AND type = 'post'"),
    ("counts", "DELETE FROM term_items"),
    ("search-index", "UPDATE content_search SET title = 'other'"),
    ("search-index", "DELETE FROM content_search"),
    ("search-index", "DROP TRIGGER content_search_update ON content"),
    ("schema", "DROP INDEX content_date"),
    ("schema", "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'content_date'::regclass"),
    ("schema", "DROP TRIGGER term_count_link ON content_terms"),
]
#: Finding, and the statements that break a site so that somebody has to see to it.
TOLD = [
    ("future-migrations", "INSERT INTO schema_migration (name, applied) VALUES ('9999_later', '2030-01-01')"),
    ("pending-migrations", "DELETE FROM schema_migration WHERE name = '0022_statistics'"),
    ("clock", "UPDATE content SET modified_gmt = '2999-01-01T00:00:00'"),
    ("missing-files", "INSERT INTO media (content_id, file) SELECT id, '2020/01/lost.png' FROM content LIMIT 1"),
]


@pytest.fixture
def site(make_client: Callable[..., Client]) -> Client:
    """A site with a post and a tag."""
    client = make_client()
    tag = client.new("/tags", "administrator", name="Harbour")["id"]
    client.new("/posts", "administrator", title="Lighthouse", status="publish", tags=[tag])
    return client


def run(site: Client, *arguments: str) -> Any:
    config = site.site.config
    environ = {"CMS_DATABASE": str(config["database"]), "CMS_PASSWORD_COST": "low", "CMS_URL": config["url"]}
    done = CliRunner().invoke(main, ["--instance", str(config.instance), *arguments, "--json"], env=environ)
    return json.loads(done.stdout)


def names(found: Any) -> set[str]:
    return {finding["check"] for finding in found["findings"]} - USUAL


def change(site: Client, statement: str) -> None:
    with closing(psycopg.connect(site.site.config.server, autocommit=True)) as connection:
        connection.execute(statement)


@needs_server
@pytest.mark.parametrize(("name", "statement"), REPAIRED)
def test_what_is_broken_is_found_and_repaired(site: Client, name: str, statement: str) -> None:
    change(site, statement)
    assert names(run(site, "doctor")) == {name}
    fixed = run(site, "doctor", "--fix")
    assert name in fixed["repaired"]
    assert names(fixed) == set()


@needs_server
@pytest.mark.parametrize(("name", "statement"), TOLD)
def test_what_cannot_be_repaired_is_found(site: Client, name: str, statement: str) -> None:
    change(site, statement)
    assert name in names(run(site, "doctor", "--fix"))


@needs_server
def test_the_search_is_made_once_more_where_asked(site: Client) -> None:
    change(site, "UPDATE content_search SET title = 'other'")
    assert site.get("/posts?search=light").json == []
    assert run(site, "search", "reindex")["indexes"] == ["content_search", "comment_search"]
    assert len(site.get("/posts?search=light").json) == 1


def test_a_server_that_can_t_be_reached_is_all_that_is_found(tmp_path: Any) -> None:
    (tmp_path / "config.toml").write_text('database = "postgresql://nobody@localhost:1/none"\n')
    (tmp_path / "site.server").touch()
    done = CliRunner().invoke(main, ["--instance", str(tmp_path), "doctor", "--json"])
    assert done.exit_code == 1, done.output
    found = json.loads(done.stdout)["findings"]
    assert [finding["check"] for finding in found if finding["level"] == "fault"] == ["server-unreachable"]

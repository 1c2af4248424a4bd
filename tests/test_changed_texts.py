"""The index for search after changes of texts: what it has is what the texts would make if they were indexed anew."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest
from adapter import copy_ready_site
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sites import Client

from cms.cli import main
from cms.db.sqlite.health.search import wrongly_indexed

pytestmark = pytest.mark.files_only  # a server has tables of folded texts, which tests/test_words_on_server.py changes

#: Few characters make the same runs in many places; some are folded, some lie beyond the basic plane.
SIGNS = st.text(st.sampled_from("abcA é”&\n<>東𝒳"), max_size=30)
#: Longer than what is looked at run by run.
LONG = st.builds(lambda text, times: text * times, SIGNS, st.integers(1, 40))
TEXTS = st.one_of(SIGNS, LONG, st.just(""))
CHANGES = st.dictionaries(st.sampled_from(["title", "excerpt", "content"]), TEXTS, min_size=1)


@pytest.fixture(scope="module")
def writer(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("changed")
    copy_ready_site(folder)
    client = Client(folder)
    for item in client.get("/posts?per_page=100", "administrator").json:
        client.delete(f"/posts/{item['id']}?force=true", "administrator")
    yield client
    client.site.close()


def wrong(client: Client) -> dict[str, int]:
    return wrongly_indexed(client.site.config.database, "parts")


@given(st.lists(CHANGES, min_size=1, max_size=6))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_changes_of_a_post_leave_its_index_right(writer: Client, changes: list[dict[str, str]]) -> None:
    id = writer.new("/posts", status="publish", title="x")["id"]

    for change in changes:
        assert writer.post(f"/posts/{id}", change, "administrator").status_code in (200, 400)

    assert wrong(writer) == {}
    assert writer.delete(f"/posts/{id}?force=true", "administrator").status_code == 200
    assert wrong(writer) == {}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param({"title": "abcdef"}, {"title": "abcxef"}, id="one sign in the middle"),
        pytest.param({"title": "abcdef", "content": "abc"}, {"title": "xdef"}, id="runs that another text has"),
        pytest.param({"title": "abcdefgh", "content": "bcd def fgh"}, {"title": "xyz"}, id="every other run is kept"),
        pytest.param({"title": "abc-xyz", "content": "bc-xy bcx cxy"}, {"title": "no"}, id="runs that would make others"),
        pytest.param({"title": "aaaa"}, {"title": "aaaaaaaa"}, id="the same run more often"),
        pytest.param({"title": "aaaaaaaa"}, {"title": "aaaa"}, id="the same run less often"),
        pytest.param({"content": "abcd " * 200}, {"content": "wxyz " * 200}, id="a long text that is another"),
        pytest.param({"content": "abcd " * 200}, {"content": "abcd " * 100 + "x" + "abcd " * 100}, id="a long text"),
        pytest.param({"title": "abc", "excerpt": "def"}, {"title": "def", "excerpt": "abc"}, id="texts that change places"),
        pytest.param({"title": "A & B"}, {"title": "a &amp; b"}, id="what is folded alike"),
    ],
)
def test_changes_back_and_forth_leave_the_index_right(
    writer: Client, before: dict[str, str], after: dict[str, str]
) -> None:
    id = writer.new("/posts", status="publish", **{"title": "x", **before})["id"]

    for change in [after, before] * 3 + [after]:
        assert writer.post(f"/posts/{id}", change, "administrator").status_code == 200

    assert wrong(writer) == {}
    assert writer.delete(f"/posts/{id}?force=true", "administrator").status_code == 200
    assert wrong(writer) == {}


def test_a_comment_is_found_by_what_it_was_changed_to_alone(writer: Client) -> None:
    post = writer.new("/posts", status="publish", title="x")["id"]
    comment = writer.new("/comments", "administrator", post=post, content="A walrus on the ice",
                         author_name="Ann", author_email="a@example.org", status="approved")["id"]

    changed = {"content": "A penguin on the ice", "author_name": "Ben"}
    assert writer.post(f"/comments/{comment}", changed, "administrator").status_code == 200

    def found(sought: str) -> list[int]:
        return [each["id"] for each in writer.get(f"/comments?search={sought}").json]

    assert [found(word) for word in ("walrus", "ann")] == [[], []]
    assert [found(word) for word in ("penguin", "ben", "on the ice")] == [[comment]] * 3
    assert wrong(writer) == {}


def test_an_upgrade_keeps_an_index_that_is_right(tmp_path: Path) -> None:
    """Making it anew would take minutes for a large site."""
    copy_ready_site(tmp_path)
    with sqlite3.connect(tmp_path / "site.db") as file:
        file.execute("DELETE FROM schema_migration WHERE name LIKE '0032%'")
        for table, name in {"content": "content_search", "comments": "comment_search"}.items():
            file.execute(f"DROP TRIGGER {name}_update")
            file.execute(f"CREATE TRIGGER {name}_update AFTER UPDATE ON {table} BEGIN SELECT 1; END")

    done = CliRunner().invoke(main, ["--instance", str(tmp_path), "migrate"])

    assert (done.exit_code, "0032" in done.stdout, "content_search" in done.stdout) == (0, True, False), done.output
    client = Client(tmp_path)
    id = client.new("/posts", status="publish", title="Walrus")["id"]
    assert client.post(f"/posts/{id}", {"title": "Penguin"}, "administrator").status_code == 200
    assert [len(client.get(f"/posts?search={word}").json) for word in ("walrus", "penguin")] == [0, 1]
    assert wrong(client) == {}

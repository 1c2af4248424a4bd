"""An import is brought in one short transaction: others write until then, and whatever ends it leaves nothing of it."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from sites import Client

from cms.cli import main
from cms.db.sqlite import merging, search_ahead
from cms.db.sqlite.health.counts import wrong_counts
from cms.db.sqlite.merging import MergeConflict
from cms.transfer.importing import importer, staging
from cms.transfer.importing.importer import import_wxr

pytestmark = pytest.mark.files_only

EXPORT = """<rss version="2.0" xmlns:wp="http://wordpress.org/export/1.2/" xmlns:dc="http://purl.org/dc/elements/1.1/"
 xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><wp:wxr_version>1.2</wp:wxr_version>
<title>Old site</title><wp:base_blog_url>https://old.example</wp:base_blog_url>
<wp:author><wp:author_id>801</wp:author_id><wp:author_login>ann</wp:author_login></wp:author>
<wp:category><wp:term_id>701</wp:term_id><wp:category_nicename>news</wp:category_nicename><wp:cat_name>News</wp:cat_name>
</wp:category>{}</channel></rss>"""
ITEM = """<item><title>Imported {0}</title><dc:creator>ann</dc:creator><content:encoded>Zebra {0}</content:encoded>
<wp:post_id>{0}</wp:post_id><wp:post_date_gmt>2020-01-01 00:00:{1:02}</wp:post_date_gmt><wp:post_name>item-{0}</wp:post_name>
<wp:status>publish</wp:status><wp:post_type>post</wp:post_type><category domain="category" nicename="news">News</category>
<wp:comment><wp:comment_id>{0}</wp:comment_id><wp:comment_content>Giraffe {0}</wp:comment_content>
<wp:comment_approved>1</wp:comment_approved></wp:comment></item>"""
NUMBERS = range(901, 906)
#: Where somebody looks in, in this order.
STAGES = ("make_working_copy", "write", "finish_working_copy", "index_ahead", "pause", "merge", "finish", "end")
FIRST_OF_THE_LAST = STAGES.index("merge")


@pytest.fixture
def export(tmp_path: Path) -> Path:
    path = tmp_path / "export.xml"
    path.write_text(EXPORT.format("".join(ITEM.format(id, id % 60) for id in NUMBERS)), "utf-8")
    return path


@pytest.fixture
def at_stages(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[str], None]], None]:
    """Have something called at each stage of an import, from the moment at which it has begun."""

    def call(look: Callable[[str], None]) -> None:
        def before(module: Any, name: str, stage: str) -> None:
            function = getattr(module, name)

            def wrapped(*values: Any) -> Any:
                look(stage)
                return function(*values)

            monkeypatch.setattr(module, name, wrapped)

        for name in ("make_working_copy", "finish_working_copy", "index_ahead", "merge"):
            before(staging, name, name)
        before(importer, "_write", "write")
        before(importer, "_finish", "finish")
        monkeypatch.setattr(search_ahead, "FIRST_ROWS", 2)
        monkeypatch.setattr(search_ahead, "sleep", lambda seconds: look("pause"))

    return call


@pytest.fixture
def elsewhere() -> Iterator[Callable[..., Any]]:
    """Have something done by another thread, which has a connection of its own."""
    with ThreadPoolExecutor(1) as pool:
        yield lambda function, *values: pool.submit(function, *values).result()


def is_written(database: Path) -> bool:
    """Tell whether another connection may write at this moment."""
    with closing(sqlite3.connect(database, timeout=0, isolation_level=None)) as other:
        try:
            other.execute("INSERT INTO paused_targets (plugin, target) VALUES ('p', hex(randomblob(8)))")
        except sqlite3.OperationalError:
            return False
    return True


def visible(client: Client) -> dict[str, int]:
    """Return how much of the import is seen by each way that leads to it."""
    found = {
        "list": len(client.get("/posts?per_page=100").json),
        "total": int(client.get("/posts").headers["X-WP-Total"]),
        "search": len(client.get("/posts?search=zebra&per_page=100").json),
        "comments": len(client.get("/comments?search=giraffe&per_page=100", "administrator").json),
        "terms": len(client.get("/categories?slug=news").json),
        "users": len(client.get("/users?search=ann", "administrator").json),
        "items": sum(client.get(f"/posts/{id}").status_code == 200 for id in NUMBERS),
    }
    assert (client.get("/settings", "administrator").json["title"] == "Old site") is bool(found["list"])
    return found


NOTHING = dict.fromkeys(("list", "total", "search", "comments", "terms", "users", "items"), 0)
ALL = {**dict.fromkeys(NOTHING, len(NUMBERS)), "terms": 1, "users": 1}


def kept(database: Path) -> dict[str, object]:
    """Return the rows of all tables, and what stands in the indexes for search."""
    with closing(sqlite3.connect(database)) as connection:
        names = [name for (name,) in connection.execute(
            "SELECT name FROM pragma_table_list WHERE type IN ('table') AND name NOT IN ('sqlite_schema', 'paused_targets')")]
        rows: dict[str, object] = {name: sorted(map(repr, connection.execute(f"SELECT * FROM {name}"))) for name in names}
        for index in ("content_search", "comment_search"):
            rows[index] = sorted(map(repr, connection.execute(f"SELECT term, doc, col FROM {index}_parts")))
    return rows


def test_others_write_until_the_last_transaction(
        client: Client, export: Path, at_stages: Callable[..., None]) -> None:
    database, seen = client.site.config.database, dict[str, bool]()
    at_stages(lambda stage: seen.__setitem__(stage, is_written(database)))

    report = import_wxr(client.site, export)

    assert report.imported["post"] == len(NUMBERS)
    assert seen == {stage: place < FIRST_OF_THE_LAST for place, stage in enumerate(STAGES[:-1])}


def test_readers_see_nothing_before_and_all_after(
        client: Client, export: Path, at_stages: Callable[..., None], elsewhere: Callable[..., Any]) -> None:
    seen: dict[str, dict[str, int]] = {}
    at_stages(lambda stage: seen.__setitem__(stage, elsewhere(visible, client)))

    import_wxr(client.site, export)

    assert seen == dict.fromkeys(STAGES[:-1], NOTHING)
    assert visible(client) == ALL
    assert client.get("/posts/902").json["categories"] == [701]
    assert client.get("/categories/701").json["count"] == len(NUMBERS)


def test_what_is_counted_fits_the_rows_after_an_import_and_after_the_writes_behind_it(client: Client, export: Path) -> None:
    news = client.new("/categories", name="News", slug="news")["id"]
    client.new("/posts", title="Before", status="publish", categories=[news])
    export.write_text(export.read_text("utf-8").replace("<wp:status>publish", "<wp:status>draft", 2), "utf-8")

    import_wxr(client.site, export)

    assert wrong_counts(client.site.database) == {}
    assert client.get(f"/categories/{news}").json["count"] == len(NUMBERS) - 1
    client.new("/posts", title="After", status="publish", categories=[news])
    client.delete("/posts/905?force=true", "administrator")
    assert wrong_counts(client.site.database) == {}
    assert client.get(f"/categories/{news}").json["count"] == len(NUMBERS) - 1


def test_what_is_kept_of_rows_is_what_an_import_under_the_lock_keeps(
        make_client: Callable[..., Client], export: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = export.read_text("utf-8").replace(">2020-01-01 00:00:02<", ">2999-01-01 00:00:02<")
    export.write_text(text.replace("<wp:status>publish", "<wp:status>draft", 1), "utf-8")
    tables = ("content_counts", "scheduled", "term_items", "content_terms", "content_search", "comment_search", "indexed_ahead")
    found = []
    for few in (0, 1_000):
        monkeypatch.setattr(staging, "FEW_ROWS", few)
        client = make_client()
        import_wxr(client.site, export)
        rows = kept(client.site.config.database)
        found.append({table: rows[table] for table in tables})

    assert found[0] == found[1]
    assert found[0]["scheduled"] == ["(902, '2999-01-01T00:00:02', 0)"]


ADDING_TERMS = """
@hookimpl
def import_item(item, importing):
    posts = importing.site.posts.list(user="admin", slug="before").items
    news = importing.terms.by_source_id["category", 701]
    importing.site.stores.terms.set_for_item(posts[0]["id"], {"category": [news]})
    return True
"""


def test_terms_that_a_plugin_gives_to_an_item_of_the_site_count(extended: Callable[..., Client], export: Path) -> None:
    client = extended(ADDING_TERMS)
    client.new("/posts", title="Before", slug="before", status="publish")
    thing = ITEM.format(950, 0).replace(">post<", ">thing<")
    export.write_text(export.read_text("utf-8").replace("</channel>", f"{thing}</channel>"), "utf-8")

    import_wxr(client.site, export)

    assert wrong_counts(client.site.database) == {}
    assert client.get("/categories?slug=news").json[0]["count"] == len(NUMBERS) + 1
    assert len(client.get("/posts?categories=701").json) == len(NUMBERS) + 1


def test_the_numbers_go_on_behind_the_last_one(client: Client, export: Path) -> None:
    import_wxr(client.site, export)

    assert client.new("/posts", title="Next")["id"] == NUMBERS[-1] + 1
    assert client.new("/categories", name="Next")["id"] == 702


class Fault(Exception):
    """What goes wrong."""


@pytest.mark.parametrize("faulty", STAGES[:-1])
def test_what_goes_wrong_leaves_nothing(
        client: Client, export: Path, at_stages: Callable[..., None], faulty: str) -> None:
    database = client.site.config.database
    before = kept(database)

    def fail(stage: str) -> None:
        if stage == faulty:
            raise Fault

    at_stages(fail)
    with pytest.raises(Fault):
        import_wxr(client.site, export)

    assert kept(database) == before
    assert not database.with_name("import.db").exists()


KILLED = """
import os, signal, sys
from pathlib import Path
from cms.assembly import open_site
from cms.config import load_config
from cms.db.sqlite import merging, search_ahead
from cms.transfer.importing import importer, staging

folder, export, deadly = sys.argv[1:]
staging.FEW_ROWS, search_ahead.FIRST_ROWS = 0, 2

def before(module, name, stage):
    function = getattr(module, name)
    def wrapped(*values):
        if stage == deadly:
            os.kill(os.getpid(), signal.SIGKILL)
        return function(*values)
    setattr(module, name, wrapped)

for name in ("make_working_copy", "finish_working_copy", "index_ahead", "merge"):
    before(staging, name, name)
before(importer, "_write", "write")
before(importer, "_finish", "finish")
before(search_ahead, "sleep", "pause")
importer.import_wxr(open_site(load_config(Path(folder), environ={})), Path(export))
os.kill(os.getpid(), signal.SIGKILL)
"""


def kill_at(client: Client, export: Path, stage: str) -> None:
    folder = client.site.config.instance
    killed = subprocess.run([sys.executable, "-c", KILLED, str(folder), str(export), stage], env={**os.environ}, check=False)
    assert killed.returncode == -signal.SIGKILL


@pytest.mark.parametrize("stage", STAGES)
def test_an_import_that_is_killed_leaves_nothing_to_see_and_the_next_one_starts_clean(
        client: Client, export: Path, stage: str) -> None:
    database = client.site.config.database

    kill_at(client, export, stage)

    assert visible(client) == (ALL if stage == "end" else NOTHING)
    assert is_written(database)

    import_wxr(client.site, export)

    assert visible(client) == ALL
    entries = kept(database)
    client.site.database.execute("DELETE FROM comments")
    client.site.database.execute("DELETE FROM content_terms")
    client.site.database.execute("DELETE FROM content")
    assert entries["content_search"]
    assert kept(database)["content_search"] == kept(database)["comment_search"] == entries["indexed_ahead"] == []
    assert not database.with_name("import.db").exists()


def test_the_indexes_are_made_anew_where_a_killed_import_has_left_no_copy(client: Client, export: Path) -> None:
    client.new("/posts", title="Own", content="Elephant", status="publish")
    own = kept(client.site.config.database)["content_search"]
    kill_at(client, export, "pause")
    assert kept(client.site.config.database)["content_search"] != own
    client.site.config.database.with_name("import.db").unlink()

    export.write_text(EXPORT.format(""), "utf-8")
    import_wxr(client.site, export)

    assert kept(client.site.config.database)["content_search"] == own
    assert len(client.get("/posts?search=elephant").json) == 1


CHANGES: dict[str, Callable[[Client], object]] = {
    "a slug": lambda client: client.new("/posts", title="Other", slug="item-903", status="publish"),
    "a term": lambda client: client.new("/categories", name="News", slug="news"),
    "an account": lambda client: client.new("/users", "administrator", username="ann", email="a@example.org", password="pass-word-5"),
    "a setting": lambda client: client.post("/settings", {"title": "Own title"}, "administrator"),
    "other posts": lambda client: [client.new("/posts", title="Other") for _number in range(3)],
    "the indexes": lambda client: reindex(client.site.config.instance),
}


def reindex(folder: Path) -> None:
    """Make the indexes for search anew."""
    done = CliRunner().invoke(main, ["--instance", str(folder), "search", "reindex"])
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize("changed", CHANGES)
@pytest.mark.parametrize("stage", ["write", "pause"])
def test_what_others_change_meanwhile_counts(
        client: Client, export: Path, at_stages: Callable[..., None], elsewhere: Callable[..., Any], changed: str,
        stage: str) -> None:
    done: list[object] = []

    def change(now: str) -> None:
        if now == stage and not done:
            done.append(elsewhere(CHANGES[changed], client))

    at_stages(change)
    import_wxr(client.site, export)

    assert done
    posts = {post["id"]: post for post in client.get("/posts?search=zebra").json}
    assert sorted(posts) == list(NUMBERS)
    assert len(client.get("/comments?search=giraffe", "administrator").json) == len(NUMBERS)
    assert posts[903]["slug"] == ("item-903-2" if changed == "a slug" else "item-903")
    assert len(client.get("/categories?slug=news").json) == 1
    assert (client.get("/settings", "administrator").json["title"] == "Own title") is (changed == "a setting")
    assert client.site.database.scalar("SELECT COUNT(*) FROM indexed_ahead") == 0


def test_a_parent_that_was_deleted_meanwhile_is_nobody_s_parent(
        client: Client, export: Path, at_stages: Callable[..., None], elsewhere: Callable[..., Any]) -> None:
    pages = ITEM.replace(">post<", ">page<").replace("<wp:status>", "<wp:post_parent>{2}</wp:post_parent><wp:status>")
    export.write_text(EXPORT.format(pages.format(900, 0, 0)), "utf-8")
    import_wxr(client.site, export)
    deleted: list[int] = []

    def delete(stage: str) -> None:
        if stage == "pause" and not deleted:
            deleted.append(elsewhere(client.delete, "/pages/900?force=true", "administrator").status_code)

    at_stages(delete)
    export.write_text(EXPORT.format("".join(pages.format(id, id % 60, 900) for id in NUMBERS)), "utf-8")
    import_wxr(client.site, export)

    assert deleted == [200]
    found = client.get("/pages?per_page=100", "administrator").json
    assert {page["id"]: page["parent"] for page in found} == dict.fromkeys(NUMBERS, 0)


def test_an_import_that_never_fits_is_written_under_the_lock(
        client: Client, export: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[str] = []

    def never(*values: object) -> None:
        tried.append("merge")
        raise MergeConflict("somebody is faster")

    monkeypatch.setattr(staging, "merge", never)

    assert import_wxr(client.site, export).imported["post"] == len(NUMBERS)

    assert tried == ["merge"] * staging.ATTEMPTS
    assert visible(client) == ALL


def test_a_file_that_is_brought_again_is_known(client: Client, export: Path) -> None:
    import_wxr(client.site, export)
    before = kept(client.site.config.database)

    report = import_wxr(client.site, export)

    assert (report.imported.get("post"), report.known["post"]) == (None, len(NUMBERS))
    assert kept(client.site.config.database) == before


def test_tables_of_plugins_may_have_words_of_sql_as_names(client: Client, export: Path) -> None:
    with client.site.database.write():
        client.site.database.execute('CREATE TABLE "group" ("order" TEXT, "index" INTEGER, "to" TEXT, PRIMARY KEY ("order", "index"))')
        client.site.database.execute("""INSERT INTO "group" VALUES ('a', 1, 'b')""")

    assert import_wxr(client.site, export).imported["post"] == len(NUMBERS)

    assert visible(client) == ALL
    assert client.site.database.rows('SELECT * FROM "group"') == [{"order": "a", "index": 1, "to": "b"}]


def test_rows_come_in_batches_of_any_size(client: Client, export: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(merging, "BATCH", 2)

    assert import_wxr(client.site, export).imported["post"] == len(NUMBERS)

    assert visible(client) == ALL
    assert wrong_counts(client.site.database) == {}

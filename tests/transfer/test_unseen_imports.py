"""An import on PostgreSQL is written while others write: nobody sees or waits for it, and it gives way where it must."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from io import BytesIO
from pathlib import Path
from time import sleep
from typing import Any

import pytest
from servers import SERVER
from sites import Client
from test_staging import ALL, EXPORT, ITEM, NOTHING, NUMBERS, visible
from transfer.test_import_rules import item, stored
from transfer.test_references import FILE, bring_to, text

from cms.db.sqlite.health.counts import wrong_counts
from cms.transfer.exporting.exporter import export_wxr
from cms.transfer.importing import importer, references, staging
from cms.transfer.importing.importer import import_wxr

pytest.importorskip("psycopg", reason="the extra postgres isn't installed")
from cms.db.postgres import unseen
from cms.db.postgres.unseen import UnseenWrite

pytestmark = pytest.mark.skipif(not SERVER, reason="CMS_TEST_DATABASE names no server of PostgreSQL")

#: Where somebody looks in, in this order; with the last two the import has the write lock.
STAGES = ("begin", "items", "written", "tied", "settle", "locked", "finish")
FIRST_OF_THE_LAST = STAGES.index("locked")
#: What is called at each stage, by module or class and name.
PLACES: dict[str, tuple[Any, str]] = {
    "begin": (importer, "_write"),
    "items": (importer, "_write_items"),
    "written": (importer, "detach_unwritten"),
    "tied": (importer, "tie_references"),
    "settle": (UnseenWrite, "settle"),
    "locked": (unseen, "find_overtaken"),
    "finish": (importer, "_finish"),
}
#: When an export was made, or a row came.
MOMENT = re.compile(r"<pubDate>.*?</pubDate>|20[2-9]\d-\d\d-\d\d[T ]\d\d:\d\d:\d\d")
IS_AWAITED = "SELECT 1 FROM pg_locks WHERE NOT granted AND pg_locks.database IS NULL"


@pytest.fixture
def export(tmp_path: Path) -> Path:
    path = tmp_path / "export.xml"
    path.write_text(EXPORT.format("".join(ITEM.format(id, id % 60) for id in NUMBERS)), "utf-8")
    return path


@pytest.fixture
def at_stages(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[str], None]], None]:
    """Have something called when an import comes to each stage for the first time."""
    monkeypatch.setattr(unseen, "LOOK_SECONDS", 0)
    seen: set[str] = set()

    def call(look: Callable[[str], None]) -> None:
        def before(stage: str, place: Any, name: str) -> None:
            function = getattr(place, name)

            def wrapped(*values: Any) -> Any:
                if stage not in seen:
                    seen.add(stage)
                    look(stage)
                return function(*values)

            monkeypatch.setattr(place, name, wrapped)

        for stage, (place, name) in PLACES.items():
            before(stage, place, name)

    return call


@pytest.fixture
def elsewhere() -> Iterator[Callable[..., Future[Any]]]:
    """Have something begun by another thread, which has a connection of its own."""
    with ThreadPoolExecutor(1) as pool:
        yield pool.submit


def test_others_write_and_see_nothing_until_the_end(client: Client, export: Path, at_stages: Any, elsewhere: Any) -> None:
    seen: dict[str, dict[str, int]] = {}
    made: list[int] = []

    def look(stage: str) -> None:
        seen[stage] = elsewhere(visible, client).result()
        if STAGES.index(stage) < FIRST_OF_THE_LAST:
            made.append(elsewhere(client.new, "/posts", title=f"Meanwhile {stage}").result()["id"])

    at_stages(look)
    report = import_wxr(client.site, export)

    assert report.imported["post"] == len(NUMBERS)
    assert seen == dict.fromkeys(STAGES, NOTHING)
    assert len(set(made)) == FIRST_OF_THE_LAST
    assert client.get("/posts/902").json["categories"] == [701]
    assert len(client.get("/posts?search=zebra").json) == len(NUMBERS)
    assert wrong_counts(client.site.database) == {}


def test_what_is_counted_fits_with_what_others_have_written(client: Client, export: Path, at_stages: Any, elsewhere: Any) -> None:
    news = client.new("/categories", name="News", slug="news")["id"]
    client.new("/posts", title="Before", status="publish", categories=[news])
    export.write_text(export.read_text("utf-8").replace("<wp:status>publish", "<wp:status>draft", 2), "utf-8")

    def look(stage: str) -> None:
        if stage in ("items", "written", "tied", "settle"):
            elsewhere(client.new, "/posts", title=f"Meanwhile {stage}", status="publish", categories=[news]).result()

    at_stages(look)
    import_wxr(client.site, export)

    assert wrong_counts(client.site.database) == {}
    assert client.get(f"/categories/{news}").json["count"] == len(NUMBERS) + 3
    client.new("/posts", title="After", status="publish", categories=[news])
    client.delete("/posts/905?force=true", "administrator")
    assert wrong_counts(client.site.database) == {}
    assert client.get(f"/categories/{news}").json["count"] == len(NUMBERS) + 3


class Fault(Exception):
    """What goes wrong."""


@pytest.mark.parametrize("faulty", STAGES)
def test_what_goes_wrong_leaves_nothing(client: Client, export: Path, at_stages: Any, faulty: str) -> None:
    def fail(stage: str) -> None:
        if stage == faulty:
            raise Fault

    at_stages(fail)
    with pytest.raises(Fault):
        import_wxr(client.site, export)

    assert visible(client) == NOTHING
    assert wrong_counts(client.site.database) == {}
    assert client.new("/posts", title="Next")["id"] < min(NUMBERS)


KILLED = """
import os, signal, sys
from pathlib import Path
from cms.assembly import open_site
from cms.config import load_config
from cms.db.postgres import unseen
from cms.transfer.importing import importer, references, staging

folder, export, place, name = sys.argv[1:]
staging.FEW_ROWS = 0
places = {"importer": importer, "unseen": unseen, "UnseenWrite": unseen.UnseenWrite}
setattr(places[place], name, lambda *values: os.kill(os.getpid(), signal.SIGKILL))
importer.import_wxr(open_site(load_config(Path(folder), environ={})), Path(export))
"""


@pytest.mark.parametrize("stage", STAGES)
def test_an_import_that_is_killed_leaves_nothing_and_keeps_nobody_away(client: Client, export: Path, stage: str) -> None:
    place, name = PLACES[stage]
    arguments = [str(client.site.config.instance), str(export), place.__name__.rpartition(".")[2], name]
    killed = subprocess.run([sys.executable, "-c", KILLED, *arguments], env={**os.environ}, check=False)
    assert killed.returncode == -signal.SIGKILL

    assert visible(client) == NOTHING
    client.new("/posts", title="Next")
    import_wxr(client.site, export)
    assert visible(client) == ALL
    assert wrong_counts(client.site.database) == {}


CHANGES: dict[str, Callable[[Client], object]] = {
    "a slug": lambda client: client.new("/posts", title="Other", slug="item-903", status="publish"),
    "a term": lambda client: client.new("/categories", name="News", slug="news"),
    "an account": lambda client: client.new("/users", "administrator", username="ann", email="a@example.org", password="pass-word-5"),
    "a setting": lambda client: client.post("/settings", {"title": "Own title"}, "administrator"),
    "other posts": lambda client: [client.new("/posts", title="Other") for _number in range(3)],
}


@pytest.mark.parametrize("changed", CHANGES)
@pytest.mark.parametrize("stage", ["begin", "tied", "settle"])
def test_what_others_change_meanwhile_counts(
    client: Client, export: Path, at_stages: Any, elsewhere: Any, changed: str, stage: str
) -> None:
    begun: list[Future[Any]] = []

    def change(now: str) -> None:
        if now == stage and not begun:
            begun.append(elsewhere(CHANGES[changed], client))
            while not begun[0].done() and not is_awaited(client):
                sleep(0.01)

    at_stages(change)
    import_wxr(client.site, export)

    assert begun[0].result()
    posts = {post["id"]: post for post in client.get("/posts?search=zebra").json}
    assert sorted(posts) == list(NUMBERS)
    assert posts[903]["slug"] == ("item-903-2" if changed == "a slug" else "item-903")
    assert len(client.get("/categories?slug=news").json) == 1
    assert (client.get("/settings", "administrator").json["title"] == "Own title") is (changed == "a setting")
    assert wrong_counts(client.site.database) == {}


def test_a_text_that_others_change_while_it_is_tied_stays_theirs(
    client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, elsewhere: Any
) -> None:
    monkeypatch.setattr(staging, "FEW_ON_SERVER", 0)
    post = item(3, post_name="post", inner=text("wp-image-5"))
    bring_to(client, tmp_path, post + item(7, post_name="seven", post_date_gmt="2020-01-03 00:00:00"))
    with client.site.database.write():
        client.site.stores.ids.move("content", 100)
        client.site.database.execute("DELETE FROM id_ranges")
    id = stored(client.site, 3)["id"]
    make, changed = references.text_columns, list[int]()

    def change(*values: Any) -> Any:
        if not changed:
            sent = elsewhere(client.post, f"/posts/{id}", {"content": "Their own wp-image-5"}, "administrator")
            changed.append(sent.result().status_code)
        return make(*values)

    monkeypatch.setattr(references, "text_columns", change)
    bring_to(client, tmp_path, FILE)

    assert changed == [200]
    assert stored(client.site, 3)["content"] == f"Their own wp-image-{stored(client.site, 5)['id']}"


def is_awaited(client: Client) -> bool:
    """Tell whether somebody waits for another transaction."""
    return client.site.database.exists(IS_AWAITED)


def test_an_import_that_never_fits_is_written_under_the_lock(client: Client, export: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[str] = []
    monkeypatch.setattr(unseen, "find_overtaken", lambda *values: tried.append("once") or "somebody is faster")

    assert import_wxr(client.site, export).imported["post"] == len(NUMBERS)

    assert tried == ["once"] * staging.ATTEMPTS
    assert visible(client) == ALL


def test_it_brings_what_an_import_under_the_lock_brings(
    make_client: Callable[..., Client], export: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    exported = []
    for few in (0, 1_000):
        monkeypatch.setattr(staging, "FEW_ROWS", few)
        client = make_client()
        import_wxr(client.site, export)
        file = BytesIO()
        export_wxr(client.site, file)
        exported.append(MOMENT.sub("", file.getvalue().decode()))
    assert exported[0] == exported[1]
    assert "Zebra 905" in exported[0]

"""Deliveries to the targets of a plugin: to whom, in which order, how often, and what becomes of them."""

from __future__ import annotations

import json
import re
import sqlite3
import sys
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from old_databases import migrate_to
from sites import Client
from test_fork import run_in_child

from cms.background.retries import RETRY_DELAYS
from cms.cli import main
from cms.dates import in_days, in_seconds
from cms.db.stores import deliveries as delivery_statements
from cms.db.stores import events as event_statements
from cms.hooks import PluginError
from cms.plugin import DeliveryFailed

WAIT = 20.0
START = "2026-01-31T12:00:00"
PLUGIN = '''
targets, answers, sent = ["a", "b"], {}, []

@hookimpl
def event_targets(event):
    if isinstance(targets, Exception):
        raise targets
    return targets if event.resource == "post" else []

@hookimpl
def deliver_event(delivery):
    answer = answers.get(delivery.target)
    sent.append((delivery.target, delivery.event.name, delivery.event.item_id))
    if callable(answer):
        answer = answer(delivery)
    if isinstance(answer, Exception):
        raise answer
    return answer
'''


@pytest.fixture
def client(extended: Callable[..., Client]) -> Client:
    """A client of a site whose plugin delivers events of posts to two targets, at a time that stands still."""
    made = extended(PLUGIN)
    at(made, START)
    made.account("editor")
    deliver(made)
    return made


@pytest.fixture
def plugin(client: Client) -> Any:
    return sys.modules["plugin_one"]


def at(client: Client, moment: str) -> None:
    client.site.clock.now = lambda: moment  # type: ignore[method-assign]


def later(client: Client, seconds: int) -> None:
    at(client, in_seconds(client.site.now(), seconds))


def until(condition: Callable[[], Any]) -> None:
    end = time.monotonic() + WAIT
    while not condition():
        assert time.monotonic() < end, "it didn't happen"
        time.sleep(0.005)


def begin(client: Client) -> None:
    client.site.outbox.deliver()
    client.site.sender.send_due()


def deliver(client: Client) -> None:
    """Begin to deliver what is due, and wait until it is done."""
    begin(client)
    until(lambda: not [thread for thread in threading.enumerate() if thread.name == "cms-deliveries"])


def post(client: Client, title: str = "Post") -> int:
    return int(client.new("/posts", title=title)["id"])


def history(client: Client, target: str) -> list[tuple[str, int, str, int]]:
    """Return name, item, state and tries of all deliveries to a target, the oldest first."""
    rows = reversed(client.site.outbox.deliveries("plugin_one").list(target))
    return [(row["name"], row["item_id"], row["status"], row["tries"]) for row in rows]


# Hooks.


@pytest.mark.parametrize(("hooks", "fault"), [
    (("event_targets",), "belong together"),
    (("deliver_event",), "belong together"),
    (("on_event", "deliver_event"), "belong together"),
    (("on_event", "event_targets", "deliver_event"), "may have one of them"),
])
def test_hooks_that_do_not_go_together_stop_the_boot(extended: Callable[..., Client], hooks: tuple[str, ...],
                                                     fault: str) -> None:
    source = "".join(f"@hookimpl\ndef {hook}(site):\n    pass\n" for hook in hooks)

    with pytest.raises(PluginError, match=f"^plugin plugin_one: .*{fault}"):
        extended(source)


@pytest.mark.parametrize("found", [None, "ab", [7], [""], {"a"}, ValueError("not now")])
def test_targets_that_cannot_be_found_are_asked_for_again_in_the_order_of_the_item(client: Client, plugin: Any,
                                                                                  found: Any) -> None:
    plugin.targets = found
    one = post(client)
    client.post(f"/posts/{one}", {"title": "New"})
    deliver(client)

    assert [(each["name"], each["target"], each["tries"], each["state"]) for each in client.site.outbox.waiting()] == [
        ("post.created", "", 1, "failed"), ("post.updated", "", 0, "waiting")]
    assert "event_targets" in client.site.outbox.waiting()[0]["error"] or isinstance(found, ValueError)
    plugin.targets = ["a"]
    later(client, RETRY_DELAYS[0])
    deliver(client)
    assert plugin.sent == [("a", "post.created", one), ("a", "post.updated", one)]


def test_what_goes_to_nobody_is_not_kept(client: Client, plugin: Any) -> None:
    plugin.targets = ()
    post(client)
    deliver(client)

    assert client.site.database.rows("SELECT * FROM events") == []


# Tries.


def test_each_target_has_its_own_tries_order_and_history(client: Client, plugin: Any) -> None:
    plugin.answers["a"] = DeliveryFailed("it answered 503", 503)
    one = post(client)
    client.post(f"/posts/{one}", {"title": "New"})
    two = post(client)
    deliver(client)

    assert history(client, "b") == [("post.created", one, "delivered", 1), ("post.updated", one, "delivered", 1),
                                    ("post.created", two, "delivered", 1)]
    assert history(client, "a") == [("post.created", one, "waiting", 1), ("post.updated", one, "waiting", 0),
                                    ("post.created", two, "waiting", 1)]
    plugin.answers.clear()
    plugin.sent.clear()
    later(client, RETRY_DELAYS[0] * 2)
    deliver(client)
    assert plugin.sent == [("a", "post.created", one), ("a", "post.updated", one), ("a", "post.created", two)]
    assert [(row["code"], row["error"]) for row in client.site.outbox.deliveries("plugin_one").list("a")] == [(None, "")] * 3


@pytest.mark.parametrize(("raised", "code", "status", "error", "least", "most"), [
    (DeliveryFailed("it answered 500", 500), 500, "waiting", "it answered 500", 10, 12),
    (DeliveryFailed("busy", 429, retry_after=600), 429, "waiting", "busy", 600, 600),
    (DeliveryFailed("busy", retry_after=5), None, "waiting", "busy", 10, 12),
    (DeliveryFailed("busy", retry_after=10**9), None, "waiting", "busy", 86_400, 86_400),
    (DeliveryFailed("gone", 410, is_final=True), 410, "set_aside", "gone", 10, 12),
    (DeliveryFailed("x" * 2_000), None, "waiting", "x" * 500, 10, 12),
    (KeyError("odd"), None, "waiting", "it couldn't be sent (KeyError)", 10, 12),
    (lambda delivery: "taken", None, "waiting", "it couldn't be sent (PluginError)", 10, 12),
])
def test_a_failure_is_noted_with_the_next_try(client: Client, plugin: Any, raised: Any, code: int | None, status: str,
                                              error: str, least: int, most: int) -> None:
    plugin.answers["a"] = raised
    post(client)
    deliver(client)

    [row] = client.site.outbox.deliveries("plugin_one").failed()
    assert (row["target"], row["status"], row["tries"], row["code"], row["error"]) == ("a", status, 1, code, error)
    assert in_seconds(START, least) <= row["due_gmt"] <= in_seconds(START, most)


def test_a_target_that_never_answers_is_given_up_after_the_last_delay(client: Client, plugin: Any) -> None:
    plugin.answers["a"] = DeliveryFailed("no")
    one = post(client)
    deliver(client)
    for delay in RETRY_DELAYS:
        later(client, delay * 2)
        deliver(client)
    later(client, 10 * RETRY_DELAYS[-1])
    deliver(client)

    assert history(client, "a") == [("post.created", one, "set_aside", len(RETRY_DELAYS) + 1)]
    assert plugin.sent.count(("a", "post.created", one)) == len(RETRY_DELAYS) + 1


def test_a_target_gets_what_was_for_it_once_there_are_threads_again(
        client: Client, plugin: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    one = post(client)

    def start(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as without_threads:
        without_threads.setattr(threading.Thread, "start", start)
        with pytest.raises(RuntimeError):
            begin(client)
    later(client, 2 * RETRY_DELAYS[0])
    deliver(client)

    assert sorted(plugin.sent) == [("a", "post.created", one), ("b", "post.created", one)]


def test_a_delivery_keeps_its_id_which_no_other_has(client: Client, plugin: Any) -> None:
    ids: list[int] = []
    plugin.answers["a"] = lambda delivery: ids.append(delivery.id) or DeliveryFailed("no")  # type: ignore[func-returns-value]
    post(client)
    deliver(client)
    later(client, 12)
    deliver(client)
    client.site.outbox.drop()
    post(client)
    deliver(client)

    assert ids[0] == ids[1] < ids[2]


# Targets that are paused, and that are no more.


def test_what_is_for_a_paused_target_waits_for_it(client: Client, plugin: Any) -> None:
    mine = client.site.outbox.deliveries("plugin_one")
    mine.pause("a")
    one = post(client)
    deliver(client)
    [waiting] = client.site.outbox.waiting()
    assert (waiting["target"], waiting["state"], waiting["due_gmt"]) == ("a", "paused", None)
    assert client.site.outbox.retry() == 1  # asked for or not
    deliver(client)
    assert plugin.sent == [("b", "post.created", one)]
    assert client.statements(lambda: begin(client)) == []  # it isn't due

    mine.resume("a")
    deliver(client)
    assert history(client, "a") == [("post.created", one, "delivered", 1)]


def test_a_target_that_is_no_more_leaves_nothing(client: Client, plugin: Any) -> None:
    plugin.answers["a"] = DeliveryFailed("no")
    post(client)
    deliver(client)
    mine = client.site.outbox.deliveries("plugin_one")
    for target in ("a", "b"):
        mine.pause(target)
        mine.forget(target)

    for table in ("events", "deliveries", "paused_targets"):
        assert client.site.database.rows(f"SELECT * FROM {table}") == []


def test_a_target_that_is_forgotten_while_it_is_sent_to_leaves_nothing(client: Client, plugin: Any) -> None:
    mine = client.site.outbox.deliveries("plugin_one")
    plugin.targets = ["a"]
    plugin.answers["a"] = lambda delivery: mine.forget("a")
    post(client)
    deliver(client)

    assert client.site.database.rows("SELECT * FROM deliveries") == []


def test_old_deliveries_go_with_their_events(client: Client, plugin: Any) -> None:
    mine = client.site.outbox.deliveries("plugin_one")
    plugin.answers["a"] = DeliveryFailed("no")
    one = post(client)
    deliver(client)
    later(client, 86_400)
    two = post(client)
    deliver(client)

    mine.remove_older(in_days(START, 1))
    assert (history(client, "b"), len(history(client, "a"))) == ([("post.created", two, "delivered", 1)], 2)
    mine.pause("a")  # what waits is old only where it isn't to be sent
    mine.remove_older(in_days(START, 1))
    assert [item for _name, item, _status, _tries in history(client, "a")] == [two]
    assert client.site.database.column("SELECT item_id FROM events") == [two]
    assert one != two


# What is shown, and what it costs.


def test_the_command_shows_what_was_not_taken_alone(client: Client, plugin: Any) -> None:
    def events(*arguments: str) -> Any:
        environ = {"CMS_INSTANCE": None, "CMS_PLUGINS": "plugin_one"}
        folder = str(client.site.config.instance)
        ran = CliRunner().invoke(main, ["--instance", folder, "events", *arguments, "--json"], env=environ)
        assert ran.exit_code == 0, ran.output
        return json.loads(ran.stdout)

    plugin.answers["a"] = DeliveryFailed("no")
    one = post(client)
    deliver(client)

    [told] = events()
    assert (told["plugin"], told["target"], told["item"], told["state"], told["error"]) == (
        "plugin_one", "a", one, "failed", "no")
    assert events("retry", str(told["event"])) == {"retried": 1}
    assert events("drop", str(told["event"])) == {"dropped": 1}
    assert events() == []
    assert history(client, "b") == [("post.created", one, "delivered", 1)]


#: Parts that other statements are made of.
PARTS = ("SELECT_DELIVERIES", "OLDER_OF_ITEM", "OLDEST_DUE", "QUEUES", "CHOSEN")
STATEMENTS = {name: text for module in (delivery_statements, event_statements) for name, text in vars(module).items()
              if isinstance(text, str) and re.match(r"\s*(SELECT|WITH|INSERT|UPDATE|DELETE) ", text) and name not in PARTS}
#: What shows a target's history may read that, by one of these indexes; nothing else may.
OF_HISTORY = {"SELECT_SOME": "history", "COUNT": "history", "DELETE_OF_TARGET": "history", "REMOVE_OLD": "age"}


@pytest.mark.files_only  # plans are those of SQLite
@pytest.mark.parametrize("name", STATEMENTS)
def test_no_statement_reads_all_that_was_ever_delivered(client: Client, name: str) -> None:
    text = STATEMENTS[name]
    values: Any = dict.fromkeys(re.findall(r":(\w+)", text)) or [None] * text.count("?")
    plan = [row["detail"] for row in client.site.database.rows(f"EXPLAIN QUERY PLAN {text}", values)]

    assert plan or text.startswith("INSERT")
    assert [step for step in plan if re.match(r"SCAN (d|e|o|deliveries|events)\b", step) and "deliveries_open" not in step] == []
    for index in ("history", "age"):
        assert OF_HISTORY.get(name) == index or f"deliveries_{index}" not in "".join(plan)


def test_of_two_that_flood_each_other_none_waits(client: Client, plugin: Any) -> None:
    release = threading.Event()
    plugin.answers["a"] = lambda delivery: release.wait(WAIT) and None
    ids = [post(client) for _ in range(20)]
    begin(client)
    until(lambda: [row[2] for row in history(client, "b")] == ["delivered"] * 20)

    assert [row[2:] for row in history(client, "a")] == [("waiting", 1), *[("waiting", 0)] * 19]
    release.set()
    deliver(client)
    assert [item for target, _name, item in plugin.sent if target == "a"] == ids


@pytest.mark.filterwarnings("ignore:.*use of fork.*:DeprecationWarning")
def test_a_child_of_a_process_that_sends_can_send(client: Client, plugin: Any) -> None:
    sender = client.site.sender
    locked, release = threading.Event(), threading.Event()

    def hold() -> None:
        with sender._changed:
            locked.set()
            release.wait(WAIT)

    def send() -> bool:
        post(client)
        deliver(client)
        return [target for target, _name, _item in plugin.sent] == ["a", "b"] and sender._busy == {}

    sender._busy["plugin_one", "a"] = time.monotonic()
    holder = threading.Thread(target=hold)
    holder.start()
    try:
        assert locked.wait(WAIT)
        sent = run_in_child(send)
    finally:
        release.set()
        holder.join()
        sender._busy.clear()

    assert sent


# Databases of earlier versions.


def test_what_waited_before_there_were_targets_goes_on(tmp_path: Path) -> None:
    database = tmp_path / "old.db"
    migrate_to(database, "0008")
    with closing(sqlite3.connect(database)) as old:
        for id in (4, 7):
            old.execute("INSERT INTO events VALUES (?, 'post.created', 'post', 1, 0, ?, '{}')", (id, START))
        for row in ((7, "b", 0, START, "", 0), (4, "b", 8, START, "no", 1), (4, "a", 2, START, "not now", 0)):
            old.execute("INSERT INTO deliveries VALUES (?, ?, ?, ?, ?, ?)", row)
        old.commit()
    migrate_to(database, "0009")

    columns = "event_id, plugin, target, resource, item_id, status, tries, due_gmt, error"
    with closing(sqlite3.connect(database)) as new:
        assert new.execute(f"SELECT {columns} FROM deliveries ORDER BY id").fetchall() == [
            (4, "a", "", "post", 1, "waiting", 2, START, "not now"),
            (4, "b", "", "post", 1, "set_aside", 8, START, "no"),
            (7, "b", "", "post", 1, "waiting", 0, START, "")]

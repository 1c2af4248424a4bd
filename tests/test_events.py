"""Events: how many there are of what, that plugins get them, and what becomes of those they don't take."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from sites import Client

from cms.background.retries import RETRY_DELAYS
from cms.cli import main
from cms.dates import in_seconds
from cms.transfer.importing.importer import import_wxr

EXPORT = Path(__file__).parent / "data" / "wxr" / "fixture-unicode.xml"
LISTENS = '''
failing = set()

@hookimpl
def on_event(event):
    if event.name in failing or event.item_id in failing:
        raise ValueError("not now")
    seen.append(event)
'''


@pytest.fixture
def client(extended: Callable[..., Client]) -> Client:
    made = extended(LISTENS)
    for role in ("editor", "author", "administrator"):
        made.account(role)
    delivered(made)
    return made


def delivered(client: Client, plugin: str = "plugin_one") -> list[Any]:
    """Deliver what is due and return the events that a plugin got."""
    client.site.outbox.deliver()
    told = sys.modules[plugin].seen
    found = list(told)
    told.clear()
    return found


def names(client: Client, plugin: str = "plugin_one") -> list[str]:
    return [event.name for event in delivered(client, plugin)]


def item(client: Client, **fields: Any) -> int:
    return int(client.new("/posts", **{"title": "Item", "content": "Text", **fields})["id"])


EVENTS: dict[str, tuple[Callable[[Client, int], Any], list[str]]] = {
    "a draft": (lambda c, id: item(c), ["post.created"]),
    "a published post": (lambda c, id: item(c, status="publish"), ["post.created", "post.published"]),
    "a scheduled post": (lambda c, id: item(c, status="publish", date="2099-01-01T00:00:00"), ["post.created"]),
    "a change": (lambda c, id: c.post(f"/posts/{id}", {"title": "New"}), ["post.updated"]),
    "a publication": (lambda c, id: c.post(f"/posts/{id}", {"status": "publish"}), ["post.updated", "post.published"]),
    "the trash": (lambda c, id: c.send("DELETE", f"/posts/{id}", "editor"), ["post.trashed"]),
    "out of the trash": (lambda c, id: [c.send("DELETE", f"/posts/{id}", "editor"),
                                        c.post(f"/posts/{id}", {"status": "draft"})],
                         ["post.trashed", "post.untrashed"]),
    "a deletion": (lambda c, id: c.send("DELETE", f"/posts/{id}?force=true", "editor"), ["post.deleted"]),
    "a page": (lambda c, id: c.new("/pages", title="Page"), ["page.created"]),
    "a term": (lambda c, id: c.new("/tags", name="Tag"), ["post_tag.created"]),
    "an account": (lambda c, id: c.post("/users/me", {"nickname": "Ed"}), ["user.updated"]),
    "the settings": (lambda c, id: c.post("/settings", {"title": "Ours"}, "administrator"), ["settings.updated"]),
    "an import": (lambda c, id: import_wxr(c.site, EXPORT), ["import.finished"]),
    "nothing sent": (lambda c, id: c.post("/posts", {}), []),
    "a bad value": (lambda c, id: c.post(f"/posts/{id}", {"status": "nonsense"}), []),
    "a refusal": (lambda c, id: c.post(f"/posts/{id}", {"title": "New"}, "author"), []),
    "an unknown item": (lambda c, id: c.post("/posts/9999", {"title": "New"}), []),
    "a read": (lambda c, id: c.get(f"/posts/{id}", "editor"), []),
}


@pytest.mark.parametrize("what", EVENTS)
def test_each_write_is_told_of_once(client: Client, what: str) -> None:
    act, expected = EVENTS[what]
    id = item(client)
    assert names(client) == ["post.created"]

    act(client, id)

    assert names(client) == expected
    assert names(client) == []
    assert client.site.database.rows("SELECT * FROM events") == []


def test_comments_are_told_of_with_their_states(client: Client) -> None:
    post = item(client, status="publish")
    id = client.new("/comments", post=post, content="Said")["id"]
    client.post(f"/comments/{id}", {"status": "hold"})
    client.post(f"/comments/{id}", {"status": "trash"})
    client.post(f"/comments/{id}", {"status": "untrash"})
    client.send("DELETE", f"/comments/{id}?force=true", "editor")

    assert [(event.name, *event.data["status"].values()) for event in delivered(client)[2:]] == [
        ("comment.created", None, "approved"), ("comment.updated", "approved", "hold"),
        ("comment.trashed", "hold", "trash"), ("comment.untrashed", "trash", "hold"), ("comment.deleted", "hold", None)]


def test_an_event_says_what_happened_to_what_when_and_by_whom(client: Client) -> None:
    id = item(client)
    client.post(f"/posts/{id}", {"status": "pending"}, "administrator")

    created, updated = delivered(client)

    assert (created.resource, created.item_id, created.user_id) == ("post", id, client.id_of("editor"))
    assert updated.user_id == 1
    assert (created.data, updated.data) == ({"status": {"old": None, "new": "draft"}},
                                            {"status": {"old": "draft", "new": "pending"}})
    assert updated.id > created.id
    assert created.at <= client.site.now()


def test_an_import_is_one_event_with_its_numbers(client: Client) -> None:
    report = import_wxr(client.site, EXPORT)

    (event,) = delivered(client)

    assert event.data == {"imported": report.imported}
    assert report.imported


def test_without_a_plugin_that_listens_no_event_is_written(make_client: Callable[..., Client]) -> None:
    client = make_client()
    seen = client.statements(lambda: item(client, status="publish"))

    assert client.site.database.rows("SELECT * FROM events") == []
    assert not [sql for sql in seen if "events" in sql or "deliveries" in sql or "scheduled" in sql.split("BEGIN")[0]]


def test_an_event_and_its_change_are_written_together_or_not_at_all(extended: Callable[..., Client]) -> None:
    client = extended(LISTENS, "@hookimpl\ndef after_write(resource):\n    assert resource != 'post'\n")

    assert client.post("/posts", {"title": "Item"}).status_code == 500
    assert [event.resource for event in delivered(client)] == ["user"]


@pytest.fixture
def clock(client: Client, monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Move the site's clock forward by seconds."""
    start = client.site.now()
    passed = [0]
    monkeypatch.setattr(client.site.clock, "now", lambda: in_seconds(start, passed[0]))

    def move(seconds: int) -> None:
        passed[0] += seconds

    return move


def test_an_event_that_fails_is_tried_again_after_growing_pauses_and_then_set_aside(
        client: Client, clock: Callable[[int], None], caplog: pytest.LogCaptureFixture) -> None:
    failing = sys.modules["plugin_one"].failing
    failing.add("post.created")
    item(client)
    assert names(client) == []
    assert "plugin plugin_one: on_event failed" in caplog.text

    for tried, pause in enumerate(RETRY_DELAYS, 1):
        assert [w["tries"] for w in client.site.outbox.waiting()] == [tried]
        clock(pause - 1)
        names(client)
        assert [(w["tries"], w["state"]) for w in client.site.outbox.waiting()] == [(tried, "failed")]
        clock(1)
        names(client)
    assert [(w["tries"], w["state"], w["error"]) for w in client.site.outbox.waiting()] == [
        (len(RETRY_DELAYS) + 1, "set aside", "ValueError: not now")]
    assert list(RETRY_DELAYS) == sorted(set(RETRY_DELAYS))

    failing.clear()
    clock(10 * RETRY_DELAYS[-1])
    assert names(client) == []
    client.site.outbox.retry()
    assert names(client) == ["post.created"]
    assert client.site.outbox.waiting() == []


def test_events_of_an_item_wait_for_those_before_them_and_others_dont(
        client: Client, clock: Callable[[int], None]) -> None:
    one, two = item(client), item(client)
    sys.modules["plugin_one"].failing.add(one)
    client.post(f"/posts/{one}", {"title": "New"})
    client.post(f"/posts/{two}", {"title": "New"})

    assert [event.item_id for event in delivered(client)] == [two, two]
    client.post(f"/posts/{one}", {"content": "Newer"})
    assert delivered(client) == []
    sys.modules["plugin_one"].failing.clear()
    clock(RETRY_DELAYS[0])
    assert [(event.item_id, event.name) for event in delivered(client)] == [
        (one, "post.created"), (one, "post.updated"), (one, "post.updated")]


def test_what_is_set_aside_holds_up_nothing(client: Client, clock: Callable[[int], None]) -> None:
    sys.modules["plugin_one"].failing.add("post.created")
    id = item(client)
    client.post(f"/posts/{id}", {"title": "New"})
    for pause in (*RETRY_DELAYS, 0):
        names(client)
        clock(pause)

    assert [w["state"] for w in client.site.outbox.waiting()] == ["set aside"]


def test_a_plugin_that_fails_keeps_nothing_from_the_others(
        extended: Callable[..., Client], monkeypatch: pytest.MonkeyPatch) -> None:
    client = extended(LISTENS, LISTENS)
    client.account("editor")
    delivered(client), delivered(client, "plugin_two")
    sys.modules["plugin_one"].failing.add("post.created")
    item(client)

    assert names(client) == []
    assert names(client, "plugin_two") == ["post.created"]
    start = client.site.now()
    monkeypatch.setattr(client.site.clock, "now", lambda: in_seconds(start, RETRY_DELAYS[0]))
    sys.modules["plugin_one"].failing.clear()
    assert names(client) == ["post.created"]
    assert names(client, "plugin_two") == []


def test_a_crash_between_delivery_and_its_note_repeats_the_event_with_its_id(
        client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    item(client)
    with monkeypatch.context() as patch:
        patch.setattr(client.site.outbox, "_note", lambda batch: (_ for _ in ()).throw(SystemError))
        with pytest.raises(SystemError):
            client.site.outbox.deliver()
    first = list(sys.modules["plugin_one"].seen)
    sys.modules["plugin_one"].seen.clear()

    assert delivered(client) == first
    assert [event.name for event in first] == ["post.created"]


def test_an_idle_outbox_asks_the_database_nothing(client: Client) -> None:
    delivered(client)

    assert client.statements(lambda: client.site.outbox.deliver()) == []


def test_a_plugin_may_write_while_it_takes_an_event(extended: Callable[..., Client]) -> None:
    client = extended('''
@hookimpl
def on_event(event, site):
    seen.append(event)
    if event.name == "post.created":
        operations = site.operations["post_tag"]
        operations.create(operations.create_loader.load({"name": f"For {event.item_id}"}), site.authentication.by_id(1))
''')
    client.account("editor")
    delivered(client)

    id = item(client)

    assert names(client) == ["post.created", "post_tag.created"]
    assert [tag["name"] for tag in client.get("/tags").json] == [f"For {id}"]


@pytest.fixture
def command(client: Client) -> Callable[..., Any]:
    """Run a command on the site of the client and return what it prints."""

    def run(*arguments: str, code: int = 0) -> Any:
        folder = client.site.config.instance
        environ = {"CMS_INSTANCE": None, "CMS_PLUGINS": ",".join(client.site.config["plugins"])}
        result = CliRunner().invoke(main, ["--instance", str(folder), *arguments], env=environ)
        assert result.exit_code == code, result.output
        return json.loads(result.stdout) if "--json" in arguments else result.output

    return run


def test_the_command_lists_retries_and_drops(client: Client, command: Callable[..., Any]) -> None:
    sys.modules["plugin_one"].failing.add("post.created")
    one, two = item(client), item(client)
    client.site.outbox.deliver()

    told = command("events", "--json")
    assert [(t["name"], t["item"], t["plugin"], t["state"], t["tries"], t["error"]) for t in told] == [
        ("post.created", id, "plugin_one", "failed", 1, "ValueError: not now") for id in (one, two)]
    assert "not now" in command("events")

    sys.modules["plugin_one"].failing.clear()
    assert command("events", "retry", str(told[0]["event"]), "--json") == {"retried": 1}
    assert [event.item_id for event in delivered(client)] == [one]
    assert command("events", "drop", "--all", "--plugin", "another", "--json") == {"dropped": 0}
    assert command("events", "drop", "--all", "--json") == {"dropped": 1}
    assert command("events", "--json") == []
    assert client.site.database.rows("SELECT * FROM events") == []
    assert "There are no such events" in command("events", "retry", "99", code=1)
    assert "--all" in command("events", "drop", code=2)


def test_the_command_does_what_is_due_once(client: Client, command: Callable[..., Any]) -> None:
    item(client)

    assert "events" in command("work", "--once", "--json")["jobs"]
    assert names(client) == ["post.created"]
    assert "events" in command("work", "--once")


def test_the_command_leaves_the_work_to_another_process(client: Client, command: Callable[..., Any]) -> None:
    item(client)

    with client.site.worker.leader_lock() as mine:
        assert mine
        assert command("work", "--once", "--json") == {"working": False, "jobs": []}
        assert "Another process" in command("work", "--once")
    assert names(client) == ["post.created"]


def test_a_clock_that_is_set_back_delays_no_event_and_keeps_the_order(
        client: Client, clock: Callable[[int], None]) -> None:
    id = item(client)
    clock(-3_600)
    client.post(f"/posts/{id}", {"title": "New"})
    assert names(client) == ["post.created", "post.updated"]
    assert names(client) == []


def test_a_clock_that_is_set_back_leaves_the_pause_before_the_next_try(
        client: Client, clock: Callable[[int], None]) -> None:
    failing = sys.modules["plugin_one"].failing
    id = item(client)
    failing.add(id)
    assert delivered(client) == []
    failing.clear()
    clock(-3_600)
    assert delivered(client) == []
    clock(RETRY_DELAYS[0])
    assert names(client) == ["post.created"]

"""Scheduled publication: visible by the clock, and told of once whatever runs when."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sites import Client

from cms.background.retries import RETRY_DELAYS
from cms.dates import in_seconds

LISTENS = '''
failing = False

@hookimpl
def transition_status(resource, row, old, new, principal):
    if failing:
        raise ValueError("not now")
    seen.append((resource, row["id"], old, new, principal.id))

@hookimpl
def on_event(event):
    if event.name.endswith("published"):
        seen.append((event.name, event.item_id, event.data["status"], event.user_id))
'''
STATES = {"old": "future", "new": "publish"}


class Scheduling:
    """A site whose clock can be moved."""

    def __init__(self, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
        self.client, self.site = client, client.site
        self.start, self.passed = client.site.now(), 0
        client.account("editor")
        monkeypatch.setattr(client.site.clock, "now", lambda: in_seconds(self.start, self.passed))

    def new(self, seconds: int, path: str = "/posts") -> int:
        return int(self.client.new(path, title="Item", content="Text", status="publish",
                                   date_gmt=in_seconds(self.start, seconds))["id"])

    def told(self) -> list[Any]:
        self.site.publications.publish_due()
        self.site.outbox.deliver()
        seen = sys.modules["plugin_one"].seen
        found = list(seen)
        seen.clear()
        return found


@pytest.fixture
def ahead(extended: Callable[..., Client], monkeypatch: pytest.MonkeyPatch) -> Scheduling:
    return Scheduling(extended(LISTENS), monkeypatch)


def both(id: int, kind: str = "post") -> list[Any]:
    return [(kind, id, "future", "publish", 0), (f"{kind}.published", id, STATES, 0)]


def test_a_publication_is_told_of_once_when_its_time_has_come(ahead: Scheduling) -> None:
    post, page, later = ahead.new(3600), ahead.new(3600, "/pages"), ahead.new(7200)
    assert [each[1:4] for each in ahead.told()] == [(id, None, "future") for id in (post, page, later)]

    ahead.passed = 3599
    assert ahead.told() == []
    ahead.passed = 3600
    assert ahead.client.get("/posts").json[0]["id"] == post
    assert sorted(map(str, ahead.told())) == sorted(map(str, both(post) + both(page, "page")))
    assert ahead.told() == []
    ahead.passed = 7200
    assert ahead.told() == both(later)


def test_a_publication_by_a_write_isnt_told_of_again(ahead: Scheduling) -> None:
    now, past, early = ahead.new(0), ahead.new(-3600), ahead.new(3600)
    ahead.client.post(f"/posts/{early}", {"status": "publish", "date_gmt": ahead.start})
    published = [told[1] for told in ahead.told() if told[0] == "post.published"]

    ahead.passed = 7200

    assert published == [now, past, early]
    assert ahead.told() == []


@pytest.mark.parametrize("method", ["POST", "DELETE"])
def test_what_is_no_more_scheduled_isnt_told_of(ahead: Scheduling, method: str) -> None:
    id = ahead.new(3600)
    ahead.client.send(method, f"/posts/{id}", "editor", json={"status": "draft"} if method == "POST" else None)
    ahead.told()

    ahead.passed = 7200

    assert ahead.told() == []


def test_what_is_scheduled_anew_is_told_of_at_its_new_time(ahead: Scheduling) -> None:
    id = ahead.new(3600)
    ahead.client.post(f"/posts/{id}", {"date_gmt": in_seconds(ahead.start, 7200)})
    ahead.told()

    ahead.passed = 3600
    assert ahead.told() == []
    ahead.passed = 7200
    assert ahead.told() == both(id)


@pytest.mark.parametrize("change", [{"title": "New"}, {"status": "draft"}, None])
def test_a_change_before_the_sweep_tells_of_the_publication_first(
        ahead: Scheduling, change: dict[str, Any] | None) -> None:
    id = ahead.new(3600)
    ahead.told()

    ahead.passed = 3700
    ahead.client.send("POST" if change else "DELETE", f"/posts/{id}", "editor", json=change)

    told = ahead.told()
    assert told[0] == both(id)[0]
    assert [each for each in told if each[0] == "post.published"] == [both(id)[1]]
    assert [each[2:4] for each in told[1:] if each[0] == "post"] == (
        [] if change == {"title": "New"} else [("publish", "draft" if change else "trash")])


def test_an_imported_item_that_lies_ahead_is_told_of_too(ahead: Scheduling) -> None:
    row = dict(ahead.site.database.rows("SELECT * FROM content WHERE id = ?", (ahead.new(-60),))[0])
    ahead.told()
    row |= {"id": 777, "slug": "imported", "date_gmt": in_seconds(ahead.start, 60)}
    ahead.site.database.execute(f"INSERT INTO content ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})",
                                list(row.values()))

    ahead.passed = 60

    assert ahead.told() == both(777)


def test_a_restart_forgets_nothing_and_repeats_nothing(
        ahead: Scheduling, make_client: Callable[..., Client], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    id = ahead.new(3600)
    ahead.told()
    other = make_client(plugins=["plugin_one"], database=ahead.site.config.server or str(ahead.site.config.database))
    monkeypatch.setattr(other.site.clock, "now", lambda: in_seconds(ahead.start, ahead.passed))

    ahead.passed = 100_000
    assert (other.site.publications.publish_due(), ahead.site.publications.publish_due()) == (1, 0)
    assert ahead.told() == both(id)


def test_a_plugin_that_fails_is_asked_again_and_passed_over_in_the_end(
        ahead: Scheduling, caplog: pytest.LogCaptureFixture) -> None:
    id = ahead.new(3600)
    ahead.told()
    sys.modules["plugin_one"].failing = True  # type: ignore[attr-defined]

    ahead.passed = 3600
    for pause in RETRY_DELAYS:
        assert ahead.told() == []
        ahead.passed += pause - 1
        assert ahead.told() == []
        ahead.passed += 1
    assert ahead.told() == both(id)[1:]
    assert caplog.text.count("plugin plugin_one: transition_status failed") >= len(RETRY_DELAYS)


def test_without_a_plugin_nothing_is_kept(make_client: Callable[..., Client], monkeypatch: pytest.MonkeyPatch) -> None:
    client = make_client()
    start = client.site.now()
    client.new("/posts", title="Item", status="publish", date_gmt=in_seconds(start, 60))
    monkeypatch.setattr(client.site.clock, "now", lambda: in_seconds(start, 60))

    assert client.site.publications.publish_due() == 1
    assert client.site.database.rows("SELECT * FROM scheduled") == []
    assert client.site.database.rows("SELECT * FROM events") == []


def test_a_clock_that_is_set_back_hides_what_is_dated_later_in_lists_and_totals_alike(ahead: Scheduling) -> None:
    id = ahead.new(-10)
    before = ahead.client.get("/posts?per_page=1&_fields=id")
    assert before.json == [{"id": id}]

    ahead.passed = -60
    after = ahead.client.get("/posts?per_page=100&_fields=id")
    assert {"id": id} not in after.json
    assert int(after.headers["X-WP-Total"]) == len(after.json) == int(before.headers["X-WP-Total"]) - 1
    new = ahead.new(-60)
    assert ahead.client.get("/posts?per_page=1&_fields=id").json == [{"id": new}]

    ahead.passed = 0
    assert ahead.client.get("/posts?per_page=100&_fields=id").headers["X-WP-Total"] == str(len(after.json) + 2)

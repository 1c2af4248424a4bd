"""What administrators read of the site itself on the editing page: faults, backups, events that wait."""

from __future__ import annotations

import fcntl
import time
from collections.abc import Callable
from typing import Any

import pytest
from sites import Client, basic

from admin.pages import Browser

LISTENS = '''
@hookimpl
def on_event(event):
    raise ValueError("not now")
'''
ROUTES = [("GET", "doctor"), ("GET", "backups"), ("POST", "backups"), ("GET", "events"), ("POST", "events/retry"), ("POST", "events/drop")]


@pytest.fixture
def client(make_client: Callable[..., Client]) -> Client:
    return make_client(admin=True)


def signed_in(client: Client, role: str = "administrator") -> Browser:
    browser = Browser(client)
    browser.sign_in(role)
    return browser


@pytest.mark.parametrize(("method", "path"), ROUTES)
def test_others_than_administrators_are_refused(client: Client, method: str, path: str) -> None:
    body = {"events": [1]} if path.startswith("events/") else None
    assert signed_in(client, "editor").send(method, path, body).status_code == 403
    assert Browser(client).send(method, path, body).status_code == 401
    with_password = client.http.open(f"/admin/api/{path}", method=method, json=body or {}, headers={"Authorization": basic(*client.account("administrator"))})
    assert with_password.status_code == 401


def test_what_is_wrong_is_listed_with_what_to_do(client: Client) -> None:
    browser = signed_in(client)
    assert "schema" not in [finding["check"] for finding in browser.send("GET", "doctor").json["findings"]]
    with client.site.database.write():
        client.site.database.execute("DROP INDEX content_date")
    [found] = [finding for finding in browser.send("GET", "doctor").json["findings"] if finding["check"] == "schema"]
    assert found["level"] in ("warning", "fault")
    assert "content_date" in found["what"]
    assert found["advice"]


def test_a_backup_is_made_and_listed(client: Client) -> None:
    browser = signed_in(client)
    assert browser.send("GET", "backups").json["backups"] == []

    begun = browser.send("POST", "backups", {})
    assert begun.status_code == 202
    state = ended(browser)

    [made] = state["backups"]
    assert (made["fault"], state["fault"]) == ("", "")
    assert made["made_gmt"]
    assert made["bytes"] > 10_000
    assert (client.site.config.instance / "backups" / made["file"]).is_file()


def test_why_a_backup_failed_is_said(client: Client) -> None:
    (client.site.config.instance / "backups").write_text("no folder")
    browser = signed_in(client)
    browser.send("POST", "backups", {})
    state = ended(browser)
    assert state["backups"] == []
    assert "backups" in state["fault"]


def test_only_one_is_made_at_a_time(client: Client) -> None:
    browser = signed_in(client)
    with (client.site.config.instance / "backup.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        refused = browser.send("POST", "backups", {})
        assert (refused.status_code, refused.json["code"]) == (409, "cms_backup_running")
        assert browser.send("GET", "backups").json["is_running"] is True
    assert browser.send("GET", "backups").json["is_running"] is False


def ended(browser: Browser) -> dict[str, Any]:
    """Return how the backups stand once none is being made."""
    for _attempt in range(500):
        state: dict[str, Any] = browser.send("GET", "backups").json
        if not state["is_running"]:
            return state
        time.sleep(0.02)
    raise AssertionError("the backup doesn't end")


def test_events_are_tried_again_or_given_up(extended: Callable[..., Client]) -> None:
    client = extended(LISTENS, admin=True)
    browser = signed_in(client)
    client.new("/posts", title="Item", content="Text")
    client.site.outbox.deliver()
    found = browser.send("GET", "events").json
    assert found["total"] == len(found["events"]) > 0
    [row] = [each for each in found["events"] if each["name"] == "post.created"]
    assert (row["state"], row["plugin"], row["tries"], row["error"]) == ("failed", "plugin_one", 1, "ValueError: not now")

    assert browser.send("POST", "events/retry", {"events": [row["event"]]}).json == {"retried": 1}
    [again] = [each for each in browser.send("GET", "events").json["events"] if each["event"] == row["event"]]
    assert (again["state"], again["tries"]) == ("waiting", 0)
    assert browser.send("POST", "events/drop", {"events": []}).json["code"] == "cms_no_events"
    assert browser.send("POST", "events/drop", {"events": [row["event"]]}).json == {"dropped": 1}
    assert row["event"] not in [each["event"] for each in browser.send("GET", "events").json["events"]]

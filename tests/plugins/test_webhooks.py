"""Webhooks: who manages them, what is delivered to whom, signed how, and what becomes of what isn't heard."""

from __future__ import annotations

import json
import logging
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from old_databases import migrate_to
from receiver import Receiver, Request, serve_receiver
from sites import Client, Clock

from cms.background import sender
from cms.background.retries import RETRY_DELAYS as PAUSES
from cms.cli import main
from cms.dates import in_days, in_seconds

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "plugins" / "webhooks.md").read_text(encoding="utf-8")
START = "2026-01-31T12:00:00"
PUBLIC = "http://93.184.215.14/hook"
WAIT = 30.0


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with serve_receiver() as server:
        yield server


@pytest.fixture
def client(bundled: Callable[..., Client], receiver: Receiver) -> Client:
    """A client of a site that may deliver to the receiver, at a time that stands still."""
    client = bundled("webhooks", webhooks={"allow": [receiver.place]}, comment_interval=0)
    client.site.context.runtime.now = Clock()
    at(client, START)
    for role in ("administrator", "editor", "author", "contributor", "subscriber"):
        client.account(role)
    client.get("/posts")
    work(client)
    return client


def at(client: Client, moment: str) -> None:
    client.site.clock.now = lambda: moment  # type: ignore[method-assign]


def later(client: Client, seconds: int) -> None:
    at(client, in_seconds(client.site.now(), seconds))


def begin(client: Client) -> None:
    """Do the timed work that is due."""
    client.site.context.runtime.now.now += 1  # type: ignore[attr-defined]
    client.site.worker.run_due()


def work(client: Client) -> None:
    """Do the timed work that is due, and wait for what it has begun to send."""
    begin(client)
    until(lambda: not [thread for thread in threading.enumerate() if thread.name == "cms-deliveries"])


def until(condition: Callable[[], Any]) -> None:
    end = time.monotonic() + WAIT
    while not condition():
        assert time.monotonic() < end, "it didn't happen"
        time.sleep(0.005)


def subscribe(client: Client, url: str, *events: str, **fields: Any) -> dict[str, Any]:
    made = client.new("/webhooks", "administrator", url=url, events=list(events or ["*"]), **fields)
    work(client)  # those who hear everything hear of new subscriptions too
    return made


def deliveries(client: Client, id: int, query: str = "") -> list[dict[str, Any]]:
    return list(client.get(f"/webhooks/{id}/deliveries?per_page=100{query}", "administrator").json)


def statuses(client: Client, id: int) -> list[tuple[str, str, int]]:
    return [(each["event"], each["status"], each["tries"]) for each in reversed(deliveries(client, id))]


def answering(*statuses: int) -> Callable[[Request], tuple[int, dict[str, str]]]:
    """Return an answer that has these statuses one after another, then the last of them."""
    left = list(statuses)
    return lambda request: (left.pop(0) if len(left) > 1 else left[0], {})


# Subscriptions.


def test_a_webhook_shows_its_secret_once(client: Client, receiver: Receiver) -> None:
    answer = client.post("/webhooks", {"url": f" {receiver.url} ", "events": "post.*,*.deleted,post.*",
                                       "description": "Builds <it>"}, "administrator")
    made = answer.json
    one = f"/webhooks/{made['id']}"

    assert answer.status_code == 201
    assert list(made) == ["id", "url", "events", "active", "description", "created", "secret", "_links"]
    assert (made["url"], made["events"], made["active"]) == (receiver.url, ["post.*", "*.deleted"], True)
    assert (made["description"], made["created"]) == ("Builds <it>", START)
    assert re.fullmatch(r"whsec_[\w-]{43}", made["secret"])
    assert answer.headers["Location"] == made["_links"]["self"][0]["href"] == f"http://cms.example/api/cms/v2{one}"
    shown = [client.get(f"{path}?context=edit{fields}", "administrator") for path in ("/webhooks", one)
             for fields in ("", "&_fields=id,secret,_links")]
    shown += [client.send("PATCH", one, "administrator", json={"description": "Other"}),
              client.get(f"{one}/deliveries?context=edit", "administrator"),
              client.send("OPTIONS", one, "administrator"),
              client.delete(f"{one}?force=true", "administrator")]
    assert [each.status_code for each in shown] == [200] * 8
    assert [made["secret"] in each.text for each in shown] == [False] * 8
    assert client.get(one, "administrator").status_code == 404


def test_a_secret_can_be_given_and_rotated(client: Client, receiver: Receiver) -> None:
    made = subscribe(client, receiver.url, "post.created", secret="a-secret-of-ours-17")
    rotated = client.post(f"/webhooks/{made['id']}/secret", {}, "administrator")
    given = client.post(f"/webhooks/{made['id']}/secret", {"secret": "another-secret-of-ours"}, "administrator").json

    assert made["secret"] == "a-secret-of-ours-17"
    assert rotated.json == {"id": made["id"], "secret": rotated.json["secret"]}
    assert rotated.json["secret"].startswith("whsec_")
    assert given["secret"] == "another-secret-of-ours"
    client.new("/posts", title="Post")
    work(client)
    assert is_genuine(given["secret"], receiver.came[0], client)
    assert not is_genuine(made["secret"], receiver.came[0], client)


REFUSED: list[tuple[dict[str, Any], str, str]] = [
    ({"url": "ftp://example.org/"}, "url", "http://"),
    ({"url": "/hook"}, "url", "http://"),
    ({"url": "http://"}, "url", "host"),
    ({"url": "https://user:word@example.org/"}, "url", "user name or a password"),
    ({"url": "https://exa mple.org/"}, "url", "without spaces"),
    ({"url": "https://example.org/\r\nX: y"}, "url", "without spaces"),
    ({"url": "https://example.org/" + "x" * 2_000}, "url", "2000 characters"),
    ({"url": 7}, "url", "type string"),
    *(({"url": f"http://{host}/"}, "url", "Nothing can be delivered there") for host in (
        "127.0.0.1", "127.1", "2130706433", "0x7f000001", "017700000001", "0.0.0.0", "10.1.2.3", "192.168.0.1",
        "169.254.169.254", "[::1]", "[::ffff:127.0.0.1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "[fd00::1]",
        "[fe80::1%25lo]", "localhost", "127.0.0.1:1")),
    ({"events": []}, "events", "from 1 to 50"),
    ({"events": ["post.*", "post created"]}, "events", "post created isn't"),
    ({"events": ["[a-z]*"]}, "events", "isn't the name"),
    ({"events": ["p" * 101]}, "events", "It may have 100 characters."),
    ({"events": [f"e{n}" for n in range(51)]}, "events", "from 1 to 50"),
    ({"events": {"a": 1}}, "events", "type array"),
    ({"active": "perhaps"}, "active", "type boolean"),
    ({"secret": "short"}, "secret", "16 to 200"),
    ({"secret": "sixteen or more with spaces"}, "secret", "16 to 200"),
    ({"description": "x" * 1_001}, "description", "It may have 1000 characters."),
]


def test_what_cannot_be_used_is_refused_by_name(client: Client, receiver: Receiver) -> None:
    made = subscribe(client, receiver.url, "post.*")

    for fields, name, fault in REFUSED:
        new = client.post("/webhooks", {"url": receiver.url, "events": ["*"], **fields}, "administrator")
        changed = client.send("PATCH", f"/webhooks/{made['id']}", "administrator", json=fields)
        for answer in (new, changed):
            assert (answer.status_code, answer.json["code"]) == (400, "rest_invalid_param"), fields
            assert list(answer.json["data"]["params"]) == [name]
            assert fault in answer.json["data"]["params"][name], fields
    shown = client.get("/webhooks", "administrator").json
    assert [(each["url"], each["events"]) for each in shown] == [(receiver.url, ["post.*"])]


def test_a_host_that_cannot_be_looked_up_just_now_may_be_saved(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    import socket

    def fail(code: int) -> Callable[[str], list[str]]:
        def resolve(name: str) -> list[str]:
            raise socket.gaierror(code, "no such luck")
        return resolve

    data = {"url": "https://hooks.example/", "events": ["post.*"]}
    monkeypatch.setattr("cms.net.client.resolve", fail(socket.EAI_AGAIN))
    assert client.post("/webhooks", data, "administrator").status_code == 201
    monkeypatch.setattr("cms.net.client.resolve", fail(socket.EAI_NONAME))
    assert 'no host "hooks.example"' in client.post("/webhooks", data, "administrator").json["data"]["params"]["url"]


def test_lists_have_pages_filters_and_orders(client: Client) -> None:
    for number, active in ((2, True), (1, False), (3, True)):
        subscribe(client, f"{PUBLIC}{number}", "post.*", active=active)

    def listed(query: str) -> list[int]:
        return [int(each["url"][-1]) for each in client.get(f"/webhooks?{query}", "administrator").json]

    assert listed("") == [2, 1, 3]
    assert listed("orderby=url&order=desc") == [3, 2, 1]
    assert (listed("active=true"), listed("active=0")) == ([2, 3], [1])
    answer = client.get("/webhooks?per_page=2&page=2", "administrator")
    assert (answer.headers["X-WP-Total"], len(answer.json)) == ("3", 1)


ROUTES = [("GET", "", 200), ("POST", "", 201), ("GET", "/{id}", 200), ("PATCH", "/{id}", 200),
          ("GET", "/{id}/deliveries", 200), ("GET", "/{id}/deliveries/{delivery}", 200),
          ("POST", "/{id}/deliveries/{delivery}/send", 200), ("POST", "/{id}/test", 201), ("POST", "/{id}/secret", 200),
          ("DELETE", "/{id}?force=true", 200)]


def test_administrators_alone_manage_webhooks(client: Client, receiver: Receiver) -> None:
    made = subscribe(client, receiver.url, "post.*")
    delivery = client.post(f"/webhooks/{made['id']}/test", {}, "administrator").json

    for role in (None, "subscriber", "contributor", "author", "editor", "administrator"):
        for method, path, status in ROUTES:
            address = "/webhooks" + path.format(id=made["id"], delivery=delivery["id"])
            data = {"url": receiver.url, "events": ["*"]} if (method, path) == ("POST", "") else {}
            answer = client.send(method, address, role, **({} if method == "GET" else {"json": data}))
            wanted = status if role == "administrator" else 403 if role else 401
            assert answer.status_code == wanted, (role, method, path, answer.text)
            assert role == "administrator" or made["secret"] not in answer.text
        assert len(client.get("/webhooks", "administrator").json) == 1


def test_a_missing_webhook_or_delivery_is_not_found(client: Client, receiver: Receiver) -> None:
    mine, other = subscribe(client, receiver.url, "post.*"), subscribe(client, receiver.url, "post.*")
    delivery = client.post(f"/webhooks/{other['id']}/test", {}, "administrator").json["id"]

    for method, path, _status in ROUTES[2:]:
        address = "/webhooks" + path.format(id=99, delivery=delivery)
        answer = client.send(method, address, "administrator", **({} if method == "GET" else {"json": {}}))
        assert (answer.status_code, answer.json["code"]) == (404, "rest_webhook_invalid_id")
    answer = client.get(f"/webhooks/{mine['id']}/deliveries/{delivery}", "administrator")
    assert (answer.status_code, answer.json["code"]) == (404, "rest_webhook_delivery_invalid_id")
    assert client.delete(f"/webhooks/{mine['id']}", "administrator").status_code == 501


def test_a_change_can_be_guarded_by_its_version(client: Client, receiver: Receiver) -> None:
    one = f"/webhooks/{subscribe(client, receiver.url, 'post.*')['id']}"
    version = client.get(one, "administrator").headers["ETag"]

    assert client.post(f"{one}/secret", {}, "administrator", headers={"If-Match": version}).status_code == 200
    assert client.post(f"{one}/secret", {}, "administrator", headers={"If-Match": version}).status_code == 412


# What is delivered.


def python_check() -> Callable[..., bool]:
    names: dict[str, Any] = {}
    exec(re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)[0], names)
    return names["is_genuine"]  # type: ignore[no-any-return]


def is_genuine(secret: str, request: Request, client: Client, body: bytes | None = None) -> bool:
    """Ask the documented example, as if the time were that of the site."""
    sent = int(request.headers["X-CMS-Timestamp"])
    tolerance = int(abs(time.time() - sent)) + 300
    return python_check()(secret, request.headers, request.body if body is None else body, tolerance)


def test_a_delivery_tells_of_the_event_and_not_of_the_item(client: Client, receiver: Receiver) -> None:
    made = subscribe(client, receiver.url, "post.published")
    post = client.new("/posts", title="Hidden words", status="publish", password="hush")
    work(client)
    [request] = receiver.came
    told = request.json

    assert told == {
        "id": told["id"], "webhook": made["id"], "site": "http://cms.example", "event": "post.published",
        "event_id": told["event_id"], "at": f"{START}Z", "resource": "post", "item": post["id"],
        "user": client.id_of("editor"), "link": f"http://cms.example/api/cms/v2/posts/{post['id']}",
        "data": {"status": {"old": None, "new": "publish"}}}
    assert told["event_id"] > 0
    assert b"Hidden" not in request.body
    headers = {name: value for name, value in request.headers.items() if name.startswith("X-CMS") or name in (
        "User-Agent", "Content-Type", "Host")}
    signature = headers.pop("X-CMS-Signature")
    assert headers == {
        "Host": receiver.place, "Content-Type": "application/json", "X-CMS-Event": "post.published",
        "X-CMS-Delivery": str(told["id"]), "X-CMS-Timestamp": str(int(datetime.fromisoformat(f"{START}Z").timestamp())),
        "User-Agent": "headless-cms-webhooks/1.0 (+http://cms.example)"}
    assert re.fullmatch(r"v1=[0-9a-f]{64}", signature)


def test_the_documented_example_in_python_tells_what_is_genuine(client: Client, receiver: Receiver) -> None:
    secret = subscribe(client, receiver.url, "post.created")["secret"]
    client.new("/posts", title="Post")
    work(client)
    [request] = receiver.came

    assert is_genuine(secret, request, client)
    assert not is_genuine(secret, request, client, request.body + b" ")
    assert not is_genuine(secret + "x", request, client)
    assert not python_check()(secret, request.headers, request.body)  # too old
    request.headers["X-CMS-Signature"] = f"v2=abc, {request.headers['X-CMS-Signature']}"
    assert is_genuine(secret, request, client)
    moved = {**request.headers, "X-CMS-Timestamp": str(int(time.time()))}
    assert not python_check()(secret, moved, request.body)
    assert not python_check()(secret, {}, request.body)


@pytest.mark.skipif(not shutil.which("node"), reason="node is needed")
def test_the_documented_example_in_node_tells_what_is_genuine(client: Client, receiver: Receiver) -> None:
    secret = subscribe(client, receiver.url, "post.created")["secret"]
    client.new("/posts", title="Pöst")
    work(client)
    [request] = receiver.came
    headers = {name.lower(): value for name, value in request.headers.items()}
    cases = [[secret, headers, request.body.decode(), 10**10], [secret, headers, request.body.decode() + " ", 10**10],
             [secret + "x", headers, request.body.decode(), 10**10], [secret, headers, request.body.decode(), 300],
             [secret, {}, request.body.decode(), 10**10],
             [secret, {**headers, "x-cms-signature": "v1=abc"}, request.body.decode(), 10**10]]
    example = re.findall(r"^```js\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)[0]
    program = f"""{example}
    const cases = {json.dumps(cases)};
    console.log(JSON.stringify(cases.map(([secret, headers, body, old]) => isGenuine(secret, headers, Buffer.from(body), old))));
    """
    ran = subprocess.run(["node", "-e", program], capture_output=True, text=True, check=True)

    assert json.loads(ran.stdout) == [True, False, False, False, False, False]


@pytest.mark.parametrize(("patterns", "wanted"), [
    (["*"], ["post.created", "post.published", "post.updated", "page.created", "post.trashed", "category.created",
             "post.deleted"]),
    (["post.*"], ["post.created", "post.published", "post.updated", "post.trashed", "post.deleted"]),
    (["*.created"], ["post.created", "page.created", "category.created"]),
    (["post.published", "*.deleted"], ["post.published", "post.deleted"]),
    (["post.*", "*", "post.created"], ["post.created", "post.published", "post.updated", "page.created", "post.trashed",
                                       "category.created", "post.deleted"]),
    (["post"], []),
    (["ost.*"], []),
])
def test_each_subscription_gets_what_it_asks_for_once(client: Client, receiver: Receiver, patterns: list[str],
                                                      wanted: list[str]) -> None:
    made = subscribe(client, receiver.url, *patterns)
    receiver.came.clear()
    post = client.new("/posts", title="Post", status="publish")["id"]
    client.post(f"/posts/{post}", {"title": "Other"})
    client.new("/pages", title="Page")
    client.delete(f"/posts/{post}")
    client.new("/categories", name="Group")
    client.delete(f"/posts/{post}?force=true")
    for _ in range(3):
        work(client)

    assert [event for event, _item in receiver.events()] == wanted
    told = [each for each in statuses(client, made["id"]) if not each[0].startswith("webhook.")]
    assert told == [(event, "delivered", 1) for event in wanted]


def test_two_subscriptions_get_one_delivery_each(client: Client, receiver: Receiver) -> None:
    for _ in range(2):
        subscribe(client, receiver.url, "post.created")
    client.new("/posts", title="Post")
    work(client)

    assert sorted(request.json["webhook"] for request in receiver.came) == [1, 2]
    assert len({request.json["id"] for request in receiver.came}) == 2
    assert len({request.json["event_id"] for request in receiver.came}) == 1


def test_an_event_that_is_handed_on_twice_is_one_delivery(client: Client, receiver: Receiver) -> None:
    made = subscribe(client, receiver.url, "post.*")
    client.new("/posts", title="Post")
    [event] = client.site.database.rows("SELECT * FROM events")
    work(client)
    with client.site.database.write():
        client.site.database.execute("INSERT INTO deliveries (event_id, plugin, due_gmt) VALUES (?, 'webhooks', ?)",
                                     (event["id"], START))
    work(client)

    assert client.site.outbox.waiting() == []
    assert len(receiver.came) == len(deliveries(client, made["id"])) == 1


@pytest.mark.parametrize("fails", ["invalid", "forbidden", "undone"])
def test_a_write_that_fails_is_not_told(client: Client, receiver: Receiver, fails: str,
                                        monkeypatch: pytest.MonkeyPatch) -> None:
    subscribe(client, receiver.url, "post.*")
    if fails == "undone":
        record = client.site.outbox.record

        def broken(*values: Any) -> None:
            record(*values)
            raise RuntimeError
        monkeypatch.setattr(client.site.outbox, "record", broken)
    data, role = {"invalid": ({"status": "odd"}, "editor"), "forbidden": ({"title": "P"}, "subscriber"),
                  "undone": ({"title": "P"}, "editor")}[fails]

    assert client.post("/posts", data, role).status_code in (400, 403, 500)
    monkeypatch.undo()
    work(client)
    assert receiver.came == []


def test_what_happened_before_a_subscription_is_not_told_to_it(client: Client, receiver: Receiver) -> None:
    client.new("/posts", title="Post")
    later(client, 1)
    made = subscribe(client, receiver.url, "post.*")
    work(client)

    assert (receiver.came, deliveries(client, made["id"])) == ([], [])


def test_what_happens_while_a_webhook_is_inactive_is_not_told(client: Client, receiver: Receiver) -> None:
    one = f"/webhooks/{subscribe(client, receiver.url, 'post.*', active=False)['id']}"
    client.new("/posts", title="Unheard")
    work(client)
    client.post(one, {"active": True}, "administrator")
    heard = client.new("/posts", title="Heard")["id"]
    work(client)

    assert receiver.events() == [("post.created", heard)]


def test_a_scheduled_publication_and_settings_are_told(client: Client, receiver: Receiver) -> None:
    subscribe(client, receiver.url, "post.published", "settings.*")
    client.post("/settings", {"title": "Site"}, "administrator")
    work(client)

    assert receiver.events() == [("settings.updated", 0)]
    at(client, "2099-01-31T12:00:00")  # ahead of the clock by which SQLite tells what is scheduled
    post = client.new("/posts", title="Post", status="future", date_gmt="2099-01-31T12:01:00")["id"]
    work(client)
    assert receiver.came == []
    later(client, 60)
    work(client)
    assert [(r.json["event"], r.json["item"], r.json["user"]) for r in receiver.came] == [("post.published", post, 0)]


def test_a_test_is_delivered_to_one(client: Client, receiver: Receiver) -> None:
    made = subscribe(client, receiver.url, "page.deleted")
    subscribe(client, receiver.url, "post.*")
    answer = client.post(f"/webhooks/{made['id']}/test", {}, "administrator")
    work(client)

    assert (answer.status_code, answer.json["event"], answer.json["status"]) == (201, "webhook.test", "waiting")
    assert answer.headers["Location"].endswith(f"/webhooks/{made['id']}/deliveries/{answer.json['id']}")
    [request] = receiver.came
    assert (request.json["event"], request.json["event_id"], request.json["id"]) == (
        "webhook.test", None, answer.json["id"])
    assert request.json["link"] == f"http://cms.example/api/cms/v2/webhooks/{made['id']}"
    client.post(f"/webhooks/{made['id']}", {"active": False}, "administrator")
    refused = client.post(f"/webhooks/{made['id']}/test", {}, "administrator")
    assert (refused.status_code, refused.json["code"]) == (409, "rest_webhook_inactive")


# What isn't heard.


def test_a_failure_is_tried_again_after_growing_pauses_then_set_aside(client: Client, receiver: Receiver) -> None:
    made = subscribe(client, receiver.url, "post.created")
    receiver.answer = answering(500)
    client.new("/posts", title="Post")
    work(client)

    for tries, pause in enumerate(PAUSES, 1):
        [told] = deliveries(client, made["id"])
        assert (told["status"], told["tries"], told["code"], told["error"]) == ("waiting", tries, 500, "it answered 500")
        assert told["last_try"] == client.site.now()
        assert in_seconds(client.site.now(), pause) <= told["next_try"] <= in_seconds(client.site.now(), pause + pause // 5)
        later(client, pause - 1)
        work(client)
        assert len(receiver.came) == tries
        at(client, told["next_try"])
        work(client)
    [told] = deliveries(client, made["id"])
    assert (told["status"], told["tries"], told["next_try"]) == ("set_aside", 8, None)
    later(client, 10 * 86_400)
    work(client)
    assert len(receiver.came) == 8
    assert len({request.body for request in receiver.came}) == 1
    assert len({request.headers["X-CMS-Signature"] for request in receiver.came}) == 8


def stuck(client: Client) -> list[str]:
    """Return what `cms doctor` says of webhooks."""
    done = CliRunner().invoke(main, ["--instance", str(client.site.config.instance), "doctor", "--json"], env={"CMS_PLUGINS": "webhooks"})
    return [finding["what"] for finding in json.loads(done.stdout)["findings"] if finding["check"] == "webhooks.stuck"]


@pytest.mark.files_only
def test_the_doctor_tells_what_nobody_hears(client: Client, receiver: Receiver) -> None:
    subscribe(client, receiver.url, "post.created")
    client.new("/posts", title="Post")
    assert stuck(client) == []
    receiver.answer = answering(500)
    work(client)
    assert stuck(client) == ["1 delivery(s) have failed and are tried again."]
    for pause in PAUSES:
        later(client, pause * 2)
        work(client)
    assert stuck(client) == ["1 delivery(s) have failed as often as they may, and aren't tried again."]


def test_what_was_set_aside_can_be_sent_again(client: Client, receiver: Receiver) -> None:
    made = subscribe(client, receiver.url, "post.created")
    receiver.answer = answering(500)
    client.new("/posts", title="Post")
    work(client)
    for pause in PAUSES:
        later(client, pause * 2)
        work(client)
    [told] = deliveries(client, made["id"], "&status=set_aside")
    receiver.answer = answering(200)
    one = f"/webhooks/{made['id']}/deliveries/{told['id']}"
    again = client.post(f"{one}/send", {}, "administrator").json
    work(client)

    assert (again["status"], again["tries"]) == ("waiting", 0)
    shown = client.get(one, "administrator").json
    assert (shown["status"], shown["tries"], shown["code"], shown["error"]) == ("delivered", 1, 200, "")
    assert {request.json["id"] for request in receiver.came} == {told["id"]}
    assert deliveries(client, made["id"], "&status=set_aside") == []
    client.post(f"{one}/send", {}, "administrator")  # what was delivered can be sent again too
    work(client)
    assert len(receiver.came) == 10


@pytest.mark.parametrize("status", [300, 301, 400, 404, 429, 500, 503])
def test_anything_but_success_is_a_failure(client: Client, receiver: Receiver, status: int) -> None:
    made = subscribe(client, receiver.url, "post.created")
    with serve_receiver() as elsewhere:
        receiver.answer = lambda request: (status, {"Location": elsewhere.url})
        client.new("/posts", title="Post")
        work(client)
        assert elsewhere.came == []

    [told] = deliveries(client, made["id"])
    assert (told["status"], told["tries"], told["code"], told["error"]) == ("waiting", 1, status, f"it answered {status}")
    assert len(receiver.came) == 1


@pytest.mark.parametrize(("sent", "least", "most"), [
    ("600", 600, 600), ("5", 10, 12), ("9999999", 86_400, 86_400), ("soon", 10, 12), ("-1", 10, 12), ("9" * 40, 10, 12)])
def test_a_receiver_may_ask_to_wait(client: Client, receiver: Receiver, sent: str, least: int, most: int) -> None:
    made = subscribe(client, receiver.url, "post.created")
    receiver.answer = lambda request: (503, {"Retry-After": sent})
    client.new("/posts", title="Post")
    work(client)

    [told] = deliveries(client, made["id"])
    assert in_seconds(START, least) <= told["next_try"] <= in_seconds(START, most)


def test_a_receiver_that_is_gone_is_switched_off(client: Client, receiver: Receiver, caplog: pytest.LogCaptureFixture) -> None:
    made = subscribe(client, receiver.url, "post.created")
    receiver.answer = answering(410)
    client.new("/posts", title="First")
    client.new("/posts", title="Second")
    work(client)

    assert len(receiver.came) == 1
    assert statuses(client, made["id"]) == [("post.created", "set_aside", 1), ("post.created", "waiting", 0)]
    assert client.get(f"/webhooks/{made['id']}", "administrator").json["active"] is False
    assert f"webhook {made['id']} is switched off" in caplog.text
    client.new("/posts", title="Third")
    later(client, 86_400)
    work(client)
    assert len(receiver.came) == 1
    refused = client.post(f"/webhooks/{made['id']}/deliveries/{deliveries(client, made['id'])[-1]['id']}/send", {},
                          "administrator")
    assert (refused.status_code, refused.json["code"]) == (409, "rest_webhook_inactive")
    receiver.answer = answering(200)
    client.post(f"/webhooks/{made['id']}", {"active": True}, "administrator")
    work(client)
    assert statuses(client, made["id"]) == [("post.created", "set_aside", 1), ("post.created", "delivered", 1)]


def test_what_is_retried_for_an_inactive_webhook_waits_for_it(client: Client, receiver: Receiver) -> None:
    made = subscribe(client, receiver.url, "post.created")
    receiver.answer = answering(500, 204)
    client.new("/posts", title="Post")
    work(client)
    one = f"/webhooks/{made['id']}"
    client.post(one, {"active": False}, "administrator")
    assert client.site.outbox.deliveries("webhooks").retry([deliveries(client, made["id"])[0]["id"]]) == 1
    later(client, 86_400)
    work(client)

    assert (len(receiver.came), statuses(client, made["id"])) == (1, [("post.created", "waiting", 0)])
    client.post(one, {"description": "Not about it"}, "administrator")
    work(client)
    assert len(receiver.came) == 1
    client.post(one, {"active": True}, "administrator")
    work(client)
    assert statuses(client, made["id"]) == [("post.created", "delivered", 1)]


def test_an_event_for_a_webhook_that_is_removed_meanwhile_leaves_nothing(client: Client, receiver: Receiver) -> None:
    made = subscribe(client, receiver.url, "post.created")
    client.delete(f"/webhooks/{made['id']}?force=true", "administrator")
    client.site.outbox.deliveries("webhooks").add(str(made["id"]), "post.created", "post", 1, 0)
    work(client)

    assert receiver.came == []
    assert client.site.database.rows("SELECT 1 FROM deliveries") == []


def test_nobody_there_is_a_failure_too(client: Client, receiver: Receiver) -> None:
    with serve_receiver() as gone:
        pass
    client.site.config.tables["webhooks"]["allow"].append(gone.place)
    client.site.operations["webhook"].rules.__dict__.pop("targets", None)
    made = subscribe(client, f"http://{gone.place}/", "post.created")
    client.site.started_in = 0
    client.get("/posts")
    client.new("/posts", title="Post")
    work(client)

    [told] = deliveries(client, made["id"])
    assert (told["status"], told["tries"], told["code"]) == ("waiting", 1, None)
    assert told["error"].startswith("it can't be reached")


def test_events_of_one_item_keep_their_order_and_others_do_not_wait(client: Client, receiver: Receiver) -> None:
    subscribe(client, receiver.url, "post.*")
    first = client.new("/posts", title="First")["id"]
    receiver.answer = answering(500, 200)
    client.post(f"/posts/{first}", {"title": "Changed"})
    second = client.new("/posts", title="Second")["id"]
    work(client)

    # The oldest failed; what concerns the same item waits for it.
    assert receiver.events() == [("post.created", first), ("post.created", second)]
    work(client)
    assert receiver.came == []
    later(client, 12)
    work(client)
    assert receiver.events() == [("post.created", first), ("post.updated", first)]


def test_a_slow_receiver_holds_up_no_other(client: Client, receiver: Receiver) -> None:
    release, busy = threading.Event(), threading.Event()

    def slow(request: Request) -> tuple[int, dict[str, str]]:
        if request.json["webhook"] == 1:
            busy.set()
            assert release.wait(WAIT)
        return 200, {}

    receiver.answer = slow
    made = [subscribe(client, receiver.url, "post.*") for _ in range(2)]
    for title in ("First", "Second"):
        client.new("/posts", title=title)
    begin(client)
    assert busy.wait(WAIT)
    until(lambda: statuses(client, made[1]["id"]) == [("post.created", "delivered", 1)] * 2)
    begin(client)  # and the site's own work goes on
    client.new("/posts", title="Third")
    begin(client)
    until(lambda: len(statuses(client, made[1]["id"])) == 3)

    # One at a time to the slow one, and what is under way tells of itself.
    assert [request.json["webhook"] for request in receiver.came].count(1) == 1
    assert statuses(client, made[0]["id"])[:2] == [("post.created", "waiting", 1), ("post.created", "waiting", 0)]
    release.set()
    work(client)
    assert statuses(client, made[0]["id"]) == [("post.created", "delivered", 1)] * 3


def test_receivers_that_never_end_do_not_take_all_the_room(client: Client, receiver: Receiver,
                                                           monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sender, "PARALLEL", 1)
    release = threading.Event()
    receiver.answer = lambda request: (200 if request.json["webhook"] == 2 or release.wait(WAIT) else 500, {})
    made = [subscribe(client, receiver.url, "post.created") for _ in range(2)]
    client.new("/posts", title="Post")
    begin(client)
    until(lambda: receiver.came)
    begin(client)
    assert [request.json["webhook"] for request in receiver.came] == [1]
    monkeypatch.setattr(sender, "LONGEST", 0.0)
    begin(client)
    until(lambda: statuses(client, made[1]["id"]) == [("post.created", "delivered", 1)])
    release.set()
    work(client)


def is_free(client: Client) -> bool:
    """Whether no other process does the site's timed work."""
    with client.site.worker.leader_lock() as mine:
        return mine


def test_the_end_of_a_process_does_not_wait_for_a_receiver_for_long(folder: Any, receiver: Receiver) -> None:
    client = folder.client()
    made = client.new("/webhooks", "administrator", url=receiver.url, events=["post.created"])
    for title in ("First", "Second"):
        client.new("/posts", title=title)
    release = threading.Event()
    receiver.answer = lambda request: (200 if release.wait(WAIT) else 500, {})
    with run(folder, "work") as working:
        try:
            until(lambda: receiver.came)
            working.send_signal(signal.SIGTERM)
            until(lambda: is_free(client))  # so it has heard the signal
            release.set()
            working.communicate(timeout=WAIT)
        finally:
            working.kill()  # where it hasn't ended

    # What was under way is noted, and nothing else is begun.
    assert working.returncode == 0
    assert statuses(client, made["id"]) == [("post.created", "delivered", 1), ("post.created", "waiting", 0)]


def test_many_deliveries_go_out_in_their_order(client: Client, receiver: Receiver) -> None:
    subscribe(client, receiver.url, "post.created")
    ids = [client.new("/posts", title=f"Post {number}")["id"] for number in range(30)]
    work(client)

    assert receiver.events() == [("post.created", id) for id in ids]


def test_a_removed_webhook_takes_its_deliveries_along(client: Client, receiver: Receiver) -> None:
    made, other = subscribe(client, receiver.url, "post.*"), subscribe(client, receiver.url, "page.*")
    receiver.answer = answering(500)
    client.new("/posts", title="Post")
    client.new("/pages", title="Page")
    work(client)
    receiver.came.clear()
    client.delete(f"/webhooks/{made['id']}?force=true", "administrator")

    work(client)
    assert client.site.database.column("SELECT target FROM deliveries") == [str(other["id"])]
    assert client.site.database.column("SELECT name FROM events") == ["page.created"]
    later(client, 60)
    work(client)
    assert [request.json["webhook"] for request in receiver.came] == [other["id"]]


def test_one_that_is_removed_while_it_is_sent_leaves_nothing(client: Client, receiver: Receiver) -> None:
    release, busy = threading.Event(), threading.Event()

    def slow(request: Request) -> tuple[int, dict[str, str]]:
        busy.set()
        assert release.wait(WAIT)
        return 500, {}

    receiver.answer = slow
    made = subscribe(client, receiver.url, "post.*")
    client.new("/posts", title="Post")
    begin(client)
    assert busy.wait(WAIT)
    client.delete(f"/webhooks/{made['id']}?force=true", "administrator")
    release.set()
    work(client)

    assert client.site.database.rows("SELECT 1 FROM deliveries") == []


@pytest.mark.parametrize("at_once", [1_000, 1])
def test_old_deliveries_are_removed(client: Client, receiver: Receiver, monkeypatch: pytest.MonkeyPatch, at_once: int) -> None:
    monkeypatch.setattr("cms.db.stores.deliveries.REMOVED_AT_ONCE", at_once)
    made = subscribe(client, receiver.url, "post.*")
    idle = subscribe(client, receiver.url, "post.*")
    receiver.answer = lambda request: (200 if request.json["webhook"] == made["id"] else 410, {})
    client.new("/posts", title="Old")
    client.new("/posts", title="Older")
    work(client)
    assert [len(deliveries(client, each["id"])) for each in (made, idle)] == [2, 2]
    receiver.answer = answering(500)
    client.new("/posts", title="Waiting")
    work(client)
    assert client.post("/settings", {"webhooks_keep_days": 3}, "administrator").json["webhooks_keep_days"] == 3

    def clean(days: int) -> list[int]:
        at(client, in_days(START, days))
        client.site.context.runtime.now.now += 3_600  # type: ignore[attr-defined]
        work(client)
        return [len(deliveries(client, each["id"])) for each in (made, idle)]

    assert clean(3) == [3, 2]
    assert clean(4) == [1, 0]  # what waits for an active one stays
    assert client.post("/settings", {"webhooks_keep_days": 0}, "administrator").status_code == 400


# Addresses.


def test_a_name_that_has_come_to_lead_inside_is_not_followed(client: Client, receiver: Receiver,
                                                             monkeypatch: pytest.MonkeyPatch) -> None:
    addresses = ["93.184.215.14"]
    monkeypatch.setattr("cms.net.client.resolve", lambda name: addresses)
    made = subscribe(client, f"http://hooks.example:{receiver.port}/", "post.created")
    for inside in ("127.0.0.1", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "10.0.0.1"):
        addresses[:] = [inside]
        client.new("/posts", title="Post")
        work(client)
        [told, *_older] = deliveries(client, made["id"])
        assert (told["status"], told["tries"], told["code"]) == ("waiting", 1, None)
        assert told["error"].startswith('"hooks.example" isn\'t on the open internet')
    assert receiver.came == []


def test_what_is_allowed_is_a_host_with_its_port(client: Client, receiver: Receiver) -> None:
    with serve_receiver() as other:
        for url in (other.url, f"http://localhost:{receiver.port}/", "http://127.0.0.1/"):
            answer = client.post("/webhooks", {"url": url, "events": ["*"]}, "administrator")
            assert answer.status_code == 400
            assert "isn't on the open internet" in answer.json["data"]["params"]["url"]


def test_a_redirect_leads_nowhere(client: Client, receiver: Receiver) -> None:
    with serve_receiver() as inside:
        subscribe(client, receiver.url, "post.created")
        receiver.answer = lambda request: (307, {"Location": inside.url})
        client.new("/posts", title="Post")
        work(client)
        assert (len(receiver.came), inside.came) == (1, [])


@pytest.mark.parametrize(("table", "fault"), [
    ({"allow": "127.0.0.1:80"}, "takes a list"), ({"allow": ["127.0.0.1"]}, "hosts with ports"),
    ({"allow": ["http://127.0.0.1:80"]}, "hosts with ports"), ({"allow": ["127.0.0.1:80/x"]}, "hosts with ports"),
    ({"allow": ["user@127.0.0.1:80"]}, "hosts with ports"), ({"allow": [7]}, "hosts with ports"),
    ({"alow": []}, "takes allow alone"),
])
def test_a_wrong_configuration_is_told(bundled: Callable[..., Client], table: dict[str, Any], fault: str,
                                       caplog: pytest.LogCaptureFixture) -> None:
    client = bundled("webhooks", webhooks=table)

    assert client.get("/posts").status_code == 500
    assert "plugin webhooks" in caplog.text
    assert fault in caplog.text


def test_a_table_of_no_plugin_is_told_and_passed_over(make_client: Callable[..., Client],
                                                      caplog: pytest.LogCaptureFixture) -> None:
    client = make_client(webhook={"allow": []})

    assert client.get("/posts").status_code == 200
    assert "a table [webhook], but no plugin of this name" in caplog.text


# What it costs.


def test_requests_do_not_ask_for_webhooks(client: Client, make_client: Callable[..., Client], receiver: Receiver) -> None:
    plain = make_client(comment_interval=0)
    at(plain, START)
    for _ in range(3):
        subscribe(client, receiver.url, "*")
    asked = {}
    for name, each in (("with", client), ("without", plain)):
        each.new("/posts", title="Post", status="publish")
        each.get("/posts")
        asked[name] = each.statements(lambda each=each: each.get("/posts"))  # type: ignore[misc]
    written = client.statements(lambda: client.new("/posts", title="Other"))

    assert asked["with"] == asked["without"]
    assert [sql for sql in written if "targets" in sql.replace(":targets", "") or "FROM webhooks" in sql] == []
    assert len([sql for sql in written if sql.startswith("INSERT INTO events")]) == 1


def test_nothing_is_asked_while_nothing_happens(client: Client, receiver: Receiver) -> None:
    subscribe(client, receiver.url, "post.*")
    client.new("/posts", title="Post")
    work(client)
    work(client)

    assert client.statements(lambda: work(client)) == []


# Commands, and processes that die.


@pytest.fixture
def folder(plugged: Any, receiver: Receiver) -> Any:
    site = plugged({})
    with (site.folder / "config.toml").open("a") as file:
        file.write(f'url = "http://cms.example"\nplugins = ["webhooks"]\nbackground = false\n[webhooks]\nallow = ["{receiver.place}"]\n')
    site.run("migrate")
    return site


def test_the_command_lists_and_retries_what_failed(folder: Any, receiver: Receiver) -> None:
    client = folder.client()
    made = client.new("/webhooks", "administrator", url=receiver.url, events=["post.*"])
    receiver.answer = lambda request: (500 if request.json["item"] == failing else 200, {})
    failing = client.new("/posts", title="Failing")["id"]
    client.new("/posts", title="Heard")
    client.site.worker.run_due()
    until(lambda: [each["code"] for each in deliveries(client, made["id"])] == [200, 500])

    [told] = folder.json("webhooks")
    assert told == {"delivery": told["delivery"], "webhook": made["id"], "url": receiver.url, "event": "post.created",
                    "item": failing, "status": "waiting", "tries": 1, "code": 500, "error": "it answered 500",
                    "next_try": told["next_try"]}
    assert "it answered 500" in folder.run("webhooks").stdout
    assert made["secret"] not in folder.run("webhooks").stdout
    assert folder.json("webhooks", "retry", str(told["delivery"])) == {"retried": 1}
    assert folder.json("webhooks") == []
    assert "no such failed" in folder.run("webhooks", "retry", "999", code=1).output
    assert "--all" in folder.run("webhooks", "retry", code=2).output
    assert folder.run("webhooks", "retry", "--all").stdout == "Retried: 0 delivery(s).\n"


def run(folder: Any, *arguments: str) -> subprocess.Popen[str]:
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])}
    environ.pop("CMS_INSTANCE", None)
    return subprocess.Popen([sys.executable, "-m", "cms.cli", "--instance", str(folder.folder), *arguments], env=environ,
                            cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def test_a_process_that_dies_before_it_noted_an_answer_is_followed_by_the_same_delivery(folder: Any, receiver: Receiver) -> None:
    client = folder.client()
    made = client.new("/webhooks", "administrator", url=receiver.url, events=["post.*"])
    post = client.new("/posts", title="Post")["id"]
    dying: list[subprocess.Popen[str]] = []
    ready = threading.Event()

    def kill(request: Request) -> tuple[int, dict[str, str]]:
        assert ready.wait(WAIT)
        dying[0].send_signal(signal.SIGKILL)
        dying[0].wait()
        return 200, {}

    receiver.answer = kill
    dying.append(run(folder, "work", "--once"))
    ready.set()
    dying[0].communicate(timeout=WAIT)
    assert dying[0].returncode == -signal.SIGKILL
    [told] = deliveries(client, made["id"])
    assert (told["status"], told["tries"], told["error"]) == ("waiting", 1, "no answer was noted")

    receiver.answer = answering(200)
    assert folder.json("webhooks", "retry", "--all") == {"retried": 1}
    once = run(folder, "work", "--once", "--json")
    out, err = once.communicate(timeout=WAIT)
    assert once.returncode == 0, err
    assert "deliveries" in json.loads(out)["jobs"]
    assert [(r.json["event"], r.json["item"]) for r in receiver.came] == [("post.created", post)] * 2
    assert len({request.json["id"] for request in receiver.came}) == 1
    assert [each["status"] for each in deliveries(client, made["id"])] == ["delivered"]


def test_work_by_cron_waits_for_the_answers(folder: Any, receiver: Receiver) -> None:
    client = folder.client()
    made = client.new("/webhooks", "administrator", url=receiver.url, events=["post.created"])
    for number in range(5):
        client.new("/posts", title=f"Post {number}")

    def slow(request: Request) -> tuple[int, dict[str, str]]:
        time.sleep(0.2)
        return 200, {}

    receiver.answer = slow
    once = run(folder, "work", "--once")
    _out, err = once.communicate(timeout=WAIT)

    assert (once.returncode, err) == (0, "")
    assert statuses(client, made["id"]) == [("post.created", "delivered", 1)] * 5


def test_an_answer_that_cannot_be_noted_is_asked_for_again(client: Client, receiver: Receiver, caplog: pytest.LogCaptureFixture,
                                                           monkeypatch: pytest.MonkeyPatch) -> None:
    made = subscribe(client, receiver.url, "post.*")
    client.new("/posts", title="Post")

    def full(*_given: Any) -> None:
        raise OSError("no space")

    with caplog.at_level(logging.ERROR), monkeypatch.context() as patch:
        patch.setattr(type(client.site.stores.deliveries), "note", full)
        work(client)
    assert "nothing could be noted" in caplog.text
    work(client)
    assert len(receiver.came) == 1  # not at once
    later(client, 12)
    work(client)
    assert statuses(client, made["id"]) == [("post.created", "delivered", 2)]
    assert len({request.json["id"] for request in receiver.came}) == 1


OLD_SITE = """
INSERT INTO webhooks (id, url, events, description, active, secret, created_gmt) VALUES
    (1, '{url}', '["*"]', '', 1, 'a-secret-of-ours-17', '2026-01-01T00:00:00'),
    (2, '{url}', '["*"]', '', 0, 'a-secret-of-ours-17', '2026-01-01T00:00:00');
INSERT INTO events (id, name, resource, item_id, user_id, at_gmt) VALUES
    (9, 'post.updated', 'post', 4, 1, '2026-01-30T00:00:00'), (12, 'post.deleted', 'post', 4, 1, '2026-01-31T00:00:00');
INSERT INTO deliveries (event_id, plugin, due_gmt) VALUES
    (9, 'other', '2026-01-30T00:00:00'), (12, 'webhooks', '2026-01-31T00:00:00');
INSERT INTO webhook_deliveries (id, webhook_id, event_id, event, resource, item_id, user_id, at_gmt, data, created_gmt,
    status, tries, due_gmt, tried_gmt, code, error) VALUES
    (3, 1, 7, 'post.created', 'post', 4, 1, '2026-01-29T00:00:00', '{{"a": 1}}', '2026-01-29T00:00:01',
        'delivered', 1, '2026-01-29T00:00:02', '2026-01-29T00:00:02', 200, ''),
    (5, 1, 9, 'post.updated', 'post', 4, 1, '2026-01-30T00:00:00', '{{}}', '2026-01-30T00:00:01',
        'waiting', 2, '2026-01-30T00:01:00', '2026-01-30T00:00:20', 500, 'it answered 500'),
    (6, 2, 9, 'post.updated', 'post', 4, 1, '2026-01-30T00:00:00', '{{}}', '2026-01-30T00:00:01',
        'waiting', 0, '2026-01-30T00:00:01', NULL, NULL, ''),
    (8, 1, NULL, 'webhook.test', 'webhook', 1, 1, '2026-01-30T00:00:00', '{{}}', '2026-01-30T00:00:01',
        'set_aside', 10, '2026-01-30T00:00:01', '2026-01-30T00:00:01', 404, 'it answered 404'),
    (11, 1, 10, 'page.created', 'page', 1, 1, '2026-01-30T00:00:00', '{{}}', '2026-01-30T00:00:01',
        'delivered', 1, '2026-01-30T00:00:01', NULL, 200, '');
DELETE FROM webhook_deliveries WHERE id = 11;
"""


@pytest.mark.files_only
def test_deliveries_of_an_earlier_version_keep_their_ids_and_go_on(plugged: Any, receiver: Receiver) -> None:
    site = plugged({"plugins": ["webhooks"], "webhooks": {"allow": [receiver.place]}})
    database = site.folder / "site.db"
    ready = database.rename(site.folder / "ready.db")
    migrate_to(database, "0008")
    migrate_to(database, "0001", ROOT / "plugins" / "webhooks" / "migrations", "schema_migration_webhooks")
    with closing(sqlite3.connect(database)) as old:
        old.executescript(OLD_SITE.format(url=receiver.url))
        names = ", ".join(row[0] for row in old.execute("SELECT name FROM pragma_table_info('users')"))
        old.executescript(f"ATTACH '{ready}' AS ready; INSERT INTO users ({names}) SELECT {names} FROM ready.users")
    assert "webhooks: 0002_outbox" in site.json("migrate", CMS_PLUGINS="webhooks")["applied"]
    client = site.client()
    at(client, START)
    client.site.context.runtime.now = Clock()

    shown = client.get("/webhooks/1/deliveries?context=edit&_fields=id,event,event_id,item,at,status,tries,code,error,last_try",
                       "administrator").json
    assert [tuple(each.values())[:10] for each in shown] == [
        (8, "webhook.test", None, 1, "2026-01-30T00:00:00", "set_aside", 10, 404, "it answered 404", "2026-01-30T00:00:01"),
        (5, "post.updated", 9, 4, "2026-01-30T00:00:00", "waiting", 2, 500, "it answered 500", "2026-01-30T00:00:20"),
        (3, "post.created", 7, 4, "2026-01-29T00:00:00", "delivered", 1, 200, "", "2026-01-29T00:00:02")]
    work(client)
    sent = [(request.json["id"], request.json["event"], request.json["webhook"]) for request in receiver.came]
    # The one that waited, then the event that had been told to nobody yet, by an id that no delivery had.
    assert [each for each in sent if "user" not in each[1]] == [(5, "post.updated", 1), (sent[1][0], "post.deleted", 1)]
    assert sent[1][0] > 11
    assert statuses(client, 2) == [("post.updated", "waiting", 0)]
    client.post("/webhooks/2", {"active": True}, "administrator")
    work(client)
    assert (2, "delivered") in [(each["webhook"], each["status"]) for each in deliveries(client, 2)]
    assert [(w["plugin"], w["name"]) for w in client.site.outbox.waiting()] == [
        ("other", "post.updated"), ("webhooks", "webhook.test")]
    assert client.site.database.rows("SELECT 1 FROM sqlite_schema WHERE name = 'webhook_deliveries'") == []


# What is told of it.


def test_everything_is_described_in_the_languages_of_the_site(bundled: Callable[..., Client]) -> None:
    client = bundled("webhooks", "locale_de")
    told = {}
    for language in ("en", "id", "de"):
        routes = client.get(f"//{language}/api/").json["routes"]
        mine = {path: route for path, route in routes.items() if "webhooks" in path}
        assert len(mine) == 7
        told[language] = {
            (path, *endpoint["methods"], name): argument["description"] for path, route in mine.items()
            for endpoint in route["endpoints"] for name, argument in (endpoint["args"] or {}).items()}
    same = [key for key, text in told["en"].items() if text in (told["id"][key], told["de"][key])]

    assert len(told["en"]) > 30
    assert same == []
    schema = client.send("OPTIONS", "//id/api/cms/v2/webhooks").json["schema"]["properties"]
    assert schema["url"] == {"description": "Ke mana peristiwa dikirim, dengan POST.", "type": "string", "format": "uri",
                             "context": ["view", "embed", "edit"], "required": True}


def test_without_the_plugin_there_are_no_webhooks(plugged: Any) -> None:
    site = plugged({"plugins": ["webhooks"]})
    site.run("migrate", CMS_PLUGINS="webhooks")
    site.client().new("/webhooks", "administrator", url=PUBLIC, events=["*"])
    client = site.client(plugins=[])

    assert client.get("/webhooks", "administrator").status_code == 404
    assert client.new("/posts", title="Post")["id"]
    assert client.site.database.rows("SELECT 1 FROM events WHERE name = 'post.created'") == []
    assert [each["url"] for each in site.client().get("/webhooks", "administrator").json] == [PUBLIC]

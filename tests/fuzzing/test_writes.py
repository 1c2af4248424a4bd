"""Every writing route × role × own or another's item × status: allowed where the oracle says so, else nothing is changed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from media.uploading import send_raw

from cms.testing import Client, make_client
from fuzzing.running import PLUGINS
from fuzzing.write_oracle import MANAGED, MAY, Target, may_create, may_write

ROLES = tuple(MAY)
#: There is a second administrator, as the last one stays one.
OTHER, SECOND = "author9", "administrator2"
STATUSES = ("publish", "future", "draft", "pending", "private")
TYPES = ("posts", "pages", "events", "menu-items")
FUTURE = {"status": "publish", "date": "2099-01-01T00:00:00"}
#: Bodies of writes that are allowed, by the end of their route.
BODIES: dict[str, dict[str, Any]] = {"": {"title": "Changed", "name": "Changed", "description": "Changed"}, "/autosaves": {"title": "Kept"},
                                     "/application-passwords": {"name": "Phone"}}
IN_ROUTE = re.compile(r"\(\?P<\w+>(\[.*?\])\+\)")


class Place(NamedTuple):
    """A method of a route below an item."""

    method: str
    rest: str


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    # The audit stores who tried to sign in, whatever becomes of the request.
    plugins = [name for name in PLUGINS if name != "cms_plugins.audit"]
    client = make_client(tmp_path_factory.mktemp("writes"), plugins=plugins)
    for role in (*ROLES[1:], OTHER, SECOND):
        client.account(str(role))
    yield client
    client.close()


@pytest.fixture(scope="module")
def places(client: Client) -> dict[str, list[Place]]:
    """Methods that write, by collection, with what stands behind the item in their routes."""
    found: dict[str, list[Place]] = {}
    for pattern, route in client.get("//api/").json["routes"].items():
        plain = IN_ROUTE.sub("{id}", pattern)
        collection, _slash, rest = plain.removeprefix("/cms/v2/").partition("/")
        rest = f"/{rest}" if rest else ""
        for method in {method for endpoint in route["endpoints"] for method in endpoint["methods"]} - {"GET"}:
            found.setdefault(collection, []).append(Place(method, rest))
    return found


def sent(client: Client, role: str | None, method: str, path: str, **options: Any) -> int:
    """Send a write, tell its status, and undo it; fails where a refused one has changed a row."""
    peewee = client.site.database.peewee
    if role:
        client.account(role)  # made before the changes are counted
    with peewee.atomic("IMMEDIATE") as transaction:
        before = peewee.connection().total_changes
        status = client.send(method, path, role, **options).status_code
        assert status < 300 or peewee.connection().total_changes == before, (role, method, path, status)
        transaction.rollback()
    client.site.answers.clear()
    return status


def holds(status: int, role: str | None, is_allowed: bool) -> bool:
    return status < 300 if is_allowed else status == (403 if role else 401)


@pytest.mark.parametrize("collection", TYPES)
def test_content_is_created_by_whom_the_oracle_says(client: Client, collection: str) -> None:
    wrong, cells = [], 0
    for role in ROLES:
        for is_own in (True, False):
            for status in STATUSES:
                fields = {"title": "New", "url": "https://example.org/", "author": client.id_of(role if role and is_own else OTHER)}
                answer = sent(client, role, "POST", f"/{collection}", json=fields | (FUTURE if status == "future" else {"status": status}))
                cells += 1
                if not holds(answer, role, may_create(role, collection, is_own, status)):
                    wrong.append((role, is_own, status, answer))
    print(cells, "cells")
    assert wrong == []


@pytest.mark.parametrize("collection", [*TYPES, "media"])
def test_content_is_changed_by_whom_the_oracle_says(client: Client, places: dict[str, list[Place]], collection: str) -> None:
    wrong, cells = [], 0
    for role in ROLES:
        for target in _targets(client, collection, role):
            for place in places[collection]:
                if not place.rest.startswith("/{id}"):
                    continue
                path, rest = _path(client, target, place)
                answer = sent(client, role, place.method, path, json=BODIES.get(rest, {}))
                cells += 1
                if not holds(answer, role, may_write(role, place.method, rest, target)):
                    wrong.append((role, place, target, answer))
    print(cells, "cells")
    assert cells >= 44
    assert wrong == []


def _targets(client: Client, collection: str, role: str | None) -> Iterator[Target]:
    """Store an item in each status, of the role's account and of another."""
    for is_own in (True, False) if role else (False,):
        author = client.id_of(role if role and is_own else OTHER)
        if collection == "media":
            file = send_raw(client, f"{role}-{is_own}.txt", b"text", "administrator", f"?author={author}")
            yield Target("media", is_own, "inherit", file.json["id"])
            continue
        for status in STATUSES:
            fields = FUTURE if status == "future" else {"status": status}
            item = client.new(f"/{collection}", "administrator", title="T", content="C", url="https://example.org/", author=author, **fields)
            client.send("POST", f"/{collection}/{item['id']}", "administrator", json={"content": "again", "title": "again"})
            yield Target(collection, is_own, status, item["id"])


def _path(client: Client, target: Target, place: Place) -> tuple[str, str]:
    """Return the address of a place for an item, and what stands behind the item's own."""
    rest = place.rest.removeprefix("/{id}")
    path = f"/{target.collection}/{target.id}{rest}"
    if "{id}" in rest:
        revisions = client.get(f"/{target.collection}/{target.id}/revisions?context=edit", "administrator").json
        path = path.replace("{id}", str(revisions[0]["id"]))
    return path + ("?force=true" if place.method == "DELETE" else ""), rest


@pytest.mark.parametrize("collection", MANAGED)
def test_what_a_capability_manages_is_written_by_its_roles(client: Client, places: dict[str, list[Place]], collection: str) -> None:
    id, cells = 0, 0
    needed = {"name": "Some", "url": "https://93.184.216.34/hook", "events": ["post.created"]}
    needed = {"title": "Some"} if collection == "settings" else needed
    if collection != "settings":
        id = client.new(f"/{collection}", "administrator", **needed)["id"]
    for place in places[collection]:
        if place.rest not in ("", "/{id}"):
            continue
        for role in ROLES:
            path = f"/{collection}{place.rest.replace('{id}', str(id))}?force=true"
            answer = sent(client, role, place.method, path, json=_other_name(needed) if place.method != "DELETE" else None)
            is_allowed = may_write(role, place.method, place.rest, Target(collection, False, ""))
            assert holds(answer, role, is_allowed), (role, place, answer)
            cells += 1
    print(cells, "cells")


def _other_name(fields: dict[str, Any]) -> dict[str, Any]:
    return {**fields, "name": "Another"} if "name" in fields else fields


def test_accounts_are_changed_by_whom_the_oracle_says(client: Client) -> None:
    wrong, cells = [], 0
    for role in ROLES:
        for is_own in (True, False) if role else (False,):
            id = client.id_of(role if role and is_own else OTHER)
            for method, rest in (("POST", ""), ("PUT", ""), ("PATCH", ""), ("DELETE", ""), ("POST", "/application-passwords"),
                                 ("DELETE", "/application-passwords")):
                query = f"?force=true&reassign={client.id_of('author8')}" if method == "DELETE" else ""
                answer = sent(client, role, method, f"/users/{id}{rest}{query}", json=BODIES[rest] if method != "DELETE" else None)
                cells += 1
                if not holds(answer, role, may_write(role, method, rest, Target("users", is_own, ""))):
                    wrong.append((role, is_own, method, rest, answer))
        for field in ({"roles": ["administrator"]}, {"roles": ["editor", "author"]}):
            answer = sent(client, role, "POST", "/users/me", json=field)
            cells += 1
            keeps = "administrator" in field["roles"]  # administrators don't take this role from themselves
            if answer != 404 if role is None else not holds(answer, role, keeps and "promote_users" in MAY[role]):
                wrong.append((role, field, answer))
    print(cells, "cells")
    assert wrong == []


@pytest.mark.parametrize("status", ["approve", "hold", "spam", "trash"])
def test_comments_are_changed_by_whom_the_oracle_says(client: Client, status: str) -> None:
    wrong, cells = [], 0
    for role in ROLES:
        for on_own in (True, False) if role else (False,):
            author = client.id_of(role if role and on_own else OTHER)
            post = client.new("/posts", "administrator", title="P", status="publish", author=author)["id"]
            for is_own in (True, False) if role else (False,):
                writer = client.id_of(role if role and is_own else OTHER)
                comment = client.new("/comments", "administrator", post=post, content=f"By {writer}", author=writer)["id"]
                client.send("POST", f"/comments/{comment}", "administrator", json={"status": status})
                target = Target("comments", is_own, status, comment, Target("posts", on_own, "publish", post))
                for method in ("POST", "PUT", "PATCH", "DELETE"):
                    answer = sent(client, role, method, f"/comments/{comment}?force=true", json={"content": "Changed"})
                    cells += 1
                    if not holds(answer, role, may_write(role, method, "", target)):
                        wrong.append((role, method, target, answer))
    print(cells, "cells")
    assert wrong == []

"""Writes that aren't of items of content × role: new comments, uploads, webhooks, accounts; fields that take a right of their own."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from cms.testing import Client
from fuzzing.test_writes import (
    BODIES,
    FUTURE,
    OTHER,
    ROLES,
    TYPES,
    Place,
    _targets,
    client,
    holds,
    places,
    sent,
)
from fuzzing.write_oracle import MANAGED, MAY, PLURALS, may_change, may_read

__all__ = ["client", "places"]

PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\x08\0\0\0\0:~\x9bU\0\0\0\nIDATx\x9cc`\0\0\0\2\0\1H\xaf\xa4q\0\0\0\0IEND\xaeB`\x82"
#: Routes that write, by collection, which these tests and those of `test_writes.py` send to.
BELOW = {"/{id}", "/{id}/autosaves", "/{id}/preview-link", "/{id}/revisions/{id}", "/{id}/revisions/{id}/restore"}
COVERED = {**dict.fromkeys(TYPES, BELOW | {""}), **{collection: {"", "/{id}"} for collection in (*MANAGED, "media", "comments")},
           "users": {"", "/{id}", "/me", "/{id}/application-passwords", "/{id}/application-passwords/{id}"}}
COVERED["webhooks"] = {"", "/{id}", "/{id}/test", "/{id}/secret", "/{id}/deliveries/{id}/send"}


def test_each_writing_route_is_in_a_matrix(places: dict[str, list[Place]]) -> None:
    found = {(collection, place.rest) for collection, those in places.items() for place in those}
    assert found - {(collection, rest) for collection, those in COVERED.items() for rest in those} == set()


# Comments.

@pytest.mark.parametrize("password", ["", "pw", "wrong"])
def test_comments_are_made_by_those_who_read_what_they_are_on(client: Client, password: str) -> None:
    wrong, cells = [], 0
    for role in ROLES:
        for target in _targets(client, "posts", role):
            is_locked = target.status != "private" and bool(password)
            fields = {"comment_status": "open", "password": "pw" if is_locked else ""}
            assert client.post(f"/posts/{target.id}", fields, "administrator").status_code == 200
            reads = may_read(role, target) and (not is_locked or password == "pw")
            is_allowed = role is not None and target.status != "draft" and (reads or may_change(role, target))
            answer = sent(client, role, "POST", "/comments", json={"post": target.id, "content": "New", "password": password})
            cells += 1
            # A draft takes no comments, whoever asks; the password is none of a comment's fields but opens what it is on.
            if not (holds(answer, role, is_allowed) or (target.status == "draft" and answer in (401, 403))):
                wrong.append((role, target, password, answer))
    print(cells, "cells")
    assert wrong == []


#: Fields of a new comment that moderators alone may set.
RESERVED = ({"author": "OTHER"}, {"author_ip": "192.0.2.9"}, {"status": "approve"}, {"status": "spam"})


def test_fields_of_comments_that_are_for_moderators(client: Client) -> None:
    post = client.new("/posts", "administrator", title="P", status="publish", comment_status="open")["id"]
    for role, fields in product(ROLES[1:], RESERVED):
        body = {name: client.id_of(OTHER) if value == "OTHER" else value for name, value in fields.items()}
        answer = sent(client, role, "POST", "/comments", json={"post": post, "content": "New", **body})
        assert holds(answer, role, "moderate_comments" in MAY[role]), (role, fields, answer)
    for role in ROLES[1:]:
        answer = sent(client, role, "POST", "/comments", json={"post": post, "content": "New", "author": client.id_of(str(role))})
        assert answer == 201, role


# Content: fields that take a right of their own.

#: A field with the capabilities of which it takes one beside that to write at all.
CLAIMS: tuple[tuple[str, dict[str, Any], tuple[str, ...]], ...] = (
    ("author", {"author": "OTHER"}, ("edit_others",)), ("publish", {"status": "publish"}, ("publish",)), ("private", {"status": "private"}, ("publish",)),
    ("future", FUTURE, ("publish",)), ("sticky", {"sticky": True}, ("edit_others", "publish")), ("slug", {"slug": "of-its-own"}, ()),
    ("password", {"password": "pw"}, ()), ("comments", {"comment_status": "closed"}, ()))


@pytest.mark.parametrize("collection", ["posts", "pages", "events"])
def test_fields_of_content_that_take_a_right_of_their_own(client: Client, collection: str) -> None:
    wrong, cells = [], 0
    for role in ROLES:
        own = client.new(f"/{collection}", "administrator", title="T", author=client.id_of(role or OTHER), status="draft")["id"]
        for name, fields, capabilities in CLAIMS:
            if name == "sticky" and collection != "posts":
                continue
            body = {key: client.id_of(OTHER) if value == "OTHER" else value for key, value in fields.items()}
            plural = PLURALS[collection]
            has_right = not capabilities or any(f"{verb}_{plural}" in MAY[role] for verb in capabilities)
            is_allowed = role is not None and f"edit_{plural}" in MAY[role] and has_right
            for method, path, more in (("POST", f"/{collection}", {"title": "New"}), *((method, f"/{collection}/{own}", {}) for method in ("POST", "PUT", "PATCH"))):
                answer = sent(client, role, method, path, json={**more, **body})
                cells += 1
                if not holds(answer, role, is_allowed):
                    wrong.append((role, method, path, fields, answer))
    print(cells, "cells")
    assert wrong == []


# Files.

def test_files_are_uploaded_by_whom_the_oracle_says(client: Client) -> None:
    wrong, cells = [], 0
    headers = {"Content-Type": "image/png", "Content-Disposition": 'attachment; filename="new.png"'}
    for role in ROLES:
        for target in (None, *_targets(client, "posts", role)):
            for writer in (role, OTHER) if role else (None,):
                author = f"&author={client.id_of(writer)}" if writer else ""
                query = f"?title=New{author}" + (f"&post={target.id}" if target else "")
                wanted = {"upload_files"} | ({"edit_others_posts"} if writer == OTHER else set())
                is_allowed = wanted <= MAY[role] and (target is None or may_change(role, target))
                kept = _files(client)
                answer = sent(client, role, "POST", f"/media{query}", data=PNG, headers=headers)
                cells += 1
                if not holds(answer, role, is_allowed):
                    wrong.append((role, target, writer, answer))
                assert is_allowed or _files(client) == kept, "a refused upload leaves no file"
    print(cells, "cells")
    assert wrong == []


def _files(client: Client) -> set[str]:
    return {str(path) for folder in (client.site.config.uploads, client.site.config.incoming) for path in folder.rglob("*") if path.is_file()}


# Webhooks, accounts, application passwords.

def test_what_lies_below_a_webhook_is_for_those_who_manage_them(client: Client) -> None:
    hook = client.new("/webhooks", "administrator", url="https://93.184.216.34/hook", events=["post.created"])["id"]
    delivery = client.post(f"/webhooks/{hook}/test", {}, "administrator").json["id"]
    for role, rest in product(ROLES, ("test", "secret", f"deliveries/{delivery}/send")):
        answer = sent(client, role, "POST", f"/webhooks/{hook}/{rest}")
        assert holds(answer, role, "manage_webhooks" in MAY[role]), (role, rest, answer)


#: Fields of accounts with what they take beside the right to the account.
OF_ACCOUNTS = ({"name": "New"}, {"email": "new@example.org"}, {"password": "another-correct-horse"}, {"description": "New"}, {"slug": "new"},
               {"roles": ["subscriber"]})


def test_fields_of_accounts(client: Client) -> None:
    wrong, cells = [], 0
    for role, fields, method in product(ROLES, OF_ACCOUNTS, ("POST", "PUT", "PATCH")):
        for path in ("/users/me", f"/users/{client.id_of(OTHER)}", *([f"/users/{client.id_of(role)}"] if role else [])):
            is_own = role is not None and not path.endswith(f"/{client.id_of(OTHER)}")
            is_allowed = (is_own or "edit_users" in MAY[role]) and ("roles" not in fields or "promote_users" in MAY[role])
            if role == "administrator" and is_own and "roles" in fields:
                is_allowed = False  # administrators don't take this role from themselves
            answer = sent(client, role, method, path, json=fields)
            cells += 1
            if not (holds(answer, role, is_allowed) or (role is None and path == "/users/me" and answer == 404)):
                wrong.append((role, method, path, fields, answer))
    print(cells, "cells")
    assert wrong == []


def test_accounts_are_made_and_left_by_whom_the_oracle_says(client: Client) -> None:
    for role in ROLES:
        new = {"username": "newcomer", "email": "newcomer@example.org", "password": "correct-horse-battery"}
        assert holds(sent(client, role, "POST", "/users", json=new), role, "create_users" in MAY[role]), role
        query = f"?force=true&reassign={client.id_of(OTHER)}"
        answer = sent(client, role, "DELETE", f"/users/me{query}")
        assert answer == 404 if role is None else holds(answer, role, "delete_users" in MAY[role]), (role, answer)


def test_an_application_password_is_changed_by_its_account_and_administrators(client: Client) -> None:
    for owner in ("author", OTHER):
        path = f"/users/{client.id_of(owner)}/application-passwords"
        uuid = client.new(path, "administrator", name="Phone")["uuid"]
        for role, method in product(ROLES, ("POST", "PUT", "PATCH", "DELETE")):
            answer = sent(client, role, method, f"{path}/{uuid}", json=BODIES["/application-passwords"] if method != "DELETE" else None)
            assert holds(answer, role, role == owner or "edit_users" in MAY[role]), (role, owner, method, answer)


def test_settings_are_changed_by_administrators_whichever_the_field(client: Client) -> None:
    fields = client.get("/settings", "administrator").json
    for role, (name, value) in product(ROLES, fields.items()):
        answer = sent(client, role, "POST", "/settings", json={name: value})
        assert holds(answer, role, "manage_options" in MAY[role]), (role, name, answer)



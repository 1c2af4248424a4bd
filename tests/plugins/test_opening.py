"""Plugins that open one item by an argument of its route."""

from __future__ import annotations

from typing import Any

import pytest
from sites import Client

from cms.hooks import PluginError

OPENING = '''
from cms.plugin import ApiError

@hookimpl
def register_read_arguments(content_registry):
    return {"post": {"key": String(_("Opens it."))}, "user": {"key": String(_("Opens it."))}}

@hookimpl
def open_item(resource, row, args, principal):
    if args.get("key") == "wrong":
        raise ApiError("acme_wrong", _("The wrong key."), 418)
    return f"{resource} {row['id']} {principal.id}" == args.get("key") or None
'''
INDIFFERENT = '''
@hookimpl
def open_item():
    return False
'''


@pytest.fixture
def client(plugged: Any) -> Client:
    return plugged(acme=OPENING, other=INDIFFERENT).client()


def test_one_plugin_that_says_so_opens_an_item(client: Client) -> None:
    draft = client.new("/posts", title="Draft", content="<p>Text</p>", password="secret")
    one, user = f"/posts/{draft['id']}", client.id_of("subscriber")

    opened = client.get(f"{one}?key=post {draft['id']} 0")

    assert opened.json["content"] == {"rendered": "<p>Text</p>\n", "protected": True}
    assert opened.headers["Cache-Control"] == "no-store"
    assert client.get(f"/users/{user}?key=user {user} 0").json["slug"] == "subscriber"
    assert client.get(f"{one}?key=post {draft['id']} {user}", "subscriber").status_code == 200


@pytest.mark.parametrize(("query", "status"), [
    ("", 401), ("?key=x", 401), ("?key=post {id} 0&context=edit", 401), ("?key=wrong", 418), ("?key=post {id} 9", 401),
])
def test_others_stay_closed(client: Client, query: str, status: int) -> None:
    draft = client.new("/posts", title="Draft", password="secret")

    answer = client.get(f"/posts/{draft['id']}{query.format(id=draft['id'])}")

    assert answer.status_code == status
    assert "Draft" not in answer.text


def test_the_argument_stands_in_the_descriptions_and_in_python(client: Client) -> None:
    draft = client.new("/posts", title="Draft")
    told = client.send("OPTIONS", f"/posts/{draft['id']}").json["endpoints"][0]["args"]

    assert told["key"] == {"required": False, "type": "string", "description": "Opens it."}
    assert client.site.posts.get(draft["id"], key=f"post {draft['id']} 0")["title"]["rendered"] == "Draft"


@pytest.mark.parametrize(("source", "told"), [
    ('return {"post": {"password": String(_("Taken."))}}', "'password' is already registered by core"),
    ('return {"nothing": {"key": String(_("Key."))}}', "there is no resource 'nothing'"),
    ('return {"post": {"key": 1}}', "'key' of 'post' is int instead of a field"),
])
def test_arguments_that_cant_be_are_refused_at_boot(plugged: Any, source: str, told: str) -> None:
    site = plugged(acme=f"@hookimpl\ndef register_read_arguments():\n    {source}\n")

    with pytest.raises(PluginError, match=f"plugin acme: register_read_arguments: .*{told}"):
        site.client()


def test_an_argument_has_one_owner(plugged: Any) -> None:
    again = '@hookimpl\ndef register_read_arguments():\n    return {"post": {"key": String(_("Key."))}}\n'

    with pytest.raises(PluginError, match=r"'key' is already registered by (acme|zeta)"):
        plugged(acme=OPENING, zeta=again).client()

"""Which slugs of the pages above it the address of a page has: those that its reader may see."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sites import URL, Client

HIDING = """
from cms.plugin import Content, hookimpl

@hookimpl
def check_permission(principal, action, resource, row):
    if resource == "page" and row and row["title"] == "Hidden" and not principal.may("manage_options"):
        return False

@hookimpl
def filter_query(resource, plan, principal):
    if resource == "page" and not principal.may("manage_options"):
        plan.where("hiding", lambda: Content.title != "Hidden")
"""
ASKING = (None, "subscriber", "editor", "administrator")
#: How the page in the middle is, and who sees its slug in the address of what is below it.
MIDDLE: dict[str, tuple[dict[str, Any], set[str | None]]] = {
    "published": ({"status": "publish"}, set(ASKING)),
    "behind a password": ({"status": "publish", "password": "pw"}, set(ASKING)),
    "private": ({"status": "private"}, {"editor", "administrator"}),
    "hidden by a plugin": ({"status": "publish", "title": "Hidden"}, {"administrator"}),
    "draft": ({"status": "draft"}, set()),
    "ahead": ({"status": "publish", "date": "2099-01-01T00:00:00"}, set()),
}


@pytest.mark.parametrize("state", MIDDLE)
def test_an_address_has_the_slugs_that_its_reader_may_see(extended: Callable[[str], Client], state: str) -> None:
    client = extended(HIDING)
    fields, readers = MIDDLE[state]
    top = client.new("/pages", "administrator", title="Top", slug="top", status="publish")["id"]
    middle = client.new("/pages", "administrator", **{"title": "Middle", **fields, "slug": "middle", "parent": top})["id"]
    page = client.new("/pages", "administrator", title="Page", slug="page", status="publish", parent=middle, comment_status="open")["id"]
    comment = client.new("/comments", "administrator", post=page, content="Text")["id"]

    for role in ASKING:
        link = f"{URL}/top/middle/page/" if role in readers else f"{URL}/top/page/"
        single = client.get(f"/pages/{page}", role)
        assert single.json["link"] == link, role
        assert f'<{link}>; rel="alternate"' in single.headers["Link"]
        assert client.get(f"/pages?include={page}&_fields=link", role).json == [{"link": link}]
        assert client.get(f"/comments/{comment}", role).json["link"] == f"{link}#comment-{comment}"
        if role not in readers:
            assert "middle" not in single.text


def test_a_private_page_that_is_published_is_in_the_addresses_at_once(client: Client) -> None:
    above = client.new("/pages", title="Above", slug="above", status="private")["id"]
    page = client.new("/pages", title="Page", slug="page", status="publish", parent=above)["id"]
    before = client.get(f"/pages/{page}").json["link"]

    client.post(f"/pages/{above}", {"status": "publish"})

    assert before == f"{URL}/page/"
    assert client.get(f"/pages/{page}").json["link"] == f"{URL}/above/page/"

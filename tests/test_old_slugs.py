"""Slugs that items had before: kept, found where nothing else has them, carried by exports."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from sites import Client

from cms.transfer.exporting.exporter import export_wxr
from cms.transfer.importing.importer import import_wxr


def found(client: Client, kind: str, slug: str, as_: str | None = None) -> list[str]:
    return [item["slug"] for item in client.get(f"/{kind}?slug={quote(slug)}", as_).json]


def old(client: Client, item: dict[str, Any]) -> list[str]:
    return client.site.stores.slugs.old_of([item["id"]]).get(item["id"], [])


def change(client: Client, kind: str, item: dict[str, Any], **fields: Any) -> None:
    assert client.post(f"/{kind}/{item['id']}", fields, "administrator").status_code == 200


@pytest.mark.parametrize("kind", ["posts", "pages"])
def test_an_old_slug_leads_to_the_item(client: Client, kind: str) -> None:
    item = client.new(f"/{kind}", "administrator", title="Item", slug="first", status="publish")
    change(client, kind, item, slug="second")
    change(client, kind, item, slug="third")

    assert old(client, item) == ["first", "second"]
    assert [found(client, kind, slug) for slug in ("first", "second", "third")] == [["third"]] * 3
    assert found(client, "pages" if kind == "posts" else "posts", "first") == []
    assert found(client, kind, "first,second,third") == ["third"]

    change(client, kind, item, slug="first")
    assert old(client, item) == ["second", "third"]


def test_a_slug_that_something_has_is_that_ones_alone(client: Client) -> None:
    item = client.new("/posts", "administrator", title="Item", slug="same", status="publish")
    change(client, "posts", item, slug="moved")
    client.new("/posts", "administrator", title="Other", slug="same", status="publish")

    assert found(client, "posts", "same") == ["same"]
    client.new("/pages", "administrator", title="Page", slug="moved", status="publish")
    assert found(client, "posts", "moved") == ["moved"]


@pytest.mark.parametrize(("before", "after", "kept"), [
    ("draft", "publish", []),       # nobody has seen it
    ("publish", "draft", ["first"]),
    ("private", "publish", ["first"]),
])
def test_only_what_somebody_could_see_is_kept(client: Client, before: str, after: str, kept: list[str]) -> None:
    item = client.new("/posts", "administrator", title="Item", slug="first", status=before)
    change(client, "posts", item, slug="second", status=after)

    assert old(client, item) == kept
    assert found(client, "posts", "first") == (["second"] if kept and after == "publish" else [])


def test_the_trash_makes_no_old_slugs(client: Client) -> None:
    item = client.new("/posts", "administrator", title="Item", slug="first", status="publish")
    client.send("DELETE", f"/posts/{item['id']}", "administrator")
    change(client, "posts", item, status="publish")

    assert old(client, item) == []
    change(client, "posts", item, slug="second")
    client.send("DELETE", f"/posts/{item['id']}?force=true", "administrator")
    assert old(client, item) == []


def test_they_move_with_an_export(make_client: Callable[..., Client], tmp_path: Path) -> None:
    first, second = make_client(), make_client()
    item = first.new("/posts", "administrator", title="Item", slug="größe", status="publish")
    change(first, "posts", item, slug="b")
    path = tmp_path / "export.xml"
    with path.open("wb") as file:
        export_wxr(first.site, file)

    report = import_wxr(second.site, path)

    assert "<wp:meta_key><![CDATA[_wp_old_slug]]></wp:meta_key>" in path.read_text("utf-8")
    assert (report.left_out, report.notices) == ({}, [])
    assert found(second, "posts", "größe") == ["b"]


@pytest.mark.parametrize(("slugs", "ordered"), [
    ("first", ["second"]),
    ("other,first", ["other", "second"]),
    ("first,third,other", ["third", "other", "second"]),
])
def test_lists_in_the_order_of_their_slugs_have_what_was_found_by_an_old_one(
    client: Client, slugs: str, ordered: list[str]
) -> None:
    item = client.new("/posts", "administrator", title="Item", slug="first", status="publish")
    change(client, "posts", item, slug="second")
    for slug in ("other", "third"):
        client.new("/posts", "administrator", title="Item", slug=slug, status="publish")

    answer = client.get(f"/posts?slug={slugs}&orderby=include_slugs")
    assert [item["slug"] for item in answer.json] == ordered
    assert answer.headers["X-WP-Total"] == str(len(ordered))

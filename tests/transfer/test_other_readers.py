"""An export is read by a program that others wrote for exports of WordPress."""

from __future__ import annotations

import os
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from furniture import TEXT
from sites import Client

from cms.transfer.exporting.exporter import export_wxr


@pytest.fixture(scope="module")
def wpparser() -> ModuleType:
    if os.environ.get("CMS_REQUIRE_CLIENTS") == "1":
        import wpparser

        return wpparser
    return pytest.importorskip("wpparser", reason="wpparser isn't installed")


@pytest.fixture
def told(full: Client, wpparser: ModuleType, tmp_path: Path) -> Any:
    path = tmp_path / "export.xml"
    with path.open("wb") as file:
        export_wxr(full.site, file)
    return wpparser.parse(str(path))


def test_it_finds_the_site_and_its_accounts(told: Any) -> None:
    assert told["blog"] == {"title": "A & “B” <c> 'd'", "tagline": "&amp;", "language": "id-ID",
                            "site_url": "http://cms.example", "blog_url": "http://cms.example"}
    assert {author["login"]: author["email"] for author in told["authors"]} == {
        "admin": "admin@example.org", "some.one@x": "some@example.org", "editor": "editor@example.org",
        "author": "author@example.org", "subscriber": "subscriber@example.org"}


def test_it_finds_the_tree_of_categories(told: Any) -> None:
    top = {category["nicename"]: category for category in told["categories"]}
    assert set(top) == {"uncategorized", "grose"}
    (middle,) = top["grose"]["children"]
    assert [(child["nicename"], child["parent"]) for child in middle["children"]] == [("below", "middle")]
    assert {tag["slug"]: tag["name"] for tag in told["tags"]} == {
        "%e6%97%a5%e6%9c%ac": "T &amp; 't'", "nowhere": "Nowhere"}


def test_it_finds_items_with_their_texts_terms_and_comments(told: Any, full: Client) -> None:
    posts = {post["post_name"]: post for post in told["posts"] if post["post_type"] == "post"}
    post = posts["grose"]
    assert (post["content"], post["excerpt"], post["title"]) == (TEXT, TEXT, TEXT.strip())
    assert (post["creator"], post["status"], post["is_sticky"]) == ("author", "publish", "1")
    assert (post["post_date"], post["post_date_gmt"]) == ("2021-11-07 01:30:00", "2021-11-07 06:30:00")
    assert post["categories"] == ["uncategorized", "below"]
    assert post["tags"] == ["post-format-aside", "%e6%97%a5%e6%9c%ac"]  # it calls all other taxonomies so
    assert {(comment["approved"], comment["author_ip"]) for comment in post["comments"]} == {
        ("0", "10.0.0.1"), ("trash", "127.0.0.1"), ("1", "127.0.0.1")}
    assert {post["status"] for post in told["posts"]} == {
        "publish", "future", "draft", "pending", "private", "trash", "inherit"}


def test_it_finds_files_and_where_they_lie(told: Any) -> None:
    files = {post["post_name"]: post["postmeta"]["attached_file"] for post in told["posts"]
             if post["post_type"] == "attachment"}
    assert set(files) == {"harbour", "report"}
    assert files["harbour"].endswith("/harbour.png")

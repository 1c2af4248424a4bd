"""References to what isn't here yet: kept, hidden where visibility hangs on them, tied when it comes."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from sites import Client
from transfer.conftest import CHANNEL
from transfer.test_attachments import META, attachment, text
from transfer.test_import_rules import category, item, stored

from cms.db.expressions import UNKNOWN_PARENT
from cms.site import Site
from cms.transfer.exporting.exporter import export_wxr
from cms.transfer.importing.importer import Report, import_wxr

Bring = Callable[[str], Report]
#: What a file would be seen under by visitors, with the status of what it is attached to.
SEEN = {"publish": True, "private": False, "draft": False}
THUMBNAIL = META.format("_thumbnail_id", 5)
FILE = attachment(5, "x.jpg", post_name="file", post_parent="3")
POST = item(3, post_name="post", inner=THUMBNAIL + text("[gallery ids='5'] wp-image-5"))
CHILD = item(4, post_name="child", post_type="page", post_parent="6")
PARENT = item(6, post_name="parent", post_type="page")


def bring_to(client: Client, folder: Path, body: str) -> Report:
    path = folder / "export.xml"
    path.write_text(CHANNEL.format(body), "utf-8")
    return import_wxr(client.site, path)


@pytest.fixture
def importing(client: Client, tmp_path: Path) -> Callable[[str], Report]:
    return lambda body: bring_to(client, tmp_path, body)


@pytest.mark.parametrize("order", list(permutations((FILE, POST, CHILD, PARENT)))[::5])
def test_references_are_tied_in_any_order(site: Site, bring: Bring, order: tuple[str, ...]) -> None:
    for body in order:
        bring(body)

    file, post = stored(site, 5), stored(site, 3)
    assert (file["parent_id"], post["featured_id"]) == (post["id"], file["id"])
    assert post["content"] == f"[gallery ids='{file['id']}'] wp-image-{file['id']}"
    assert stored(site, 4)["parent_id"] == stored(site, 6)["id"]
    assert site.database.rows("SELECT * FROM awaited") == []


def test_ids_in_texts_follow_a_file_whose_own_id_is_taken(site: Site, bring: Bring) -> None:
    bring(POST + item(7, post_name="seven", post_date_gmt="2020-01-03 00:00:00"))
    version = stored(site, 3)["version"]
    with site.database.write():
        site.stores.ids.move("content", 100)
        site.database.execute("DELETE FROM id_ranges")

    bring(FILE)

    file, post = stored(site, 5), stored(site, 3)
    assert file["id"] == 101
    assert (post["content"], post["featured_id"]) == ("[gallery ids='101'] wp-image-101", 101)
    assert "wp-image-101" in post["content_html"]
    assert post["version"] > version


@pytest.mark.parametrize("status", SEEN)
def test_the_file_of_an_unknown_item_is_hidden_until_that_comes(
        client: Client, importing: Callable[[str], Report], status: str) -> None:
    report = importing(FILE)
    assert "hidden from visitors" in report.notices[-1].text
    id = stored(client.site, 5)["id"]
    assert client.get("/media").json == []
    assert client.get(f"/media/{id}").status_code in (401, 403)
    assert [shown["post"] for shown in client.get("/media?context=edit", "editor").json] == [None]

    importing(item(3, post_name="post", status=status))
    assert [shown["id"] for shown in client.get("/media").json] == [id] * SEEN[status]
    assert client.get("/media?context=edit", "editor").json[0]["post"] == stored(client.site, 3)["id"]


@pytest.mark.parametrize("left_out", [
    item(3, post_type="contract", status="draft"), item(3, status="auto-draft"), item(3, post_type="revision")])
def test_the_file_of_an_item_that_is_left_out_stays_hidden(
        client: Client, importing: Callable[[str], Report], left_out: str) -> None:
    importing(left_out + FILE)

    assert client.get("/media").json == []
    assert stored(client.site, 5)["parent_id"] == UNKNOWN_PARENT


def test_a_file_without_a_post_is_seen(client: Client, importing: Callable[[str], Report]) -> None:
    importing(attachment(5, "x.jpg"))
    assert len(client.get("/media").json) == 1


def test_what_somebody_has_set_here_stays(client: Client, importing: Callable[[str], Report]) -> None:
    importing(POST + FILE.replace(">3</wp:post_parent>", ">9</wp:post_parent>") + CHILD)
    other = client.new("/posts", "administrator", title="Other", status="publish")["id"]
    page = client.new("/pages", "administrator", title="Other", status="publish")["id"]
    file, child = stored(client.site, 5)["id"], stored(client.site, 4)["id"]
    client.post(f"/media/{file}", {"post": other}, "administrator")
    client.post(f"/pages/{child}", {"parent": page}, "administrator")

    importing(item(9, post_name="nine") + PARENT)

    assert (stored(client.site, 5)["parent_id"], stored(client.site, 4)["parent_id"]) == (other, page)


def test_a_page_gets_a_free_slug_below_its_parent(site: Site, bring: Bring) -> None:
    bring(CHILD)
    bring(PARENT + item(8, post_name="child", post_type="page", post_parent="6", post_date_gmt="2020-02-02 00:00:00"))

    assert {stored(site, 4)["slug"], stored(site, 8)["slug"]} == {"child", "child-2"}
    assert {stored(site, id)["parent_id"] for id in (4, 8)} == {stored(site, 6)["id"]}


def test_terms_find_parents_that_come_later(site: Site, bring: Bring) -> None:
    bring(category("low", "high"))
    bring(category("high"))

    parent = "SELECT p.slug FROM terms t JOIN terms p ON p.id = t.parent_id WHERE t.slug = 'low'"
    assert site.database.scalar(parent) == "high"


def test_comments_find_authors_that_come_later(site: Site, bring: Bring) -> None:
    author = "<wp:author><wp:author_id>44</wp:author_id><wp:author_login>zoe</wp:author_login></wp:author>"
    comment = ("<wp:comment><wp:comment_id>1</wp:comment_id><wp:comment_content>Yes</wp:comment_content>"
               "<wp:comment_user_id>44</wp:comment_user_id></wp:comment>")
    bring(item(3, inner=comment))
    assert site.database.scalar("SELECT author_id FROM comments") == 0
    bring(author)
    assert site.database.scalar("SELECT author_id FROM comments") == 44


def test_what_is_awaited_moves_with_an_export(make_client: Callable[..., Client], tmp_path: Path) -> None:
    first, second = make_client(), make_client()
    bring_to(first, tmp_path, FILE + CHILD)
    path = tmp_path / "moved.xml"
    with path.open("wb") as file:
        export_wxr(first.site, file)

    report = import_wxr(second.site, path)
    assert (report.notices, second.get("/media").json) == ([], [])

    bring_to(second, tmp_path, PARENT + POST)
    rows: list[Any] = second.site.database.tuples(
        "SELECT c.slug, p.slug FROM content c JOIN content p ON p.id = c.parent_id ORDER BY c.slug")
    assert rows == [("child", "parent"), ("file", "post")]
    assert len(second.get("/media").json) == 1


def test_what_terms_and_comments_await_moves_with_an_export(make_client: Callable[..., Client], tmp_path: Path) -> None:
    first, second = make_client(), make_client()
    said = ("<wp:comment><wp:comment_id>1</wp:comment_id><wp:comment_content>Yes</wp:comment_content>{}"
            "<wp:comment_user_id>44</wp:comment_user_id></wp:comment>")
    answers = said.format("<wp:comment_parent>9</wp:comment_parent>")
    bring_to(first, tmp_path, category("low", "high") + item(3, inner=answers))
    path = tmp_path / "moved.xml"
    with path.open("wb") as file:
        export_wxr(first.site, file)

    import_wxr(second.site, path)
    kinds = second.site.database.column("SELECT holder || ' ' || kind FROM awaited ORDER BY 1")
    assert kinds == ["comments user", "terms slug:category"]  # the answered comment can't come on this item

    author = "<wp:author><wp:author_id>44</wp:author_id><wp:author_login>zoe</wp:author_login></wp:author>"
    bring_to(second, tmp_path, author + category("high"))
    parent = "SELECT p.slug FROM terms t JOIN terms p ON p.id = t.parent_id WHERE t.slug = 'low'"
    assert second.site.database.scalar(parent) == "high"
    login = "SELECT u.login FROM comments c JOIN users u ON u.id = c.author_id"
    assert second.site.database.scalar(login) == "zoe"
    assert second.site.database.rows("SELECT * FROM awaited") == []


def test_what_is_deleted_waits_for_nothing(site: Site, bring: Bring) -> None:
    bring(FILE)
    assert len(site.database.rows("SELECT * FROM awaited")) == 1
    site.database.execute("DELETE FROM content")
    assert site.database.rows("SELECT * FROM awaited") == []


@pytest.mark.parametrize("waiting", [
    7, "x", {}, [7], [[]], [["parent"]], [["parent", "s", "item", 7]], [["parent", "", "item", "7"]],
    [["title", "s", "item", "7"]], [['meta:a"b', "s", "item", "7"]], [["text", "s", "item", "x"]],
    [["parent", "s", "comment", "7"]]])
def test_references_of_exports_that_cannot_be_are_left_out(site: Site, bring: Bring, waiting: Any) -> None:
    more = f'<cms:more xmlns:cms="urn:headless-cms:export:1"><![CDATA[{json.dumps({"awaits": waiting})}]]></cms:more>'
    bring(item(3, inner=more))

    assert stored(site, 3)["status"] == "publish"
    assert site.database.rows("SELECT * FROM awaited") == []


#: What comes in which import, and a number of the source that the file 5 has as its id here where it comes first.
COLLISIONS = [(("5", "post", "other"), 102), (("5 post", "other"), 102), (("post", "5", "other"), 103),
              (("post", "other", "5"), 103), (("post", "5 other"), 104), (("other", "5", "post"), 102),
              (("5 other post",), 103)]


@pytest.mark.parametrize(("steps", "number"), COLLISIONS)
def test_an_id_in_a_text_is_led_on_once(site: Site, bring: Bring, steps: tuple[str, ...], number: int) -> None:
    said = text(f"wp-image-{number} wp-image-5 [gallery ids='5,{number}'] wp-image-999")
    excerpt = f"<excerpt:encoded>wp-image-5 wp-image-{number}</excerpt:encoded>"
    parts = {"5": attachment(5, "x.jpg", post_name="file"), "post": item(3, post_name="post", inner=said + excerpt),
             "other": attachment(number, "y.jpg", post_name="other")}
    with site.database.write():
        site.stores.ids.move("content", 101)

    for step in steps:
        bring("".join(parts[part] for part in step.split()))

    five, other, found = stored(site, 5)["id"], stored(site, number)["id"], stored(site, 3)
    if "5" in steps and steps.index("5") < len(steps) - 1 and steps[0] != "other":
        assert five == number
    assert found["content"] == f"wp-image-{other} wp-image-{five} [gallery ids='{five},{other}'] wp-image-999"
    assert found["excerpt"] == f"wp-image-{five} wp-image-{other}"
    assert [row["name"] for row in site.database.rows("SELECT name FROM awaited")] == ["999"]


def test_a_text_that_was_changed_keeps_an_id_that_could_be_another_one(site: Site, bring: Bring) -> None:
    with site.database.write():
        site.stores.ids.move("content", 101)
    bring(attachment(5, "x.jpg", post_name="file")
          + item(3, post_name="post", inner=text("wp-image-5 wp-image-102")))
    assert stored(site, 5)["id"] == 102
    site.database.execute("UPDATE content SET content = 'wp-image-102' WHERE id = ?", (stored(site, 3)["id"],))

    report = bring(attachment(102, "y.jpg", post_name="other"))

    assert stored(site, 3)["content"] == "wp-image-102"
    assert "the picture 102 has come, and which of those in" in "\n".join(notice.text for notice in report.notices)

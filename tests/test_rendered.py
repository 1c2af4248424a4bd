"""Rendered texts follow the rules that the site has now."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest
from sites import Client


@pytest.mark.parametrize("before", [True, False])
def test_texts_that_are_stored_follow_the_setting_for_emoticons(client: Client, before: bool) -> None:
    client.post("/settings", {"use_smilies": before}, "administrator")
    post = client.new("/posts", title="Item", content="Well :)", status="publish")
    comment = client.new("/comments", post=post["id"], content="Yes :)")
    client.post(f"/posts/{post['id']}", {"title": "Items"})

    revisions = f"/posts/{post['id']}/revisions"
    latest = client.get(revisions, "editor").json[0]["id"]

    def shown() -> list[str]:
        return [client.get(path, "editor").json["content"]["rendered"] for path in (
            f"/posts/{post['id']}", f"/comments/{comment['id']}",
            f"{revisions}/{latest}")]

    first = shown()
    client.post("/settings", {"use_smilies": not before}, "administrator")
    second = shown()

    plain, emoji = (second, first) if before else (first, second)
    assert all(":)" in text for text in plain)
    assert all(":)" not in text for text in emoji)

def test_timed_work_writes_anew_what_older_rules_have_rendered(client: Client) -> None:
    post = client.new("/posts", title="Item", content="Well :)", status="publish")
    comment = client.new("/comments", post=post["id"], content="Yes :)")
    client.post(f"/posts/{post['id']}", {"content": "Well again :)"})
    revision = client.get(f"/posts/{post['id']}/revisions", "editor").json[0]["id"]
    paths = [f"/posts/{post['id']}", f"/comments/{comment['id']}", f"/posts/{post['id']}/revisions/{revision}"]
    client.post("/settings", {"use_smilies": not client.get("/settings", "administrator").json["use_smilies"]},
                "administrator")
    before = [client.get(path, "editor") for path in paths]
    assert [answer.status_code for answer in before] == [200] * 3

    client.site.start(background=False)
    assert "rendering" in (client.site.worker.run_due() or [])

    for table in ("content", "comments", "revisions"):
        marks = set(client.site.database.column(f"SELECT rendered_by FROM {table}"))
        assert marks == {client.site.renderer.version}
    after = [client.get(path, "editor") for path in paths]
    assert [answer.data for answer in after] == [answer.data for answer in before]
    assert [answer.headers.get("ETag") for answer in after] == [answer.headers.get("ETag") for answer in before]


def test_a_text_that_is_changed_meanwhile_is_left_alone(client: Client) -> None:
    post = client.new("/posts", title="Item", content="Old", status="publish")
    client.site.database.execute("UPDATE content SET rendered_by = 'old'")
    rows = client.site.database.rows

    def changing(sql: str, values: object = ()) -> object:
        found = rows(sql, values)  # type: ignore[arg-type]
        if "rendered_by <>" in sql and "FROM content" in sql and found:
            client.site.database.rows = rows  # type: ignore[method-assign]
            client.post(f"/posts/{post['id']}", {"content": "New"})
        return found

    client.site.database.rows = changing  # type: ignore[method-assign,assignment]
    client.site.start(background=False)
    client.site.worker.run_due()

    assert client.get(f"/posts/{post['id']}").json["content"]["rendered"] == "<p>New</p>\n"


def test_an_older_revision_is_rendered_once_for_all_its_columns(extended: Callable[..., Client]) -> None:
    client = extended("@hookimpl\ndef render_content(html, field):\n    seen.append(field)\n")
    post = client.new("/posts", title="Item", content="First", excerpt="E")["id"]
    for number in range(3):
        client.post(f"/posts/{post}", {"content": f"Text {number}"})
    client.site.database.execute("UPDATE revisions SET rendered_by = 'old'")
    seen: list[str] = sys.modules["plugin_one"].seen
    seen.clear()

    assert len(client.get(f"/posts/{post}/revisions", "editor").json) == 3
    assert sorted(seen) == sorted(["title", "content", "excerpt"] * 3)

    client.site.start(background=False)
    client.site.worker.run_due()
    seen.clear()
    assert len(client.get(f"/posts/{post}/revisions", "editor").json) == 3
    assert seen == []

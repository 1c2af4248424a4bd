"""Rendered texts follow the rules that the site has now."""

from __future__ import annotations

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

"""A file is seen as what it is attached to, in every list and every role."""

from __future__ import annotations

from typing import Any

import pytest
from sites import Client

from media.uploading import read, send_raw

ROLES = (None, "subscriber", "contributor", "author", "author2", "editor")
STATES = ("publish", "draft", "pending", "private", "future", "trash", "none")
#: Who sees a file that an author attached to a post of their own in this state; None is everybody.
SEEN = {"publish": set(ROLES), "none": set(ROLES), **{state: {"author", "editor"} for state in STATES[1:-1]}}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Any:
    client = Client(tmp_path_factory.mktemp("seen"))
    made: dict[str, int] = {}
    for state in STATES:
        holder = _holder(client, state)
        made[state] = send_raw(client, f"{state}.txt", b"text", query=f"?post={holder}").json["id"]
        if state == "trash":
            client.send("DELETE", f"/posts/{holder}", "author")
    yield client, made
    client.site.close()


def _holder(client: Client, state: str) -> int:
    if state == "none":
        return 0
    fields = {"date": "2099-01-01T00:00:00"} if state == "future" else {}
    status = "draft" if state == "trash" else state
    return int(client.new("/posts", "author", title=f"Post {state}", status=status, **fields)["id"])


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("state", STATES)
def test_item_list_and_embedding_agree(files: tuple[Client, dict[str, int]], state: str, role: str | None) -> None:
    client, made = files
    expected = role in SEEN[state]

    assert (client.get(f"/media/{made[state]}", role).status_code == 200) == expected
    listed = client.get(f"/media?include={made[state]}", role)
    assert (len(listed.json), listed.headers["X-WP-Total"]) == (int(expected), str(int(expected)))
    found = client.get(f"/media?search={state}&per_page=100", role).json
    assert (made[state] in [item["id"] for item in found]) == expected


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("state", STATES)
def test_comments_on_a_file_are_seen_as_it_is(
        files: tuple[Client, dict[str, int]], state: str, role: str | None) -> None:
    client, made = files
    if not client.get(f"/comments?post={made[state]}", "administrator").json:
        client.new("/comments", "administrator", post=made[state], content=f"About {state}", status="approved")

    listed = client.get("/comments?per_page=100", role).json
    assert (made[state] in [comment["post"] for comment in listed]) == (role in SEEN[state])


def test_files_of_pages_are_seen_as_their_page(client: Client) -> None:
    page = client.new("/pages", title="Hidden", status="private")["id"]
    made = send_raw(client, "plan.txt", b"text", "editor", f"?post={page}").json["id"]

    assert [client.get(f"/media/{made}", role).status_code for role in (None, "author", "editor")] == [401, 403, 200]
    assert client.get("/media").json == []
    client.post(f"/pages/{page}", {"status": "publish"})
    assert client.get(f"/media/{made}").status_code == 200


def test_a_list_of_media_takes_as_many_statements_whatever_its_length(client: Client) -> None:
    for number in range(12):
        holder = client.new("/posts", title=f"Post {number}", status="publish")["id"]
        send_raw(client, f"{number}.png", read("harbour.png"), "editor", f"?post={holder}")
    client.get("/media?per_page=1")

    few = client.statements(lambda: client.get("/media?per_page=1&_embed"))
    many = client.statements(lambda: client.get("/media?per_page=100&_embed"))
    assert len(many) == len(few) <= 6

"""Comments: who reads, changes and deletes them, and how threads hold together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sites import Client

ROLES = (None, "subscriber", "contributor", "author", "author2", "editor", "administrator")
MODERATORS = {"editor", "administrator"}
#: Who reads a subscriber's comment on a post of `author`, by its state: the author of the post moderates as well.
READERS = {
    "approved": set(ROLES),
    "hold": {"subscriber", "author", *MODERATORS},
    "spam": {"subscriber", "author", *MODERATORS},
    "trash": {"subscriber", "author", *MODERATORS},
}


def total(client: Client, path: str, role: str | None) -> int:
    """Return how many comments a list tells and shows, which must be as many."""
    answer = client.get(path, role)
    assert answer.status_code == 200, answer.text
    assert int(answer.headers["X-WP-Total"]) == len(answer.json)
    return len(answer.json)


@pytest.mark.parametrize("state", READERS)
@pytest.mark.parametrize("role", ROLES)
def test_a_comment_is_read_by_its_state_and_the_role(quiet: Client, post: int, state: str, role: str | None) -> None:
    comment = quiet.new("/comments", "subscriber", post=post, content="Words")["id"]
    quiet.post(f"/comments/{comment}", {"status": state}, "editor")

    answer = quiet.get(f"/comments/{comment}", role)

    refusal = 403 if role else 401
    assert answer.status_code == (200 if role in READERS[state] else refusal)
    assert total(quiet, "/comments", role) == (1 if state == "approved" else 0)


@pytest.mark.parametrize("state", ["hold", "spam", "trash"])
@pytest.mark.parametrize("role", ROLES)
def test_lists_of_other_states_show_what_the_viewer_moderates(
        quiet: Client, post: int, state: str, role: str | None) -> None:
    comment = quiet.new("/comments", "subscriber", post=post, content="Words")["id"]
    quiet.post(f"/comments/{comment}", {"status": state}, "editor")

    if role in (None, "subscriber"):
        answer = quiet.get(f"/comments?status={state}", role)
        assert (answer.status_code, answer.json["code"]) == (403 if role else 401, "rest_forbidden_param")
    else:
        assert total(quiet, f"/comments?status={state}", role) == (role in {"author", *MODERATORS})


@pytest.mark.parametrize("role", ROLES)
def test_those_change_and_delete_a_comment_who_moderate_it(quiet: Client, post: int, role: str | None) -> None:
    comment = quiet.new("/comments", "subscriber", post=post, content="Words")["id"]
    allowed = role in {"author", *MODERATORS}

    changed = quiet.post(f"/comments/{comment}", {"content": "Others"}, role)
    deleted = quiet.send("DELETE", f"/comments/{comment}?force=true", role)

    refusal = 403 if role else 401
    assert (changed.status_code, deleted.status_code) == ((200, 200) if allowed else (refusal, refusal))
    left = quiet.site.database.rows("SELECT content FROM comments")
    assert [row["content"] for row in left] == ([] if allowed else ["Words"])


@pytest.mark.parametrize("change", [{"status": "private"}, {"status": "draft"}, {"password": "pw"}, None])
def test_own_comments_go_where_the_item_can_no_longer_be_read(
        quiet: Client, post: int, change: dict[str, str] | None) -> None:
    comment = quiet.new("/comments", "subscriber", post=post, content="Words")["id"]
    quiet.post(f"/comments/{comment}", {"status": "approved"}, "editor")
    before = quiet.get(f"/comments/{comment}", "subscriber").status_code

    if change is None:
        quiet.send("DELETE", f"/posts/{post}", "editor")
    else:
        quiet.post(f"/posts/{post}", change, "editor")

    after = quiet.get(f"/comments/{comment}", "subscriber")
    assert (before, after.status_code) == (200, 403)
    assert "Words" not in after.text
    assert total(quiet, "/comments", "subscriber") == 0


@pytest.mark.parametrize(("password", "status"), [("pw", 200), ("no", 401), ("", 401)])
def test_the_password_of_the_item_opens_a_comment(quiet: Client, post: int, password: str, status: int) -> None:
    comment = quiet.new("/comments", post=post, content="Words")["id"]
    quiet.post(f"/posts/{post}", {"password": "pw"}, "editor")

    assert quiet.get(f"/comments/{comment}?password={password}").status_code == status
    assert quiet.get(f"/comments?post={post}&password={password}").status_code == status
    assert total(quiet, f"/comments?password={password}", None) == 0


@pytest.mark.parametrize("way", ["status", "undelete"])
def test_comments_come_back_with_their_item_in_the_states_they_had(quiet: Client, post: int, way: str) -> None:
    shown = quiet.new("/comments", post=post, content="Shown")["id"]
    held = quiet.new("/comments", post=post, content="Held", status="hold")["id"]
    quiet.send("DELETE", f"/posts/{post}", "editor")
    gone = total(quiet, "/comments?status=all", "editor")

    quiet.post(f"/posts/{post}", {"status": "publish"} if way == "status" else {"status": "draft"}, "editor")
    quiet.post(f"/posts/{post}", {"status": "publish"}, "editor")

    assert gone == 0
    assert [comment["id"] for comment in quiet.get("/comments").json] == [shown]
    assert quiet.get(f"/comments/{held}", "editor").json["status"] == "hold"


def test_deleting_an_item_removes_its_comments_alone(quiet: Client, post: int) -> None:
    other = quiet.new("/posts", title="Other", status="publish")["id"]
    quiet.new("/comments", post=post, content="Goes")
    stays = quiet.new("/comments", post=other, content="Stays")["id"]

    quiet.send("DELETE", f"/posts/{post}?force=true", "editor")

    assert [row["id"] for row in quiet.site.database.rows("SELECT id FROM comments")] == [stays]


def test_deleting_an_account_leaves_its_comments_without_one(quiet: Client, post: int) -> None:
    comment = quiet.new("/comments", "subscriber", post=post, content="Words")["id"]
    heir, gone = quiet.id_of("editor"), quiet.id_of("subscriber")

    answer = quiet.send("DELETE", f"/users/{gone}?force=true&reassign={heir}", "administrator")

    assert answer.status_code == 200
    left = quiet.get(f"/comments/{comment}", "editor").json
    assert (left["author"], left["author_name"]) == (0, "subscriber")


# Threads.

def test_an_answer_stands_on_the_item_of_what_it_answers(quiet: Client, post: int) -> None:
    other = quiet.new("/posts", title="Other", status="publish")["id"]
    comment = quiet.new("/comments", post=post, content="Words")["id"]

    answers = [quiet.post("/comments", {"post": on, "parent": parent, "content": "Answer"}, "subscriber")
               for on, parent in ((other, comment), (post, 999_999), (post, comment))]

    assert [answer.status_code for answer in answers] == [400, 400, 201]
    assert [answer.json["code"] for answer in answers[:2]] == ["rest_comment_invalid_parent"] * 2


@pytest.mark.parametrize("below", [0, 1, 2])
def test_a_comment_answers_neither_itself_nor_what_stands_below_it(quiet: Client, post: int, below: int) -> None:
    chain = [quiet.new("/comments", post=post, content="0")["id"]]
    for number in (1, 2):
        chain.append(quiet.new("/comments", post=post, content=str(number), parent=chain[-1])["id"])

    answer = quiet.post(f"/comments/{chain[0]}", {"parent": chain[below]}, "editor")

    assert (answer.status_code, answer.json["code"]) == (400, "rest_comment_invalid_parent")
    assert quiet.get(f"/comments/{chain[0]}").json["parent"] == 0


def test_a_comment_that_moves_leaves_its_thread(quiet: Client, post: int) -> None:
    other = quiet.new("/posts", title="Other", status="publish")["id"]
    top = quiet.new("/comments", post=post, content="Top")["id"]
    middle = quiet.new("/comments", post=post, content="Middle", parent=top)["id"]
    bottom = quiet.new("/comments", post=post, content="Bottom", parent=middle)["id"]

    quiet.post(f"/comments/{middle}", {"post": other}, "editor")

    places = {c["id"]: (c["post"], c["parent"]) for c in quiet.get("/comments").json}
    assert places == {top: (post, 0), middle: (other, 0), bottom: (post, top)}


@pytest.mark.parametrize("query", ["", "&status=all&context=edit", "&search=words", "&_embed"])
def test_a_list_takes_as_many_statements_whatever_its_length(
        client: Client, statements: Callable[[Callable[[], Any]], list[str]], query: str) -> None:
    item = client.new("/posts", title="Item", status="publish")["id"]
    top = client.new("/comments", post=item, content="Words 0")["id"]
    for number in range(1, 20):
        client.new("/comments", post=item, content=f"Words {number}", parent=top if number % 2 else 0)
    # Ascending, so that the short page has a comment with answers as well.
    few, many = (f"/comments?order=asc&per_page={size}{query}" for size in (4, 100))
    client.get(few, "editor")

    for_few, for_many = statements(lambda: client.get(few, "editor")), statements(lambda: client.get(many, "editor"))

    assert len(client.get(many, "editor").json) == 20
    assert 1 <= len(for_few) == len(for_many)


SECRETS = ("author_email", "author_ip", "author_user_agent", "note")
NOTES = """
@hookimpl
def register_fields(content_registry):
    from cms.schema.fields import EDIT_ONLY, String
    return {name: {"note": String(_("Note."), EDIT_ONLY, default="")} for name in ("comment", "post_tag")}
"""


@pytest.mark.parametrize("role", ["author", "editor", "administrator"])
@pytest.mark.parametrize(("method", "query", "body"), [
    ("POST", "", {}), ("PATCH", "", {"content": "Changed"}), ("PUT", "", {"status": "hold"}), ("DELETE", "", None),
    ("DELETE", "?force=true", None), ("PATCH", "?_fields=author_email,id,note", {}),
])
def test_a_write_tells_addresses_to_those_alone_who_may_read_them(
        extended: Callable[..., Client], role: str, method: str, query: str, body: dict[str, str] | None) -> None:
    client = extended(NOTES)
    post = client.new("/posts", "author", title="Item", status="publish")["id"]
    comment = client.new("/comments", "administrator", post=post, content="By a guest", author_name="Guest",
                         author_email="guest@secret.example", note="inside")["id"]
    may_read = client.get(f"/comments/{comment}?context=edit", role).status_code == 200

    answer = client.send(method, f"/comments/{comment}{query}", role, json=body)

    assert answer.status_code == 200
    assert may_read == (role != "author")
    assert ("guest@secret.example" in answer.text) == ("inside" in answer.text) == may_read
    told = answer.json.get("previous", answer.json)
    if "_fields" not in query:
        assert [name in told for name in SECRETS] == [may_read] * len(SECRETS)
        assert "raw" in told["content"]


@pytest.mark.parametrize(("role", "told"), [("contributor", False), ("editor", True)])
def test_a_new_term_tells_its_editable_fields_to_those_who_change_terms(
        extended: Callable[..., Client], role: str, told: bool) -> None:
    made = extended(NOTES).new("/tags", role, name="Tag", note="inside")

    assert ("note" in made) == told


@pytest.mark.parametrize("role", ROLES)
def test_addresses_are_guessed_by_those_alone_who_may_read_them(quiet: Client, post: int, role: str | None) -> None:
    comment = quiet.new("/comments", "subscriber", post=post, content="Words")["id"]
    quiet.post(f"/comments/{comment}", {"status": "approved"}, "editor")
    right = quiet.get(f"/comments/{comment}?context=edit", "editor").json["author_email"]

    answers = [quiet.get(f"/comments?author_email={guess}", role) for guess in (right, "wrong@example.org")]

    found = [len(answer.json) if answer.status_code == 200 else answer.json["code"] for answer in answers]
    assert found == ([1, 0] if role in MODERATORS else ["rest_forbidden_param"] * 2)

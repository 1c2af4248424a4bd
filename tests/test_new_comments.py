"""What a new comment must pass: who may comment, how often, and what plugins say to it."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest
from sites import Client, Clock

VISITOR = {"author_name": "V", "author_email": "v@example.org"}
REL = ' rel="nofollow ugc"'


def state_of(client: Client, id: int) -> str:
    """Return the state that a comment is stored in."""
    row = client.site.database.row("SELECT status FROM comments WHERE id = ?", (id,))
    assert row is not None
    return str(row["status"])


@pytest.mark.parametrize(("setting", "status"), [(False, 401), (True, 201)])
def test_visitors_comment_where_the_configuration_allows_it(
        make_client: Callable[..., Client], setting: bool, status: int) -> None:
    client = make_client(anonymous_comments=setting)
    item = client.new("/posts", title="Item", status="publish")["id"]

    answer = client.post("/comments", {"post": item, "content": "Words", **VISITOR}, None)

    assert answer.status_code == status
    assert [row["status"] for row in client.site.database.rows("SELECT status FROM comments")] == ["hold"] * setting
    assert client.get("/comments").json == []


def test_a_visitor_must_say_who_they_are(make_client: Callable[..., Client]) -> None:
    client = make_client(anonymous_comments=True)
    item = client.new("/posts", title="Item", status="publish")["id"]

    answer = client.post("/comments", {"post": item, "content": "Words"}, None)

    assert (answer.status_code, answer.json["code"]) == (400, "rest_comment_author_data_required")


@pytest.mark.parametrize(("role", "second", "status"), [
    ("subscriber", 4, 429), ("subscriber", 5, 201), (None, 4, 429), (None, 5, 201), ("editor", 0, 201),
])
def test_two_comments_of_one_author_need_a_pause(make_client: Callable[..., Client], role: str | None, second: int,
                                                 status: int) -> None:
    client = make_client(anonymous_comments=True)
    clock = client.site.context.runtime.now = Clock()
    item = client.new("/posts", title="Item", status="publish")["id"]
    by = {} if role else VISITOR
    first = client.post("/comments", {"post": item, "content": "One", **by}, role)
    clock.now += second

    answer = client.post("/comments", {"post": item, "content": "Two", **by}, role)

    assert (first.status_code, answer.status_code) == (201, status)
    assert (answer.json.get("code") == "comment_flood") is (status == 429)
    assert answer.headers.get("Retry-After") == (str(5 - second) if status == 429 else None)
    stored = client.site.database.rows("SELECT id FROM comments")
    assert len(stored) == (1 if status == 429 else 2)


def test_the_pause_is_each_authors_own(make_client: Callable[..., Client]) -> None:
    client = make_client(anonymous_comments=True)
    client.site.context.runtime.now = Clock()
    item = client.new("/posts", title="Item", status="publish")["id"]

    senders: list[tuple[str | None, str]] = [
        ("subscriber", "10.0.0.1"), ("author", "10.0.0.1"), (None, "10.0.0.1"), (None, "10.0.0.2"), (None, "10.0.0.2")]
    statuses = [
        client.post("/comments", {"post": item, "content": str(number), **({} if role else VISITOR)}, role,
                    environ_overrides={"REMOTE_ADDR": address}).status_code
        for number, (role, address) in enumerate(senders)]

    assert statuses == [201, 201, 201, 201, 429]


@pytest.mark.parametrize("date", ["1999-01-01T00:00:00", "2099-01-01T00:00:00"])
def test_a_comments_own_date_has_no_say_in_the_pause(make_client: Callable[..., Client], date: str) -> None:
    client = make_client()
    clock = client.site.context.runtime.now = Clock()
    item = client.new("/posts", title="Item", status="publish")["id"]
    client.new("/comments", "subscriber", post=item, content="One", date=date)

    assert client.post("/comments", {"post": item, "content": "Two", "date": date}, "subscriber").status_code == 429
    clock.now += 5
    assert client.post("/comments", {"post": item, "content": "Two"}, "subscriber").status_code == 201


def test_what_is_refused_anyway_starts_no_pause(make_client: Callable[..., Client]) -> None:
    client = make_client()
    closed = client.new("/posts", title="Closed", status="publish", comment_status="closed")["id"]
    item = client.new("/posts", title="Item", status="publish")["id"]

    assert client.post("/comments", {"post": closed, "content": "Words"}, "subscriber").status_code == 403
    assert client.post("/comments", {"post": item, "content": ""}, "subscriber").status_code == 400
    assert client.post("/comments", {"post": item, "content": "Words"}, "subscriber").status_code == 201


JUDGE = """
@hookimpl
def comment_check(comment, post, principal):
    seen.append((comment, post, principal))
    return {verdict!r}
"""
Judged = Callable[..., tuple[Client, int]]


@pytest.fixture
def judged(extended: Callable[..., Client]) -> Judged:
    """Make sites with an item to comment on and a plugin for each of these verdicts."""

    def make(*verdicts: str | None) -> tuple[Client, int]:
        client = extended(*(JUDGE.format(verdict=verdict) for verdict in verdicts))
        return client, client.new("/posts", title="Item", content="Text", status="publish")["id"]

    return make


@pytest.mark.parametrize(("verdicts", "state"), [
    ([], "hold"),
    ([None, None], "hold"),
    (["approve"], "approved"),
    (["approve", None], "approved"),
    (["hold", "approve"], "hold"),
    (["approve", "spam", "hold"], "spam"),
    (["trash", "spam"], "trash"),
    (["trash", "reject", "approve"], None),
])
def test_the_strictest_verdict_of_plugins_wins(
        judged: Judged, verdicts: list[str | None], state: str | None) -> None:
    quiet, post = judged(*verdicts)

    answer = quiet.post("/comments", {"post": post, "content": "Words"}, "subscriber")

    if state is None:
        assert (answer.status_code, answer.json["code"]) == (403, "comment_rejected")
        assert quiet.site.database.rows("SELECT id FROM comments") == []
    else:
        assert answer.status_code == 201
        assert state_of(quiet, answer.json["id"]) == state


def test_plugins_get_comment_item_and_principal_once_and_for_creation_alone(judged: Judged) -> None:
    quiet, post = judged(None)

    comment = quiet.new("/comments", "subscriber", post=post, content="Words")["id"]
    quiet.post("/comments", {"post": post, "content": "Words"}, "subscriber")  # a duplicate
    quiet.new("/comments", post=post, content="Decided", status="hold")
    quiet.post(f"/comments/{comment}", {"content": "Others"}, "editor")

    [(told, item, principal)] = sys.modules["plugin_one"].seen
    assert (told["content"], told["author_id"]) == ("Words", quiet.id_of("subscriber"))
    assert (item["id"], item["title"]) == (post, "Item")
    assert principal.login == "subscriber"


@pytest.mark.parametrize(("verdict", "undo"), [("spam", "unspam"), ("trash", "untrash")])
def test_undoing_a_verdict_gives_the_state_that_the_site_would_have_given(
        judged: Judged, verdict: str, undo: str) -> None:
    quiet, post = judged(verdict)
    comment = quiet.new("/comments", "subscriber", post=post, content="Words")["id"]

    quiet.post(f"/comments/{comment}", {"status": undo}, "editor")

    assert state_of(quiet, comment) == "hold"


@pytest.mark.parametrize(("known", "name", "email", "status"), [
    ("names", "Guest", "guest@example.org", "approved"), ("names", "Guest", "Guest@Example.org", "approved"),
    ("names", "Other", "guest@example.org", "hold"), ("names", "Guest", "other@example.org", "hold"),
    ("accounts", "Guest", "guest@example.org", "hold"), ("nobody", "Guest", "guest@example.org", "hold"),
])
def test_a_visitor_whose_comment_was_approved_is_known_where_the_site_says_so(
        make_client: Callable[..., Client], known: str, name: str, email: str, status: str) -> None:
    client = make_client(anonymous_comments=True, comment_interval=0, known_commenters=known)
    item = client.new("/posts", title="Item", status="publish")["id"]
    guest = {"author_name": "Guest", "author_email": "guest@example.org"}
    first = client.post("/comments", {"post": item, "content": "First", **guest}, None).json["id"]
    client.post(f"/comments/{first}", {"status": "approve"})

    again = client.post("/comments", {"post": item, "content": "Again", "author_name": name, "author_email": email}, None)

    assert state_of(client, again.json["id"]) == status
    links = {"post": item, "content": "http://a.example http://b.example", **guest}
    assert state_of(client, client.post("/comments", links, None).json["id"]) == "hold"


@pytest.mark.parametrize(("known", "status"), [("accounts", "approved"), ("names", "approved"), ("nobody", "hold")])
def test_an_account_whose_comment_was_approved_is_known_unless_the_site_says_otherwise(
        make_client: Callable[..., Client], known: str, status: str) -> None:
    client = make_client(comment_interval=0, known_commenters=known)
    item = client.new("/posts", title="Item", status="publish")["id"]
    first = client.new("/comments", "subscriber", post=item, content="First")["id"]
    client.post(f"/comments/{first}", {"status": "approve"})

    assert state_of(client, client.new("/comments", "subscriber", post=item, content="Again")["id"]) == status
    assert state_of(client, client.new("/comments", "editor", post=item, content="Mine")["id"]) == "approved"


@pytest.mark.parametrize("content", [
    "<a title=\" rel='\" href='\" onmouseover=alert(1) x=y '>x</a>",
    "<a title=' rel=\"' href=\"' onmouseover=alert(1) x=y \">x</a>",
])
def test_marking_a_link_leaves_quotes_where_they_stand(make_client: Callable[..., Client], content: str) -> None:
    client = make_client(anonymous_comments=True)
    item = client.new("/posts", title="Item", status="publish")["id"]

    comment = client.post("/comments", {"post": item, "content": content, **VISITOR}, None).json["id"]

    shown = client.get(f"/comments/{comment}?context=edit", "editor").json["content"]
    assert shown["rendered"] == f"<p>{shown['raw'].replace('>x<', REL + '>x<')}</p>\n"

"""The npm client wpapi writes posts, pages, comments and revisions to a served site."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest


@pytest.fixture(scope="module")
def outcome(run: Callable[[str], Any]) -> Any:
    return run("wpapi/content.mjs")


def refused(refusal: Any) -> tuple[str, int]:
    return refusal["code"], refusal["status"]


def test_client_creates_a_post_that_everybody_can_read(outcome: Any) -> None:
    post = outcome["post"]

    assert (post["created"]["status"], post["created"]["format"]) == ("publish", "aside")
    assert post["read"]["title"]["rendered"] == "From a client"
    assert post["read"]["content"]["rendered"] == "<p>One.</p>\n<p>Two.</p>\n"
    assert post["read"]["excerpt"]["rendered"] == "<p>In short</p>\n"
    assert "raw" not in post["read"]["title"]


def test_post_has_the_terms_that_the_client_made(outcome: Any) -> None:
    post = outcome["post"]

    assert post["created"]["categories"] == [post["category"]["id"]]
    assert post["created"]["tags"] == [post["tag"]["id"]]


def test_author_and_terms_are_embedded(outcome: Any) -> None:
    embedded = outcome["post"]["embedded"]["_embedded"]

    assert [author["slug"] for author in embedded["author"]] == ["admin"]
    assert [[term["name"] for term in terms] for terms in embedded["wp:term"]] == [["Harbours &amp; piers"], ["Boats"]]
    assert "wp:featuredmedia" not in embedded
    assert "_embedded" not in outcome["post"]["read"]


def test_client_updates_a_post_and_leaves_the_rest(outcome: Any) -> None:
    post = outcome["post"]

    assert post["updated"]["title"]["raw"] == "Changed “by” a client – ö"
    assert post["updated"]["content"] == post["created"]["content"]
    assert post["updated"]["tags"] == post["created"]["tags"]


def test_editable_form_holds_what_was_written(outcome: Any) -> None:
    edited = outcome["post"]["edited"]

    assert edited["content"]["raw"] == "One.\n\nTwo."
    assert (edited["excerpt"]["raw"], edited["password"]) == ("In short", "")


def test_revisions_are_kept_newest_first(outcome: Any) -> None:
    revisions = outcome["revisions"]

    assert revisions["newest"]["id"] == revisions["all"][0]["id"]
    assert revisions["newest"]["content"]["rendered"] == "<p>Three.</p>\n"
    assert {revision["parent"] for revision in revisions["all"]} == {outcome["post"]["created"]["id"]}


def test_client_deletes_a_revision(outcome: Any) -> None:
    revisions = outcome["revisions"]

    assert revisions["deleted"]["deleted"] is True
    assert [revision["id"] for revision in revisions["left"]] == [revision["id"] for revision in revisions["all"][1:]]
    assert refused(revisions["gone"]) == ("rest_post_invalid_id", 404)


def test_visitors_see_no_revisions(outcome: Any) -> None:
    assert refused(outcome["revisions"]["hidden"]) == ("rest_cannot_read", 401)


def test_client_comments_and_answers(outcome: Any) -> None:
    comments = outcome["comments"]

    assert comments["reply"]["parent"] == comments["created"]["id"]
    assert comments["updated"]["content"]["rendered"] == "<p>First &#038; changed</p>\n"
    assert {comment["id"] for comment in comments["listed"]} == {comments["created"]["id"], comments["reply"]["id"]}


def test_replies_are_embedded(outcome: Any) -> None:
    [replies] = outcome["comments"]["embedded"]["_embedded"]["replies"]

    assert {reply["id"] for reply in replies} == {comment["id"] for comment in outcome["comments"]["listed"]}


def test_held_comment_is_hidden_from_visitors(outcome: Any) -> None:
    comments = outcome["comments"]

    assert comments["held"]["status"] == "hold"
    assert [comment["id"] for comment in comments["seen"]] == [comments["created"]["id"]]


def test_deleted_comment_is_gone_and_its_answer_stays(outcome: Any) -> None:
    comments = outcome["comments"]

    assert comments["deleted"]["previous"]["id"] == comments["created"]["id"]
    assert refused(comments["gone"]) == ("rest_comment_invalid_id", 404)
    assert [(comment["id"], comment["parent"]) for comment in comments["left"]] == [(comments["reply"]["id"], 0)]


def test_post_goes_to_the_trash_and_comes_back(outcome: Any) -> None:
    removed = outcome["removed"]

    assert removed["trashed"]["status"] == "trash"
    assert refused(removed["hidden"]) == ("rest_forbidden", 401)
    assert refused(removed["twice"]) == ("rest_already_trashed", 410)
    assert (removed["restored"]["status"], removed["restored"]["slug"]) == ("draft", "from-a-client")


def test_deleted_post_is_gone(outcome: Any) -> None:
    removed = outcome["removed"]

    assert removed["deleted"]["deleted"] is True
    assert removed["deleted"]["previous"]["id"] == outcome["post"]["created"]["id"]
    assert refused(removed["gone"]) == ("rest_post_invalid_id", 404)
    assert outcome["totals"][0] == outcome["totals"][1]


def test_pages_have_parents_and_an_order(outcome: Any) -> None:
    pages = outcome["pages"]

    assert [page["id"] for page in pages["children"]] == [pages["child"]["id"]]
    assert (pages["child"]["parent"], pages["child"]["menu_order"]) == (pages["parent"]["id"], 3)


def test_private_page_is_hidden_from_visitors(outcome: Any) -> None:
    assert outcome["pages"]["child"]["status"] == "private"
    assert outcome["pages"]["visible"] == []


def test_client_updates_and_deletes_a_page(outcome: Any) -> None:
    pages = outcome["pages"]

    assert (pages["updated"]["slug"], pages["updated"]["status"]) == ("kid", "publish")
    assert pages["deleted"]["previous"]["slug"] == "kid"
    assert refused(pages["gone"]) == ("rest_post_invalid_id", 404)


def test_password_opens_a_protected_post(outcome: Any) -> None:
    protected = outcome["protected"]

    assert protected["closed"]["content"] == {"rendered": "", "protected": True}
    assert protected["open"]["content"] == {"rendered": "<p>Within</p>\n", "protected": True}
    assert refused(protected["wrong"]) == ("rest_post_incorrect_password", 403)


def test_refusal_names_every_invalid_field(outcome: Any) -> None:
    assert refused(outcome["invalid"]) == ("rest_invalid_param", 400)
    assert outcome["invalid"]["params"] == ["status", "featured_media"]

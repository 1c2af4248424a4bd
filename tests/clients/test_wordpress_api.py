"""The PyPI client wordpress-api against a served site; it adds its keys to the arguments of every request."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from served import FILES, Served
from wordpress import API

PUBLISHED = 49
DATA = (FILES / "harbour.png").read_bytes()


def open_api(served: Served, **sign_in: Any) -> API:
    return API(served.home, "a-key", "a-secret", api="api", version="cms/v2", timeout=60, **sign_in)


@pytest.fixture(scope="module")
def api(served: Served) -> Iterator[API]:
    signed_in = open_api(served, basic_auth=True, user_auth=True, wp_user=served.login, wp_pass=served.password)
    yield signed_in
    signed_in.requester.session.close()


@pytest.fixture(scope="module")
def visitor(served: Served) -> Iterator[API]:
    anonymous = open_api(served, no_auth=True)
    yield anonymous
    anonymous.requester.session.close()


@pytest.fixture
def post(api: API) -> Iterator[Any]:
    made = api.post("posts", {"title": "From Python", "content": "Größe", "status": "publish"}).json()
    yield made
    api.delete(f"posts/{made['id']}?force=true", handle_status_codes=[404])


def refusal(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def test_keys_in_the_arguments_are_passed_over(api: API) -> None:
    answer = api.get("posts?per_page=1")
    sent = parse_qs(urlsplit(answer.request.url).query)

    assert sent == {"per_page": ["1"], "consumer_key": ["a-key"], "consumer_secret": ["a-secret"]}
    assert (answer.status_code, len(answer.json())) == (200, 1)


def test_keys_alone_sign_nobody_in(served: Served) -> None:
    keys = open_api(served, basic_auth=True)
    answer = keys.get("users/me", handle_status_codes=[401])
    keys.requester.session.close()

    assert refusal(answer) == (401, "rest_not_logged_in")


def test_password_signs_in(api: API, served: Served) -> None:
    assert api.get("users/me").json()["slug"] == served.login


def test_links_lead_through_all_pages(visitor: API) -> None:
    answer = visitor.get("posts?per_page=20&order=asc")
    ids = [post["id"] for post in answer.json()]
    while "next" in answer.links:
        answer = visitor.get(answer.links["next"]["url"])
        ids += [post["id"] for post in answer.json()]

    assert len(ids) == len(set(ids)) == int(answer.headers["X-WP-Total"]) == PUBLISHED
    assert "prev" in answer.links


def test_page_beyond_the_last_is_refused(visitor: API) -> None:
    answer = visitor.get("posts?per_page=20&page=4", handle_status_codes=[400])

    assert refusal(answer) == (400, "rest_post_invalid_page_number")


def test_created_post_is_read_by_everybody(visitor: API, post: Any) -> None:
    read = visitor.get(f"posts/{post['id']}").json()

    assert read["content"]["rendered"] == "<p>Größe</p>\n"
    assert "raw" not in read["content"]


@pytest.mark.parametrize("method", ["put", "post"])
def test_post_is_updated(api: API, post: Any, method: str) -> None:
    updated = getattr(api, method)(f"posts/{post['id']}", {"title": "Changed"}).json()

    assert (updated["title"]["raw"], updated["content"]) == ("Changed", post["content"])


def test_deleted_post_is_gone(api: API, post: Any) -> None:
    deleted = api.delete(f"posts/{post['id']}?force=true").json()

    assert (deleted["deleted"], deleted["previous"]["id"]) == (True, post["id"])
    assert refusal(api.get(f"posts/{post['id']}", handle_status_codes=[404])) == (404, "rest_post_invalid_id")


def test_options_tell_what_is_allowed(api: API, visitor: API) -> None:
    assert set(api.options("posts").headers["Allow"].split(", ")) == {"GET", "POST"}
    assert visitor.options("posts").headers["Allow"] == "GET"


def test_client_shows_code_and_message_of_a_refusal(visitor: API) -> None:
    with pytest.raises(UserWarning, match="rest_cannot_create - You may not create this"):
        visitor.post("posts", {"title": "Nobody"})


def test_file_as_body_is_uploaded(api: API) -> None:
    headers = {"Content-Type": "image/png", "Content-Disposition": "attachment; filename=\"Häfen 港.png\"".encode()}
    media = api.post("media", DATA, headers=headers).json()
    file = api.requester.session.get(media["source_url"])
    api.delete(f"media/{media['id']}?force=true")

    assert (media["title"]["raw"], media["mime_type"]) == ("Häfen-港", "image/png")
    assert file.content == DATA
    assert refusal(api.get(f"media/{media['id']}", handle_status_codes=[404])) == (404, "rest_post_invalid_id")


def test_file_in_a_form_is_uploaded(api: API) -> None:
    media = api.post("media", None, files={"file": ("港.png", DATA, "image/png")}, params={"alt_text": "Boats"}).json()
    api.delete(f"media/{media['id']}?force=true")

    assert unquote(media["source_url"]).endswith("/港.png")
    assert media["alt_text"] == "Boats"

"""Odd notations of an address: none reaches what the plain one refuses."""

from __future__ import annotations

from urllib.parse import unquote

import pytest
from sites import Client

SECRET = "xyzzysecret"
NOTATIONS = [
    "/api/cms/v2/posts/{id}", "/api/cms/v2/posts/{id}/", "/api/cms/v2//posts/{id}", "/api/cms/v2/posts//{id}", "/api/cms/v2/posts%2f{id}",
    "/api/cms/v2/./posts/{id}", "/api/cms/v2/pages/../posts/{id}", "/api/cms/v2/%2e%2e/v2/posts/{id}", "/api/cms/v2/POSTS/{id}",
    "/api/cms/v2/posts/{id};x", "/api/cms/v2/posts/{id}%20", "/api/cms/v2/posts/{id}%00", "/api/cms/v2/posts/{id}.", "/api/cms/v2/posts/0{id}",
    "/id/api/cms/v2/posts/{id}", "/api/cms/v2/pages/{id}", "/api/cms/v2/media/{id}", "/?rest_route=/cms/v2/posts/{id}",
]
METHODS = [
    ("GET", "", {}), ("HEAD", "", {}), ("OPTIONS", "", {}), ("POST", "", {}), ("PUT", "", {}), ("PATCH", "", {}), ("DELETE", "force=1", {}),
    ("POST", "_method=DELETE&force=1", {}), ("GET", "_method=DELETE&force=1", {}), ("POST", "_method=GET&context=edit", {}),
    ("POST", "force=1", {"X-HTTP-Method-Override": "DELETE"}), ("GET", "force=1", {"X-HTTP-Method-Override": "DELETE"}),
]


@pytest.mark.parametrize("status", ["draft", "pending", "private", "future"])
def test_no_notation_of_an_address_opens_what_the_plain_one_refuses(client: Client, status: str) -> None:
    dates = {"date": "2099-01-01T00:00:00"} if status == "future" else {}
    id = client.new("/posts", title=SECRET, status=status, **dates)["id"]
    before = client.get(f"/posts/{id}?context=edit", "administrator").json
    assert (before["status"], before["title"]["raw"]) == (status, SECRET)

    for notation in NOTATIONS:
        path, _, query = notation.format(id=id).partition("?")
        for method, arguments, headers in METHODS:
            asked = "&".join(filter(None, [query, arguments]))
            answer = client.http.open("/", method=method, query_string=asked, headers=headers, environ_overrides={
                "PATH_INFO": unquote(path, "latin-1"), "REQUEST_URI": f"{path}?{asked}", "RAW_URI": f"{path}?{asked}"})
            assert SECRET not in answer.text + str(answer.headers), (method, path, asked)
            assert answer.status_code < 500, (method, path, asked)

    assert client.get(f"/posts/{id}?context=edit", "administrator").json == before

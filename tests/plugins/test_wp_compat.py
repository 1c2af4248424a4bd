"""The interface under the addresses of WordPress."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import pytest
from sites import Client, basic
from werkzeug.test import TestResponse

ROOT = "http://cms.example/wp-json"
API = '<http://cms.example/wp-json/>; rel="https://api.w.org/"'


@pytest.fixture
def client(make_client: Callable[..., Client]) -> Client:
    """A client of a site with some content and the plugin."""
    client = make_client(plugins=["wp_compat"])
    for number in range(3):
        client.new("/posts", title=f"Post {number}", status="publish",
                   content='Address: "href":"http://cms.example/api/cms/v2/posts"')
    return client


def links(answer: TestResponse) -> list[str]:
    return [value for name, value in answer.headers if name == "Link"]


@pytest.mark.parametrize("path", ["/wp-json/", "/wp-json"])
def test_the_discovery_document_describes_the_aliases(client: Client, path: str) -> None:
    told, ours = client.http.get(path).json, client.http.get("/api/").json

    assert told["namespaces"] == ["wp/v2"]
    assert len(told["routes"]) == len(ours["routes"])
    assert {route["namespace"] for route in told["routes"].values()} == {"", "wp/v2"}
    assert told["routes"]["/wp/v2/posts"]["_links"]["self"] == f"{ROOT}/wp/v2/posts"
    assert told["routes"]["/"]["_links"]["self"] == f"{ROOT}/"
    assert told["routes"]["/wp/v2"]["endpoints"][0]["args"]["namespace"]["default"] == "wp/v2"
    assert "cms/v2" not in str(told)
    assert told["routes"]["/wp/v2/posts"]["endpoints"] == ours["routes"]["/cms/v2/posts"]["endpoints"]
    assert client.http.get("/wp-json/wp/v2").json["routes"].keys() == told["routes"].keys() - {"/"}


@pytest.mark.parametrize("query", ["_fields=name,url", "_fields=namespaces", "_fields=namespace", "_envelope",
                                   "_envelope&_fields=routes", "_embed"])
@pytest.mark.parametrize("path", ["/", "/wp/v2"])
@pytest.mark.parametrize("method", ["GET", "OPTIONS"])
def test_parts_of_the_discovery_document_are_described_as_aliases(
        client: Client, method: str, path: str, query: str) -> None:
    answer = client.http.open(f"/wp-json{path}?{query}", method=method)
    ours = client.http.open(f"/api{path.replace('wp/v2', 'cms/v2')}?{query}", method=method)

    assert answer.status_code == 200, answer.text
    assert "cms/v2" not in answer.text
    assert answer.text == ours.text.replace("cms/v2", "wp/v2").replace("/api/", "/wp-json/")


def _turned(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: "http://cms.example/wp-json/wp/v2" + inner.removeprefix("http://cms.example/api/cms/v2")
                if key == "href" and inner.startswith("http://cms.example/api/cms/v2") else _turned(inner)
                for key, inner in value.items()}
    return [_turned(inner) for inner in value] if isinstance(value, list) else value


@pytest.mark.parametrize("path", [
    "/posts", "/posts?_embed", "/posts/{id}", "/users", "/categories", "/posts?per_page=1&page=2", "/posts/{id}?_envelope",
    "/posts?_fields=id,title", "/nothing", "/posts/999999", "/posts?per_page=0", "/taxonomies",
])
def test_an_alias_answers_as_its_route_with_its_own_addresses(client: Client, path: str) -> None:
    path = path.format(id=client.get("/posts").json[0]["id"])
    alias, route = client.http.get(f"/wp-json/wp/v2{path}"), client.get(path)

    assert alias.status_code == route.status_code
    wanted = _turned(route.json)
    for item in wanted.values() if path == "/taxonomies" else ():
        item["rest_namespace"] = "wp/v2"
    assert alias.json == wanted
    for name in ("X-WP-Total", "X-WP-TotalPages", "Allow", "Content-Type"):
        assert alias.headers.get(name) == route.headers.get(name)
    assert alias.headers["Content-Length"] == str(len(alias.data))


def test_pages_of_a_list_are_linked_by_their_aliases(client: Client) -> None:
    found = links(client.http.get("/wp-json/wp/v2/posts?per_page=1&page=2&search=post"))

    assert re.findall(r"<([^>]*)>", found[0]) == [
        f"{ROOT}/wp/v2/posts?per_page=1&search=post&page=1", f"{ROOT}/wp/v2/posts?per_page=1&search=post&page=3"]
    assert found[1] == API


def test_texts_are_left_alone(client: Client) -> None:
    shown = client.http.get("/wp-json/wp/v2/posts").json[0]

    assert "http://cms.example/api/cms/v2/posts" in shown["content"]["rendered"]


@pytest.mark.parametrize("path", ["/", "/api/cms/v2/posts", "/api/", "/wp-json/", "/nothing", "/wp-json/wp/v2/nothing"])
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_every_answer_names_the_api(client: Client, path: str, method: str) -> None:
    assert [link for link in links(client.http.open(path, method=method)) if "api.w.org" in link] == [API]


def test_writing_goes_through_the_alias(client: Client) -> None:
    headers = {"Authorization": basic(*client.account("editor"))}

    made = client.http.post("/wp-json/wp/v2/posts", json={"title": "By alias"}, headers=headers)
    one = f"/wp-json/wp/v2/posts/{made.json['id']}"
    changed = client.http.post(one, json={"title": "Changed"}, headers={**headers, "X-HTTP-Method-Override": "PUT"})
    gone = client.http.delete(f"{one}?force=true", headers=headers)

    assert (made.status_code, made.headers["Location"]) == (201, f"http://cms.example{one}")
    assert (changed.json["title"]["raw"], gone.json["deleted"]) == ("Changed", True)
    assert client.http.get(one).status_code == 404


def test_files_go_up_through_the_alias(client: Client) -> None:
    headers = {"Authorization": basic(*client.account("editor")), "Content-Type": "text/plain",
               "Content-Disposition": "attachment; filename=a.txt"}

    made = client.http.post("/wp-json/wp/v2/media", data=b"text", headers=headers)

    assert made.status_code == 201
    assert made.json["source_url"].startswith("http://cms.example/uploads/")


@pytest.mark.parametrize("path", ["/", "/index.php", ""])
@pytest.mark.parametrize("route", ["/wp/v2/posts", "/", "/wp/v2/posts/999999", "wp/v2/posts"])
def test_rest_route_stands_for_the_path(client: Client, path: str, route: str) -> None:
    answer = client.http.get(f"{path}?rest_route={quote(route)}&per_page=2&search=p%C3%B6st%26")
    by_path = client.http.get(f"/wp-json/{route.lstrip('/')}?per_page=2&search=p%C3%B6st%26")

    assert (answer.status_code, answer.json) == (by_path.status_code, by_path.json)


def test_languages_have_aliases_too(client: Client) -> None:
    told = client.http.get("/id/wp-json/").json

    assert told["routes"]["/wp/v2/posts"]["_links"]["self"] == "http://cms.example/id/wp-json/wp/v2/posts"
    assert client.http.get("/id/wp-json/wp/v2/posts/999999").json == client.http.get("/id/api/cms/v2/posts/999999").json
    assert client.http.get("/xx/wp-json/").status_code == 404


def test_without_the_plugin_there_are_no_aliases(make_client: Callable[..., Client]) -> None:
    client = make_client()

    assert client.http.get("/wp-json/").status_code == 404
    assert "Link" not in client.get("/posts").headers
    assert client.http.get("/?rest_route=/wp/v2/posts").content_type.startswith("text/html")


@pytest.mark.parametrize("method", ["OPTIONS", "HEAD"])
def test_other_methods_work_through_the_alias(client: Client, method: str) -> None:
    answer = client.http.open("/wp-json/wp/v2/posts", method=method)

    assert answer.status_code == 200
    assert ("cms/v2" in answer.text) is False
    assert answer.headers["Content-Type"].startswith("application/json")


@pytest.mark.parametrize("query", [
    "xrest_route=/", "xrest_route=/wp/v2/posts", "a=rest_route=/", "rest_routes=/wp/v2/posts", "rest_route[]=/wp/v2/posts",
    "REST_ROUTE=/", "x=1&xrest_route=", "%78rest_route=/",
])
def test_an_argument_of_a_name_that_only_holds_it_is_passed_on(client: Client, query: str) -> None:
    answer = client.http.get(f"/?{query}")

    assert (answer.status_code, answer.mimetype) == (200, "text/html")


@pytest.mark.parametrize(("query", "status"), [("rest_route=/", 200), ("rest_route=", 200), ("rest_route", 200),
                                               ("rest%5froute=/wp/v2/posts", 200), ("rest_route=/nothing", 404),
                                               ("rest_route=//wp/v2/posts", 404), ("rest_route=/wp/v2/posts/1%250a", 404)])
def test_whatever_route_is_asked_for_the_answer_is_json(client: Client, query: str, status: int) -> None:
    answer = client.http.get(f"/?{query}")

    if not query.startswith("rest_route"):  # an encoded name is nobody's
        assert answer.status_code == 200
        return
    assert (answer.status_code, answer.mimetype) == (status, "application/json")


def by_title(client: Client, query: str, as_: str | None = None) -> list[str]:
    answer = client.get(f"//wp-json/wp/v2/search?{query}", as_)
    assert answer.status_code == 200, answer.text
    return [item["title"] for item in answer.json]


def test_the_search_has_the_shape_of_wordpress(client: Client) -> None:
    post = client.get("/posts?search=%22post%200%22").json[0]

    answer = client.get("//wp-json/wp/v2/search?search=post&per_page=2&page=2&_embed=1")

    (item,) = answer.json
    assert {name: item[name] for name in ("id", "title", "url", "type", "subtype")} == {
        "id": post["id"], "title": "Post 0", "url": post["link"], "type": "post", "subtype": "post"}
    assert item["_links"] == {
        "self": [{"embeddable": True, "href": f"{ROOT}/wp/v2/posts/{post['id']}"}],
        "about": [{"href": f"{ROOT}/wp/v2/types/post"}], "collection": [{"href": f"{ROOT}/wp/v2/search"}]}
    assert item["_embedded"]["self"][0]["title"]["rendered"] == "Post 0"
    assert [answer.headers[name] for name in ("X-WP-Total", "X-WP-TotalPages")] == ["3", "2"]
    refused = client.get("//wp-json/wp/v2/search?search=post&page=2")
    assert (refused.status_code, refused.json["code"]) == (400, "rest_post_invalid_page_number")


def test_the_search_finds_by_type_and_nothing_that_is_hidden(client: Client) -> None:
    client.new("/pages", title="Post office", status="publish", date="2020-01-01T00:00:00")
    client.new("/categories", name="Posts of others")
    client.new("/posts", title="Post in private", status="private")
    client.new("/posts", title="Post draft")

    assert by_title(client, "search=post") == ["Post 2", "Post 1", "Post 0", "Post office"]
    assert by_title(client, "search=post", "administrator") == by_title(client, "search=post")
    assert by_title(client, "search=post&subtype=page") == ["Post office"]
    assert by_title(client, "search=post&type=term&subtype=any") == ["Posts of others"]
    assert by_title(client, "search=post&type=post-format") == []
    assert len(by_title(client, "per_page=100")) == 4


@pytest.mark.parametrize("path", ["block-types", "block-types/core", "block-patterns/patterns", "block-patterns/categories"])
def test_there_are_no_blocks(client: Client, path: str) -> None:
    answer = client.get(f"//wp-json/wp/v2/{path}")

    assert (answer.status_code, answer.json) == (200, [])


def test_types_have_the_later_fields_of_wordpress(client: Client) -> None:
    shown, edited = client.get("/types").json, client.get("/types/attachment?context=edit", "editor").json
    properties = client.send("OPTIONS", "/types/post").json["schema"]["properties"]

    assert {name: type["icon"] for name, type in shown.items()} == {
        "post": "dashicons-admin-post", "page": "dashicons-admin-page", "attachment": "dashicons-admin-media"}
    assert {(type["has_archive"], type["template_lock"], "visibility" in type) for type in shown.values()} == {(False, False, False)}
    assert edited["visibility"] == {"show_ui": True, "show_in_nav_menus": False}
    assert properties["template_lock"]["enum"] == ["all", "insert", "contentOnly", False]
    assert client.get("/types/post?_fields=icon").json == {"icon": "dashicons-admin-post"}


def test_items_have_the_later_fields_of_wordpress(client: Client) -> None:
    category, tag = client.new("/categories", name="News")["id"], client.new("/tags", name="Sea")["id"]
    above = client.new("/pages", title="Above", status="publish")["id"]
    post = client.new("/posts", title="A Title", status="draft", categories=[category], tags=[tag])
    page = client.new("/pages", title="Below", status="publish", parent=above)

    shown = client.get(f"/posts/{post['id']}?context=edit", "editor").json

    assert shown["class_list"] == [f"post-{post['id']}", "post", "type-post", "status-draft", "format-standard", "hentry"]
    assert (shown["permalink_template"], shown["generated_slug"]) == ("http://cms.example/%postname%/", "a-title")
    assert page["permalink_template"] == "http://cms.example/above/%pagename%/"
    visible = client.get("/posts").json[0]
    assert "class_list" in visible
    assert {"permalink_template", "generated_slug"}.isdisjoint(visible)

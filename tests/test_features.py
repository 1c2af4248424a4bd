"""What every request may ask for besides its arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import orjson
import pytest
from sites import Client

from cms.api import response


@pytest.fixture
def post(client: Client) -> dict[str, Any]:
    tag = client.new("/tags", name="T")["id"]
    return client.new("/posts", title="One", content="Text", status="publish", tags=[tag])


def test_fields_that_are_not_asked_for_are_not_read(
        client: Client, post: dict[str, Any], statements: Callable[[Callable[[], Any]], list[str]]) -> None:
    client.get("/posts?_fields=slug")

    seen = statements(lambda: client.get("/posts?_fields=slug"))

    assert client.get("/posts?_fields=slug").json == [{"slug": "one"}]
    assert len(seen) == 1
    assert "content_html" not in seen[0]
    assert "content_terms" not in seen[0]


def test_embedding_takes_as_many_statements_whatever_the_length_of_the_list(
        client: Client, statements: Callable[[Callable[[], Any]], list[str]]) -> None:
    for number in range(12):
        role = ("author", "author2", "editor", "editor2")[number % 4]
        tags = [client.new("/tags", name=f"Tag {number} {part}")["id"] for part in range(number % 3)]
        client.new("/posts", role, title=f"P{number}", status="publish", tags=tags)
    client.get("/posts?per_page=1&_embed")

    one = statements(lambda: client.get("/posts?per_page=1&_embed"))
    many = statements(lambda: client.get("/posts?per_page=100&_embed"))

    items = client.get("/posts?per_page=100&_embed").json
    assert len({item["_embedded"]["author"][0]["id"] for item in items}) == 4
    assert {len(item["_embedded"]["wp:term"][1]) for item in items} == {0, 1, 2}
    assert len(one) == len(many)


def test_embedded_accounts_show_no_more_than_by_themselves(client: Client, post: dict[str, Any]) -> None:
    client.new("/posts", "author", title="Hidden", status="private")

    shown = client.get("/posts?_embed=author", "administrator").json[0]["_embedded"]["author"][0]

    assert not {"email", "username", "roles"} & set(shown)


@pytest.mark.parametrize(("context", "shown"), [("view", True), ("edit", True), ("embed", False)])
def test_accounts_show_meta_except_embedded(client: Client, context: str, shown: bool) -> None:
    account = client.get(f"/users/me?context={context}", "administrator").json

    assert account["slug"] == "admin"
    assert ("meta" in account) is shown


@pytest.mark.parametrize("query", ["_method=DELETE", "_method=delete"])
def test_a_get_stays_a_get(client: Client, post: dict[str, Any], query: str) -> None:
    answer = client.get(f"/posts/{post['id']}?{query}", "editor", headers={"X-HTTP-Method-Override": "DELETE"})

    assert answer.status_code == 200
    assert client.get(f"/posts/{post['id']}").json["status"] == "publish"


def test_an_empty_name_of_a_method_leaves_a_post(client: Client, post: dict[str, Any]) -> None:
    answer = client.send("POST", f"/posts/{post['id']}?_method=", "editor", json={"title": "Changed"})

    assert answer.status_code == 200
    assert client.get(f"/posts/{post['id']}").json["title"]["rendered"] == "Changed"


def test_options_tell_the_schema_of_the_items(client: Client) -> None:
    told = client.send("OPTIONS", "/posts").json

    assert told["methods"] == ["GET", "POST"]
    assert told["schema"]["title"] == "post"
    assert told["schema"]["properties"]["id"] == {
        "type": "integer", "description": "Number that identifies the item.", "context": ["view", "embed", "edit"],
        "readonly": True}
    assert told["schema"]["properties"]["password"]["context"] == ["edit"]


def test_every_field_that_is_shown_stands_in_the_schema(client: Client, post: dict[str, Any]) -> None:
    for path in ("/posts", "/tags", "/categories", "/users"):
        shown = set(client.get(f"{path}?context=edit", "administrator").json[0]) - {"_links"}

        assert shown <= set(client.send("OPTIONS", path).json["schema"]["properties"])


def test_an_unchanged_item_is_not_sent_again(client: Client, post: dict[str, Any]) -> None:
    path = f"/posts/{post['id']}"
    tag = client.get(path).headers["ETag"]

    again = client.get(path, headers={"If-None-Match": tag})
    weak = client.get(path, headers={"If-None-Match": f'"other", W/{tag}'})
    client.post(path, {"title": "Two"})
    changed = client.get(path, headers={"If-None-Match": tag})

    assert [answer.status_code for answer in (again, weak, changed)] == [304, 304, 200]
    assert again.data == b""
    assert again.headers["ETag"] == tag
    assert changed.headers["ETag"] != tag


@pytest.mark.parametrize("mark", ["-gzip", "--gzip", "-br", ";gzip", "-zstd", "-deflate"])
def test_the_mark_of_a_compressing_server_does_not_count(client: Client, post: dict[str, Any], mark: str) -> None:
    path = f"/posts/{post['id']}"
    tag = client.get(path).headers["ETag"]
    marked = f'{tag[:-1]}{mark}"'

    assert client.get(path, headers={"If-None-Match": marked}).status_code == 304
    assert client.get(path, headers={"If-None-Match": f'"x", W/{marked}'}).status_code == 304
    assert client.get(path, headers={"If-None-Match": marked.replace(mark, "-other")}).status_code == 200
    assert client.send("PATCH", path, "editor", json={}, headers={"If-Match": marked}).status_code == 200


@pytest.mark.parametrize(("fields", "shown"), [
    ("title,title.rendered", {"title": {"rendered"}}),
    ("content,content.protected", {"content": {"rendered", "protected"}}),
    ("content.protected,content", {"content": {"rendered", "protected"}}),
    ("content.protected,slug,content,content.rendered.x", {"content": {"rendered", "protected"}, "slug": None}),
    ("content.protected,content.rendered", {"content": {"rendered", "protected"}}),
    ("content.protected", {"content": {"protected"}}),
    ("content.nothing", {"content": set()}),
    ("content.", {"content": set()}),
])
@pytest.mark.parametrize("path", ["/posts/{id}", "/posts"])
def test_a_name_that_holds_another_is_shown_whole(
        client: Client, post: dict[str, Any], path: str, fields: str, shown: dict[str, Any]) -> None:
    found = client.get(f"{path.format(id=post['id'])}?_fields={fields}").json
    item = found[0] if isinstance(found, list) else found

    assert {name: set(value) if isinstance(value, dict) else None for name, value in item.items()} == shown


def test_forms_of_an_item_have_tags_of_their_own(client: Client, post: dict[str, Any]) -> None:
    path = f"/posts/{post['id']}"

    tags = {client.get(f"{path}{query}", "editor").headers["ETag"] for query in
            ("", "?context=edit", "?context=embed", "?_fields=slug")}

    assert len(tags) == 4


@pytest.mark.parametrize("method", ["PATCH", "DELETE"])
def test_the_second_of_two_writers_is_told_of_the_first(client: Client, post: dict[str, Any], method: str) -> None:
    path = f"/posts/{post['id']}"
    tag = client.get(path, "editor").headers["ETag"]
    first = client.send("PATCH", path, "editor", json={"title": "First"}, headers={"If-Match": tag})

    second = client.send(method, path, "administrator", json={"title": "Second"}, headers={"If-Match": tag})
    third = client.send("PATCH", path, "administrator", json={"title": "Third"})

    assert [answer.status_code for answer in (first, second, third)] == [200, 412, 200]
    assert second.json["code"] == "rest_precondition_failed"
    assert client.get(path).json["title"]["rendered"] == "Third"


def test_new_terms_change_the_version(client: Client, post: dict[str, Any]) -> None:
    path = f"/posts/{post['id']}"
    tag = client.get(path).headers["ETag"]

    client.post(path, {"tags": []})

    assert client.send("PATCH", path, "editor", json={}, headers={"If-Match": tag}).status_code == 412


@pytest.mark.parametrize(("origin", "as_", "allowed", "credentials"), [
    ("https://front.example", "author", "https://front.example", "true"),
    ("https://evil.example", "author", None, None),
    ("https://front.example", None, "https://front.example", "true"),
    ("https://evil.example", None, "*", None),
    ("https://front.example.evil.example", None, "*", None),
    ("null", None, "*", None),
    (None, None, "*", None),
])
def test_who_may_read_answers_from_other_origins(
        make_client: Callable[..., Client], origin: str | None, as_: str | None, allowed: str | None,
        credentials: str | None) -> None:
    client = make_client(cors_origins=["https://front.example"])

    headers = client.get("/posts", as_, headers={"Origin": origin} if origin else {}).headers

    assert headers.get("Access-Control-Allow-Origin") == allowed
    assert headers.get("Access-Control-Allow-Credentials") == credentials
    assert "X-WP-TotalPages" in headers["Access-Control-Expose-Headers"]
    assert "Origin" in headers["Vary"]


@pytest.mark.parametrize("path", ["/posts", "/posts/999999", "/users/me", "/nowhere"])
@pytest.mark.parametrize("cookie", [None, "any=1"])
def test_an_allowed_origin_reads_with_credentials_whatever_the_answer(make_client: Callable[..., Client], path: str,
                                                                      cookie: str | None) -> None:
    client = make_client(cors_origins=["https://front.example", "https://other.example"])

    sent = {"Origin": "https://front.example", **({"Cookie": cookie} if cookie else {})}
    headers = client.app.test_client(use_cookies=False).get(f"/api/cms/v2{path}", headers=sent).headers

    assert headers.getlist("Access-Control-Allow-Origin") == ["https://front.example"]
    assert headers["Access-Control-Allow-Credentials"] == "true"
    assert headers.getlist("Vary").count("Origin") == 1


def test_without_a_list_an_anonymous_answer_is_the_same_for_all(client: Client) -> None:
    headers = client.get("/posts", headers={"Origin": "https://front.example"}).headers

    assert headers["Access-Control-Allow-Origin"] == "*"
    assert "Vary" not in headers
    assert "Access-Control-Allow-Credentials" not in headers


def test_a_preflight_lets_listed_origins_alone_send_credentials(make_client: Callable[..., Client]) -> None:
    client = make_client(cors_origins=["https://front.example"])

    def ask(origin: str) -> str:
        return client.send("OPTIONS", "/posts", headers={
            "Origin": origin, "Access-Control-Request-Method": "POST"}).headers["Access-Control-Allow-Headers"]

    assert "Authorization" in ask("https://front.example")
    assert "Authorization" not in ask("https://evil.example")


def test_an_envelope_holds_status_and_headers(client: Client, post: dict[str, Any]) -> None:
    answer = client.get("/posts?_envelope&per_page=1")

    assert answer.status_code == 200
    assert answer.json["status"] == 200
    assert answer.json["headers"]["X-WP-Total"] == "1"
    assert answer.json["body"][0]["slug"] == "one"


@pytest.mark.parametrize("counts", [(101, 3, 0), (1, 250, 2), (100, 100, 100)])
def test_each_item_has_its_own_number_of_embedded_replies(client: Client, counts: tuple[int, ...]) -> None:
    posts = [client.new("/posts", title=f"Post {count}", status="publish")["id"] for count in counts]
    for post, count in zip(posts, counts, strict=True):
        for number in range(count):
            client.site.database.insert("comments", {
                "post_id": post, "content": f"{number}", "status": "approved", "date_gmt": f"2021-01-01T00:{number // 60:02}:{number % 60:02}"})

    few = client.statements(lambda: client.get(f"/posts?_embed=replies&include={posts[0]}"))
    items: dict[int, dict[str, Any]] = {}
    many = client.statements(lambda: items.update({each["id"]: each for each in client.get("/posts?_embed=replies").json}))

    for post, count in zip(posts, counts, strict=True):
        replies = items[post]["_embedded"]["replies"][0]
        newest = sorted((row["id"] for row in client.site.database.rows("SELECT id FROM comments WHERE post_id = ?", (post,))),
                        reverse=True)
        assert [reply["id"] for reply in replies] == newest[:100], count
    assert len(many) <= len(few) + 1


def _schema(client: Client, path: str) -> dict[str, Any]:
    return dict(client.send("OPTIONS", path).json["schema"]["properties"])


@pytest.mark.parametrize("path", ["/posts", "/pages", "/media", "/comments", "/posts/{post}/revisions"])
def test_objects_with_two_forms_of_a_text_name_what_they_hold(
        client: Client, post: dict[str, Any], path: str) -> None:
    schema = _schema(client, path.format(post=post["id"]))
    names = [name for name in ("title", "content", "excerpt", "guid", "caption", "description") if name in schema]

    assert names
    for name in names:
        told = schema[name]["properties"]
        locked = {"protected"} if path in ("/posts", "/pages") and name in ("content", "excerpt") else set()
        assert set(told) == {"raw", "rendered"} | locked, name
        assert told["raw"]["context"] == ["edit"]
        assert (told["rendered"]["type"], told["rendered"]["readonly"]) == ("string", True)
        assert all(each["description"] for each in told.values())


@pytest.mark.parametrize("path", ["/posts", "/pages", "/media", "/comments", "/users", "/posts/{post}/revisions"])
def test_dates_have_a_format_and_fields_say_who_sets_them(client: Client, post: dict[str, Any], path: str) -> None:
    schema = _schema(client, path.format(post=post["id"]))
    dates = {name for name in schema if name.startswith(("date", "modified", "registered_date"))}

    assert dates
    assert {name for name, told in schema.items() if told.get("format") == "date-time"} == dates
    assert all(told["context"] is not None and told["description"] for told in schema.values())
    required = {name for name, told in schema.items() if told.get("required")}
    assert required == ({"username", "email", "password"} if path == "/users" else set())


def test_discovery_says_nothing_of_what_the_schema_says_besides(client: Client) -> None:
    for route in client.get("//api/").json["routes"].values():
        for endpoint in route["endpoints"]:
            for argument in (endpoint["args"] or {}).values():
                assert "properties" not in argument
                assert argument.get("format") != "date-time"


@pytest.mark.parametrize("path", ["/users/me", "/users/{editor}"])
def test_the_editable_form_of_an_account_tells_what_it_may_do(client: Client, path: str) -> None:
    account = client.get(path.format(editor=client.id_of("editor")) + "?context=edit", "editor").json

    assert account["extra_capabilities"] == {"editor": True}
    assert account["capabilities"]["edit_others_posts"] is account["capabilities"]["editor"] is True
    assert "manage_options" not in account["capabilities"]
    assert client.get("/users/me?context=edit", "administrator").json["capabilities"]["manage_options"] is True
    assert not {"capabilities", "extra_capabilities"} & set(client.get("/users/me", "editor").json)
    ignored = client.post("/users/me", {"capabilities": {"manage_options": True}}, "editor").json
    assert "manage_options" not in ignored["capabilities"]


@pytest.mark.parametrize(("context", "forms"), [("view", {"rendered"}), ("edit", {"rendered", "raw"})])
def test_the_permanent_name_has_both_forms_where_an_item_is_edited(
        client: Client, post: dict[str, Any], context: str, forms: set[str]) -> None:
    client.post(f"/posts/{post['id']}", {"title": "Changed"})
    for path in (f"/posts/{post['id']}", f"/posts/{post['id']}/revisions"):
        found = client.get(f"{path}?context={context}", "editor").json
        guid = (found[0] if isinstance(found, list) else found)["guid"]
        assert set(guid) == forms
        assert len(set(guid.values())) == 1


@pytest.mark.parametrize(("path", "more"), [
    ("/types/post", "not_found_in_trash"), ("/types/page", "featured_image"), ("/types/attachment", "add_new_item"),
    ("/taxonomies/category", "parent_item"), ("/taxonomies/post_tag", "popular_items"),
])
def test_types_and_taxonomies_have_all_labels_where_they_are_edited(client: Client, path: str, more: str) -> None:
    shown = client.get(f"{path}?context=edit", "administrator").json
    labels = shown["labels"]

    assert labels["name"] == labels["menu_name"] == shown["name"]
    assert labels[more]
    assert len(labels) >= 20
    assert labels["parent_item_colon"] or path in ("/types/post", "/types/attachment", "/taxonomies/post_tag")
    assert "labels" not in client.get(path).json


def test_what_many_items_link_to_is_encoded_once_and_stands_in_each(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    client.post(f"/users/{client.id_of('author')}", {"description": "x" * 20_000}, "administrator")
    term = client.new("/tags", name="Tag")["id"]
    for number in range(20):
        client.new("/posts", "author", title=f"P{number}", status="publish", tags=[term])
    encoded: list[str] = []
    dumps = orjson.dumps

    def note(body: Any, **options: Any) -> bytes:
        if isinstance(body, dict):
            encoded.append(body["name"])
        return dumps(body, **options)

    monkeypatch.setattr(orjson, "dumps", note)
    items = client.get("/posts?per_page=20&_embed=author,wp:term").json

    assert {item["_embedded"]["author"][0]["description"] for item in items} == {"x" * 20_000}
    assert {item["_embedded"]["wp:term"][1][0]["name"] for item in items} == {"Tag"}
    assert sorted(encoded) == ["Tag", "Uncategorized", "author"]


@pytest.mark.parametrize(("per_page", "query", "status"), [
    (20, "", 400), (20, "&_envelope", 200), (20, "&_fields=id,_links,_embedded", 400), (20, "&_fields=id", 200), (5, "", 200)])
def test_all_that_is_embedded_is_bounded(
    client: Client, monkeypatch: pytest.MonkeyPatch, per_page: int, query: str, status: int
) -> None:
    client.post(f"/users/{client.id_of('author')}", {"description": "x" * 10_000}, "administrator")
    for number in range(20):
        client.new("/posts", "author", title=f"P{number}", status="publish")
    monkeypatch.setattr(response, "MOST_EMBEDDED", 100_000)

    answer = client.get(f"/posts?per_page={per_page}&_embed=author{query}")

    code = "rest_embedded_too_large"
    assert answer.status_code == status
    assert (code in answer.text) is (status == 400 or "_envelope" in query)

"""Application passwords: an account's tokens as routes."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest
from sites import Client, basic
from werkzeug.test import TestResponse

MINE = "/users/me/application-passwords"
APP = "c3f2a1b4-0d6e-5f7a-8b9c-0d1e2f3a4b5c"
MOMENT = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d"


@pytest.fixture
def client(bundled: Callable[..., Client]) -> Client:
    """A client of a site with the plugin."""
    return bundled("application_passwords")


def theirs(client: Client, role: str) -> str:
    return f"/users/{client.id_of(role)}/application-passwords"


def make(client: Client, role: str = "author", **fields: Any) -> dict[str, Any]:
    return client.new(MINE, role, **{"name": "Phone", **fields})


def by_token(client: Client, token: str, method: str = "GET", path: str = MINE, **options: Any) -> TestResponse:
    return client.send(method, path, headers={"Authorization": f"Bearer {token}"}, **options)


def test_a_password_is_shown_once_and_signs_in(client: Client) -> None:
    answer = client.post(MINE, {"name": "My  <b>phone</b>", "app_id": APP.upper()}, "author")
    made = answer.json
    one = f"{MINE}/{made['uuid']}"

    assert answer.status_code == 201
    assert list(made) == ["uuid", "app_id", "name", "password", "created", "last_used", "last_ip", "scope", "expires",
                          "_links"]
    assert str(UUID(made["uuid"])) == made["uuid"]
    assert (made["app_id"], made["name"], made["scope"], made["expires"]) == (APP, "My phone", "all", None)
    assert (made["last_used"], made["last_ip"]) == (None, None)
    assert re.fullmatch(MOMENT, made["created"])
    own = f"http://cms.example/api/cms/v2{theirs(client, 'author')}/{made['uuid']}"
    assert answer.headers["Location"] == own
    assert made["_links"] == {"self": [{"href": own}]}
    assert answer.headers["Cache-Control"] == "no-store"
    for shown in (client.get(f"{one}?context=edit", "author").json, client.get(f"{MINE}?context=edit", "author").json[0],
                  client.send("PATCH", one, "author", json={"name": "Phone"}).json):
        assert "password" not in shown
        assert shown["uuid"] == made["uuid"]
    signed = client.get("/users/me", headers={"Authorization": basic("author", made["password"])})
    assert signed.json["slug"] == "author"


def test_the_last_use_is_told_with_its_address(client: Client) -> None:
    made = make(client)
    by_token(client, made["password"], path="/posts", environ_base={"REMOTE_ADDR": "203.0.113.9"})

    shown = client.get(f"{MINE}/{made['uuid']}", "author").json

    assert re.fullmatch(MOMENT, shown["last_used"])
    assert shown["last_ip"] == "203.0.113.9"


@pytest.mark.parametrize(("context", "names"), [
    ("embed", ["uuid", "app_id", "name", "_links"]),
    ("view", ["uuid", "app_id", "name", "created", "last_used", "last_ip", "scope", "expires", "_links"]),
    ("edit", ["uuid", "app_id", "name", "created", "last_used", "last_ip", "scope", "expires", "_links"]),
])
def test_contexts_choose_fields(client: Client, context: str, names: list[str]) -> None:
    make(client)

    assert list(client.get(f"{MINE}?context={context}", "author").json[0]) == names


def test_a_list_holds_the_accounts_own_alone_those_of_the_command_included(client: Client) -> None:
    first, second = make(client, name="One"), make(client, name="Two")
    make(client, "editor")
    client.site.tokens.create(client.id_of("author"), "By command", "all", None)

    found = client.get(MINE, "author").json

    assert [item["name"] for item in found] == ["One", "Two", "By command"]
    assert [item["uuid"] for item in found[:2]] == [first["uuid"], second["uuid"]]
    assert len({item["uuid"] for item in found}) == 3
    assert found == client.get(theirs(client, "author"), "administrator").json
    assert client.get(f"{MINE}/{found[2]['uuid']}", "author").json == found[2]


@pytest.mark.parametrize(("body", "code", "names"), [
    ({}, "rest_missing_callback_param", ["name"]),
    ({"name": None}, "rest_missing_callback_param", ["name"]),
    ({"name": "  "}, "rest_invalid_param", ["name"]),
    ({"name": "<i></i>"}, "rest_invalid_param", ["name"]),
    ({"name": "x" * 101}, "rest_invalid_param", ["name"]),
    ({"name": ["x"], "app_id": "phone"}, "rest_invalid_param", ["app_id", "name"]),
    ({"name": "x", "scope": "some"}, "rest_invalid_param", ["scope"]),
    ({"name": "x", "expires": "soon"}, "rest_invalid_param", ["expires"]),
    ({"name": "x", "expires": "2020-01-01T00:00:00"}, "rest_invalid_param", ["expires"]),
])
def test_bad_values_are_named(client: Client, body: dict[str, Any], code: str, names: list[str]) -> None:
    answer = client.post(MINE, body, "author")

    assert (answer.status_code, answer.json["code"]) == (400, code)
    assert list(answer.json["data"]["params"]) == names
    assert client.get(MINE, "author").json == []


@pytest.mark.parametrize("method", ["PUT", "PATCH", "POST"])
def test_renaming_changes_the_name_alone(client: Client, method: str) -> None:
    made = make(client, app_id=APP)
    one = f"{MINE}/{made['uuid']}"

    answer = client.send(method, one, "author", json={"name": "Tablet", "app_id": "", "scope": "read"})

    assert answer.status_code == 200
    assert answer.json == {**{k: v for k, v in made.items() if k != "password"}, "name": "Tablet"}
    assert client.send(method, one, "author", json={"name": " "}).status_code == 400
    assert client.get(one, "author").json["name"] == "Tablet"
    assert by_token(client, made["password"]).status_code == 200


def test_a_revoked_password_fails_at_once_and_others_stay(client: Client) -> None:
    gone, kept = make(client), make(client)

    answer = client.send("DELETE", f"{MINE}/{gone['uuid']}", "author")

    wanted = {name: value for name, value in gone.items() if name not in ("password", "_links")}
    assert answer.json == {"deleted": True, "previous": wanted}
    assert by_token(client, gone["password"]).status_code == 401
    assert by_token(client, kept["password"]).status_code == 200
    again = client.send("DELETE", f"{MINE}/{gone['uuid']}", "author")
    assert (again.status_code, again.json["code"]) == (404, "rest_application_password_not_found")


def test_all_passwords_are_revoked_at_once_and_nobody_elses(client: Client) -> None:
    tokens = [make(client)["password"], make(client, app_id=APP)["password"]]
    other = make(client, "editor")["password"]

    assert client.send("DELETE", MINE, "author").json == {"deleted": True, "count": 2}

    assert [by_token(client, token).status_code for token in (*tokens, other)] == [401, 401, 200]
    assert client.send("DELETE", MINE, "author").json == {"deleted": True, "count": 0}
    assert client.site.database.rows("SELECT * FROM token_applications") == []


ROUTES = [
    ("GET", "", "rest_cannot_list_application_passwords"), ("POST", "", "rest_cannot_create_application_passwords"),
    ("DELETE", "", "rest_cannot_delete_application_passwords"), ("GET", "/{uuid}", "rest_cannot_read_application_password"),
    ("PUT", "/{uuid}", "rest_cannot_edit_application_password"),
    ("DELETE", "/{uuid}", "rest_cannot_delete_application_password"),
]


@pytest.mark.parametrize(("method", "rest", "code"), ROUTES)
@pytest.mark.parametrize("role", [None, "subscriber", "contributor", "author", "editor"])
def test_passwords_of_others_are_closed(client: Client, method: str, rest: str, code: str, role: str | None) -> None:
    made = make(client, "administrator")
    path = f"/users/1/application-passwords{rest.format(uuid=made['uuid'])}"

    answer = client.send(method, path, role, json={"name": "Mine now"})

    assert (answer.status_code, answer.json["code"]) == (403 if role else 401, code)
    assert [item["name"] for item in client.get(MINE, "administrator").json] == ["Phone"]


@pytest.mark.parametrize("role", ["subscriber", "contributor", "author", "editor", "administrator"])
def test_every_account_has_passwords_of_its_own_and_administrators_manage_them(client: Client, role: str) -> None:
    made = make(client, role)
    one = f"{theirs(client, role)}/{made['uuid']}"

    assert client.get(one, role).status_code == 200
    assert client.send("PUT", one, "administrator", json={"name": "Seen"}).json["name"] == "Seen"
    assert client.send("DELETE", one, "administrator").status_code == 200
    assert client.post(theirs(client, role), {"name": "Given"}, "administrator").status_code == 201
    assert [item["name"] for item in client.get(MINE, role).json] == ["Given"]


@pytest.mark.parametrize(("path", "role", "status", "code"), [
    (MINE, None, 401, "rest_not_logged_in"),
    ("/users/999999/application-passwords", None, 404, "rest_user_invalid_id"),
    ("/users/somebody/application-passwords", "administrator", 404, "rest_user_invalid_id"),
    ("/users/99999999999999999999/application-passwords", "administrator", 404, "rest_user_invalid_id"),
    (f"{MINE}/nothing", "author", 404, "rest_application_password_not_found"),
])
def test_what_isnt_there(client: Client, path: str, role: str | None, status: int, code: str) -> None:
    answer = client.get(path, role)

    assert (answer.status_code, answer.json["code"]) == (status, code)


def test_a_password_is_sought_among_those_of_its_account(client: Client) -> None:
    made = make(client)

    assert client.get(f"{theirs(client, 'editor')}/{made['uuid']}", "administrator").status_code == 404
    assert client.get(f"{theirs(client, 'author')}/{made['uuid']}", "administrator").status_code == 200


def test_introspection_shows_the_password_in_use(client: Client) -> None:
    make(client)
    made = make(client, name="Second")

    found = by_token(client, made["password"], path=f"{MINE}/introspect")

    assert found.json["uuid"] == made["uuid"]
    assert "password" not in found.json
    by_password = client.get(f"{MINE}/introspect", "author")
    assert (by_password.status_code, by_password.json["code"]) == (404, "rest_no_authenticated_app_password")
    other = by_token(client, made["password"], path=f"{theirs(client, 'editor')}/introspect")
    assert other.status_code == 403
    assert other.json["code"] == "rest_cannot_introspect_app_password_for_non_authenticated_user"
    assert client.get(f"{MINE}/introspect").status_code == 401


def test_a_token_that_may_only_read_makes_and_revokes_none(client: Client) -> None:
    made = make(client, scope="read")
    token = made["password"]

    assert made["scope"] == "read"
    assert by_token(client, token).status_code == 200
    for method, path in (("POST", MINE), ("DELETE", MINE), ("PUT", f"{MINE}/{made['uuid']}"),
                         ("DELETE", f"{MINE}/{made['uuid']}")):
        answer = by_token(client, token, method, path, json={"name": "More"})
        assert (answer.status_code, answer.json["code"]) == (403, "rest_token_scope")
    assert len(client.get(MINE, "author").json) == 1


@pytest.mark.parametrize(("own", "asked", "expires"), [
    (None, None, None), (None, "2999-05-01T00:00:00Z", "2999-05-01T00:00:00"),
    ("2999-01-01T00:00:00", None, "2999-01-01T00:00:00"),
    ("2999-01-01T00:00:00", "2999-05-01T00:00:00", "2999-01-01T00:00:00"),
    ("2999-01-01T00:00:00", "2998-12-31T23:00:00-02:00", "2999-01-01T00:00:00"),
    ("2999-01-01T00:00:00", "2998-05-01T02:00:00+02:00", "2998-05-01T00:00:00"),
])
def test_a_token_made_by_a_token_doesnt_outlive_it(client: Client, own: str | None, asked: str | None,
                                                  expires: str | None) -> None:
    token = make(client, **({"expires": own} if own else {}))["password"]

    made = by_token(client, token, "POST", json={"name": "Second", **({"expires": asked} if asked else {})})

    assert (made.status_code, made.json["expires"]) == (201, expires)


def test_an_account_has_a_hundred_at_most(client: Client) -> None:
    for number in range(100):
        client.site.tokens.create(client.id_of("author"), str(number), "all", None)

    answer = client.post(MINE, {"name": "One more"}, "author")

    assert (answer.status_code, answer.json["code"]) == (400, "rest_application_password_limit")
    assert len(client.get(MINE, "author").json) == 100


def test_options_and_discovery_tell_of_the_routes(client: Client) -> None:
    routes = client.get("//id/api/").json["routes"]
    told = routes[r"/cms/v2/users/(?P<user_id>[\w-]+)/application-passwords"]
    options = client.send("OPTIONS", MINE, "author")

    assert told["methods"] == ["GET", "POST", "DELETE"]
    assert list(told["endpoints"][1]["args"]) == ["user_id", "app_id", "name", "scope", "expires"]
    assert told["endpoints"][1]["args"]["name"] == {
        "required": True, "type": "string", "description": "Untuk apa kata sandi aplikasi ini."}
    assert list(options.json["schema"]["properties"])[:3] == ["uuid", "app_id", "name"]
    assert options.headers["Allow"] == "GET, POST, DELETE"
    assert "Allow" not in client.send("OPTIONS", theirs(client, "editor"), "author").headers


def test_without_the_plugin_there_are_no_routes(make_client: Callable[..., Client]) -> None:
    assert make_client().get(MINE, "author").json["code"] == "rest_no_route"

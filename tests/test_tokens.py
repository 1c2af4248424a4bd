"""Tokens: what they open, and until when."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from click.testing import CliRunner, Result
from sites import Client, basic
from werkzeug.test import TestResponse

from cms.access.tokens import PREFIX
from cms.cli.instance import Instance
from cms.cli.token import token as token_command
from cms.errors import ApiError


def make(client: Client, role: str = "editor", scope: str = "all", expires: str | None = None) -> str:
    return client.site.tokens.create(client.id_of(role), "Deploy", scope, expires)[1]


def bearer(client: Client, token: str, method: str = "GET", path: str = "/users/me", **options: Any) -> TestResponse:
    return client.send(method, path, headers={"Authorization": f"Bearer {token}", **options.pop("headers", {})}, **options)


def test_a_token_is_recognisable_and_stored_as_a_digest_alone(client: Client) -> None:
    token = make(client)
    stored = client.site.database.row("SELECT * FROM tokens")

    assert stored is not None
    assert token.startswith(PREFIX)
    assert len(token) == len(PREFIX) + 43
    assert stored["digest"] == hashlib.sha256(token.encode()).hexdigest()
    assert token.startswith(stored["prefix"])
    assert len(stored["prefix"]) < 12
    assert token not in [str(value) for value in stored]
    assert "digest" not in client.site.tokens.list()[0]


def test_no_two_tokens_are_equal(client: Client) -> None:
    assert len({make(client) for _ in range(20)}) == 20


@pytest.mark.parametrize("authorization", [
    lambda token: f"Bearer {token}", lambda token: f"bearer  {token} ",
    lambda token: basic("editor", token), lambda token: basic("EDITOR", token),
    lambda token: basic("editor@example.org", token),
    lambda token: basic("editor", f" {token[:9]} {token[9:20]} {token[20:]} "),
])
def test_a_token_signs_in_as_bearer_and_as_password(client: Client, authorization: Callable[[str], str]) -> None:
    answer = client.get("/users/me", headers={"Authorization": authorization(make(client))})

    assert answer.status_code == 200
    assert answer.json["slug"] == "editor"
    assert answer.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("authorization", [
    lambda token: basic("admin", token), lambda token: basic("", token), lambda token: basic("nobody", token),
    lambda token: f"Token {token}", lambda token: basic("editor", token[:9]),
    lambda token: basic("editor", token.swapcase()),
])
def test_what_is_nearly_a_token_gets_the_answer_of_wrong_credentials(
        client: Client, authorization: Callable[[str], str]) -> None:
    token = make(client)
    expected = client.get("/users/me", headers={"Authorization": basic("admin", "wrong")})

    answer = client.get("/users/me", headers={"Authorization": authorization(token)})

    assert (answer.status_code, answer.data) == (401, expected.data)


@pytest.mark.parametrize("authorization", [
    lambda token: f"Bearer {token[:-1]}", lambda token: f"Bearer {token}x", lambda token: f"Bearer {PREFIX}",
    lambda token: f"Bearer {token[len(PREFIX):]}", lambda token: f"Bearer {hashlib.sha256(token.encode()).hexdigest()}",
    lambda token: "Bearer", lambda token: "Bearer \xff\xfe", lambda token: "bearer nothing",
])
def test_a_token_that_does_not_count_is_called_so(client: Client, authorization: Callable[[str], str]) -> None:
    token = make(client)

    answer = client.get("/users/me", headers={"Authorization": authorization(token)})

    assert (answer.status_code, answer.json["code"]) == (401, "rest_invalid_credentials")
    assert answer.json["message"] == "This token is unknown, expired or revoked."


def test_an_account_without_an_address_isnt_opened_by_an_empty_login(client: Client) -> None:
    token = make(client)
    client.site.database.execute("UPDATE users SET email = ''")

    assert client.get("/users/me", headers={"Authorization": basic("", token)}).status_code == 401


@pytest.mark.parametrize(("expires", "status"), [
    (None, 200), ("2999-01-01T00:00:00", 200), ("2020-01-01T00:00:00", 401),
])
def test_a_token_works_until_it_expires(client: Client, expires: str | None, status: int) -> None:
    token = make(client, expires=expires)

    assert bearer(client, token).status_code == status
    assert client.get("/users/me", headers={"Authorization": basic("editor", token)}).status_code == status


def test_a_token_expires_in_the_second_that_it_names(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    token = make(client, expires="2030-01-01T00:00:00")

    monkeypatch.setattr(client.site.clock, "now", lambda: "2029-12-31T23:59:59")
    before = bearer(client, token).status_code
    monkeypatch.setattr(client.site.clock, "now", lambda: "2030-01-01T00:00:00")

    assert (before, bearer(client, token).status_code) == (200, 401)


def test_a_revoked_token_fails_at_once_and_others_stay(client: Client) -> None:
    kept, gone = make(client), make(client)
    id = client.site.tokens.list()[1]["id"]
    assert bearer(client, gone).status_code == 200

    assert not client.site.tokens.revoke(id, user_id=client.id_of("author"))
    assert client.site.tokens.revoke(id, user_id=client.id_of("editor"))
    assert not client.site.tokens.revoke(id)

    assert (bearer(client, gone).status_code, bearer(client, kept).status_code) == (401, 200)


def test_deleting_an_account_removes_its_tokens_alone(client: Client) -> None:
    gone, kept = make(client), make(client, "author")

    deleted = client.send("DELETE", f"/users/{client.id_of('editor')}?force=true&reassign=1", "administrator")

    assert deleted.status_code == 200
    assert bearer(client, gone).status_code == 401
    assert bearer(client, kept).status_code == 200
    assert [row["login"] for row in client.site.tokens.list()] == ["author"]


def test_a_new_role_counts_at_once_and_a_new_password_doesnt_revoke(client: Client) -> None:
    token = make(client, "author")
    assert bearer(client, token, "POST", "/categories", json={"name": "No"}).status_code == 403

    client.post(f"/users/{client.id_of('author')}", {"roles": ["editor"], "password": "another-one"}, as_="administrator")

    assert bearer(client, token, "POST", "/categories", json={"name": "Yes"}).status_code == 201


@pytest.mark.parametrize(("method", "path", "override", "status"), [
    ("GET", "/users/me?context=edit", None, 200), ("HEAD", "/users/me", None, 200), ("OPTIONS", "/posts", None, 200),
    ("POST", "/posts", None, 403), ("PUT", "/posts/1", None, 403), ("PATCH", "/posts/1", None, 403),
    ("DELETE", "/posts/1?force=true", None, 403), ("POST", "/posts/1", "DELETE", 403),
    ("POST", "/posts?_method=PUT", None, 403), ("POST", "/users/me", None, 403), ("POST", "/settings", None, 403),
])
def test_the_scope_read_changes_nothing(client: Client, method: str, path: str, override: str | None,
                                        status: int) -> None:
    token = make(client, "administrator", "read")
    headers = {"X-HTTP-Method-Override": override} if override else {}
    body = {"json": {"title": "New"}} if method in ("POST", "PUT", "PATCH") else {}

    answer = bearer(client, token, method, path, headers=headers, **body)

    assert answer.status_code == status
    if status == 403:
        assert answer.json["code"] == "rest_token_scope"
    as_password = {"Authorization": basic("admin", token), **headers}
    assert client.send(method, path, headers=as_password, **body).status_code == status


def test_the_scope_read_sees_what_the_account_sees(client: Client) -> None:
    draft = client.new("/posts", title="Draft", content="Text")
    token = make(client, "editor", "read")

    assert bearer(client, token, path=f"/posts/{draft['id']}?context=edit").json["title"]["raw"] == "Draft"
    assert bearer(client, make(client, "author", "read"), path=f"/posts/{draft['id']}").status_code == 403


def test_the_scope_read_is_told_no_method_that_writes(client: Client) -> None:
    post = client.new("/posts", title="Draft")
    read, whole = make(client, "editor", "read"), make(client)

    for method in ("GET", "OPTIONS"):
        assert bearer(client, read, method, f"/posts/{post['id']}").headers["Allow"] == "GET"
        assert "DELETE" in bearer(client, whole, method, f"/posts/{post['id']}").headers["Allow"]


def used(client: Client) -> Any:
    return client.site.tokens.list()[0]["used_gmt"]


def test_the_last_use_is_noted_once_a_minute(client: Client) -> None:
    token, noted = make(client), []

    for seconds in (0, 59, 60, 119):
        client.site.context.runtime.now = lambda seconds=seconds: 1_700_000_000.0 + seconds
        bearer(client, token)
        noted.append(used(client))

    assert noted == ["2023-11-14T22:13:20", "2023-11-14T22:13:20", "2023-11-14T22:14:20", "2023-11-14T22:14:20"]


def test_a_refused_token_isnt_noted_as_used(client: Client) -> None:
    token = make(client)
    client.get("/users/me", headers={"Authorization": basic("admin", token)})

    assert used(client) is None


@pytest.mark.files_only
def test_a_token_works_on_without_the_file_of_uses(client: Client) -> None:
    token = make(client)
    assert bearer(client, token).status_code == 200
    assert used(client)
    client.site.context.runtime.path.unlink()

    assert bearer(client, token).status_code == 200
    assert used(client) is None


@pytest.mark.parametrize(("name", "scope"), [("", "all"), (" \n ", "all"), ("x" * 101, "all"), ("Fine", "write")])
def test_a_token_needs_a_name_and_a_scope(client: Client, name: str, scope: str) -> None:
    with pytest.raises(ApiError):
        client.site.tokens.create(1, name, scope, None)

    assert client.site.tokens.list() == []


# The command.


def command(client: Client, *arguments: str, code: int = 0) -> Result:
    environ = {"CMS_PASSWORD_COST": "low", "CMS_INSTANCE": None}
    folder = client.site.config.instance
    result = CliRunner().invoke(token_command, arguments, obj=Instance(folder), env=environ)
    assert result.exit_code == code, result.output
    return result


def test_the_command_makes_a_token_that_works_and_shows_it_once(client: Client) -> None:
    client.account("editor")
    made = json.loads(command(client, "create", "editor", "--name", "CI", "--scope", "read", "--days", "30", "--json").stdout)
    listed = command(client, "list", "--json").stdout

    assert bearer(client, made["token"]).json["slug"] == "editor"
    assert bearer(client, made["token"], "POST", "/posts", json={"title": "No"}).status_code == 403
    assert made["token"] not in listed
    assert json.loads(listed)[0]["name"] == "CI"
    assert json.loads(listed)[0]["expires_gmt"] == made["expires_gmt"] > client.site.now()


def test_the_command_tells_people_the_same(client: Client) -> None:
    told = command(client, "create", "admin", "--name", "Back up").stdout
    token = told.split()[-1]

    assert bearer(client, token).json["slug"] == "admin"
    assert "Scope:   read (changes nothing" in told
    assert "Expires: 20" in told
    assert "Back up" in command(client, "list", "admin").stdout
    assert token not in command(client, "list").stdout


@pytest.mark.parametrize(("options", "writes", "days"), [
    ((), 403, 90), (("--scope", "read"), 403, 90), (("--scope", "all"), 201, 90), (("--days", "7"), 403, 7),
    (("--days", "0"), 403, None), (("--scope", "all", "--days", "0"), 201, None),
])
def test_a_token_reads_for_some_days_unless_more_is_asked_for(client: Client, options: tuple[str, ...], writes: int,
                                                              days: int | None) -> None:
    made = json.loads(command(client, "create", "admin", "--name", "N", *options, "--json").stdout)
    answer = bearer(client, made["token"], "POST", "/posts", json={"title": "Title"})

    assert answer.status_code == writes
    assert made["scope"] == ("all" if writes == 201 else "read")
    if days is None:
        assert made["expires_gmt"] is None
        return
    lasts = datetime.fromisoformat(made["expires_gmt"]) - datetime.fromisoformat(client.site.now())
    assert abs(lasts - timedelta(days=days)) < timedelta(minutes=5)


def test_calls_from_python_say_scope_and_expiry(client: Client) -> None:
    with pytest.raises(TypeError):
        client.site.tokens.create(1, "Name")  # type: ignore[call-arg]


def test_the_command_lists_one_accounts_tokens(client: Client) -> None:
    make(client, "editor"), make(client, "author")

    assert [row["login"] for row in json.loads(command(client, "list", "author", "--json").stdout)] == ["author"]


def test_the_command_revokes(client: Client) -> None:
    token = make(client)
    id = str(client.site.tokens.list()[0]["id"])

    command(client, "revoke", id)

    assert bearer(client, token).status_code == 401
    assert command(client, "revoke", id, code=1).stderr.startswith("Error: There is no token")


@pytest.mark.parametrize("arguments", [
    ("create", "nobody", "--name", "x"), ("list", "nobody"), ("create", "admin", "--name", " "),
])
def test_the_command_refuses_in_one_line(client: Client, arguments: tuple[str, ...]) -> None:
    result = command(client, *arguments, code=1)

    assert len(result.stderr.splitlines()) == 1
    assert result.stderr.startswith("Error: ")
    assert client.site.tokens.list() == []

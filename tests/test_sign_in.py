"""Signing in."""

from __future__ import annotations

import pytest
from argon2 import low_level
from argon2.exceptions import VerifyMismatchError
from sites import Client, basic
from werkzeug.test import TestResponse


def ask(client: Client, authorization: str) -> TestResponse:
    return client.get("/users/me", headers={"Authorization": authorization})


@pytest.mark.parametrize("authorization", [
    basic("admin", "wrong"), basic("nobody", "wrong"), basic("", ""), basic("admin", ""), "Basic", "Basic !!!",
    "Basic YWRtaW4=", "Digest x", basic("admin", "x" * 100_000), "Basic /////w==",
])
def test_wrong_credentials_get_one_answer(client: Client, authorization: str) -> None:
    expected = ask(client, basic("admin", "something else"))

    answer = ask(client, authorization)

    assert answer.status_code == 401
    assert answer.data == expected.data
    assert answer.json["code"] == "rest_invalid_credentials"
    assert answer.headers["WWW-Authenticate"].startswith("Basic")


@pytest.mark.parametrize("stored", [
    None, "", "!", "*", "$P$BabcdefghijklmnopqrstuvwxyzABCD", "$2y$10$abcdefghijklmnopqrstuv", "naïve",
    "$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$", "$argon2id$v=19$m=8,t=1,p=1$!!!!$!!!!", "$argon2id$",
    "5f4dcc3b5aa765d61d8327deb882cf99",
])
def test_whatever_is_wrong_the_same_work_is_done(client: Client, monkeypatch: pytest.MonkeyPatch,
                                                 stored: str | None) -> None:
    client.account("author")
    if stored is not None:
        client.site.database.execute("UPDATE users SET password_hash = ? WHERE login = 'author'", (stored,))
    worked: list[str] = []
    verify = low_level.verify_secret

    def count(hash: bytes, secret: bytes, type: low_level.Type) -> bool:
        try:
            return verify(hash, secret, type)
        except VerifyMismatchError:
            worked.append(hash.decode().rpartition("$")[0].rpartition("$")[0])  # the parameters
            raise

    monkeypatch.setattr("argon2._password_hasher.verify_secret", count)
    answers = [ask(client, basic(login, "wrong")) for login in ("author", "nobody")]
    answers += [ask(client, basic("author", password)) for password in ("", stored or "wrong")]

    assert {(answer.status_code, answer.data) for answer in answers} == {(401, answers[0].data)}
    assert len(worked) == 4
    assert len(set(worked)) == 1


def test_wrong_credentials_fail_public_reads_too(client: Client) -> None:
    assert client.get("/posts", headers={"Authorization": basic("admin", "wrong")}).status_code == 401


def test_an_account_signs_in_by_its_address_too(client: Client) -> None:
    password = client.account("author")[1]

    assert ask(client, basic("author@example.org", password)).json["slug"] == "author"


def test_a_new_password_counts_at_once_and_the_old_one_no_more(client: Client) -> None:
    old = basic(*client.account("author"))
    assert ask(client, old).status_code == 200

    client.post(f"/users/{client.id_of('author')}", {"password": "another-one"}, as_="administrator")

    assert ask(client, old).status_code == 401
    assert ask(client, basic("author", "another-one")).status_code == 200


def test_a_new_role_counts_at_once(client: Client) -> None:
    assert client.post("/categories", {"name": "No"}, as_="author").status_code == 403

    client.post(f"/users/{client.id_of('author')}", {"roles": ["editor"]}, as_="administrator")

    assert client.post("/categories", {"name": "Yes"}, as_="author").status_code == 201


def test_answers_to_accounts_are_not_kept_by_caches(client: Client) -> None:
    assert client.get("/posts", as_="author").headers["Cache-Control"] == "no-store"
    assert client.get("/posts").headers["Cache-Control"] == "no-cache"


def test_passwords_are_stored_as_memory_hard_hashes(client: Client) -> None:
    client.account("author")
    stored = client.site.database.rows("SELECT password_hash FROM users")

    assert all(row["password_hash"].startswith("$argon2id$") for row in stored)


def test_the_last_administrator_stays_one(client: Client) -> None:
    other = client.new("/users", as_="administrator", username="second", email="second@example.org", password="long enough",
                       roles=["administrator"])
    first = client.id_of("administrator")
    assert client.post(f"/users/{other['id']}", {"roles": []}, as_="administrator").status_code == 200

    deleted = client.send("DELETE", "/users/me?force=true&reassign=" + str(other["id"]), "administrator")
    demoted = client.post("/users/me", {"roles": []}, as_="administrator")

    assert (deleted.status_code, demoted.status_code) == (403, 403)
    assert client.get(f"/users/{first}?context=edit", "administrator").json["roles"] == ["administrator"]

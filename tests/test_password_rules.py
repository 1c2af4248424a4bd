"""Which passwords accounts may be given, by whichever way."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from sites import Client, basic

from cms.cli import main
from cms.errors import ApiError

GOOD = ["correct horse", "8zeichen", "пароль-длинный", "密码密码密码很长吗", " spaced out ", "Tr0ub4dor&3", "x" * 5 + "yz-" + "q" * 500]
BAD = [
    "pw", "short", "seven77", "пароль", "       ", "password", "PASSWORD", "Password1", "12345678", "iloveyou1", " changeme ",
    "aaaaaaaa", "00000000", "abababab", "newcomer", "NewComer", "newcomer@example.org", "letmein1", "p@ssw0rd",
]


def account(password: str) -> dict[str, Any]:
    return {"username": "newcomer", "email": "newcomer@example.org", "password": password}


@pytest.mark.parametrize("password", BAD)
def test_passwords_that_would_be_guessed_are_refused_for_new_accounts(client: Client, password: str) -> None:
    answer = client.post("/users", account(password), "administrator")

    assert (answer.status_code, answer.json["code"]) == (400, "rest_invalid_param")
    assert list(answer.json["data"]["params"]) == ["password"]
    assert "newcomer" not in [each["slug"] for each in client.get("/users?context=edit", "administrator").json]


@pytest.mark.parametrize("password", GOOD)
def test_other_passwords_are_taken_as_they_were_sent(client: Client, password: str) -> None:
    client.new("/users", "administrator", **account(password))

    signed_in = client.get("/users/me", headers={"Authorization": basic("newcomer", password)})
    trimmed = client.get("/users/me", headers={"Authorization": basic("newcomer", password.strip() + "!")})

    assert (signed_in.status_code, trimmed.status_code) == (200, 401)


@pytest.mark.parametrize(("method", "path", "as_"), [
    ("POST", "/users/me", "newcomer"), ("PUT", "/users/me", "newcomer"), ("PATCH", "/users/{id}", "newcomer"),
    ("POST", "/users/{id}", "admin"), ("POST", "/users/{id}?_method=PUT", "admin"),
])
@pytest.mark.parametrize("form", [False, True])
def test_a_change_follows_the_same_rule_and_the_old_password_stays(client: Client, method: str, path: str, as_: str,
                                                                   form: bool) -> None:
    id = client.new("/users", "administrator", **account("correct horse"))["id"]
    signs = {"newcomer": basic("newcomer", "correct horse"), "admin": basic(*client.account("administrator"))}

    for password in ("short", "password1", "newcomer"):
        sent: dict[str, Any] = {"data" if form else "json": {"password": password}}
        answer = client.send(method, path.format(id=id), headers={"Authorization": signs[as_]}, **sent)
        assert answer.json["code"] == "rest_invalid_param"

    assert client.get("/users/me", headers={"Authorization": signs["newcomer"]}).status_code == 200


def test_a_change_without_a_password_asks_for_none(make_client: Callable[..., Client]) -> None:
    client = make_client(password_length=0)
    client.new("/users", "administrator", **account("pw"))
    stricter = Client(client.site.config.instance)

    answer = stricter.post("/users/me", {"name": "New"}, headers={"Authorization": basic("newcomer", "pw")})
    stricter.close()

    assert answer.status_code == 200


def test_calls_from_python_follow_the_rule(client: Client) -> None:
    with pytest.raises(ApiError):
        client.site.users.create(user="admin", **account("password1"))
    assert client.site.users.create(user="admin", **account("correct horse"))["slug"] == "newcomer"


@pytest.mark.parametrize(("length", "password", "status"), [
    (0, "p", 201), (0, "password", 201), (12, "elevenchars", 400), (12, "twelve-chars", 201), (4, "love", 400), (4, "f-ur", 201),
])
def test_the_length_can_be_set(make_client: Callable[..., Client], length: int, password: str, status: int) -> None:
    client = make_client(password_length=length)

    assert client.post("/users", account(password), "administrator").status_code == status


# The command.


def run(folder: Path, *arguments: str, input: str | None = None, code: int = 0) -> str:
    environ = {"CMS_PASSWORD_COST": "low", "CMS_INSTANCE": None}
    result = CliRunner().invoke(main, ["--instance", str(folder), *arguments], input=input, env=environ)
    assert result.exit_code == code, result.output
    return result.output


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    assert not os.environ.get("CMS_PASSWORD_LENGTH")
    return tmp_path / "instance"


@pytest.mark.parametrize("password", ["short", "password1", "admin@example.org"])
def test_commands_refuse_in_one_line_that_says_why(folder: Path, password: str) -> None:
    refused = [run(folder, "init", "--password-stdin", input=f"{password}\n", code=1)]
    run(folder, "init")
    add = ("user", "add", "newcomer", "--email", "newcomer@example.org", "--password-stdin")
    refused += [run(folder, *add, input=f"{password}\n".replace("admin@", "newcomer@"), code=1),
                run(folder, "user", "password", "admin", "--password-stdin", input=f"{password}\n", code=1),
                run(folder, "user", "password", "admin", input=f"{password}\n{password}\n", code=1)]

    for told in refused:
        assert told.splitlines()[-1].startswith("Error: password: ")
        assert password not in told
    assert "newcomer" not in run(folder, "user", "list")


def test_a_password_is_made_up_on_request(folder: Path) -> None:
    run(folder, "init")
    told = run(folder, "user", "password", "admin", "--generate")
    made = told.split()[-1]

    assert len(made) >= 16
    run(folder, "user", "password", "admin", "--password-stdin", input=f"{made}\n")
    run(folder, "user", "password", "admin", "--generate", "--password-stdin", input="correct horse\n", code=2)

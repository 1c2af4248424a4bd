"""A new password by a link: for its own account, once, for an hour, and by the rules of passwords."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from click.testing import CliRunner, Result
from sites import Client, Clock, basic

from admin.pages import Browser
from cms.cli import main
from cms.testing.client import PASSWORD

NEW = "a-much-better-one"


@pytest.fixture
def client(make_client: Callable[..., Client]) -> Client:
    client = make_client(admin=True)
    client.account("editor")
    return client


def run(client: Client, *arguments: str, **environ: str) -> Result:
    environ = {"CMS_PASSWORD_COST": "low", "CMS_URL": "https://www.example.org", "CMS_ADMIN": "true", **environ}
    return CliRunner().invoke(main, ["--instance", str(client.site.config.instance), "user", "reset", *arguments], env=environ)


def token_for(client: Client, *arguments: str) -> str:
    found = re.fullmatch(r"https://www\.example\.org/admin/#/reset/([\w-]{40,})\n", run(client, *arguments).stdout)
    assert found
    return found[1]


def reset(client: Client, token: str, password: Any = NEW) -> Any:
    return Browser(client).send("POST", "reset", {"token": token, "password": password})


def signs_in(client: Client, password: str) -> bool:
    answer = client.http.get("/api/cms/v2/users/me", headers={"Authorization": basic("editor", password)})
    return answer.status_code == 200


def test_the_link_sets_a_password_once(client: Client) -> None:
    token = token_for(client, "editor")

    assert reset(client, token).json == {"id": client.id_of("editor")}
    assert (signs_in(client, NEW), signs_in(client, PASSWORD)) == (True, False)
    again = reset(client, token, "another-good-one")
    assert (again.status_code, again.json["code"]) == (410, "cms_password_link_ended")
    assert signs_in(client, NEW)


@pytest.mark.parametrize("token", ["", "x", "A" * 43, "null"])
def test_nothing_else_is_a_token(client: Client, token: str) -> None:
    token_for(client, "editor")

    assert reset(client, token).status_code in (400, 410)
    assert signs_in(client, PASSWORD)


@pytest.mark.parametrize(("seconds", "status"), [(3599, 200), (3600, 410)])
def test_it_is_good_for_an_hour(client: Client, seconds: int, status: int) -> None:
    clock = Clock()
    client.site.context.runtime.now = clock
    row = client.site.stores.users.find(client.id_of("editor"))
    assert row is not None
    token = client.site.authentication.links.make(row)
    clock.now += seconds

    assert reset(client, token).status_code == status


@pytest.mark.parametrize("password", ["short", "password123", "editor@example.org", "", "back\\slash-in-it", ["list"]])
def test_the_rules_of_passwords_apply(client: Client, password: Any) -> None:
    token = token_for(client, "editor")

    refused = reset(client, token, password)
    assert refused.status_code == 400
    assert signs_in(client, PASSWORD)
    assert reset(client, token).status_code == 200


def test_it_ends_with_the_address_of_the_account(client: Client) -> None:
    token = token_for(client, "editor")
    path = f"/users/{client.id_of('editor')}"
    client.post(path, {"first_name": "Ada"}, "administrator")
    kept = reset(client, token).status_code

    token = token_for(client, "editor")
    client.post(path, {"email": "new@example.org"}, "administrator")
    left = reset(client, token, "another-good-one")

    assert (kept, left.status_code, left.json["code"]) == (200, 410, "cms_password_link_ended")
    assert signs_in(client, NEW)


def test_it_ends_with_the_password_and_with_another_link(client: Client) -> None:
    first, second = token_for(client, "editor"), token_for(client, "editor")
    assert reset(client, first).status_code == 410

    client.post(f"/users/{client.id_of('editor')}", {"password": "set-by-somebody"}, "administrator")
    assert reset(client, second).status_code == 410


def test_a_new_password_ends_all_sessions(client: Client) -> None:
    browser = Browser(client)
    browser.sign_in()
    reset(client, token_for(client, "editor"))

    assert browser.send("GET", "session").json["signed_in"] is False


def test_the_second_factor_stays_unless_it_is_turned_off(client: Client) -> None:
    factors, id = client.site.authentication.factors, client.id_of("editor")
    client.site.stores.second_factors.replace(id, "sealed", "2026-01-01T00:00:00")
    client.site.stores.second_factors.confirm(id, "2026-01-01T00:00:00", "[]")
    reset(client, token_for(client, "editor"))
    assert factors.is_on(id)

    token_for(client, "--two-factor", "editor")
    assert not factors.is_on(id)


@pytest.mark.files_only  # it reads what is stored byte by byte
def test_the_token_isnt_stored(client: Client) -> None:
    token = token_for(client, "editor")

    assert token.encode() not in client.site.config.state.read_bytes()
    assert token.encode() not in client.site.config.database.read_bytes()


def test_a_page_of_another_site_sets_no_password(client: Client) -> None:
    token = token_for(client, "editor")
    answer = Browser(client).send("POST", "reset", {"token": token, "password": NEW}, Origin="https://evil.example")

    assert answer.status_code == 403


def test_the_command_says_what_is_wrong(client: Client) -> None:
    assert 'There is no account nobody. "cms user list" shows all of them.' in run(client, "nobody").stderr
    off = run(client, "editor", CMS_ADMIN="false")
    assert (off.exit_code, off.stdout) == (1, "")
    assert "This site has no editing page." in off.stderr

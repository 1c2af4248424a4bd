"""Limits of failed sign-ins: what bars one, what doesn't, and what holds when their file fails."""

from __future__ import annotations

import logging
import os
import sqlite3
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sites import Client, Clock, basic
from werkzeug.test import TestResponse

from cms.config import ConfigError, load_config
from cms.db.sqlite.runtime import RuntimeStore

HOME, OFFICE, CAFE = "192.0.2.1", "192.0.2.2", "192.0.2.3"
PASSWORD = "correct-horse-battery"
LOW = {"sign_in_failures": 3, "sign_in_failures_address": 5, "sign_in_failures_account": 6}


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def edit_only_arguments(make_client: Callable[..., Client], clock: Clock) -> Client:
    """A site with small limits that remembers no password."""
    client = make_client(**LOW, sign_in_memory=0)
    client.site.context.runtime.now = clock
    client.account("author"), client.account("editor")
    return client


def ask(client: Client, login: str, password: str, address: str, path: str = "/users/me") -> TestResponse:
    return client.get(path, headers={"Authorization": basic(login, password)}, environ_base={"REMOTE_ADDR": address})


def fail(client: Client, times: int, login: str = "author", address: str = HOME) -> list[int]:
    return [ask(client, login, f"wrong {number}", address).status_code for number in range(times)]


def test_an_account_is_barred_from_an_address_after_its_failures(edit_only_arguments: Client) -> None:
    assert fail(edit_only_arguments, 4) == [401, 401, 401, 429]
    assert ask(edit_only_arguments, "author", PASSWORD, HOME).status_code == 429

    assert ask(edit_only_arguments, "author", PASSWORD, OFFICE).status_code == 200
    assert ask(edit_only_arguments, "editor", PASSWORD, HOME).status_code == 200


def test_the_refusal_says_when_to_come_back(edit_only_arguments: Client, clock: Clock) -> None:
    fail(edit_only_arguments, 3)
    clock.now += 100.5

    answer = ask(edit_only_arguments, "author", PASSWORD, HOME)
    wrapped = ask(edit_only_arguments, "author", PASSWORD, HOME, "/users/me?_envelope").json

    assert answer.status_code == 429
    assert answer.json["code"] == "rest_too_many_attempts"
    assert answer.json["data"] == {"status": 429, "retry_after": 500}
    assert answer.headers["Retry-After"] == wrapped["headers"]["Retry-After"] == "500"
    assert answer.headers["Cache-Control"] == "no-store"
    assert "WWW-Authenticate" not in answer.headers
    clock.now += 500
    assert ask(edit_only_arguments, "author", PASSWORD, HOME).status_code == 200


def test_known_and_unknown_accounts_are_barred_alike(edit_only_arguments: Client) -> None:
    known, unknown, mailed = (fail(edit_only_arguments, 4, login, address) for login, address in
                              (("author", HOME), ("nobody", OFFICE), ("author@example.org", CAFE)))

    assert known == unknown == mailed == [401, 401, 401, 429]
    assert fail(edit_only_arguments, 1, "AUTHOR", HOME) == [429]


@pytest.mark.parametrize("names", [
    ["author", "author@example.org"], ["author@example.org", "author"], ["AUTHOR", "Author@Example.ORG", "author"],
])
def test_an_account_is_barred_by_all_its_names_together(edit_only_arguments: Client, names: list[str]) -> None:
    failed = [fail(edit_only_arguments, 1, names[number % len(names)])[0] for number in range(4)]

    assert failed == [401, 401, 401, 429]
    for name in names:
        assert ask(edit_only_arguments, name, PASSWORD, HOME).status_code == 429
        assert ask(edit_only_arguments, name, PASSWORD, OFFICE).status_code == 200


def test_no_name_counts_as_another_accounts(edit_only_arguments: Client) -> None:
    id = edit_only_arguments.id_of("author")
    for name in (f"account {id}", str(id), "name author"):
        assert fail(edit_only_arguments, 1, name, HOME) == [401]

    assert fail(edit_only_arguments, 2, "author", HOME) == [401, 401]


def test_an_address_is_barred_after_failures_of_any_accounts(edit_only_arguments: Client) -> None:
    failed = [fail(edit_only_arguments, 1, f"name{number}")[0] for number in range(6)]

    assert failed == [401] * 5 + [429]
    assert ask(edit_only_arguments, "editor", PASSWORD, HOME).status_code == 429
    assert ask(edit_only_arguments, "editor", PASSWORD, OFFICE).status_code == 200


def test_an_account_bars_only_addresses_that_have_failed(edit_only_arguments: Client) -> None:
    for number in range(6):
        assert fail(edit_only_arguments, 1, "author", f"198.51.100.{number}") == [401]

    assert fail(edit_only_arguments, 1, "author", "198.51.100.0") == [429]
    assert ask(edit_only_arguments, "author", PASSWORD, "198.51.100.1").status_code == 429
    assert ask(edit_only_arguments, "author", PASSWORD, HOME).status_code == 200
    assert fail(edit_only_arguments, 2, "author", HOME) == [401, 429]
    assert ask(edit_only_arguments, "editor", PASSWORD, "198.51.100.1").status_code == 200


def test_limits_of_zero_bar_nobody(make_client: Callable[..., Client]) -> None:
    client = make_client(**dict.fromkeys(LOW, 0))

    assert fail(client, 30) == [401] * 30


def test_by_default_ten_sign_ins_may_fail_in_ten_minutes(client: Client, clock: Clock) -> None:
    client.site.context.runtime.now = clock
    assert fail(client, 11) == [401] * 10 + [429]
    assert ask(client, "author", "wrong", HOME).headers["Retry-After"] == "600"


def test_successes_are_not_counted(edit_only_arguments: Client) -> None:
    assert [ask(edit_only_arguments, "author", PASSWORD, HOME).status_code for _ in range(12)] == [200] * 12
    assert fail(edit_only_arguments, 3) == [401] * 3


def test_visitors_of_a_barred_address_read_on(edit_only_arguments: Client) -> None:
    fail(edit_only_arguments, 4)

    assert edit_only_arguments.get("/posts", environ_base={"REMOTE_ADDR": HOME}).status_code == 200


def test_a_remembered_password_and_a_token_touch_no_file(make_client: Callable[..., Client],
                                                         monkeypatch: pytest.MonkeyPatch) -> None:
    client = make_client()
    client.account("author")
    token = client.site.tokens.create(client.id_of("author"), "Name", "all", None)[1]
    as_bearer = {"Authorization": f"Bearer {token}"}
    assert ask(client, "author", PASSWORD, HOME).status_code == 200
    assert client.get("/users/me", headers=as_bearer).status_code == 200
    seen: list[str] = []
    monkeypatch.setattr(RuntimeStore, "_connect", lambda self: seen.append("opened"))

    again = [ask(client, "author", PASSWORD, HOME), client.get("/users/me", headers=as_bearer),
             ask(client, "author", token, HOME), client.get("/users/me")]

    assert [answer.status_code for answer in again] == [200, 200, 200, 401]
    assert seen == []


def test_barred_attempts_cost_no_hash(edit_only_arguments: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    fail(edit_only_arguments, 3)
    hashed: list[str] = []
    monkeypatch.setattr(edit_only_arguments.site.authentication.passwords, "verify", lambda stored, sent: hashed.append(sent))

    assert fail(edit_only_arguments, 2) == [429, 429]
    assert hashed == []


# The file.


def break_with_text(path: Path) -> None:
    path.write_bytes(b"This is no database. " * 500)


def break_with_folder(path: Path) -> None:
    path.mkdir()


def break_with_other_table(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE attempts (other)")
    connection.close()


@pytest.mark.files_only
@pytest.mark.parametrize("spoil", [break_with_text, break_with_folder, break_with_other_table])
def test_sign_in_goes_on_without_a_usable_file_and_says_so_once(
        edit_only_arguments: Client, caplog: pytest.LogCaptureFixture, spoil: Callable[[Path], None]) -> None:
    edit_only_arguments.site.context.runtime.close()
    edit_only_arguments.site.context.runtime.path.unlink(missing_ok=True)
    spoil(edit_only_arguments.site.context.runtime.path)

    with caplog.at_level(logging.WARNING, "cms"):
        failed, right = fail(edit_only_arguments, 8), ask(edit_only_arguments, "author", PASSWORD, HOME)

    assert failed == [401] * 8
    assert right.status_code == 200
    assert len([record for record in caplog.records if "state.db" in record.message]) == 1


@pytest.mark.files_only
def test_a_file_damaged_while_it_is_open_bars_nobody(edit_only_arguments: Client) -> None:
    fail(edit_only_arguments, 3)
    size = edit_only_arguments.site.context.runtime.path.stat().st_size
    edit_only_arguments.site.context.runtime.path.write_bytes(os.urandom(size))

    assert ask(edit_only_arguments, "author", PASSWORD, HOME).status_code == 200
    assert fail(edit_only_arguments, 3) == [401] * 3


@pytest.mark.files_only
def test_a_deleted_file_starts_anew(edit_only_arguments: Client) -> None:
    assert fail(edit_only_arguments, 4)[-1] == 429
    edit_only_arguments.site.context.runtime.path.unlink()

    assert fail(edit_only_arguments, 4) == [401, 401, 401, 429]


@pytest.mark.files_only
def test_a_file_that_another_process_locks_delays_and_bars_nobody(
        edit_only_arguments: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cms.db.sqlite.runtime.WRITE_TIMEOUT", 0.05)
    edit_only_arguments.site.context.runtime.close()
    ask(edit_only_arguments, "author", PASSWORD, HOME)
    other = sqlite3.connect(edit_only_arguments.site.context.runtime.path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")

    during = fail(edit_only_arguments, 5)
    other.execute("ROLLBACK")
    other.close()

    assert during == [401] * 5
    assert fail(edit_only_arguments, 4) == [401, 401, 401, 429]


def test_the_window_can_be_set_and_must_be_a_length_of_time(
        make_client: Callable[..., Client], clock: Clock, tmp_path: Path) -> None:
    client = make_client(sign_in_failures=1, sign_in_window=7)
    client.site.context.runtime.now = clock
    fail(client, 1)

    assert ask(client, "author", "wrong", HOME).headers["Retry-After"] == "7"
    with pytest.raises(ConfigError):
        load_config(tmp_path, {"sign_in_window": 0}, environ={})


@pytest.mark.parametrize(("known", "wrong", "expected"), [
    (0, 8, {401: 3, 429: 5}),
    (2, 8, {401: 1, 429: 7}),
    (2, 1, {401: 1}),
])
def test_of_attempts_at_once_no_more_fail_than_the_limit(
    edit_only_arguments: Client, monkeypatch: pytest.MonkeyPatch, known: int, wrong: int, expected: dict[int, int]
) -> None:
    client = edit_only_arguments
    fail(client, known)
    passwords = client.site.authentication.passwords
    verify, checked, answered = passwords.verify, threading.Barrier(wrong + 1), threading.Event()

    def verify_all_before_any_is_counted(stored: str | None, password: str) -> bool:
        fits = verify(stored, password)
        checked.wait(30)
        if fits:
            assert answered.wait(30)
        return fits

    monkeypatch.setattr(passwords, "verify", verify_all_before_any_is_counted)

    def attempt(password: str) -> int:
        code = client.app.test_client().get("/api/cms/v2/users/me", environ_base={"REMOTE_ADDR": HOME},
                                            headers={"Authorization": basic("author", password)}).status_code
        client.site.database.close()
        return code

    with ThreadPoolExecutor(wrong + 1) as pool:
        right = pool.submit(attempt, PASSWORD)
        codes = Counter(pool.map(attempt, [f"at once {number}" for number in range(wrong)]))
        answered.set()

    assert codes == expected
    assert right.result() == 429


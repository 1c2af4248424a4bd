"""Guessing the passwords of protected items."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from sites import Client, Clock
from werkzeug.test import TestResponse

from cms.resources.content import unlocking
from cms.resources.content.unlocking import password_matches

HOME, OFFICE = "192.0.2.1", "192.0.2.2"


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def site(make_client: Callable[..., Client], clock: Clock) -> Client:
    """A site where three wrong passwords may be tried."""
    client = make_client(item_password_failures=3, comment_interval=0, plugins=["wp_compat"])
    client.site.context.runtime.now = clock
    return client


@pytest.fixture
def locked(site: Client) -> int:
    return int(site.new("/posts", title="Locked", content="Secret", status="publish", password="sesame")["id"])


def send(site: Client, path: str, method: str = "GET", address: str = HOME, as_: str | None = None, **options: Any) -> TestResponse:
    return site.send(method, path, as_, environ_base={"REMOTE_ADDR": address}, **options)


def guess(site: Client, id: int, times: int, address: str = HOME) -> list[int]:
    return [send(site, f"/posts/{id}?password=wrong-{number}", address=address).status_code for number in range(times)]


def test_after_some_guesses_of_an_item_an_address_waits(site: Client, locked: int, clock: Clock) -> None:
    assert guess(site, locked, 4) == [403, 403, 403, 429]
    refused = send(site, f"/posts/{locked}?password=sesame")

    assert (refused.status_code, refused.json["code"]) == (429, "rest_too_many_attempts")
    assert refused.headers["Retry-After"] == "600"
    assert "Secret" not in refused.text
    clock.now += 600
    assert "Secret" in send(site, f"/posts/{locked}?password=sesame").json["content"]["rendered"]


@pytest.mark.parametrize(("known", "expected"), [(0, {403: 3, 429: 5}), (2, {403: 1, 429: 7}), (3, {429: 8})])
def test_of_guesses_at_once_no_more_fail_than_the_limit(
    site: Client, locked: int, monkeypatch: pytest.MonkeyPatch, known: int, expected: dict[int, int]
) -> None:
    guess(site, locked, known)
    compared, answered = threading.Barrier(9), threading.Event()

    def match_all_before_any_is_counted(row: Any, password: str | None) -> bool:
        fits = password_matches(row, password)
        compared.wait(30)
        if fits:
            assert answered.wait(30)
        return fits

    monkeypatch.setattr(unlocking, "password_matches", match_all_before_any_is_counted)

    def attempt(password: str) -> int:
        address = f"/api/cms/v2/posts/{locked}?password={password}"
        code = site.app.test_client().get(address, environ_base={"REMOTE_ADDR": HOME}).status_code
        site.site.database.close()
        return code

    with ThreadPoolExecutor(9) as pool:
        right = pool.submit(attempt, "sesame")
        codes = Counter(pool.map(attempt, [f"at-once-{number}" for number in range(8)]))
        answered.set()

    assert codes == expected
    assert right.result() == 429


def test_other_addresses_and_items_arent_barred(site: Client, locked: int) -> None:
    other = site.new("/pages", title="Other", content="Secret", status="publish", password="sesame")["id"]
    guess(site, locked, 4)

    assert send(site, f"/posts/{locked}?password=sesame", address=OFFICE).status_code == 200
    assert send(site, f"/pages/{other}?password=sesame").status_code == 200
    assert send(site, f"/posts/{locked}").status_code == 200


def test_right_passwords_empty_ones_and_those_of_open_items_count_nothing(site: Client, locked: int) -> None:
    opened = site.new("/posts", title="Open", status="publish")["id"]
    paths = [f"/posts/{locked}?password=sesame", f"/posts/{locked}?password=", f"/posts/{locked}",
             f"/posts/{opened}?password=any", f"/comments?post={locked}&password=sesame"]

    codes = {path: {send(site, path).status_code for _ in range(6)} for path in paths}

    assert list(codes.values()) == [{200}, {200}, {200}, {403}, {200}]


@pytest.mark.parametrize(("method", "path", "body"), [
    ("GET", "/posts/{id}?password={word}", None),
    ("HEAD", "/posts/{id}?password={word}", None),
    ("GET", "/posts/{id}?%70assword={word}", None),
    ("GET", "/posts/{id}?context=embed&password={word}", None),
    ("POST", "/posts/{id}?_method=GET", {"password": "{word}"}),
    ("GET", "/comments?post={id}&password={word}", None),
    ("GET", "/comments/{comment}?password={word}", None),
    ("POST", "/comments", {"post": "{id}", "password": "{word}", "content": "Text"}),
])
def test_whatever_takes_the_password_counts_guesses(site: Client, locked: int, method: str, path: str,
                                                    body: dict[str, str] | None) -> None:
    comment = site.new("/comments", post=locked, content="Comment")["id"]

    def ask(word: str) -> int:
        given = {"id": locked, "comment": comment, "word": word}
        sent = {"json": {name: value.format(**given) for name, value in body.items()}} if body else {}
        return send(site, path.format(**given), method, as_="subscriber", **sent).status_code

    codes = [ask(f"wrong-{number}") for number in range(4)]

    assert codes[-1] == 429
    assert set(codes[:3]) <= {401, 403}
    assert ask("sesame") == 429


def test_guesses_are_counted_over_all_routes_and_aliases(site: Client, locked: int) -> None:
    codes = [send(site, f"/posts/{locked}?password=a").status_code,
             send(site, f"/comments?post={locked}&password=b").status_code,
             site.http.get(f"/wp-json/wp/v2/posts/{locked}?password=c", environ_base={"REMOTE_ADDR": HOME}).status_code,
             send(site, f"/posts/{locked}?password=d").status_code,
             send(site, f"/posts/{locked}?p%61ssword=e").status_code]

    assert codes == [403, 401, 403, 429, 429]


def test_what_a_visitor_cant_read_takes_no_guesses(site: Client) -> None:
    draft = site.new("/posts", title="Draft", status="draft", password="sesame")["id"]

    assert {send(site, f"/posts/{draft}?password={word}").status_code for word in ("sesame", *"abcdef")} == {401}


def test_a_limit_of_zero_bars_nobody(make_client: Callable[..., Client]) -> None:
    site = make_client(item_password_failures=0)
    post = site.new("/posts", title="Locked", status="publish", password="sesame")["id"]

    assert guess(site, post, 30) == [403] * 30


def test_by_default_twenty_guesses_may_fail(client: Client) -> None:
    post = client.new("/posts", title="Locked", status="publish", password="sesame")["id"]

    assert guess(client, post, 21) == [403] * 20 + [429]

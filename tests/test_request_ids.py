"""Each request has an id: a trusted proxy's or a new one, in the answer's header, and in the body where the site is at fault."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from typing import Any

import pytest
from sites import Client

NEW = re.compile(r"[0-9a-f]{16}", re.ASCII)
PEER = {"REMOTE_ADDR": "10.0.0.1"}


@pytest.fixture
def proxied(make_client: Callable[..., Client]) -> Client:
    return make_client(trusted_proxies="10.0.0.1")


def answered(client: Client, sent: str | None, address: str = "10.0.0.1", path: str = "/api/cms/v2/posts") -> str:
    headers = {} if sent is None else {"X-Request-ID": sent}
    answer = client.http.get(path, headers=headers, environ_base={"REMOTE_ADDR": address})
    assert len(answer.headers.getlist("X-Request-Id")) == 1
    return str(answer.headers["X-Request-Id"])


@pytest.mark.parametrize("sent", ["proxy-1", "a:b.c_D", "x" * 64])
def test_a_trusted_proxy_gives_the_id(proxied: Client, sent: str) -> None:
    assert answered(proxied, sent) == sent


@pytest.mark.parametrize("sent", [None, "", "a b", 'a"b', "x" * 65, "a\tb", "a,b", "<b>"])
def test_what_is_no_id_is_replaced(proxied: Client, sent: str | None) -> None:
    assert NEW.fullmatch(answered(proxied, sent))


def test_a_strangers_id_is_replaced(proxied: Client) -> None:
    assert NEW.fullmatch(answered(proxied, "mine", "10.0.0.2"))


def test_a_kept_answer_has_the_id_of_its_own_request(proxied: Client) -> None:
    assert [answered(proxied, each) for each in ("one", "two", "three")] == ["one", "two", "three"]
    assert proxied.site.answers.hits >= 1
    assert len({answered(proxied, None) for _turn in range(3)}) == 3


@pytest.mark.parametrize("path", ["/", "/healthz", "/nowhere", "/api/nowhere", "/uploads/nowhere.png", "/id/api/cms/v2/posts"])
def test_every_answer_has_one(proxied: Client, path: str) -> None:
    assert answered(proxied, "one", path=path) == "one"


def test_the_body_has_it_where_the_site_is_at_fault(
        proxied: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    def fail(*_args: Any, **_options: Any) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr(proxied.site.operations["post"], "list", fail)
    failed = proxied.http.get("/api/cms/v2/posts?per_page=3", headers={"X-Request-ID": "one"}, environ_base=PEER)
    refused = proxied.http.get("/api/cms/v2/posts/999999", headers={"X-Request-ID": "two"}, environ_base=PEER)

    assert failed.json["data"] == {"status": 500, "request_id": "one"}
    assert "(request one)" in caplog.text
    assert refused.json["data"] == {"status": 404}


# What is slow.


@pytest.fixture
def slow(make_client: Callable[..., Client]) -> Client:
    return make_client(slow_milliseconds=1)


def test_slow_statements_are_logged_without_their_values(slow: Client, caplog: pytest.LogCaptureFixture) -> None:
    count = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) SELECT count(*) FROM n"

    assert slow.site.database.scalar(count, (1_000_000,)) == 1_000_000
    assert re.search(r"a statement has taken \d+ ms: WITH RECURSIVE n .* i < \?\)", caplog.text)
    assert "1000000" not in caplog.text


def test_rows_that_come_slowly_count(slow: Client, caplog: pytest.LogCaptureFixture) -> None:
    count = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) SELECT i FROM n"

    assert sum(1 for _row in slow.site.database.each(count, (50_000,))) == 50_000
    assert len(re.findall("a statement has taken .* WITH RECURSIVE", caplog.text)) == 1


def test_slow_requests_are_logged_by_path_alone(slow: Client, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    moments = iter(range(1000))
    monkeypatch.setattr("cms.api.entrance.perf_counter", lambda: next(moments))

    slow.http.get("/api/cms/v2/posts?password=secret")

    assert re.search(r"'GET /api/cms/v2/posts' has taken 1000 ms \(request [0-9a-f]{16}\)", caplog.text)
    assert "secret" not in caplog.text


def test_nothing_is_slow_unless_asked_for(make_client: Callable[..., Client], caplog: pytest.LogCaptureFixture) -> None:
    client = make_client()
    with caplog.at_level(logging.INFO):
        client.http.get("/api/cms/v2/posts")

    assert "has taken" not in caplog.text

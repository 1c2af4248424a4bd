"""Every argument of every route gets every extreme of its type; both are taken from the discovery document."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

import pytest
from werkzeug.test import TestResponse

from cms.testing import Client, make_client

pytestmark = pytest.mark.long

FOLDER = Path(__file__).parents[1] / "plugins"
PLUGINS = sorted(path.stem for path in FOLDER.iterdir()
                 if not path.name.startswith("_") and (path.suffix == ".py" or (path / "__init__.py").exists()))
LARGEST = 2**63 - 1
#: Seconds that any answer may take here; what was a fault took from one to hundreds.
MOST_SECONDS = 2.0

NUMBERS = [LARGEST, LARGEST + 1, -LARGEST, -LARGEST - 2, 2**64, 10**30, 0, -1, 10**15, 10**15 + 1]
ODD_NUMBERS = ["1e308", "1.5", "٥", "NaN", "0x10", "5\0"]
#: Words of the search index, of patterns and of SQL, other scripts, what can't be seen, nothing.
TEXTS = ["AND", '"', "*", 'a" OR "b', "NEAR(a b)", "^a", "a:b", "-", '""', "(", "%", "_", "\\", "' OR 1=1 --", "{}",
         "٥٦", "\u202e", "\x01\x0b\x1b\ufffe\uffff", " ", "", "null", "a" * 10_000, '"abc ' * 10, "a b " * 500]
BAD_TEXTS = ["a\0b", "\0"]
LISTS = [",".join(map(str, range(101))), "0," * 8_000, "1,a", f"{LARGEST},{LARGEST + 1}", ",", "a\0b", "AND", "-1"]
DATES = ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "2021-02-30T00:00:00", "2021-01-01T00:00:00\0", "٢٠٢١"]
PAGING = {"page": [1, 10**15, LARGEST], "per_page": [1, 100], "offset": [0, LARGEST], "orderby": ["include", "id"],
          "order": ["asc"], "include": ["1,2"], "search": ["a", '"'], "slug": ["a"]}
#: For bodies: also what addresses can't hold.
LONG = "a" * 100_000
DEEP: Any = "x"
for _level in range(200):
    DEEP = [DEEP] if _level % 2 else {"a": DEEP}
BODIES: list[Any] = [LARGEST, LARGEST + 1, -LARGEST - 2, 10**30, 1e308, "a\0b", "\x01\x0b", LONG, [[1]], {}, {"raw": "a\0b"},
                     True, DEEP, ["\0"], [LARGEST], [1] * 1_001, "1," * 40_000, "2021-01-01T00:00:00\0"]
#: What a write needs besides the one value that is looked at.
NEEDED = {"title": "T", "name": "N", "username": "somebody", "email": "s@example.org", "password": "secret words",
          "content": "C", "post": 1, "url": "https://93.184.216.34/hook", "events": ["post.created"], "key": "k"}


class Endpoint(NamedTuple):
    """Methods of a route with their arguments, as they are told."""

    pattern: str
    methods: list[str]
    args: dict[str, dict[str, Any]]

    def address(self, id: int) -> str:
        return "//api" + re.sub(r"\(\?P<\w+>[^)]*\)", str(id), self.pattern)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """A site with all bundled plugins, and something of every kind."""
    client = make_client(tmp_path_factory.mktemp("extremes"), plugins=PLUGINS)
    assert client.id_of("author") == 2
    for number in range(3):
        post = client.new("/posts", title=f"Post {number}", content="abc", status="publish")["id"]
        client.new("/pages", title=f"Page {number}", status="publish")
        client.new("/comments", "administrator", post=post, content=f"Comment {number}")
        client.new("/tags", name=f"Tag {number}")
    yield client
    client.close()


@pytest.fixture(scope="module")
def endpoints(site: Client) -> list[Endpoint]:
    routes = site.get("//api/").json["routes"]
    return [Endpoint(pattern, endpoint["methods"], endpoint["args"] or {})
            for pattern, route in routes.items() for endpoint in route["endpoints"]]


def values_of(argument: dict[str, Any]) -> list[Any]:
    if argument.get("enum"):
        return ["AND", "\0"]
    if argument.get("format") == "date-time":
        return DATES
    kind = argument.get("type")
    if kind == "integer":
        bounds = [argument[name] + by for name, by in (("minimum", -1), ("maximum", 1)) if name in argument]
        return [*NUMBERS, *ODD_NUMBERS, *bounds]
    return {"array": LISTS, "boolean": ["2", "\0"]}.get(str(kind), [*TEXTS, *BAD_TEXTS])


def answer_in_time(client: Client, method: str, address: str, **options: Any) -> TestResponse:
    began = time.perf_counter()
    answer = client.send(method, address, "administrator", **options)
    took = time.perf_counter() - began

    told = (method, address[:150], answer.status_code, answer.text[:300])
    assert answer.status_code < 500 or answer.json["code"] == "rest_trash_not_supported", told
    assert took < MOST_SECONDS, (*told, took)
    return answer


def names_the_argument(answer: TestResponse, name: str) -> bool:
    return answer.json["code"] != "rest_invalid_param" or name in answer.json["data"]["params"]


def query(**arguments: Any) -> str:
    return "&".join(f"{name}={quote(str(value).encode(errors='surrogatepass'))}" for name, value in arguments.items())


def test_every_argument_of_every_read_takes_or_refuses_every_extreme(site: Client, endpoints: list[Endpoint]) -> None:
    tried = 0
    for endpoint in endpoints:
        if "GET" not in endpoint.methods:
            continue
        for name, argument in endpoint.args.items():
            for value in values_of(argument):
                answer = answer_in_time(site, "GET", f"{endpoint.address(1)}?{query(**{name: value})}")

                tried += 1
                if answer.status_code == 400:
                    assert names_the_argument(answer, name), (endpoint.pattern, name, value, answer.text)
                if "\0" in str(value) and argument.get("type") and f"?P<{name}>" not in endpoint.pattern:
                    assert answer.status_code in (400, 404), (endpoint.pattern, name, answer.text[:200])
    assert tried > 3_000


def test_every_pair_of_paging_arguments_is_taken_or_refused(site: Client, endpoints: list[Endpoint]) -> None:
    for endpoint in endpoints:
        if "page" not in endpoint.args:
            continue
        known = [name for name in PAGING if name in endpoint.args]
        for one, other in combinations(known, 2):
            for value in PAGING[one]:
                for second in PAGING[other]:
                    answer_in_time(site, "GET", f"{endpoint.address(1)}?{query(**{one: value, other: second})}")


@pytest.mark.parametrize("id", [0, LARGEST, LARGEST + 1, 10**40])
def test_an_id_beyond_all_is_not_found(site: Client, endpoints: list[Endpoint], id: int) -> None:
    for endpoint in endpoints:
        if "(?P<id>[\\d]+)" in endpoint.pattern:
            for method in endpoint.methods:
                answer = answer_in_time(site, method, endpoint.address(id), query_string={"force": "true", "reassign": 1})

                assert answer.status_code in (400, 404), (method, endpoint.pattern, answer.text[:200])


def test_every_argument_of_every_write_takes_or_refuses_every_extreme(site: Client, endpoints: list[Endpoint]) -> None:
    tried = 0
    for endpoint in endpoints:
        if "POST" not in endpoint.methods:
            continue
        id = 2 if "/users/" in endpoint.pattern else 1  # not the account that asks
        needed = {name: value for name, value in NEEDED.items() if endpoint.args.get(name, {}).get("required")}
        for name in endpoint.args:
            if endpoint.pattern.endswith("/users/me") and name == "password":
                continue  # that of the account that asks
            for value in BODIES:
                answer = answer_in_time(site, "POST", endpoint.address(id), json={**needed, name: value})

                if answer.status_code == 400:
                    assert names_the_argument(answer, name), (endpoint.pattern, name, answer.text[:300])
                tried += 1
                if value == "a\0b" and f"?P<{name}>" not in endpoint.pattern:
                    assert answer.status_code in (400, 403), (endpoint.pattern, name, answer.text[:300])
    assert tried > 2_000

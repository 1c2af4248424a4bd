"""Random requests: for every route that a site tells of, each of its arguments with likely and with nasty values."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from hypothesis import strategies as st

#: In every text and many a number that is sent; no statement's own text may hold them.
MARK, NUMBER = "zqxmark", 7310739
ROLES = (None, "subscriber", "contributor", "author", "editor", "administrator")
METHODS = ("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE")
ENDINGS = ("", "'", '"', "' OR 1=1 --", '" OR ""="', "`", ";", ")", "(", "%", "_", "*", "\\", "\0", "\n", "\x1b", "٥",
           "\u202e", "\ud800", ",", ", 1", "' UNION SELECT * FROM users --", "NEAR(a b)", "a:b", "{}", "[[", "<script>", "../",
           "@x.example", " AND ", "x" * 300)
NUMBERS = (0, 1, 2, 3, -1, NUMBER, -NUMBER, 2**31, 2**63 - 1, 2**63, -2**63 - 1, 10**30)
DATES = ("2021-03-04T05:06:07", "2099-01-01T00:00:00Z", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "2021-02-30")
#: Arguments that every route takes, and names that none has declared.
EVERYWHERE = {"_fields": {"type": "string"}, "_embed": {"type": "string"}, "_envelope": {"type": "boolean"}, "_jsonp": {"type": "string"},
              "_method": {"type": "string", "enum": ["GET", "DELETE", "PUT"]}, "filter": {"type": "object"},
              f"{MARK}'": {"type": "string"}, "meta_key": {"type": "string"}, "status": {"type": "string"}, "id": {"type": "integer"}}

#: What a write or a deletion needs besides the values that are looked at.
NEEDED = {"title": f"{MARK} title", "name": f"{MARK} name", "username": f"{MARK}1", "email": f"{MARK}@example.org",
          "password": f"{MARK} words", "content": f"{MARK} content", "post": 1, "url": "https://93.184.216.34/hook",
          "events": ["post.created"], "force": True, "reassign": 1}

texts = st.one_of(st.sampled_from(ENDINGS), st.text(max_size=12)).map(lambda ending: MARK + ending)
numbers = st.one_of(st.integers(1, 12), st.sampled_from(NUMBERS))
plain = st.one_of(texts, numbers, st.booleans(), st.none(), st.sampled_from(["", "1,2", "null", "1e308", "٥"]))
nested = st.recursive(plain, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
    st.sampled_from(["raw", "rendered", "id", f"{MARK}'", "0"]), inner, max_size=3), max_leaves=6)


class Endpoint(NamedTuple):
    """Methods of a route with their arguments, as the discovery document tells them."""

    pattern: str
    methods: list[str]
    arguments: dict[str, dict[str, Any]]


class Asked(NamedTuple):
    """A request; a body that is text is sent as it stands."""

    endpoint: Endpoint
    method: str
    path: str
    query: list[tuple[str, str]]
    body: Any
    role: str | None


def endpoints_of(routes: dict[str, Any]) -> list[Endpoint]:
    """Return those of a discovery document."""
    return [Endpoint(pattern, endpoint["methods"], dict(endpoint["args"] or {}))
            for pattern, route in routes.items() for endpoint in route["endpoints"]]


@st.composite
def requests(draw: st.DrawFn, endpoints: list[Endpoint], known: dict[str, list[int]]) -> Asked:
    """Draw a request, of a method and an id that there are more often than not; ids are known by collection."""
    endpoint = draw(st.sampled_from(endpoints))
    method = draw(st.sampled_from(endpoint.methods * 4 + list(METHODS)))
    ids = known.get(endpoint.pattern.split("/")[3]) if endpoint.pattern.count("/") > 3 else None
    path = re.sub(r"\(\?P<\w+>(\[.*?\])\+\)", lambda place: draw(_segments(place[1], ids or [1])), endpoint.pattern)
    chosen = _arguments(draw, endpoint)
    query, body = [], None
    if method in ("POST", "PUT", "PATCH") and draw(st.integers(0, 9)):
        body = chosen if draw(st.integers(0, 19)) else draw(st.one_of(nested, st.sampled_from(["{", "[[", "\x00", f'{{"{MARK}'])))
    else:
        query = [pair for name, value in chosen.items() for pair in draw(_pairs(name, value))]
    language = draw(st.sampled_from(["", "", "", "/id", "/en"]))
    return Asked(endpoint, method, f"{language}/api{path}", query, body, draw(st.sampled_from(ROLES)))


def _segments(characters: str, ids: list[int]) -> st.SearchStrategy[str]:
    if characters == r"[\d]":
        there = st.sampled_from(ids)
        return st.one_of(there, there, there, st.integers(1, 20), st.sampled_from([0, NUMBER, 2**63, 10**30])).map(str)
    return st.sampled_from(["me", "1", "2", "post", "publish", "category", "primary", MARK])


def _arguments(draw: st.DrawFn, endpoint: Endpoint) -> dict[str, Any]:
    """Draw values of a few arguments, and of those that the route needs."""
    declared = {**EVERYWHERE, **endpoint.arguments}
    names = draw(st.lists(st.sampled_from([*endpoint.arguments] * 3 + [*EVERYWHERE]), max_size=5, unique=True))
    needed = [name for name, argument in endpoint.arguments.items() if argument.get("required") or name in NEEDED]
    chosen = {name: draw(values(declared[name])) for name in names}
    return chosen | {name: NEEDED.get(name, 1) for name in needed if name not in names and draw(st.integers(0, 7))}


def values(argument: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Return the values for an argument: of its type three times of four, else anything."""
    likely = _of_type(argument)
    return st.one_of(likely, likely, likely, nested)


def _of_type(argument: dict[str, Any]) -> st.SearchStrategy[Any]:
    if "enum" in argument:
        return st.sampled_from(argument["enum"])
    if argument.get("format") == "date-time":
        return st.sampled_from(DATES)
    kind = argument.get("type")
    if kind == "array":
        return st.lists(_of_type(argument.get("items", {})), max_size=4)
    if kind == "object":
        return st.dictionaries(st.sampled_from([*argument.get("properties", {}), "raw", f"{MARK}'"]), plain, max_size=3)
    return {"integer": numbers, "boolean": st.booleans()}.get(str(kind), st.one_of(texts, st.sampled_from(DATES)))


@st.composite
def _pairs(draw: st.DrawFn, name: str, value: Any) -> list[tuple[str, str]]:
    """Draw how a value is written in a query: lists and objects in brackets, or by commas."""
    if isinstance(value, dict):
        return [(f"{name}[{key}]", str(inner)) for key, inner in value.items()]
    if isinstance(value, list):
        style = draw(st.sampled_from(["csv", "[]", "[0]"]))
        if style != "csv":
            return [(name + style, str(inner)) for inner in value]
        return [(name, ",".join(map(str, value)))]
    return [(name, str(value).lower() if isinstance(value, bool) else str(value))]

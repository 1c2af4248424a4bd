"""Likely requests: lists by arguments whose values are in the content, and writes that make more of it."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import Any

from fuzzing.requests import Asked, Endpoint

from engines.world import DATES, SAMPLED, WORDS, text

ROLES = ("administrator",) * 5 + ("editor",) * 3 + ("author", "contributor", "subscriber", None, None)
WRITERS = ("administrator",) * 6 + ("editor",) * 3 + ROLES[8:]
#: What is asked for in many a list.
OFTEN = ("orderby", "order", "status", "search", "context", "cursor")
#: What would keep an account from signing in again, or takes long.
LEFT_OUT = ("password", "roles", "username", "id", "_method")
USERS = "/cms/v2/users"
#: Dates whose form isn't declared.
DATED = ("date", "date_gmt")
#: How a filter compares, and which ones do.
COMPARED = {name for name, _kind, _more in SAMPLED} | {"serves", "code"}
OPERATORS = ("gte", "gt", "lte", "lt", "in", "not")
FILES = Path(__file__).parents[1] / "media" / "files"
UPLOADED = ("harbour.png", "readme.txt", "report.pdf", "moving.gif")
FORMATS = {"uri": ("http://one.example/a?b=%C3%A9", "https://two.example/ÄPFEL", "/x"), "email": ("a.b@one.example", "A.B@One.example"),
           "hex-color": ("#aabbcc", "#AABBCC"), "ip": ("192.0.2.1", "2001:db8::1")}
#: Long enough for no entry of an index, and too mixed to be made shorter.
LENGTHY = 3_000
PLACE = re.compile(r"\(\?P<\w+>(\[.*?\])\+\)")


class Likely:
    """Makes requests to the endpoints of a site; `known` are ids by collection, to which answers add."""

    def __init__(self, endpoints: list[Endpoint], numbers: Random) -> None:
        self._numbers = numbers
        self._lists = [each for each in endpoints if "per_page" in each.arguments]
        self._reads = [each for each in endpoints if each.methods == ["GET"] and each not in self._lists]
        self._writes = [each for each in endpoints if "GET" not in each.methods and "/users/me" not in each.pattern]
        self._creates = [each for each in self._writes if PLACE.search(each.pattern) is None]
        self.known: dict[str, list[int]] = {}
        self.next = Asked(endpoints[0], "GET", "/api/", [], None, None)

    def ask(self) -> Asked:
        """Return the next request."""
        kind = self._numbers.random()
        if self.next.query and kind < 0.15:
            return self.next
        if kind < 0.65:
            return self._list()
        if kind < 0.66:
            return self._upload()
        return self._write() if kind < 0.9 else self._read()

    def _list(self) -> Asked:
        endpoint = self._numbers.choice(self._lists)
        chosen = {"per_page": self._numbers.randrange(1, 12), "page": self._numbers.choice([1, 1, 1, 2, 3])}
        often = [name for name in OFTEN if name in endpoint.arguments]
        names = self._numbers.sample(often, self._numbers.randrange(len(often) + 1) // 2 + (1 if often else 0))
        names += self._numbers.sample(list(endpoint.arguments), self._numbers.randrange(4))
        chosen |= {name: self._value(name, endpoint.arguments[name], endpoint) for name in names if name not in LEFT_OUT}
        if "cursor" in chosen:
            chosen |= {"cursor": "*", "page": ""}
        return self._asked(endpoint, "GET", chosen)

    def _read(self) -> Asked:
        endpoint = self._numbers.choice(self._reads)
        chosen = {"context": self._numbers.choice(["view", "edit", "embed"])} if "context" in endpoint.arguments else {}
        if self._numbers.random() < 0.3:
            chosen["_embed"] = "1"
        return self._asked(endpoint, "GET", chosen)

    def _write(self) -> Asked:
        endpoint = self._numbers.choice(self._creates if self._numbers.random() < 0.3 else self._writes)
        method = self._numbers.choice(endpoint.methods)
        if method == "DELETE":
            return self._asked(endpoint, method, {"force": self._numbers.random() < 0.5, "reassign": 1})
        names = [name for name in endpoint.arguments if name not in LEFT_OUT]
        needed = [name for name in names if endpoint.arguments[name].get("required") or name in ("title", "content", "status", "post")]
        names = [*needed, *self._numbers.sample(names, self._numbers.randrange(min(6, len(names) + 1)))]
        body = {name: self._value(name, endpoint.arguments[name], endpoint) for name in names}
        if endpoint.pattern == USERS:
            body |= {"username": text(self._numbers), "password": "correct-horse-battery", "email": self._numbers.choice(FORMATS["email"])}
        return Asked(endpoint, method, self._path(endpoint), [], body, self._numbers.choice(WRITERS))

    def _upload(self) -> Asked:
        name = self._numbers.choice(UPLOADED)
        endpoint = Endpoint("/cms/v2/media", ["POST"], {"file": name})
        return Asked(endpoint, "POST", "/api/cms/v2/media", [], (FILES / name).read_bytes(), self._numbers.choice(WRITERS))

    def _asked(self, endpoint: Endpoint, method: str, chosen: dict[str, Any]) -> Asked:
        query = [pair for name, value in chosen.items() for pair in self._pairs(name, value)]
        return Asked(endpoint, method, self._path(endpoint), query, None, self._numbers.choice(ROLES))

    def _path(self, endpoint: Endpoint) -> str:
        collection = endpoint.pattern.split("/")[3] if endpoint.pattern.count("/") > 2 else ""
        ids = self.known.get(collection) or [1]

        def place(found: re.Match[str]) -> str:
            return str(self._numbers.choice(ids)) if found[1] == r"[\d]" else self._numbers.choice(["post", "publish", "category", "me", "1"])

        return "/api" + PLACE.sub(place, endpoint.pattern)

    def _value(self, name: str, argument: dict[str, Any], endpoint: Endpoint) -> Any:
        numbers = self._numbers
        if "enum" in argument:
            return numbers.choice(argument["enum"])
        kind = argument.get("type")
        kind = kind[0] if isinstance(kind, list) else kind
        if kind == "array":
            return [self._value(name, argument.get("items", {}), endpoint) for _each in range(numbers.randrange(1, 4))]
        if kind == "object":
            return {each: self._value(each, inner, endpoint) for each, inner in argument.get("properties", {}).items()} or {"raw": text(numbers)}
        if kind in ("integer", "number"):
            return self._number(name, kind)
        if kind == "boolean":
            return numbers.random() < 0.5
        if argument.get("format") in ("date-time", "date") or name in DATED:
            return numbers.choice(DATES)[: 10 if argument.get("format") == "date" else None]
        if argument.get("format") in FORMATS and numbers.random() < 0.8:
            return numbers.choice(FORMATS[argument["format"]])
        if name == "search":
            return text(numbers, 2)[: numbers.randrange(1, 9)]
        if numbers.random() < 0.02:
            return numbers.randbytes(LENGTHY).hex()
        return numbers.choice([text(numbers), numbers.choice(WORDS), numbers.choice(WORDS).upper()])

    def _number(self, name: str, kind: str) -> float:
        numbers = self._numbers
        if kind == "number":
            return numbers.choice([1, 1.5, 2.5, 9, 10, -0.1])
        if name in ("offset", "menu_order", "whole", "serves", "author"):
            return numbers.randrange(0, 9)
        return numbers.choice(numbers.choice(list(self.known.values()) or [[1]]) or [1])

    def _pairs(self, name: str, value: Any) -> list[tuple[str, str]]:
        if isinstance(value, list):
            return [(name, ",".join(map(str, value)))]
        if isinstance(value, dict):
            return [(f"{name}[{key}]", str(inner)) for key, inner in value.items()]
        written = str(value).lower() if isinstance(value, bool) else str(value)
        if name in COMPARED and self._numbers.random() < 0.4:
            name = f"{name}[{self._numbers.choice(OPERATORS)}]"
        return [(name, written)] if written else []

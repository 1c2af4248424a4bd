"""A site that random requests are sent to, and what is wrong with its answers."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from hypothesis import HealthCheck, Phase, given, seed, settings
from werkzeug.test import TestResponse

from cms.db.sqlite import thread_connections as connection
from cms.testing import SETTINGS, Client, make_client
from fuzzing.requests import MARK, NUMBER, ROLES, Asked, endpoints_of, requests
from fuzzing.shapes import Answers

FOLDER = Path(__file__).parents[2] / "plugins"
PLUGINS = sorted(f"cms_plugins.{path.stem}" for path in FOLDER.iterdir()
                 if not path.name.startswith("_") and (path.suffix == ".py" or (path / "__init__.py").exists()))
#: After so many requests the site is as it was: what is left to find doesn't shrink as its content goes.
RENEWED = 400


class Finding(NamedTuple):
    """A request whose answer isn't right, and the kind of its fault."""

    kind: str
    asked: Asked
    status: int
    text: str

    def __str__(self) -> str:
        asked = self.asked
        return f"{asked.role} {asked.method} {asked.path} {asked.query} {asked.body!r} → {self.status} {self.text}"


class Cursor(sqlite3.Cursor):
    """Notes the statements that hold text of a request."""

    found: list[str] = []

    def execute(self, sql: str, *values: Any) -> Cursor:
        if MARK in sql or str(NUMBER) in sql:
            self.found.append(sql)
        return super().execute(sql, *values)


class Connection(connection.Connection):
    """A connection whose statements are looked at; `execute` of connections makes a cursor, too."""

    def cursor(self, factory: Any = Cursor) -> Any:
        return super().cursor(factory)


class Run:
    """Sends requests and collects findings; the same seed sends the same requests."""

    def __init__(self, folder: Path, number: int) -> None:
        self.findings: list[Finding] = []
        self.statuses: Counter[int] = Counter()
        self.sent = 0
        self._seed = number
        self._folder = folder
        self._usual, connection.Connection = connection.Connection, Connection
        fill(folder / "ready")
        self.client = self._renewed()
        self._endpoints = endpoints_of(self.client.get("//api/").json["routes"])
        self._known = self._ids()
        self._answers = Answers(self.client.get("//api/openapi.json").json)

    def send(self, number: int) -> None:
        """Send so many requests."""
        quiet = settings(max_examples=number, database=None, deadline=None, phases=[Phase.generate],
                         suppress_health_check=list(HealthCheck))
        seed(self._seed)(quiet(given(requests(self._endpoints, self._known))(self._look_at)))()

    def close(self) -> None:
        """Close the site; connections are made as usual again."""
        self.client.close()
        connection.Connection = self._usual

    def _renewed(self) -> Client:
        place = self._folder / "site"
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(self._folder / "ready", place)
        client = Client(place, {**SETTINGS, "plugins": PLUGINS})
        client.accounts |= {role: (role, client.accounts["administrator"][1]) for role in ROLES[1:-1] if role}
        return client

    def _ids(self) -> dict[str, list[int]]:
        """Return the ids that there are, by collection."""
        known = {}
        for endpoint in self._endpoints:
            if "per_page" in endpoint.arguments and endpoint.pattern.count("/") == 3:
                answer = self.client.get(f"//api{endpoint.pattern}?per_page=100", "administrator")
                any_status = self.client.get(f"//api{endpoint.pattern}?per_page=100&status=any", "administrator")
                found = any_status if any_status.status_code == 200 else answer
                if found.status_code == 200:
                    known[endpoint.pattern.split("/")[3]] = [item["id"] for item in found.json]
        return known

    def _look_at(self, asked: Asked) -> None:
        if self.sent and self.sent % RENEWED == 0:
            self.client.close()
            self.client = self._renewed()
        self.sent += 1
        Cursor.found.clear()
        answer = self._answer(asked)
        self.statuses[answer.status_code] += 1
        for fault in dict.fromkeys((*self._faults(asked, answer), *(f"in a statement: {sql}" for sql in Cursor.found))):
            self.findings.append(Finding(f"{asked.endpoint.pattern}: {fault}", asked, answer.status_code, answer.text[:300]))

    def _answer(self, asked: Asked) -> TestResponse:
        pairs = [f"{_written(name)}={_written(value)}" for name, value in asked.query]
        options: dict[str, Any] = {"query_string": "&".join(pairs)}
        if asked.body is not None:
            text = asked.body if isinstance(asked.body, str) else json.dumps(asked.body)
            options |= {"data": text.encode(errors="surrogatepass"), "content_type": "application/json"}
        return self.client.send(asked.method, f"/{asked.path}", asked.role, **options)

    def _faults(self, asked: Asked, answer: TestResponse) -> Iterator[str]:
        status, names, method = answer.status_code, _names(asked), _method(asked)
        if status >= 500 and not (answer.json and answer.json["code"] == "rest_trash_not_supported"):
            yield f"{status} {answer.text[:80]}"
        if method not in ("HEAD", "OPTIONS"):
            chosen, envelope = (any(re.match(rf"{feature}(\[|$)", name) for name in names) for feature in ("_fields", "_envelope"))
            yield from self._answers.faults(asked.endpoint.pattern, method, answer, chosen, envelope)


def _method(asked: Asked) -> str:
    """Return the method that is meant; an empty name names none."""
    named = [value for name, value in asked.query if name == "_method"]
    return named[-1].upper() if asked.method == "POST" and named and named[-1] else asked.method


def _names(asked: Asked) -> list[str]:
    body = asked.body if isinstance(asked.body, dict) else {}
    return [*body, *(name for name, _value in asked.query)]


def _written(text: str) -> str:
    return quote(text.encode(errors="surrogatepass"))


def fill(folder: Path) -> None:
    """Make a site with all bundled plugins, accounts of all roles and something of every kind."""
    folder.mkdir()
    client = make_client(folder, plugins=PLUGINS)
    for role in ROLES[1:]:
        client.account(str(role))
    for number, status in enumerate(("publish", "draft", "private")):
        post = client.new("/posts", title=f"Post {number}", content="abc", status=status)["id"]
        client.send("POST", f"/posts/{post}", "editor", json={"content": "changed"})
        client.new("/pages", title=f"Page {number}", status=status)
        client.new("/events", title=f"Event {number}", status=status, start="2030-01-01T10:00:00")
        client.new("/tags", name=f"Tag {number}")
        client.new("/categories", name=f"Category {number}")
    client.new("/comments", "administrator", post=1, content="Comment")
    client.new("/menus", "administrator", name="Menu")
    client.new("/webhooks", "administrator", url="https://93.184.216.34/hook", events=["post.created"])
    client.close()

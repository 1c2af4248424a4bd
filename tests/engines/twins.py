"""Two sites that were asked the same at the same moments, one in a file and one on a server of PostgreSQL."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from fuzzing.requests import Asked
from servers import drop_database, new_database
from werkzeug.test import TestResponse

from cms.db.whole_copy import source_of
from cms.db.whole_tables import quoted
from cms.testing import SETTINGS, Client, make_client
from engines.moments import Moments

#: What no answer has in common with another one.
OWN_HEADERS = ("X-Request-Id", "Date")
#: Nobody is kept waiting, and no attempts are counted; a password that was checked is remembered, however long a run takes.
UNLIMITED = dict.fromkeys(
    ("comment_interval", "sign_in_failures", "sign_in_failures_address", "sign_in_failures_account", "item_password_failures"), 0)
UNLIMITED["sign_in_memory"] = 86_400
REQUEST_ID = re.compile(r'"request_id":"\w+"')
CURSOR = "X-CMS-Cursor"
ENGINES = ("file", "server")
#: What each site has for itself: keys, columns that hold salt.
STORE_KEYS = "UPDATE options SET value = ? WHERE name IN ('cursor_key', 'factor_key')"
KEY = f'"{"0123456789abcdef" * 4}"'
OWN_COLUMNS = ("password_hash",)
#: How much is shown of two texts around the first sign in which they differ.
BEFORE, BEHIND = 200, 200


class Difference(NamedTuple):
    """A request that isn't answered alike: what differs, by the file and by the server."""

    kind: str
    asked: str
    told: tuple[str, str]

    def __str__(self) -> str:
        return f"{self.asked}\n    file:   {self.told[0]}\n    server: {self.told[1]}"


class Twins:
    """Two sites with the same content; `fill` makes it, given a client of each."""

    def __init__(self, folder: Path, fill: Callable[[Client], None], types: dict[str, str] | None = None, **config: Any) -> None:
        self.moments = Moments()
        self._folder = folder
        self._settings = {**SETTINGS, **UNLIMITED, **config}
        self._addresses = {"file": "site.db", "server": new_database()}
        self._accounts: dict[str, tuple[str, str]] = {}
        for engine in ENGINES:
            self._make(engine, fill, types or {})
        self._moment = self.moments.number
        #: The server's cursors by the file's: they hold what an engine orders by, which needn't be the same.
        self._cursors: dict[str, str] = {}
        self.clients: tuple[Client, ...] = ()
        self.renew()

    def _make(self, engine: str, fill: Callable[[Client], None], types: dict[str, str]) -> None:
        place = self._folder / "ready" / engine
        (place / "types").mkdir(parents=True)
        for name, text in types.items():
            (place / "types" / f"{name}.toml").write_text(text, encoding="utf-8")
        with self.moments.at(1):
            client = make_client(place, **self._settings, database=self._addresses[engine])
            _set_clock(client, self.moments)
            with client.site.database.write():
                client.site.database.execute(STORE_KEYS, (KEY,))
            fill(client)
            client.close()
        self._accounts = client.accounts

    def renew(self) -> None:
        """Have both sites be as they were when they had been filled."""
        self.close()
        self.clients = tuple(map(self._copy, ENGINES))

    def _copy(self, engine: str) -> Client:
        place, database = self._folder / "used" / engine, "site.db"
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(self._folder / "ready" / engine, place)
        if engine == "server":
            database = new_database(self._addresses["server"])
        client = Client(place, {**self._settings, "database": database})
        client.accounts |= self._accounts
        _set_clock(client, self.moments)
        return client

    def do_timed_work(self) -> None:
        """Have both sites tell plugins of what has become due, and of what has happened."""
        self._moment += 1
        for client in self.clients:
            with self.moments.at(self._moment):
                client.site.publications.publish_due(lambda: False)
                client.site.outbox.deliver(lambda: False)

    def compare_rows(self) -> list[Difference]:
        """Return in which tables the rows aren't the same, with the first that differ."""
        one, other = (dict(_rows(client)) for client in self.clients)
        found = []
        for table in sorted(one | other):
            rows = one.get(table, []), other.get(table, [])
            if rows[0] != rows[1]:
                found.append(_difference_of_rows(table, set(rows[0]), set(rows[1])))
        return found

    def close(self) -> None:
        """Close both sites."""
        for client in self.clients:
            client.close()
            drop_database(client.site.config.server)
        self.clients = ()

    def ask(self, asked: Asked) -> tuple[TestResponse, list[Difference]]:
        """Send a request to both; return the answer of the site in a file, and in what the other one differs."""
        answers = []
        self._moment += 1
        for client, cursors in zip(self.clients, ({}, self._cursors), strict=True):
            query = [(name, cursors.get(value, value)) for name, value in asked.query]
            with self.moments.at(self._moment):
                answers.append(_answer(client, asked._replace(query=query)))
        one, other = (answer.headers.get(CURSOR, "") for answer in answers)
        self._cursors[one] = other
        told = [dict(_told(answer)) for answer in answers]
        line = f"{asked.role} {asked.method} {asked.path} {asked.query} {asked.body!r}"
        found = []
        for part in dict.fromkeys((*told[0], *told[1])):
            one, other = told[0].get(part, ""), told[1].get(part, "")
            if one != other:
                found.append(Difference(f"{asked.method} {asked.endpoint.pattern}: {part}", line, _around(one, other)))
        return answers[0], found


def _set_clock(client: Client, moments: Moments) -> None:
    client.site.context.runtime.now = moments.now


def _rows(client: Client) -> Iterator[tuple[str, list[str]]]:
    """Yield each table with its rows, in the order of their texts."""
    with source_of(client.site.database) as source:
        for name, table in source.tables.items():
            listed = ", ".join(map(quoted, sorted(set(table.columns).difference(OWN_COLUMNS))))
            yield name, sorted(str(dict(row)) for row in source.reader.each(f"SELECT {listed} FROM {quoted(name)}"))


def _difference_of_rows(table: str, one: set[str], other: set[str]) -> Difference:
    """Tell how many rows are in one of two tables alone, and what the first of these are."""
    counts = f"{table}: {len(one - other)} of {len(one)} and {len(other - one)} of {len(other)}"
    return Difference(f"rows of {table}", counts, (str(sorted(one - other)[:2]), str(sorted(other - one)[:2])))


def _answer(client: Client, asked: Asked) -> TestResponse:
    options: dict[str, Any] = {"query_string": "&".join(f"{_written(name)}={_written(value)}" for name, value in asked.query)}
    if isinstance(asked.body, bytes):
        named = {"Content-Disposition": f'attachment; filename="{asked.endpoint.arguments["file"]}"'}
        options |= {"data": asked.body, "content_type": "application/octet-stream", "headers": named}
    elif asked.body is not None:
        text = asked.body if isinstance(asked.body, str) else json.dumps(asked.body)
        options |= {"data": text.encode(errors="surrogatepass"), "content_type": "application/json"}
    return client.send(asked.method, f"/{asked.path}", asked.role, **options)


def _written(text: str) -> str:
    return quote(text.encode(errors="surrogatepass"))


def _told(answer: TestResponse) -> Iterator[tuple[str, str]]:
    yield "status", f"{answer.status_code}"
    cursor = answer.headers.get(CURSOR)
    for name, value in sorted(answer.headers.items()):
        if name not in OWN_HEADERS:
            yield name, value.replace(quote(cursor), "…").replace(cursor, "…") if cursor else value
    yield "text", REQUEST_ID.sub("", answer.text)


def _around(one: str, other: str) -> tuple[str, str]:
    """Return what stands in two texts around the first sign that isn't the same."""
    alike = (first == second for first, second in zip(one, other, strict=False))
    place = next((place for place, is_alike in enumerate(alike) if not is_alike), min(len(one), len(other)))
    begin, end = max(0, place - BEFORE), place + BEHIND
    return one[begin:end], other[begin:end]

"""A site to test against, and a client that acts as accounts of each role."""

from __future__ import annotations

import base64
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from adapter import PASSWORD, URL, ready_database
from werkzeug.test import TestResponse

from cms import create_app
from cms.setup import add_account
from cms.site import Site

__all__ = ["URL", "Client", "Clock", "basic"]


class Client:
    """Sends requests to a site's API, as a visitor or as an account of a role."""

    def __init__(self, folder: Path, **config: Any) -> None:
        if not (folder / "site.db").exists():
            shutil.copy(ready_database(), folder / "site.db")
        settings = {"url": URL, "password_cost": "low", "synchronous": "normal", **config}
        self.app = create_app(settings, folder)
        self.site: Site = self.app.extensions["cms"]
        self.http = self.app.test_client()
        self.accounts = {"administrator": ("admin", PASSWORD)}

    def account(self, role: str) -> tuple[str, str]:
        """Return login and password of an account with a role, made when first asked for."""
        name = role.rstrip("2")
        if role not in self.accounts:
            self.accounts[role] = (role, "correct-horse-battery")
            add_account(self.site, username=role, email=f"{role}@example.org", password="correct-horse-battery",
                        roles=[name])
        return self.accounts[role]

    def id_of(self, role: str) -> int:
        """Return the id of a role's account."""
        row = self.site.database.row("SELECT id FROM users WHERE login = ?", (self.account(role)[0],))
        assert row is not None
        return int(row["id"])

    def statements(self, act: Callable[[], Any]) -> list[str]:
        """Return the SQL statements that the site's connection runs while something is done."""
        seen: list[str] = []
        connection = self.site.database.peewee.connection()
        connection.set_trace_callback(seen.append)
        act()
        connection.set_trace_callback(None)
        return [sql for sql in seen if not sql.startswith("--")]  # those of a virtual table's own workings

    def send(self, method: str, path: str, as_: str | None = None, **options: Any) -> TestResponse:
        """Send a request to an address below the namespace, or below the home where it begins with two slashes."""
        headers = dict(options.pop("headers", {}))
        if as_:
            headers["Authorization"] = basic(*self.account(as_))
        address = path[1:] if path.startswith("//") else f"/api/cms/v2{path}"
        return self.http.open(address, method=method, headers=headers, **options)

    def get(self, path: str, as_: str | None = None, **options: Any) -> TestResponse:
        """Send a GET."""
        return self.send("GET", path, as_, **options)

    def post(self, path: str, data: Any = None, as_: str | None = "editor", **options: Any) -> TestResponse:
        """Send a POST with a JSON body."""
        return self.send("POST", path, as_, json=data or {}, **options)

    def new(self, path: str, as_: str = "editor", **fields: Any) -> dict[str, Any]:
        """Create an item and return it."""
        answer = self.post(path, fields, as_)
        assert answer.status_code == 201, answer.text
        return dict(answer.json)


class Clock:
    """A time that stands still until it is set."""

    now = 1_700_000_000.0

    def __call__(self) -> float:
        return self.now


def basic(login: str, password: str) -> str:
    """Return the value of an Authorization header."""
    return "Basic " + base64.b64encode(f"{login}:{password}".encode()).decode()

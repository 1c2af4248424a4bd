"""A new site for a test, and a client of it that acts as accounts of each role."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from werkzeug.test import TestResponse

from cms.app import create_app
from cms.assembly import open_site
from cms.config import load_config
from cms.install.bootstrap import add_account, set_up
from cms.site import Site

URL = "http://cms.example"
PASSWORD = "correct-horse-battery"  # noqa: S105 (of accounts that live as long as a test)
#: What makes a site quick, and its tests repeatable.
SETTINGS = {
    "url": URL,
    "password_cost": "low",
    "synchronous": "normal",
    "comment_interval": 0,
    "background": False,
}


def make_client(folder: Path, **config: Any) -> Client:
    """Make a new site in a folder, with all migrations of its plugins, and return a client of it."""
    settings = {**SETTINGS, **config}
    site = open_site(load_config(folder, settings, environ={}))
    set_up(site, password=PASSWORD)
    site.close()
    return Client(folder, settings)


class Client:
    """Sends requests to a site's API, as a visitor or as an account of a role.

    `http` is Flask's own test client, for addresses outside the API.
    """

    def __init__(
        self,
        folder: Path,
        settings: Mapping[str, object],
        administrator: str = "admin",
        password: str = PASSWORD,
    ) -> None:
        self.app = create_app(settings, folder)
        self.site: Site = self.app.extensions["cms"]
        self.http = self.app.test_client()
        self.accounts = {"administrator": (administrator, password)}

    def close(self) -> None:
        """Close the site's connections."""
        self.site.close()

    def account(self, role: str) -> tuple[str, str]:
        """Return login and password of an account with a role, made when first asked for.

        A number behind a role's name (`author2`) stands for another account with that role.
        """
        if role not in self.accounts:
            self.accounts[role] = (role, PASSWORD)
            add_account(
                self.site,
                username=role,
                email=f"{role}@example.org",
                password=PASSWORD,
                roles=[role.rstrip("0123456789")],
            )
        return self.accounts[role]

    def id_of(self, role: str) -> int:
        """Return the id of a role's account."""
        return self.site.authentication.by_login(self.account(role)[0]).id

    def statements(self, act: Callable[[], object]) -> list[str]:
        """Return the SQL statements that the site's connection runs while something is done.

        What was kept of answers is forgotten before.
        """
        self.site.answers.clear()
        self.site.embedding.clear()
        seen: list[str] = []
        connection = self.site.database.peewee.connection()
        connection.set_trace_callback(seen.append)
        act()
        connection.set_trace_callback(None)
        return [sql for sql in seen if not sql.startswith("--")]  # those of a virtual table's own workings

    def send(self, method: str, path: str, as_: str | None = None, **options: Any) -> TestResponse:
        """Send a request as a role to an address below `/api/cms/v2`, or below the home after two slashes."""
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

    def delete(self, path: str, as_: str | None = "editor", **options: Any) -> TestResponse:
        """Send a DELETE."""
        return self.send("DELETE", path, as_, **options)

    def new(self, path: str, as_: str = "editor", **fields: Any) -> dict[str, Any]:
        """Create an item and return it; fails where it isn't created."""
        answer = self.post(path, fields, as_)
        assert answer.status_code == 201, answer.text
        return dict(answer.get_json())


def basic(login: str, password: str) -> str:
    """Return the value of an Authorization header."""
    return "Basic " + base64.b64encode(f"{login}:{password}".encode()).decode()

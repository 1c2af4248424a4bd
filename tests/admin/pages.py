"""A browser at the editing page: it has the cookie of its session, and sends the session's nonce."""

from __future__ import annotations

from typing import Any

from sites import Client
from werkzeug.test import TestResponse


class Browser:
    """One browser at a site's editing page; its requests come from the page itself."""

    def __init__(self, client: Client, address: str = "192.0.2.1") -> None:
        self.client, self.nonce = client, ""
        self.http = client.app.test_client()
        self._from = {"REMOTE_ADDR": address}

    def send(self, method: str, path: str, body: Any = None, **headers: str) -> TestResponse:
        """Send a request to a route of the page, or to the API below `/api`."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.nonce:
            named = {"X-CMS-Nonce": self.nonce, **named}
        address = path if path.startswith("/api") else f"/admin/api/{path}"
        return self.http.open(address, method=method, json=body, headers=named, environ_base=self._from)

    def sign_in(self, role: str = "editor", **body: str) -> TestResponse:
        """Sign in as a role's account."""
        login, password = self.client.account(role)
        answer = self.send("POST", "session", {"username": login, "password": password, **body})
        if answer.status_code == 200:
            self.nonce = answer.json["nonce"]
        return answer

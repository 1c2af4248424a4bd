"""Sites that are made, served, backed up and restored through the command line."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clients.served import CMS, ROOT
from media.uploading import read
from serving.servers import ADMIN, PASSWORD, Server, serving

JSON = {"Content_Type": "application/json"}
POSTS = "/api/cms/v2/posts"


@dataclass(frozen=True)
class Site:
    """The folder of a site, and the settings of its environment."""

    folder: Path
    settings: dict[str, str]

    def cms(self, *arguments: str, code: int = 0, **settings: str) -> str:
        """Run the command, expect it to end with a code, and return what it printed: output, or errors for a failure."""
        done = subprocess.run([*CMS, *arguments], env=self.environ(**settings), capture_output=True, text=True, timeout=300,
                              cwd=self.folder.parent, check=False)
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout if code == 0 else done.stderr

    def told(self, *arguments: str, **settings: str) -> Any:
        """Run the command for its JSON."""
        return json.loads(self.cms(*arguments, "--json", **settings))

    def environ(self, **settings: str) -> dict[str, str]:
        inherited = {**os.environ, "PYTHONPATH": os.environ.get("PYTHONPATH") or str(ROOT)}
        return {**inherited, "CMS_INSTANCE": str(self.folder), **self.settings, **settings}

    @contextmanager
    def served(self, workers: int = 2, **settings: str) -> Iterator[Served]:
        """Serve the site by so many processes."""
        options = {**self.settings, "WEB_CONCURRENCY": str(workers), **settings}
        with serving(self.folder, "gthread", **options) as server:
            yield Served(server)


@dataclass(frozen=True)
class Served:
    """A served site, as its administrator uses it."""

    server: Server

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        data = json.dumps(body).encode() if body is not None else None
        return self.server.ask(method, path, data, **JSON, **ADMIN, **headers)

    def post(self, title: str) -> dict[str, Any]:
        answer = self.ask("POST", POSTS, {"title": title, "status": "publish"})
        assert answer.status == 201, answer.body
        return dict(answer.json)

    def titles(self) -> set[str]:
        """Return the titles of all posts as a visitor reads them, page by page."""
        found: set[str] = set()
        page = total = 1
        while page <= total:
            answer = self.server.ask("GET", f"{POSTS}?per_page=100&page={page}&_fields=title")
            total = int(answer.named["X-WP-TotalPages"])
            found |= {each["title"]["rendered"] for each in answer.json}
            page += 1
        return found

    def upload(self, name: str = "harbour.png", content: bytes | None = None) -> dict[str, Any]:
        data = content or read("harbour.png")
        answer = self.server.ask("POST", "/api/cms/v2/media", data, **ADMIN, Content_Type="image/png",
                                 Content_Disposition=f'attachment; filename="{name}"')
        assert answer.status == 201, answer.body
        return dict(answer.json)


def make_site(folder: Path, *plugins: str, **settings: str) -> Site:
    """Make a site without content."""
    site = Site(folder, {"CMS_PASSWORD_COST": "low", "CMS_URL": "http://site.example", "CMS_BACKGROUND": "false",
                         "CMS_PLUGINS": ",".join(plugins), **settings})
    subprocess.run([*CMS, "init", "--password-stdin"], env=site.environ(), input=PASSWORD, text=True, check=True,
                   capture_output=True, timeout=120)
    return site


def content_of(folder: Path) -> dict[str, object]:
    """Return the rows of all tables and all uploads, to compare states of a site."""
    found: dict[str, object] = {}
    with closing(sqlite3.connect(folder / "site.db")) as file:
        tables = file.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'")
        for (table,) in tables.fetchall():
            found[table] = sorted(map(repr, file.execute(f'SELECT * FROM "{table}"')))
    for path in (folder / "uploads").rglob("*"):
        if path.is_file() and path.name != "stray.txt":
            found[path.relative_to(folder).as_posix()] = path.read_bytes()
    return found


def await_true(condition: Any, seconds: float = 30) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it doesn't become true"
        time.sleep(0.05)

"""Gives the recorded conversations a pristine site of ours: a copy of a ready database file, no server between."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from cms import create_app
from cms.assembly import open_site
from cms.config import load_config
from cms.install.bootstrap import set_up

URL = "http://cms.example"
PASSWORD = "Adm1n-pass-phrase"
_ready: list[Path] = []


def ready_database() -> Path:
    """Make the database of a pristine site once, and return where it lies."""
    if not _ready:
        folder = Path(tempfile.mkdtemp(prefix="cms-ready-"))
        site = open_site(load_config(folder, {"url": URL, "password_cost": "low"}, environ={}))
        set_up(site, password=PASSWORD)
        # The player's masks go by number: ids of different kinds must not be equal by chance.
        site.database.execute("INSERT INTO sqlite_sequence (name, seq) VALUES ('comments', 50000), ('content', 20)")
        site.database.peewee.execute_sql("PRAGMA wal_checkpoint(TRUNCATE)")
        site.close()
        _ready.append(site.config.database)
    return _ready[0]


class FreshSite:
    """A site that nobody has used yet."""

    namespace = "cms/v2"
    home = URL
    api = f"{URL}/api"
    admin = ("admin", PASSWORD)

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="cms-site-"))
        shutil.copy(ready_database(), self.folder / "site.db")
        self.app = create_app({"url": URL, "password_cost": "low", "synchronous": "normal", "comment_interval": 0,
                               "password_length": 0},  # those of the recordings are short
                              self.folder)
        self.client = self.app.test_client()

    def send(self, method: str, path: str, headers: dict[str, str], body: bytes | None):
        """Send a request to an address below the API root."""
        return self.send_home(method, "/api" + path, headers, body)

    def send_home(self, method: str, path: str, headers: dict[str, str], body: bytes | None):
        """Send a request to an address below the site's home."""
        got = self.client.open(path, method=method, headers=headers, data=body)
        return got.status_code, {name.lower(): value for name, value in got.headers}, got.data

    def close(self) -> None:
        """Remove the site."""
        self.app.extensions["cms"].close()
        shutil.rmtree(self.folder, ignore_errors=True)


def fresh() -> FreshSite:
    """Return a pristine site."""
    return FreshSite()

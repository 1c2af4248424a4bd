"""Gives the recorded conversations a pristine site of ours: a copy of a ready database file, no server between.

The environment variable CMS_PLUGINS names bundled plugins that the site has.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from cms import create_app
from cms.assembly import open_site
from cms.config import load_config
from cms.hooks.manager import CORE
from cms.install.bootstrap import set_up

URL = "http://cms.example"
PASSWORD = "Adm1n-pass-phrase"
_ready: dict[str, Path] = {}


def ready_database() -> Path:
    """Make the database of a pristine site with the plugins of the environment once, and return where it lies."""
    plugins = os.environ.get("CMS_PLUGINS", "")
    if plugins not in _ready:
        folder = Path(tempfile.mkdtemp(prefix="cms-ready-"))
        site = open_site(load_config(folder, {"url": URL, "password_cost": "low", "plugins": plugins}, environ={}))
        set_up(site, password=PASSWORD)
        # The player's masks go by number: ids of different kinds must not be equal by chance.
        site.database.execute("INSERT INTO sqlite_sequence (name, seq) VALUES ('comments', 50000), ('content', 20)")
        site.database.peewee.execute_sql("PRAGMA wal_checkpoint(TRUNCATE)")
        site.context.runtime.job_runs()  # makes the file of the attempts
        site.close()
        _ready[plugins] = site.config.database
    return _ready[plugins]


def copy_ready_site(folder: Path) -> None:
    """Put the files of a pristine site into a folder."""
    ready = ready_database()
    shutil.copyfile(ready, folder / "site.db")
    shutil.copyfile(ready.with_name("state.db"), folder / "state.db")


class FreshSite:
    """A site that nobody has used yet."""

    namespace = "cms/v2"
    home = URL
    api = f"{URL}/api"
    admin = ("admin", PASSWORD)

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="cms-site-"))
        copy_ready_site(self.folder)
        self.app = create_app({"url": URL, "password_cost": "low", "synchronous": "normal", "comment_interval": 0,
                               "password_length": 0},  # those of the recordings are short
                              self.folder)
        self.client = self.app.test_client()

    @property
    def added(self) -> frozenset[str]:
        """The names of what bundled plugins add to the items of the core."""
        plugins = self.app.extensions["cms"].plugins.loaded
        fields = [field for name, plugin in plugins.items() if name != CORE for field in plugin.registered.get("fields", ())]
        return frozenset(field.rpartition(".")[2] for field in fields)

    def send(self, method: str, path: str, headers: dict[str, str], body: bytes | None):
        """Send a request to an address below the API root."""
        return self.send_home(method, "/api" + path, headers, body)

    def send_home(self, method: str, path: str, headers: dict[str, str], body: bytes | None):
        """Send a request to an address below the site's home."""
        got = self.client.open(path, method=method, headers=headers, data=body)
        names = {name.lower() for name, _value in got.headers}
        return got.status_code, {name: ", ".join(got.headers.getlist(name)) for name in names}, got.data

    def close(self) -> None:
        """Remove the site."""
        self.app.extensions["cms"].close()
        shutil.rmtree(self.folder, ignore_errors=True)


def fresh() -> FreshSite:
    """Return a pristine site."""
    return FreshSite()

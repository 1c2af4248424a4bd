"""Gives the recorded conversations a pristine site of ours: a copy of a ready database file, no server between.

The environment variable CMS_PLUGINS names bundled plugins that the site has.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from servers import SERVER, address_in, drop_database, new_database, put_on_server

from cms import create_app
from cms.assembly import open_site
from cms.config import load_config
from cms.hooks.manager import CORE
from cms.install.bootstrap import set_up

URL = "http://cms.example"
PASSWORD = "Adm1n-pass-phrase"
_ready: dict[str, Path] = {}
#: The addresses of databases on a server, by the same plugins.
_addresses: dict[str, str] = {}


def ready_database() -> Path:
    """Make the database of a pristine site with the plugins of the environment once, and return where it lies."""
    plugins = os.environ.get("CMS_PLUGINS", "")
    if plugins not in _ready:
        folder = Path(tempfile.mkdtemp(prefix="cms-ready-"))
        settings = {"url": URL, "password_cost": "low", "plugins": plugins}
        if SERVER:
            settings["database"] = new_database()
        site = open_site(load_config(folder, settings, environ={}))
        set_up(site, password=PASSWORD)
        # The player's masks go by number: ids of different kinds must not be equal by chance.
        for table, last in (("comments", 50000), ("content", 20)):
            with site.database.write():
                site.database.sequences.move(table, last)
        if not SERVER:
            site.database.peewee.execute_sql("PRAGMA wal_checkpoint(TRUNCATE)")
        site.context.runtime.job_runs()  # makes the file of the attempts
        site.close()
        _ready[plugins] = site.config.database
        _addresses[plugins] = site.config.server
    return _ready[plugins]


def copy_ready_site(folder: Path) -> None:
    """Put the files of a pristine site into a folder."""
    ready = ready_database()
    if SERVER:
        put_on_server(folder, _addresses[os.environ.get("CMS_PLUGINS", "")])
        return
    shutil.copyfile(ready, folder / "site.db")
    shutil.copyfile(ready.with_name("state.db"), folder / "state.db")


def copy_site(ready: Path, folder: Path) -> None:
    """Give a site in a folder the content of another one, which nobody has open."""
    if SERVER:
        put_on_server(folder, address_in(ready))
    else:
        shutil.copyfile(ready / "site.db", folder / "site.db")


class FreshSite:
    """A site that nobody has used yet."""

    namespace = "cms/v2"
    home = URL
    api = f"{URL}/api"
    admin = ("admin", PASSWORD)

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="cms-site-"))
        copy_ready_site(self.folder)
        database = address_in(self.folder)
        self.app = create_app({"url": URL, **({"database": database} if database else {}), "password_cost": "low", "synchronous": "normal", "comment_interval": 0,
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
        site = self.app.extensions["cms"]
        site.close()
        drop_database(site.config.server)
        shutil.rmtree(self.folder, ignore_errors=True)


def fresh() -> FreshSite:
    """Return a pristine site."""
    return FreshSite()

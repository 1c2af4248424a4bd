"""A site to test against: a copy of a ready database file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from adapter import PASSWORD, URL, address_in, copy_ready_site
from servers import SERVER, new_database, put_on_server

from cms.assembly import open_site
from cms.config import load_config
from cms.db.migrate import PendingMigrations, migrate
from cms.testing import Client as Base
from cms.testing import basic

__all__ = ["URL", "Client", "Clock", "basic"]

BUNDLED = Path(__file__).parent.parent / "plugins"
#: The database of a new site with bundled plugins by its settings, which takes longer to make than to copy: its file, or its address.
READY: dict[str, bytes] = {}
READY_ON_SERVER: dict[str, str] = {}


class Client(Base):
    """A client of a pristine site, which is copied instead of made, or of the one that is in the folder."""

    def __init__(self, folder: Path, **config: Any) -> None:
        settings = {"url": URL, "password_cost": "low", "synchronous": "normal", "background": False, **config}
        key = repr(sorted(settings.items())) if has_bundled_plugins(settings) else ""
        if SERVER:
            settings = self._on_server(folder, settings, key)
        is_new = not SERVER and not (folder / "site.db").exists()
        if is_new:
            copy_ready_site(folder)
            put_log(folder)
        if is_new and key in READY:
            (folder / "site.db").write_bytes(READY[key])
        try:
            super().__init__(folder, settings, "admin", PASSWORD)
        except PendingMigrations:
            migrate_plugins(folder, settings)
            if is_new and key:
                READY[key] = (folder / "site.db").read_bytes()
            if SERVER and key and key not in READY_ON_SERVER:
                READY_ON_SERVER[key] = new_database(settings["database"])
            super().__init__(folder, settings, "admin", PASSWORD)
        if is_new:
            put_log(folder)

    def _on_server(self, folder: Path, settings: dict[str, Any], key: str) -> dict[str, Any]:
        if not (folder / "site.server").exists() and key in READY_ON_SERVER:
            put_on_server(folder, READY_ON_SERVER[key])
        elif not (folder / "site.server").exists():
            copy_ready_site(folder)
        # Tests ask from more threads than a site has, and these are gone before their connections are.
        return {"database": address_in(folder), "database_connections": 50, **settings}


def put_log(folder: Path) -> None:
    """Put an empty log beside a database that nobody has open: without one the system is asked who has it open.

    That takes 10 ms on some systems, and SQLite removes the log whenever the last connection is closed.
    """
    (folder / "site.db-wal").touch()


def has_bundled_plugins(settings: dict[str, Any]) -> bool:
    """Return whether a site has plugins, none of which is its own or has tables by the site's files."""
    names = settings.get("plugins") or ()
    is_bundled = all(isinstance(name, str) and (BUNDLED / name).is_dir() for name in names)
    return bool(names) and not isinstance(names, str) and is_bundled and "declared_types" not in names


def migrate_plugins(folder: Path, settings: dict[str, Any]) -> None:
    """Add the tables of the plugins of a site."""
    site = open_site(load_config(folder, settings, environ={}))
    migrate(site.database, site.registry.migrations, site.registry.indexes)
    if not SERVER:
        site.database.peewee.execute_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    site.close()


class Clock:
    """A time that stands still until it is set."""

    now = 1_700_000_000.0

    def __call__(self) -> float:
        return self.now

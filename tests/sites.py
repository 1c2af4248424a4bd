"""A site to test against: a copy of a ready database file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from adapter import PASSWORD, URL, copy_ready_site

from cms.assembly import open_site
from cms.config import load_config
from cms.db.migrate import PendingMigrations, migrate
from cms.testing import Client as Base
from cms.testing import basic

__all__ = ["URL", "Client", "Clock", "basic"]


class Client(Base):
    """A client of a pristine site, which is copied instead of made, or of the one that is in the folder."""

    def __init__(self, folder: Path, **config: Any) -> None:
        if not (folder / "site.db").exists():
            copy_ready_site(folder)
        settings = {"url": URL, "password_cost": "low", "synchronous": "normal", "background": False, **config}
        try:
            super().__init__(folder, settings, "admin", PASSWORD)
        except PendingMigrations:
            migrate_plugins(folder, settings)
            super().__init__(folder, settings, "admin", PASSWORD)


def migrate_plugins(folder: Path, settings: dict[str, Any]) -> None:
    """Add the tables of the plugins of a site."""
    site = open_site(load_config(folder, settings, environ={}))
    migrate(site.database, site.registry.migrations, site.registry.indexes)
    site.close()


class Clock:
    """A time that stands still until it is set."""

    now = 1_700_000_000.0

    def __call__(self) -> float:
        return self.now

"""Making a new site: an empty database with an administrator and the default category."""

from __future__ import annotations

import logging
import secrets
from pathlib import Path
from typing import Any

from cms.access.capabilities import OPERATOR
from cms.config import write_template
from cms.db.migrate import migrate
from cms.site import Site

log = logging.getLogger("cms")


def has_accounts(site: Site) -> bool:
    """Tell whether the site has been set up before."""
    return site.stores.users.any_exist()


def set_up(
    site: Site,
    login: str = "admin",
    email: str = "admin@example.org",
    password: str | None = None,
    title: str | None = None,
) -> str | None:
    """Migrate the database and, where it is new, add its first contents; returns the administrator's new password.

    A new site gets a file of commented settings too. Run again it only migrates and returns None.
    """
    site.config.instance.mkdir(parents=True, exist_ok=True)
    # SQLite gives the files beside it the same mode.
    site.config.database.touch(mode=0o640)
    mode = site.config["search_mode"]
    migrate(site.database, site.registry.migrations, site.registry.indexes, mode)
    if has_accounts(site):
        return None
    _add_settings_file(site.config.instance)
    password = password or secrets.token_urlsafe(12)
    with site.database.write():
        add_account(
            site, username=login, email=email, password=password, url=site.url, roles=["administrator"]
        )
        names = {"name": "Uncategorized", "sort_name": "uncategorized", "slug": "uncategorized"}
        site.stores.items.insert("terms", {"id": 1, "taxonomy": "category", **names})
        site.settings.write({"email": email, **({"title": title} if title else {})})
    return password


def _add_settings_file(folder: Path) -> None:
    try:
        write_template(folder)
    except OSError as error:
        # The settings may be mounted read-only, beside a database that lies elsewhere.
        log.warning("No file of settings was written into %s: %s", folder, error.strerror)


def add_account(site: Site, **fields: Any) -> dict[str, Any]:
    """Make an account as an administrator would over HTTP, with the same checks, and return it."""
    operations = site.operations["user"]
    return operations.create(operations.create_loader.load(fields), OPERATOR).data

"""Making a new site: an empty database with an administrator and the default category."""

from __future__ import annotations

import secrets
from typing import Any

from cms.access.capabilities import ADMINISTRATOR, AllCapabilities, Principal
from cms.db.migrate import migrate
from cms.site import Site

#: Who acts in commands: whoever can read the database file may do everything with it.
OPERATOR = Principal(0, "operator", ("administrator",), AllCapabilities(ADMINISTRATOR))


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

    Run again it only migrates and returns None.
    """
    site.config.instance.mkdir(parents=True, exist_ok=True)
    migrate(site.database, site.registry.migrations, site.registry.indexes)
    if has_accounts(site):
        return None
    password = password or secrets.token_urlsafe(12)
    with site.database.write():
        add_account(
            site, username=login, email=email, password=password, url=site.url, roles=["administrator"]
        )
        names = {"name": "Uncategorized", "sort_name": "uncategorized", "slug": "uncategorized"}
        site.stores.items.insert("terms", {"id": 1, "taxonomy": "category", **names})
        site.settings.write({"email": email, **({"title": title} if title else {})})
    return password


def add_account(site: Site, **fields: Any) -> dict[str, Any]:
    """Make an account as an administrator would over HTTP, with the same checks, and return it."""
    operations = site.operations["user"]
    return operations.create(operations.create_loader.load(fields), OPERATOR).data

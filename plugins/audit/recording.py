"""Entries from what the site's hooks tell: who did what, from where."""

from __future__ import annotations

from collections.abc import Mapping

import orjson

from cms.plugin import Action, Principal, Row, SignIn, Site

from .changes import Changes, changes_of, shown, title_of
from .repeats import repeats_of
from .store import AuditStore

DONE = {"create": "created", "update": "changed", "trash": "trashed", "delete": "deleted"}
#: Sign-ins of one account from one address within an hour are one entry: dates are alike up to here.
WINDOW = len("2026-01-31T12")


def record_write(
    site: Site, action: str, resource: str, row: Row | None, previous: Row | None, principal: Principal
) -> None:
    """Store what a write of an item changed; a write that changed nothing is stored too."""
    item = row or previous or {}
    name = DONE.get(action, action)
    if action == "update" and _is_restored(row, previous):
        name = "restored"
    changes = changes_of(row, previous) if action in ("create", "update") else {}
    _add(site, principal, name, resource, int(item.get("id", 0)), title_of(item), changes)


def record_publication(site: Site, resource: str, row: Row) -> None:
    """Store that the date of a scheduled item has come, which nobody did."""
    _add(
        site, Principal(), "published", resource, row["id"], title_of(row), {"status": ["future", "publish"]}
    )


def record_action(site: Site, action: Action) -> None:
    """Store what was done by no write of an item."""
    told = {name: [None, shown(value)] for name, value in action.data.items()}
    _add(site, action.principal, action.name, action.resource, action.item_id, action.title, told)


def record_sign_in(site: Site, sign_in: SignIn) -> None:
    """Store that credentials were checked, together with those before it."""
    now = site.now()
    times = repeats_of(site).take(sign_in, now[:WINDOW], now)
    if not times:
        return
    values: Mapping[str, object] = {
        "now": now,
        "times": times,
        "user_id": sign_in.user_id,
        "login": sign_in.login,
        "address": sign_in.address,
        "kind": sign_in.kind,
        "action": "signed_in" if sign_in.succeeded else "sign_in_failed",
    }
    AuditStore(site.database).repeat(values, now[:WINDOW])


def _is_restored(row: Row | None, previous: Row | None) -> bool:
    if row is None or previous is None:
        return False
    return previous.get("status") == "trash" and row.get("status") != "trash"


def _add(
    site: Site, principal: Principal, action: str, resource: str, item_id: int, title: str, changes: Changes
) -> None:
    now = site.now()
    AuditStore(site.database).add(
        {
            "at_gmt": now,
            "last_gmt": now,
            "user_id": principal.id,
            "login": principal.login,
            "address": principal.address,
            "sign_in": principal.sign_in,
            "action": action,
            "resource": resource,
            "item_id": item_id,
            "title": title,
            "fields": orjson.dumps(list(changes)).decode(),
            "changes": orjson.dumps(changes, default=str).decode(),
        }
    )

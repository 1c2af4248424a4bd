"""Audit: who changed what, from where, and how they were signed in, stored together with each change."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import click

from cms.plugin import (
    Action,
    Capability,
    ContentRegistry,
    Principal,
    Resource,
    Route,
    Row,
    SignIn,
    Site,
    hookimpl,
)

from .commands import audit
from .recording import record_action, record_publication, record_sign_in, record_write
from .retention import days_of, schedule_removal
from .routes import CAPABILITY, audit_routes

__version__ = "1.0"
cms_api = 1

FOLDER = Path(__file__).parent


@hookimpl
def register_capabilities() -> list[Capability]:
    """Register the right to read entries, which administrators alone have."""
    return [Capability(CAPABILITY)]


@hookimpl
def register_routes(content_registry: ContentRegistry, resources: Mapping[str, Resource]) -> list[Route]:
    """Register the routes of entries."""
    return audit_routes()


@hookimpl(trylast=True)
def after_write(
    action: str, resource: str, row: Row | None, previous: Row | None, principal: Principal, site: Site
) -> None:
    """Store an entry in the transaction of the write."""
    record_write(site, action, resource, row, previous, principal)


@hookimpl(trylast=True)
def transition_status(
    resource: str, row: Row, old: str | None, new: str | None, principal: Principal, site: Site
) -> None:
    """Store an entry for a scheduled publication, of which no write tells."""
    if (old, new) == ("future", "publish") and principal == Principal():
        record_publication(site, resource, row)


@hookimpl
def after_action(action: Action, site: Site) -> None:
    """Store an entry for what was done by no write of an item."""
    record_action(site, action)


@hookimpl
def after_sign_in(sign_in: SignIn, site: Site) -> None:
    """Store an entry for credentials that were checked, or count it in one."""
    record_sign_in(site, sign_in)


@hookimpl
def startup(site: Site) -> None:
    """Read the configuration, and begin to remove what is old."""
    schedule_removal(site, days_of(site.config))


@hookimpl
def register_commands() -> list[click.Command]:
    """Register `cms audit`."""
    return [audit]


@hookimpl
def register_migrations() -> Path:
    """Bring the table of entries."""
    return FOLDER / "migrations"


@hookimpl
def register_translations() -> Path:
    """Bring the texts in other languages."""
    return FOLDER / "locales"

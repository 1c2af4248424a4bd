"""Webhooks: what happens on the site is told to other servers, signed, and told again until they have heard it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import click

from cms.plugin import (
    Capability,
    Check,
    ContentRegistry,
    Delivery,
    Event,
    Field,
    Integer,
    Resource,
    Route,
    Site,
    _,
    hookimpl,
    in_days,
)

from .checks import STUCK
from .commands import webhooks
from .routes import delivery_routes
from .sending import send
from .store import PLUGIN, WebhookStore
from .subscriptions import CAPABILITY, targets_of, webhook

__version__ = "1.0"
cms_api = 1

FOLDER = Path(__file__).parent
RETENTION_DAYS = "webhooks_keep_days"


@hookimpl
def register_capabilities() -> list[Capability]:
    """Register the right over webhooks, which administrators alone have."""
    return [Capability(CAPABILITY)]


@hookimpl
def register_settings() -> Mapping[str, Field]:
    """Register for how long deliveries are listed."""
    return {
        RETENTION_DAYS: Integer(
            _("For how many days the deliveries of webhooks are kept."),
            default=30,
            null=30,
            minimum=1,
            maximum=3_660,
        )
    }


@hookimpl
def register_resources(content_registry: ContentRegistry) -> list[Resource]:
    """Register the subscriptions."""
    return [webhook()]


@hookimpl
def register_routes(content_registry: ContentRegistry, resources: Mapping[str, Resource]) -> list[Route]:
    """Register the routes of deliveries, of the test and of the secret."""
    return delivery_routes()


@hookimpl
def event_targets(event: Event, site: Site) -> list[str]:
    """Return the subscriptions that are to be told, by their ids."""
    return WebhookStore(site.database).wanting(event)


@hookimpl
def deliver_event(delivery: Delivery, site: Site) -> int:
    """Send a delivery to the address of its subscription."""
    return send(site, delivery, targets_of(site))


@hookimpl
def startup(site: Site) -> None:
    """Read the configuration, and begin to remove what is old."""
    targets_of(site)

    def remove_old() -> None:
        before = in_days(site.now(), -site.settings[RETENTION_DAYS])
        site.outbox.deliveries(PLUGIN).remove_older(before, site.worker.is_stopping)

    site.worker.schedule_every(3_600, "webhooks: remove old deliveries", remove_old)


@hookimpl
def register_commands() -> list[click.Command]:
    """Register `cms webhooks`."""
    return [webhooks]


@hookimpl
def register_checks() -> list[Check]:
    """Have `cms doctor` look for deliveries that have failed."""
    return [STUCK]


@hookimpl
def register_migrations() -> Path:
    """Bring the table of subscriptions."""
    return FOLDER / "migrations"


@hookimpl
def register_translations() -> Path:
    """Bring the texts in other languages."""
    return FOLDER / "locales"

"""Webhooks: what happens on the site is told to other servers, signed, and told again until they have heard it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import click

from cms.plugin import Capability, ContentRegistry, Event, Field, Integer, Resource, Route, Site, _, hookimpl

from .commands import webhooks
from .routes import delivery_routes
from .sending import Sender
from .store import KEEP_DAYS, record, remove_old
from .subscriptions import CAPABILITY, webhook

__version__ = "1.0"
cms_api = 1

FOLDER = Path(__file__).parent


@hookimpl
def register_capabilities() -> list[Capability]:
    """Register the right over webhooks, which administrators alone have."""
    return [Capability(CAPABILITY)]


@hookimpl
def register_settings() -> Mapping[str, Field]:
    """Register for how long deliveries are listed."""
    return {
        KEEP_DAYS: Integer(
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
def on_event(event: Event, site: Site) -> None:
    """Note which subscriptions are to be told; a thread of the plugin does that."""
    record(site, event)


@hookimpl
def startup(site: Site) -> None:
    """Begin to send what is due and to remove what is old."""
    sender = Sender(site)
    site.worker.schedule_every(1, "webhooks: send", sender.send_due)
    site.worker.schedule_every(3_600, "webhooks: remove old deliveries", lambda: remove_old(site))


@hookimpl
def register_commands() -> list[click.Command]:
    """Register `cms webhooks`."""
    return [webhooks]


@hookimpl
def register_migrations() -> Path:
    """Bring the tables of subscriptions and deliveries."""
    return FOLDER / "migrations"


@hookimpl
def register_translations() -> Path:
    """Bring the texts in other languages."""
    return FOLDER / "locales"

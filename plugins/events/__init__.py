"""Events with a start and an end, their venues and a calendar: the example of a whole type of content.

The type, its taxonomy, settings, right, routes, command, table and texts are each registered by one hook below.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import click

from cms.plugin import (
    VIEW_EDIT,
    Capability,
    ContentRow,
    ContentType,
    Field,
    Integer,
    Resource,
    Route,
    Site,
    String,
    Taxonomy,
    _,
    hookimpl,
)

from .commands import calendar
from .routes import event_routes
from .times import check_times, time_fields, time_filters, time_orders

__version__ = "1.0"
cms_api = 1

FOLDER = Path(__file__).parent
SUPPORTS = ("title", "editor", "excerpt", "author", "thumbnail", "revisions")


@hookimpl
def register_types() -> list[ContentType]:
    """Register events: their times lie in a table of their own, place and capacity beside the item."""
    return [
        ContentType(
            "event",
            "events",
            _("Events"),
            supports=SUPPORTS,
            fields={**time_fields(), **_further_fields()},
            filters=time_filters(),
            orders=time_orders(),
            description=_("What takes place at a certain time."),
        )
    ]


def _further_fields() -> dict[str, Field]:
    return {
        "place": String(
            _("Where the event takes place, in words."),
            VIEW_EDIT,
            default="",
            filterable=True,
            sortable=True,
            protected=True,
        ),
        "capacity": Integer(
            _("How many people there is room for; null where it doesn't matter."),
            VIEW_EDIT,
            minimum=0,
            sortable=True,
        ),
    }


@hookimpl
def register_taxonomies() -> list[Taxonomy]:
    """Register venues, which those alone may change who have the right to."""
    return [
        Taxonomy(
            "event_venue",
            "event-venues",
            _("Venues"),
            types=("event",),
            manage="manage_event_venues",
            create="manage_event_venues",
            assign="edit_events",
            description=_("The houses and grounds where events take place."),
        )
    ]


@hookimpl
def register_capabilities() -> list[Capability]:
    """Register the right over venues; those over events follow the rights over posts."""
    return [Capability("manage_event_venues", ("editor",))]


@hookimpl
def register_settings() -> Mapping[str, Field]:
    """Register what `/events/upcoming` and the calendar go by."""
    return {
        "events_upcoming_days": Integer(
            _("How many days ahead the list of upcoming events reaches."),
            default=30,
            null=30,
            minimum=1,
            maximum=3_660,
        ),
        "events_calendar_name": String(
            _("Name of the calendar; without one, that of the site."), default="", null=""
        ),
    }


@hookimpl
def after_write(resource: str, row: ContentRow | None, site: Site) -> None:
    """Reject a write whose start and end contradict each other."""
    if resource == "event" and row is not None:
        check_times(site, row["id"])


@hookimpl
def register_routes(resources: Mapping[str, Resource]) -> Iterable[Route]:
    """Register the list of upcoming events and the calendar."""
    return event_routes(resources["event"].schema)


@hookimpl
def register_commands() -> list[click.Command]:
    """Register `cms calendar`."""
    return [calendar]


@hookimpl
def register_migrations() -> Path:
    """Bring the table of times."""
    return FOLDER / "migrations"


@hookimpl
def register_translations() -> Path:
    """Bring the texts in other languages."""
    return FOLDER / "locales"

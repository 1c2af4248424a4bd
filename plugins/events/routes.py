"""`/events/upcoming` and `/events/calendar`."""

from __future__ import annotations

from datetime import timedelta

from cms.plugin import (
    GET,
    PAGING,
    PUBLIC,
    Answer,
    AnswerShape,
    ArgumentSchema,
    Call,
    ContextArgs,
    Endpoint,
    Ids,
    Integer,
    ItemSchema,
    Route,
    _,
)

from .feed import calendar_of, make_calendar, moment

CALENDAR = AnswerShape("file", content_type="text/calendar")


class CalendarArgs(ArgumentSchema):
    """The arguments of the calendar."""

    event_venues = Ids(_("Only events at one of these venues."), default=[])


class UpcomingArgs(CalendarArgs):
    """The arguments of the list of upcoming events."""

    context = ContextArgs._declared_fields["context"]
    page, per_page = PAGING["page"], PAGING["per_page"]
    days = Integer(
        _("How many days ahead to look; without a number, as the settings say."), minimum=1, maximum=3_660
    )


def list_upcoming(call: Call) -> Answer:
    """Answer with the events that aren't over and start within some days, the next one first."""
    site, operations = call.site, call.site.operations["event"]
    # By the minute, so that the total is counted once and not for every second anew.
    now = moment(site.now()).replace(second=0)
    until = now + timedelta(days=call.args.get("days") or site.settings["events_upcoming_days"])
    args = operations.list_loader.load(
        {
            **{name: call.args[name] for name in ("context", "page", "per_page", "event_venues")},
            "ends_after": now.isoformat(),
            "starts_before": until.isoformat(),
            "orderby": "start",
            "order": "asc",
        }
    )
    found = operations.list({**args, "_fields": call.args.get("_fields")}, call.principal)
    return Answer(found.items, total=found.total, pages=found.pages, page=found.page, has_next=found.has_next)


def show_calendar(call: Call) -> Answer:
    """Answer with the calendar of public events, whoever asks."""
    venues = call.args["event_venues"]
    # A choice of venues is made anew: there are more of them than can be kept.
    calendar = make_calendar(call.site, venues) if venues else calendar_of(call.site)
    return Answer(calendar, content_type="text/calendar; charset=utf-8")


def event_routes(schema: type[ItemSchema]) -> list[Route]:
    """Return the routes; `schema` is that of events."""
    return [
        Route(
            "/events/upcoming",
            (Endpoint(GET, list_upcoming, PUBLIC, UpcomingArgs),),
            schema=schema,
            title="event",
        ),
        Route("/events/calendar", (Endpoint(GET, show_calendar, PUBLIC, CalendarArgs, answers=CALENDAR),)),
    ]

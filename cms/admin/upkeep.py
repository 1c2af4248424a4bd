"""What the editing page tells administrators of the site itself: faults, backups, and events that nobody has taken."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from cms.backup.archive import open_archive
from cms.backup.asked import backup_state, begin_backup
from cms.backup.errors import BackupError
from cms.backup.making import default_target
from cms.call import Call
from cms.errors import ApiError
from cms.i18n import _
from cms.schema.endpoint import CREATE, GET, Answer, Endpoint, Route
from cms.schema.fields import Ids
from cms.schema.schemas import ArgumentSchema

CAPABILITY = "manage_options"
#: The largest number of events that an answer lists.
MOST = 200
#: How many archives it opens to find out when they were made.
ARCHIVES = 30


class EventsArgs(ArgumentSchema):
    """Which events are tried again, or dropped."""

    events = Ids(_("Numbers of the events."), required=True)


def _doctor(call: Call) -> Answer:
    # All checks are imported where somebody looks.
    from cms.doctor.examination import examine

    found = []
    for finding in examine(call.site.context).findings:
        found.append(asdict(finding))
    return Answer({"findings": found}, allow=None)


def _backups(call: Call) -> Answer:
    return Answer(_described_backups(call), allow=None)


def _make_backup(call: Call) -> Answer:
    if not begin_backup(call.site.backups, call.site.config):
        raise ApiError("cms_backup_running", _("A backup is being made already. Wait for its end."), 409)
    return Answer(_described_backups(call), status=202, allow=None)


def _described_backups(call: Call) -> dict[str, Any]:
    config = call.site.config
    target, state = default_target(config), backup_state(config)
    archives: list[dict[str, Any]] = []
    for name in target.names()[-ARCHIVES:]:
        path = target.folder / name
        row = {"file": name, "bytes": path.stat().st_size, "made_gmt": None, "fault": ""}
        try:
            with open_archive(path) as archive:
                row["made_gmt"] = archive.manifest.made_gmt
        except BackupError as error:
            row["fault"] = str(error)
        archives.insert(0, row)
    return {
        "folder": str(target.folder),
        "hours": config["backup_hours"] if config["backup_target"] else 0,
        "is_running": state.is_running,
        "fault": state.fault,
        "backups": archives,
    }


def _events(call: Call) -> Answer:
    waiting = call.site.outbox.waiting()
    return Answer({"total": len(waiting), "events": waiting[:MOST]}, allow=None)


def _retry(call: Call) -> Answer:
    return Answer({"retried": call.site.outbox.retry(_chosen(call))}, allow=None)


def _drop(call: Call) -> Answer:
    return Answer({"dropped": call.site.outbox.drop(_chosen(call))}, allow=None)


def _chosen(call: Call) -> list[int]:
    """Return the numbers of events; raises ApiError without any, as the outbox takes none for all of them."""
    ids: list[int] = call.args["events"]
    if not ids:
        raise ApiError("cms_no_events", _("Choose events first."), 400)
    return ids


ROUTES = (
    Route("/doctor", (Endpoint(GET, _doctor, CAPABILITY),), namespace=""),
    Route(
        "/backups",
        (Endpoint(GET, _backups, CAPABILITY), Endpoint(CREATE, _make_backup, CAPABILITY)),
        namespace="",
    ),
    Route("/events", (Endpoint(GET, _events, CAPABILITY),), namespace=""),
    Route("/events/retry", (Endpoint(CREATE, _retry, CAPABILITY, EventsArgs),), namespace=""),
    Route("/events/drop", (Endpoint(CREATE, _drop, CAPABILITY, EventsArgs),), namespace=""),
)

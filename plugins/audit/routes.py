"""The routes of entries: a list with filters, and one entry; nothing is changed by them."""

from __future__ import annotations

from datetime import UTC
from typing import Any

import orjson

from cms.plugin import (
    ALWAYS,
    GET,
    PAGING,
    VIEW_EDIT,
    Answer,
    ApiError,
    ArgumentSchema,
    Call,
    ContextArgs,
    DateTime,
    Endpoint,
    Integer,
    ItemSchema,
    List,
    Object,
    Route,
    SerializationContext,
    String,
    Text,
    _,
    compile_serializer,
    to_gmt,
)

from .store import CONDITIONS, AuditStore, EntryRow

CAPABILITY = "read_audit"
WHICH = {"id": Integer(_("Id of the entry."))}
#: The longest text that a filter takes.
LONGEST_FILTER = 200
#: Beyond what the database numbers.
LARGEST_ID = 2**63


def _fields(row: EntryRow, _page: object) -> list[str]:
    names: list[str] = orjson.loads(row["fields"])
    return names


def _changes(row: EntryRow, _page: object) -> dict[str, dict[str, object]]:
    changes = orjson.loads(row["changes"])
    return {name: {"before": before, "after": after} for name, (before, after) in changes.items()}


class EntrySchema(ItemSchema):
    """The fields of an entry."""

    id = Integer(_("Number that identifies the entry."), ALWAYS, readonly=True)
    date = DateTime(_("When it was done, in GMT."), ALWAYS, readonly=True, column="at_gmt")
    last = DateTime(
        _("When it was done last, in GMT; sign-ins that repeat within an hour are one entry."),
        VIEW_EDIT,
        readonly=True,
        column="last_gmt",
    )
    times = Integer(_("How often it was done."), VIEW_EDIT, readonly=True)
    user = Integer(_("Id of the account that did it; 0 for none."), ALWAYS, readonly=True, column="user_id")
    login = String(_("The account's login at that time."), ALWAYS, readonly=True)
    address = String(_("The client's address."), VIEW_EDIT, readonly=True)
    sign_in = String(
        _(
            "How the account was signed in: password, token, application_password, plugin or command; "
            "empty for none."
        ),
        VIEW_EDIT,
        readonly=True,
    )
    action = String(_("What was done."), ALWAYS, readonly=True)
    resource = String(_("What kind of thing it was done to."), ALWAYS, readonly=True)
    item = Integer(_("Id of the thing; 0 for none."), ALWAYS, readonly=True, column="item_id")
    title = String(_("What the thing was called then."), ALWAYS, readonly=True)
    changed_fields = List(
        _("Names of the fields that were changed."),
        VIEW_EDIT,
        items=String(Text("")),
        readonly=True,
        columns=("fields",),
        read=_fields,
    )
    changes = Object(
        _("What these fields were before and after; long texts by size and digest, secrets as null."),
        VIEW_EDIT,
        readonly=True,
        columns=("changes",),
        read=_changes,
    )


class EntryListArgs(ArgumentSchema):
    """The arguments of the list of entries."""

    context = ContextArgs._declared_fields["context"]
    page, per_page = PAGING["page"], PAGING["per_page"]
    user = Integer(_("Only what this account did, by its id."))
    login = String(_("Only what the account with this login did."), max_length=LONGEST_FILTER)
    action = String(_("Only this action."), max_length=LONGEST_FILTER)
    resource = String(_("Only what was done to things of this kind."), max_length=LONGEST_FILTER)
    item = Integer(_("Only what was done to the thing with this id."))
    address = String(_("Only what was done from this address."), max_length=LONGEST_FILTER)
    after = DateTime(_("Only what was done after this moment, in GMT."))
    before = DateTime(_("Only what was done before this moment, in GMT."))
    order = String(_("Whether the list ascends or descends."), enum=("asc", "desc"), default="desc")
    orderby = String(_("What the list is ordered by."), enum=("id", "date"), default="id")


def _list(call: Call) -> Answer:
    args, store = call.args, AuditStore(call.site.database)
    wanted = _wanted(args)
    number, per_page = args["page"], args["per_page"]
    total = store.count(wanted)
    rows = store.list(wanted, args["orderby"], args["order"], per_page, (number - 1) * per_page)
    pages = -(-total // per_page)
    return Answer(
        [serialize(call, row, args["context"]) for row in rows],
        total=total,
        pages=pages,
        page=number,
        has_next=number < pages,
    )


def _wanted(args: Any) -> dict[str, object]:
    wanted = {name: args[name] for name in CONDITIONS if args.get(name) is not None}
    for name in ("after", "before"):
        if name in wanted:
            wanted[name] = to_gmt(args[name], UTC)
    return wanted


def _get(call: Call) -> Answer:
    id = call.path["id"]
    row = AuditStore(call.site.database).find(id) if id < LARGEST_ID else None
    if row is None:
        raise ApiError("rest_audit_invalid_id", _("There is no entry with this id."), 404)
    return Answer(serialize(call, row, call.args["context"]))


def serialize(call: Call, row: EntryRow, context: str) -> dict[str, Any]:
    """Return an entry as the API shows it."""
    page = SerializationContext(
        call.site.context, call.site.renderer, call.principal, context, [row], call.site.now()
    )
    item = compile_serializer(EntrySchema, context).serialize(row, page)
    address = f"{call.site.core_url}/audit"
    links = {"self": [{"href": f"{address}/{row['id']}"}], "collection": [{"href": address}]}
    return {**item, "_links": links}


def audit_routes() -> list[Route]:
    """Return the routes of the list and of one entry."""
    declared: dict[str, Any] = {"schema": EntrySchema, "title": "audit-entry"}
    get_one = Endpoint(GET, _get, CAPABILITY, ContextArgs, WHICH, codes={404: ("rest_audit_invalid_id",)})
    return [
        Route("/audit", (Endpoint(GET, _list, CAPABILITY, EntryListArgs),), **declared),
        Route("/audit/<digits:id>", (get_one,), **declared),
    ]

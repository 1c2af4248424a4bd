"""Autosaves: what an account has written into an item and not saved yet, one for each account and item."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cms import _
from cms.call import Call
from cms.errors import ApiError, NotAllowed
from cms.operations.serialize import SerializationContext
from cms.resources.content.revisions import RevisionSchema
from cms.schema.content_types import ContentType
from cms.schema.endpoint import CHECKED_BY_HANDLER, CREATE, GET, Answer, Endpoint, Route
from cms.schema.fields import ALWAYS, EDIT, EDIT_ONLY, Integer, String
from cms.schema.resource import Resource
from cms.schema.schemas import ArgumentSchema, ContextArgs, compile_serializer, extend, writable

from .items import editable, operations_of

TEXTS = ("title", "content", "excerpt")
HTML = ("title_html", "content_html", "excerpt_html", "rendered_by")
ITEM = "SELECT * FROM content WHERE id = ? AND type = ?"
OF_ITEM = "SELECT * FROM autosaves WHERE parent_id = ? ORDER BY date_gmt DESC, id DESC"
ONE = "SELECT * FROM autosaves WHERE id = ? AND parent_id = ?"
OWN = "SELECT * FROM autosaves WHERE parent_id = ? AND author_id = ?"
FORGET = "DELETE FROM autosaves WHERE parent_id = ? AND author_id = ?"

AutosaveSchema = extend(
    RevisionSchema,
    {
        "slug": String(_("Name of the autosave."), ALWAYS, column="name"),
        "preview_link": String(
            _("Where a front end shows the item."),
            EDIT_ONLY,
            format="uri",
            read=lambda row, page: f"{page.site.url}/?p={row['item_id']}&preview=true",
        ),
    },
)


class Autosaves:
    """The routes of the autosaves of one type."""

    def __init__(self, kind: ContentType, resource: Resource) -> None:
        self.kind = kind
        sent = writable(resource.schema, creating=False)._declared_fields
        fields: Mapping[str, Any] = {name: sent[name] for name in TEXTS if name in sent}
        self.args = type(f"{kind.name}-autosave", (ArgumentSchema,), dict(fields))

    def index(self, call: Call) -> Answer:
        """Answer with the autosaves of an item, one for each account that has one."""
        parent = self._parent(call, call.path["id"])
        rows = call.site.database.rows(OF_ITEM, (parent["id"],))
        return Answer(
            [self._shown(call, _named(row), call.args["context"]) for row in rows], allow=(*GET, *CREATE)
        )

    def get(self, call: Call) -> Answer:
        """Answer with one autosave."""
        parent = self._parent(call, call.path["parent"])
        row = call.site.database.row(ONE, (call.path["id"], parent["id"]))
        if row is None:
            raise ApiError("rest_post_no_autosave", _("This item has no autosave with this id."), 404)
        return Answer(self._shown(call, _named(row), call.args["context"]))

    def create(self, call: Call) -> Answer:
        """Keep what was written; the account's own draft is saved itself."""
        with call.site.database.write():
            row = editable(call, self.kind, call.path["id"])
            if row["status"] in ("draft", "auto-draft") and row["author_id"] == call.principal.id:
                changed = operations_of(call, self.kind).update(row["id"], call.args, call.principal).row
                kept: dict[str, Any] | None = {
                    **dict(changed),
                    "date_gmt": changed["modified_gmt"],
                    "name": changed["slug"],
                    "item_id": changed["id"],
                }
            else:
                kept = self._kept(call, row)
        if kept is None:
            message = _("There is nothing to save: the texts are those of the item.")
            raise ApiError("rest_autosave_no_changes", message)
        return Answer(self._shown(call, kept, EDIT), allow=(*GET, *CREATE))

    def _kept(self, call: Call, row: Any) -> dict[str, Any] | None:
        """Store the account's autosave in place of an earlier one; remove that where nothing differs from the item."""
        database, key = call.site.database, (row["id"], call.principal.id)
        texts = operations_of(call, self.kind).texts(call.args, row, call.principal)
        if all(texts[name].split() == row[name].split() for name in TEXTS):
            database.execute(FORGET, key)
            return None
        known = database.row(OWN, key)
        values = {
            # Of the same sequence as content: an id never names both an autosave and a post.
            "id": known["id"] if known is not None else database.reserve_id("content"),
            "parent_id": row["id"],
            "author_id": call.principal.id,
            "date_gmt": call.site.now(),
            **{name: texts[name] for name in (*TEXTS, *HTML)},
        }
        marks = ", ".join("?" * len(values))
        database.execute(
            f"INSERT OR REPLACE INTO autosaves ({', '.join(values)}) VALUES ({marks})",  # noqa: S608
            tuple(values.values()),
        )
        return _named(values)

    def _parent(self, call: Call, id: int) -> Any:
        row = call.site.database.row(ITEM, (id, self.kind.name))
        if row is None:
            raise ApiError("rest_post_invalid_parent", _("There is no item of this type with this id."), 404)
        if not self.kind.policy.may_edit(call.principal, row):
            message = _("Autosaves are for those who may edit the item.")
            raise NotAllowed(call.principal, "rest_cannot_read", message)
        operations_of(call, self.kind).admit("update", call.principal, row)
        return row

    def _shown(self, call: Call, row: dict[str, Any], context: str) -> dict[str, Any]:
        page = SerializationContext(call.site, call.principal, context, [row], call.site.now())
        item = compile_serializer(AutosaveSchema, context).write(row, page)
        parent = f"{call.site.collection_urls[self.kind.name]}/{row['item_id']}"
        return {**item, "_links": {"parent": [{"href": parent}]}}

    def _allowed(self, call: Call) -> tuple[str, ...]:
        self._parent(call, call.path.get("parent", call.path["id"]))
        return GET if "parent" in call.path else (*GET, *CREATE)

    def routes(self) -> Sequence[Route]:
        """Return the routes of the list and of one autosave."""
        item = Integer(_("Id of the item that the autosaves are of."))
        declared: dict[str, Any] = {
            "namespace": self.kind.namespace,
            "schema": AutosaveSchema,
            "title": f"{self.kind.name}-autosave",
            "allowed": self._allowed,
        }
        return [
            Route(
                f"/{self.kind.base}/<digits:id>/autosaves",
                (
                    Endpoint(GET, self.index, CHECKED_BY_HANDLER, ContextArgs, {"id": item}),
                    Endpoint(CREATE, self.create, CHECKED_BY_HANDLER, self.args, {"id": item}),
                ),
                **declared,
            ),
            Route(
                f"/{self.kind.base}/<digits:parent>/autosaves/<digits:id>",
                (
                    Endpoint(
                        GET,
                        self.get,
                        CHECKED_BY_HANDLER,
                        ContextArgs,
                        {"parent": item, "id": Integer(_("Id of the autosave."))},
                    ),
                ),
                **declared,
            ),
        ]


def _named(row: Any) -> dict[str, Any]:
    return {**dict(row), "name": f"{row['parent_id']}-autosave-v1", "item_id": row["parent_id"]}


def autosave_routes(kind: ContentType, resource: Resource) -> Sequence[Route]:
    """Return the routes of the autosaves of a type's items."""
    return Autosaves(kind, resource).routes()

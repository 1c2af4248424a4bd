"""Autosaves: what an account has written into an item and not saved yet, one for each account and item."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cms import _
from cms.plugin import (
    ALWAYS,
    CHECKED_BY_HANDLER,
    CREATE,
    EDIT,
    EDIT_ONLY,
    GET,
    Answer,
    AnswerShape,
    ApiError,
    Call,
    ContentDrafts,
    ContentRow,
    ContentType,
    ContextArgs,
    Endpoint,
    Integer,
    NotAllowed,
    Resource,
    RevisionSchema,
    Route,
    SerializationContext,
    String,
    arguments,
    compile_serializer,
    extend,
    fields_of,
    writable,
)

from .items import find_editable
from .store import AutosaveRow, AutosaveStore

TEXTS = ("title", "content", "excerpt")
#: States in which an item is its author's own draft.
DRAFTS = ("draft", "auto-draft")


def _preview_link(row: Mapping[str, Any], page: SerializationContext) -> str:
    return f"{page.site.front_url}/?p={row['item_id']}&preview=true"


AutosaveSchema = extend(
    RevisionSchema,
    {
        "slug": String(_("Name of the autosave."), ALWAYS, column="name"),
        "preview_link": String(
            _("Where a front end shows the item."), EDIT_ONLY, format="uri", read=_preview_link
        ),
    },
)


class AutosaveEndpoints:
    """The endpoints of the autosaves of one type's items."""

    def __init__(self, content_type: ContentType, resource: Resource) -> None:
        self.content_type = content_type
        fields = fields_of(writable(resource.schema, creating=False))
        texts = {name: fields[name] for name in TEXTS if name in fields}
        self.args = arguments(f"{content_type.name}-autosave", texts)

    def get_list(self, call: Call) -> Answer:
        """Answer with the autosaves of an item, one for each account that has one."""
        parent = self._find_parent(call, call.path["id"])
        rows = AutosaveStore(call.site.database).of_item(parent["id"])
        items = [self._serialize(call, _named(row), call.args["context"]) for row in rows]
        return Answer(items, allow=(*GET, *CREATE))

    def get(self, call: Call) -> Answer:
        """Answer with one autosave; raises ApiError where the item has none with this id."""
        parent = self._find_parent(call, call.path["parent"])
        row = AutosaveStore(call.site.database).find(call.path["id"], parent["id"])
        if row is None:
            raise ApiError("rest_post_no_autosave", _("This item has no autosave with this id."), 404)
        return Answer(self._serialize(call, _named(row), call.args["context"]))

    def create(self, call: Call) -> Answer:
        """Store what was written; of the account's own draft the item itself is saved.

        Raises ApiError where the texts are those of the item.
        """
        row = find_editable(call, self.content_type, call.path["id"])
        if row["status"] in DRAFTS and row["author_id"] == call.principal.id:
            saved: dict[str, Any] | None = self._save_draft(call, row)
        else:
            saved = self._save_autosave(call, row)
        if saved is None:
            message = _("There is nothing to save: the texts are those of the item.")
            raise ApiError("rest_autosave_no_changes", message)
        return Answer(self._serialize(call, saved, EDIT), allow=(*GET, *CREATE))

    def routes(self) -> list[Route]:
        """Return the routes of the list and of one autosave."""
        item = Integer(_("Id of the item that the autosaves are of."))
        id = Integer(_("Id of the autosave."))
        path = f"/{self.content_type.base}/<digits:{{}}>/autosaves"
        all_of_them = AnswerShape("list", is_counted=False)
        get_list = Endpoint(
            GET, self.get_list, CHECKED_BY_HANDLER, ContextArgs, {"id": item}, answers=all_of_them
        )
        create = Endpoint(
            CREATE,
            self.create,
            CHECKED_BY_HANDLER,
            self.args,
            {"id": item},
            codes={400: ("rest_autosave_no_changes",)},
        )
        both = {"parent": item, "id": id}
        get_one = Endpoint(
            GET, self.get, CHECKED_BY_HANDLER, ContextArgs, both, codes={404: ("rest_post_no_autosave",)}
        )
        return [
            self._route(path.format("id"), get_list, create),
            self._route(f"{path.format('parent')}/<digits:id>", get_one),
        ]

    def _route(self, path: str, *endpoints: Endpoint) -> Route:
        return Route(
            path,
            endpoints,
            namespace=self.content_type.namespace,
            schema=AutosaveSchema,
            title=f"{self.content_type.name}-autosave",
            allowed=self._allowed,
        )

    def _allowed(self, call: Call) -> tuple[str, ...]:
        self._find_parent(call, call.path.get("parent", call.path["id"]))
        return GET if "parent" in call.path else (*GET, *CREATE)

    def _find_parent(self, call: Call, id: int) -> ContentRow:
        row = call.site.stores.content.find(id, self.content_type.name)
        if row is None:
            raise ApiError("rest_post_invalid_parent", _("There is no item of this type with this id."), 404)
        if not self.content_type.policy.may_edit(call.principal, row):
            message = _("Autosaves are for those who may edit the item.")
            raise NotAllowed(call.principal, "rest_cannot_read", message)
        return find_editable(call, self.content_type, id)

    def _save_draft(self, call: Call, row: ContentRow) -> dict[str, Any]:
        operations = call.site.operations[self.content_type.name]
        changed = operations.update(row["id"], call.args, call.principal).row
        names = {"date_gmt": changed["modified_gmt"], "name": changed["slug"], "item_id": changed["id"]}
        return {**changed, **names}

    def _save_autosave(self, call: Call, row: ContentRow) -> dict[str, Any] | None:
        """Store the account's autosave in place of an earlier one; delete that where nothing differs from the item."""
        texts = ContentDrafts(call.site.services, self.content_type).texts(call.args, row, call.principal)
        is_same = all(texts[name].split() == str(dict(row)[name]).split() for name in TEXTS)
        store = AutosaveStore(call.site.database)
        with call.site.database.write():
            find_editable(call, self.content_type, row["id"])
            if is_same:
                store.delete(row["id"], call.principal.id)
                return None
            autosave = _autosave(call, store, row, texts)
            store.replace(autosave)
        return _named(autosave)

    def _serialize(self, call: Call, row: Mapping[str, Any], context: str) -> dict[str, Any]:
        serializer = call.site.operations[self.content_type.name].serializer
        page = serializer.page([row], context, call.principal)
        item = compile_serializer(AutosaveSchema, context).serialize(row, page)
        return {**item, "_links": {"parent": [{"href": serializer.item_url(row["item_id"])}]}}


def _autosave(call: Call, store: AutosaveStore, row: ContentRow, texts: Mapping[str, Any]) -> AutosaveRow:
    return AutosaveRow(
        id=store.id_for(row["id"], call.principal.id),
        parent_id=row["id"],
        author_id=call.principal.id,
        date_gmt=call.site.now(),
        title=texts["title"],
        content=texts["content"],
        excerpt=texts["excerpt"],
        title_html=texts["title_html"],
        content_html=texts["content_html"],
        excerpt_html=texts["excerpt_html"],
        rendered_by=texts["rendered_by"],
    )


def _named(row: AutosaveRow) -> dict[str, Any]:
    """Return the columns of an autosave with its name and the item's id, as the draft's own row has them."""
    return {**row, "name": f"{row['parent_id']}-autosave-v1", "item_id": row["parent_id"]}


def autosave_routes(content_type: ContentType, resource: Resource) -> list[Route]:
    """Return the routes of the autosaves of a type's items."""
    return AutosaveEndpoints(content_type, resource).routes()

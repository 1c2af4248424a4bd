"""Revisions: what an item was after each change, for those who may edit it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cms.access.capabilities import Principal
from cms.call import Call
from cms.context import SiteContext
from cms.db.models import ContentRow, RevisionRow
from cms.db.reader import ColumnValues
from cms.errors import ApiError, NotAllowed
from cms.i18n import _
from cms.operations.crud import Operations
from cms.operations.rules import trash_not_supported
from cms.operations.serialize import SerializationContext
from cms.operations.walking import CURSOR, CursorSeal
from cms.resources.content.revision_schema import RevisionSchema
from cms.schema.content_types import ContentType
from cms.schema.endpoint import CHECKED_BY_HANDLER, DELETE, GET, Answer, Endpoint, Route
from cms.schema.fields import VIEW, Boolean, Integer
from cms.schema.resource import SerializedItems
from cms.schema.schemas import ArgumentSchema, ContextArgs, compile_serializer, fields_of, loader_of

RESOURCE = "revision"
TEXTS = ("title", "content", "excerpt")
COLUMNS = (*TEXTS, "title_html", "content_html", "excerpt_html", "rendered_by", "slug", "meta")


def keep_revision(site: SiteContext, row: ColumnValues, principal: Principal, *, whole: bool = False) -> None:
    """Store what an item is as a revision, unless its texts are those of the latest one.

    With `whole` terms and meta count too, so that nothing of the present item is lost by what follows.
    """
    limit = site.config["revisions"]
    if limit == 0 or "revisions" not in site.content_registry.types[row["type"]].supports:
        return
    latest = site.stores.revisions.latest(row["id"])
    terms = site.stores.terms.all_of_item(row["id"])
    present = {name: row[name] for name in COLUMNS} | {"terms": terms}
    compared = (*TEXTS, "terms", "meta") if whole else TEXTS
    if latest is not None and all(dict(latest)[name] == present[name] for name in compared):
        return
    origin = {
        "parent_id": row["id"],
        "author_id": principal.id or row["author_id"],
        "date_gmt": site.now(),
    }
    site.stores.revisions.add(origin | present)
    if limit > 0:
        site.stores.revisions.delete_oldest(row["id"], limit)


class RevisionDeleteArgs(ArgumentSchema):
    """The arguments of deleting a revision."""

    force = Boolean(_("Must be true: revisions have no trash."), default=False)


class RevisionListArgs(ContextArgs):
    """The arguments of the list of revisions; the interface has no pages of it, which are for very long lists."""

    page = Integer(_("Which page of the list to show."), default=1, minimum=1, maximum=1_000_000, hidden=True)
    per_page = Integer(
        _("How many items a page holds at most."), default=100, minimum=1, maximum=100, hidden=True
    )


class RevisionEndpoints:
    """The endpoints of the revisions of one type."""

    def __init__(self, content_type: ContentType) -> None:
        self.content_type = content_type

    def list(self, call: Call) -> Answer:
        """Answer with a page of the revisions of an item, the newest first."""
        parent = self._parent(call, "update", "rest_cannot_read")
        if call.args.get(CURSOR) is not None:
            return self._walk(call, parent["id"])
        store, number, per_page = call.site.stores.revisions, call.args["page"], call.args["per_page"]
        rows = store.of_item(parent["id"], per_page, (number - 1) * per_page)
        total = len(rows)
        if number > 1 or total == per_page:
            total = store.count_of_item(parent["id"])
        pages = -(-total // per_page)
        items = self._serialize(call, rows)
        return Answer(items, total=total, pages=pages, page=number, has_next=number < pages)

    def _walk(self, call: Call, parent: int) -> Answer:
        """Answer with the revisions behind a cursor; raises ApiError for one that isn't of this list."""
        store, wanted, per_page = call.site.stores.revisions, call.args[CURSOR], call.args["per_page"]
        cursors = CursorSeal(call.site.context, repr((RESOURCE, parent)).encode())
        rows = store.before(parent, cursors.open(wanted.text, 1), per_page + 1)
        has_next, rows = len(rows) > per_page, rows[:per_page]
        cursor = cursors.close([rows[-1]["id"]]) if has_next else ""
        total = store.count_of_item(parent) if wanted.total else None
        pages = None if total is None else -(-total // per_page)
        return Answer(self._serialize(call, rows), total=total, pages=pages, cursor=cursor)

    def get(self, call: Call) -> Answer:
        """Answer with one revision."""
        parent = self._parent(call, "update", "rest_cannot_read")
        row = self._find(call)
        return Answer(self._serialize(call, [row])[0], allow=self._methods(call, parent))

    def delete(self, call: Call) -> Answer:
        """Delete a revision for good; raises ApiError unless `force` asks for that."""
        row = self._find_deletable(call)
        if not call.args["force"]:
            raise trash_not_supported()
        loader = loader_of(RevisionDeleteArgs)
        call.site.hooks.before_write("delete", RESOURCE, {}, row, call.principal, loader)
        with call.site.database.write():
            row = self._find_deletable(call)
            page = self._page(call, VIEW, [row])
            previous = compile_serializer(RevisionSchema, VIEW).serialize(row, page)
            previous = call.site.hooks.prepare_items(RESOURCE, [previous], page)[0]
            call.site.stores.revisions.delete(row["id"])
            call.site.notifier.notify("delete", RESOURCE, None, row, call.principal)
        return Answer({"deleted": True, "previous": previous}, allow=None)

    def allowed(self, call: Call) -> tuple[str, ...]:
        """Return the methods that the principal may use on the list or on one revision."""
        parent = self._parent(call, "update", "rest_cannot_read")
        if "id" in call.path:
            return self._methods(call, parent)
        return GET

    def routes(self) -> Iterable[Route]:
        """Return the routes of the list and of one revision."""
        parent = {"parent": Integer(_("Id of the item that the revisions are of."))}
        both = {**parent, "id": fields_of(RevisionSchema)["id"]}
        path = f"/{self.content_type.base}/<digits:parent>/revisions"
        get_list = Endpoint(GET, self.list, CHECKED_BY_HANDLER, RevisionListArgs, parent, takes_cursor=True)
        get_one = Endpoint(GET, self.get, CHECKED_BY_HANDLER, ContextArgs, both)
        delete_one = Endpoint(DELETE, self.delete, CHECKED_BY_HANDLER, RevisionDeleteArgs, both)
        for route_path, endpoints in ((path, (get_list,)), (f"{path}/<digits:id>", (get_one, delete_one))):
            yield Route(
                route_path,
                endpoints,
                namespace=self.content_type.namespace,
                schema=RevisionSchema,
                title=f"{self.content_type.name}-revision",
                allowed=self.allowed,
            )

    def _operations(self, call: Call) -> Operations:
        return call.site.operations[self.content_type.name]

    def _parent(self, call: Call, action: str, code: str) -> ContentRow:
        """Return the item, which the principal must be allowed to update or delete, as `action` says."""
        row = call.site.stores.content.find(call.path["parent"], self.content_type.name)
        if row is None:
            message = _("There is no item of this type with this id.")
            raise ApiError("rest_post_invalid_parent", message, 404)
        rules = self._operations(call).rules
        may_change = rules.may_update if action == "update" else rules.may_delete
        if not may_change(call.principal, row):
            raise NotAllowed(call.principal, code, _("Revisions are for those who may edit the item."))
        found: ContentRow = self._operations(call).find_permitted(row["id"], action, {}, call.principal)
        return found

    def _find(self, call: Call) -> RevisionRow:
        row = call.site.stores.revisions.find(call.path["id"])
        if row is None:
            raise ApiError("rest_post_invalid_id", _("There is no revision with this id."), 404)
        if row["parent_id"] != call.path["parent"]:
            message = _("This revision is of another item.")
            raise ApiError("rest_revision_parent_id_mismatch", message, 404)
        return row

    def _find_deletable(self, call: Call) -> RevisionRow:
        self._parent(call, "delete", "rest_cannot_delete")
        return self._find(call)

    def _methods(self, call: Call, parent: ContentRow) -> tuple[str, ...]:
        if self.content_type.policy.may_delete(call.principal, parent):
            return (*GET, *DELETE)
        return GET

    def _page(self, call: Call, context: str, rows: Sequence[RevisionRow]) -> SerializationContext:
        wanted = call.args.get("_fields")
        return self._operations(call).serializer.page(rows, context, call.principal, wanted=wanted)

    def _serialize(self, call: Call, rows: Sequence[RevisionRow]) -> SerializedItems:
        context, wanted = call.args["context"], call.args.get("_fields")
        serializer = compile_serializer(RevisionSchema, context, wanted)
        page = self._page(call, context, rows)
        items = [serializer.serialize(row, page) for row in rows]
        if page.wants("_links"):
            item_url = self._operations(call).serializer.item_url(call.path["parent"])
            for item in items:
                item["_links"] = {"parent": [{"href": item_url}]}
        return call.site.hooks.prepare_items(RESOURCE, items, page)


def revision_routes(types: Iterable[ContentType]) -> list[Route]:
    """Return the routes of the revisions of each type that has them."""
    routes: list[Route] = []
    for content_type in types:
        if content_type.served and "revisions" in content_type.supports:
            routes += RevisionEndpoints(content_type).routes()
    return routes

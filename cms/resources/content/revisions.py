"""Revisions: the texts that an item had after each change, for those who may edit it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from cms.access.capabilities import Principal
from cms.dates import to_local
from cms.errors import ApiError, NotAllowed
from cms.i18n import _
from cms.schema.content_types import ContentType
from cms.schema.endpoint import CHECKED_BY_HANDLER, DELETE, GET, Answer, Call, Endpoint, Route
from cms.schema.fields import ALWAYS, EDIT, VIEW_EDIT, Boolean, DateTime, Integer, Object, String
from cms.schema.resource import SerializationContext
from cms.schema.schemas import (
    ArgumentSchema,
    ContextArgs,
    ItemSchema,
    Serializer,
    compile_serializer,
    loader_of,
)

if TYPE_CHECKING:
    from cms.site import Site

TEXTS = ("title", "content", "excerpt")
COLUMNS = (*TEXTS, "title_html", "content_html", "excerpt_html", "rendered_by", "slug", "meta")
LATEST = (
    "SELECT title, content, excerpt, terms, meta FROM revisions WHERE parent_id = ? ORDER BY id DESC LIMIT 1"
)
OF_ITEM = "SELECT * FROM revisions WHERE parent_id = ? ORDER BY id DESC"
TERMS = "SELECT json_group_array(term_id) FROM content_terms WHERE content_id = ?"
ONE = "SELECT * FROM revisions WHERE id = ?"
OLDEST = """
DELETE FROM revisions WHERE parent_id = ? AND id NOT IN (
    SELECT id FROM revisions WHERE parent_id = ? ORDER BY id DESC LIMIT ?)
"""


def keep_revision(site: Site, row: Mapping[str, Any], principal: Principal, *, whole: bool = False) -> None:
    """Keep what an item is, unless its texts are those of the latest revision.

    With `whole` terms and meta count too, so that nothing of the present state is lost by what follows.
    """
    most = site.config["revisions"]
    if most == 0 or "revisions" not in site.content_registry.types[row["type"]].supports:
        return
    latest = site.database.row(LATEST, (row["id"],))
    terms = site.database.scalar(TERMS, (row["id"],))
    present = (*(row[name] for name in TEXTS), *((terms, row["meta"]) if whole else ()))
    if latest is not None and tuple(latest.values())[: len(present)] == present:
        return
    values = {
        # Of the same sequence as content: an id never names both a revision and a post.
        "id": site.database.reserve_id("content"),
        "parent_id": row["id"],
        "author_id": principal.id or row["author_id"],
        "date_gmt": site.now(),
        "terms": terms,
        **{name: row[name] for name in COLUMNS},
    }
    marks = ", ".join("?" * len(values))
    site.database.execute(
        f"INSERT INTO revisions ({', '.join(values)}) VALUES ({marks})",  # noqa: S608 (our names)
        list(values.values()),
    )
    if most > 0:
        site.database.execute(OLDEST, (row["id"], row["id"], most))


def _html(row: Any, page: SerializationContext, column: str) -> str:
    if column == "excerpt" and not row["excerpt"]:
        return ""  # what was written, not what would be made of the text
    if row["rendered_by"] == page.rules:
        return str(row[f"{column}_html"])
    render = page.site.renderer.content_columns
    return render(page.get(_load_kind), row["title"], row["content"], row["excerpt"])[f"{column}_html"]


def _load_kind(page: SerializationContext) -> str:
    """Return the type of the item that a page's revisions are of."""
    return str(
        page.site.database.scalar("SELECT type FROM content WHERE id = ?", (page.rows[0]["parent_id"],))
    )


def _text(column: str) -> Callable[[Any, SerializationContext], dict[str, str]]:
    def read(row: Any, page: SerializationContext) -> dict[str, str]:
        html = _html(row, page, column)
        return {"raw": row[column], "rendered": html} if page.context == EDIT else {"rendered": html}

    return read


def _local(row: Any, page: SerializationContext) -> str:
    return to_local(row["date_gmt"], page.zone)


class RevisionSchema(ItemSchema):
    """The fields of a revision."""

    author = Integer(_("Id of the account that made the change."), ALWAYS, column="author_id")
    date = DateTime(_("When the change was made, in the site's time zone."), ALWAYS, read=_local)
    date_gmt = DateTime(_("When the change was made, in GMT."), VIEW_EDIT)
    guid = Object(
        _("Permanent name of the revision; not an address to open."),
        VIEW_EDIT,
        read=lambda row, page: {"rendered": f"{page.site.url}/?p={row['parent_id']}&revision={row['id']}"},
    )
    id = Integer(_("Number that identifies the revision."), ALWAYS)
    modified = DateTime(_("As date: a revision doesn't change."), VIEW_EDIT, read=_local)
    modified_gmt = DateTime(_("As date_gmt: a revision doesn't change."), VIEW_EDIT, column="date_gmt")
    parent = Integer(_("Id of the item that the revision is of."), ALWAYS, column="parent_id")
    slug = String(
        _("Name of the revision."), ALWAYS, read=lambda row, page: f"{row['parent_id']}-revision-v1"
    )
    title = Object(_("Title after the change."), ALWAYS, read=_text("title"))
    content = Object(_("Text after the change."), VIEW_EDIT, read=_text("content"))
    excerpt = Object(_("Excerpt after the change."), ALWAYS, read=_text("excerpt"))


class RevisionDeleteArgs(ArgumentSchema):
    """The arguments of deleting a revision."""

    force = Boolean(_("Must be true: revisions have no trash."), default=False)


class Revisions:
    """The routes of the revisions of one type."""

    def __init__(self, kind: ContentType) -> None:
        self.kind = kind

    def _parent(self, call: Call, code: str) -> Any:
        """Return the item, which the principal must be allowed to edit (or, for a deletion, to delete)."""
        row = call.site.database.row(
            "SELECT * FROM content WHERE id = ? AND type = ?", (call.path["parent"], self.kind.name)
        )
        if row is None:
            raise ApiError("rest_post_invalid_parent", _("There is no item of this type with this id."), 404)
        policy = self.kind.policy
        allowed = policy.may_edit if code == "rest_cannot_read" else policy.may_delete
        if not allowed(call.principal, row):
            raise NotAllowed(call.principal, code, _("Revisions are for those who may edit the item."))
        action = "update" if code == "rest_cannot_read" else "delete"
        call.site.operations[self.kind.name].admit(action, call.principal, row)
        return row

    def _find(self, call: Call) -> Any:
        row = call.site.database.row(ONE, (call.path["id"],))
        if row is None:
            raise ApiError("rest_post_invalid_id", _("There is no revision with this id."), 404)
        if row["parent_id"] != call.path["parent"]:
            raise ApiError("rest_revision_parent_id_mismatch", _("This revision is of another item."), 404)
        return row

    def _show(self, call: Call, rows: list[Any]) -> list[dict[str, Any]]:
        context, wanted = call.args["context"], call.args.get("_fields")
        serializer: Serializer = compile_serializer(RevisionSchema, context, wanted)
        page = SerializationContext(call.site, call.principal, context, rows, call.site.now(), wanted=wanted)
        parent = {"parent": [{"href": f"{call.site.addresses[self.kind.name]}/{call.path['parent']}"}]}
        links = {"_links": parent} if wanted is None or "_links" in wanted else {}
        return call.site.hooks.prepare(
            "revision", [{**serializer.write(row, page), **links} for row in rows], page
        )

    def list(self, call: Call) -> Answer:
        """Answer with all revisions of an item, the newest first."""
        parent = self._parent(call, "rest_cannot_read")
        shown = self._show(call, call.site.database.rows(OF_ITEM, (parent["id"],)))
        return Answer(shown, total=len(shown), pages=1 if shown else 0)

    def get(self, call: Call) -> Answer:
        """Answer with one revision."""
        parent = self._parent(call, "rest_cannot_read")
        row = self._find(call)
        deletes = DELETE if self.kind.policy.may_delete(call.principal, parent) else ()
        return Answer(self._show(call, [row])[0], allow=(*GET, *deletes))

    def delete(self, call: Call) -> Answer:
        """Delete a revision for good."""
        with call.site.database.write():
            self._parent(call, "rest_cannot_delete")
            row = self._find(call)
            if not call.args["force"]:
                message = _("This can't be moved to a trash. Send force=true to delete it for good.")
                raise ApiError("rest_trash_not_supported", message, 501)
            changes = call.site.write_hooks
            changes.before("delete", "revision", {}, row, call.principal, loader_of(RevisionDeleteArgs))
            page = SerializationContext(call.site, call.principal, "view", [row], call.site.now())
            previous = compile_serializer(RevisionSchema, "view").write(row, page)
            previous = call.site.hooks.prepare("revision", [previous], page)[0]
            call.site.database.execute("DELETE FROM revisions WHERE id = ?", (row["id"],))
            changes.after("delete", "revision", None, row, call.principal)
        return Answer({"deleted": True, "previous": previous}, allow=None)

    def allowed(self, call: Call) -> tuple[str, ...]:
        """Return the methods that the principal may use on the list or on one revision."""
        parent = self._parent(call, "rest_cannot_read")
        deletes = "id" in call.path and self.kind.policy.may_delete(call.principal, parent)
        return (*GET, *(DELETE if deletes else ()))

    def routes(self) -> Iterable[Route]:
        """Return the routes of the list and of one revision."""
        parent = {"parent": Integer(_("Id of the item that the revisions are of."))}
        both = {**parent, "id": RevisionSchema._declared_fields["id"]}
        path = f"/{self.kind.base}/<digits:parent>/revisions"
        shown: dict[str, Any] = {
            "namespace": self.kind.namespace,
            "schema": RevisionSchema,
            "title": f"{self.kind.name}-revision",
        }
        yield Route(
            path,
            (Endpoint(GET, self.list, CHECKED_BY_HANDLER, ContextArgs, parent),),
            allowed=self.allowed,
            **shown,
        )
        yield Route(
            f"{path}/<digits:id>",
            (
                Endpoint(GET, self.get, CHECKED_BY_HANDLER, ContextArgs, both),
                Endpoint(DELETE, self.delete, CHECKED_BY_HANDLER, RevisionDeleteArgs, both),
            ),
            allowed=self.allowed,
            **shown,
        )


def revision_routes(kinds: Iterable[ContentType]) -> list[Route]:
    """Return the routes of the revisions of each type that keeps them."""
    kept = [kind for kind in kinds if kind.served and "revisions" in kind.supports]
    return [route for kind in kept for route in Revisions(kind).routes()]

"""The resource of menu items: their fields, lists and operations."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import orjson
from cms.operations.hierarchy import is_ancestor_or_self
from cms.resources.content.operations import ContentOperations
from peewee import fn

from cms import _
from cms.access.capabilities import Principal
from cms.db import Bound, QueryPlan
from cms.db.models import Content
from cms.errors import ApiError, InvalidParams, NotAllowed
from cms.operations.crud import Operations
from cms.operations.results import Item
from cms.operations.serialize import SerializationContext
from cms.rendering.plain import clean_line
from cms.resources.content.schema import shown_status
from cms.resources.content.terms import chosen_terms
from cms.resources.content.types import list_arguments
from cms.schema.content_types import ContentRegistry, ContentType
from cms.schema.fields import ALWAYS, VIEW_EDIT, Boolean, Integer, List, Object, Raw, String
from cms.schema.resource import Arguments, Link, Resource, SerializedItems
from cms.schema.schemas import ArgumentSchema, ItemSchema, Serializer

from .entries import ARCHIVE, CUSTOM, POST_TYPE, TAXONOMY, TYPES, Entry
from .rules import CAPABILITY, ITEM, MENU, next_place
from .targets import Target, entry_of, find_target, load_targets

NEEDED = ("id", "meta", "title", "title_html")
#: Schemes that a link may have; one without a scheme leads within the site.
SCHEMES = ("http", "https", "mailto", "tel", "sms", "ftp")
OF_ITEM = """
SELECT t.id FROM content_terms l JOIN terms t ON t.id = l.term_id WHERE l.content_id = ? AND t.taxonomy = 'nav_menu'
"""
KEEP_PARENTS = """
UPDATE content SET meta = json_set(meta, '$._menu_item_menu_item_parent', CAST(parent_id AS TEXT))
WHERE type = 'nav_menu_item' AND json_extract(meta, '$._menu_item_menu_item_parent') = ?
"""


def _own(name: str) -> dict[str, Any]:
    return {
        "columns": NEEDED,
        "load": load_targets,
        "read": lambda row, page: _as_json(getattr(page.load(load_targets)[row["id"]][0], name)),
    }


def _of_target(read: Callable[[Target], Any]) -> dict[str, Any]:
    return {
        "columns": NEEDED,
        "load": load_targets,
        "readonly": True,
        "read": lambda row, page: read(page.load(load_targets)[row["id"]][1]),
    }


def _as_json(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _title(row: Any, page: SerializationContext) -> dict[str, Any]:
    target: Target = page.load(load_targets)[row["id"]][1]
    html = row["title_html"] if row["title"] else target.html
    return (
        {"raw": row["title"] or target.title, "rendered": html}
        if page.context == "edit"
        else {"rendered": html}
    )


def _url(row: Any, page: SerializationContext) -> str:
    target: Target = page.load(load_targets)[row["id"]][1]
    return target.url


def _object_id(row: Any, page: SerializationContext) -> int:
    entry: Entry = page.load(load_targets)[row["id"]][0]
    return int(row["id"]) if entry.type == CUSTOM else entry.object_id


def _object(row: Any, page: SerializationContext) -> str:
    entry: Entry = page.load(load_targets)[row["id"]][0]
    return CUSTOM if entry.type == CUSTOM else entry.object


class Words(List):
    """Words without signs that could end an attribute: letters, digits, hyphens and underscores stay."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> list[Any]:
        words = super()._deserialize(value, attr, data, **kwargs)
        return [word for word in (re.sub(r"[^\w-]", "", each, flags=re.ASCII) for each in words) if word]


class MenuItemSchema(ItemSchema):
    """The fields of a menu item."""

    id = Integer(_("Number that identifies the item."), ALWAYS, readonly=True)
    title = Raw(
        _("What the link says; left empty, the title of what it points at."),
        ALWAYS,
        columns=NEEDED,
        load=load_targets,
        read=_title,
    )
    status = String(
        _("publish, or draft for an item that front ends don't show."),
        ALWAYS,
        default="publish",
        columns=("status", "date_gmt"),
        read=lambda row, page: shown_status(row, page.now),
    )
    url = String(
        _("Where the link leads; written for custom links alone."),
        ALWAYS,
        format="uri",
        columns=NEEDED,
        load=load_targets,
        read=_url,
    )
    attr_title = String(_("Text of the link's attribute title."), ALWAYS, column="excerpt")
    description = String(_("The item's description."), ALWAYS, column="content")
    type = String(_("Kind of what the item points at."), ALWAYS, enum=TYPES, default=CUSTOM, **_own("type"))
    type_label = String(_("That kind's name for people."), ALWAYS, **_of_target(lambda target: target.label))
    object = String(
        _("Name of the type or taxonomy that the item points at."),
        ALWAYS,
        columns=NEEDED,
        load=load_targets,
        read=_object,
    )
    object_id = Integer(
        _("Id of the item of content or the term that the item points at."),
        ALWAYS,
        minimum=0,
        columns=NEEDED,
        load=load_targets,
        read=_object_id,
    )
    parent = Integer(_("Id of the item above; 0 for none."), ALWAYS, minimum=0, null=0, column="parent_id")
    menu_order = Integer(_("Place of the item in its menu; left out, the last."), ALWAYS, minimum=1)
    target = String(
        _("Where the link opens: _blank for a new window."), ALWAYS, enum=("_blank", ""), **_own("target")
    )
    classes = Words(_("Class names of the link."), ALWAYS, **_own("classes"))
    xfn = Words(_("Relations of the link, in the notation XFN."), ALWAYS, **_own("xfn"))
    invalid = Boolean(
        _("Whether what the item points at is gone."), ALWAYS, **_of_target(lambda target: target.invalid)
    )
    meta = Object(
        _("Further values that plugins have declared."), VIEW_EDIT, columns=(), read=lambda row, page: {}
    )


class MenuItemOperations(ContentOperations):
    """The operations on menu items: readers see those that are published and lead to what they may read."""

    def check_read(self, row: Any, args: Arguments, principal: Principal) -> None:
        """Refuse an item that leads to something which isn't public, unless the principal arranges menus."""
        super().check_read(row, args, principal)
        entry = entry_of(row)
        if principal.may(CAPABILITY) or entry.type != POST_TYPE:
            return
        sql = "SELECT status, date_gmt FROM content WHERE id = ?"
        target = self.site.database.row(sql, (entry.object_id,))
        if target is not None and not self._is_public(target):
            raise NotAllowed(principal, "rest_forbidden", _("You may not read this."))

    def _is_public(self, row: Any) -> bool:
        scheduled = row["status"] == "publish" and row["date_gmt"] > self.site.now()
        return row["status"] in (*self.policy.public, "inherit") and not scheduled

    def restrict(self, plan: QueryPlan, args: Arguments, principal: Principal) -> None:
        """Leave out items that lead to something which isn't public, unless the principal arranges menus."""
        super().restrict(plan, args, principal)
        if not principal.may(CAPABILITY):
            plan.where("leads to public", self._leads_to_public)

    def _leads_to_public(self) -> Any:
        target = Content.alias()
        shown = target.status.in_(sorted((*self.policy.public, "inherit")))
        scheduled = (target.status == "publish") & (target.date_gmt > Bound("now"))
        id = fn.json_extract(Content.meta, "$._menu_item_object_id").cast("integer")
        points = fn.json_extract(Content.meta, "$._menu_item_type") == POST_TYPE
        return ~fn.EXISTS(target.select(target.id).where(points, target.id == id, ~shown | scheduled))

    def show(self, page: SerializationContext, serializer: Serializer) -> SerializedItems:
        """Write all items of a page; each is of one menu, whose id stands by itself."""
        items = super().show(page, serializer)
        for item in items:
            if isinstance(item.get("menus"), list):
                item["menus"] = next(iter(item["menus"]), 0)
        return items

    # Writing.

    def values(self, args: dict[str, Any], row: Any, principal: Principal) -> dict[str, Any]:
        """Return the columns of a write."""
        entry, now = self._entry(args, row), self.site.now()
        terms = self._menu(args, row)
        self._check_parent(entry.parent, row, terms)
        texts = {
            "title": args.get("title"),
            "content": _line(args.get("description")),
            "excerpt": _line(args.get("attr_title")),
        }
        values = self.texts(texts, row, principal)
        target = find_target(self.site, entry)
        if entry.type != CUSTOM and values["title"] == target.title.strip():
            # What says the title of its target goes on saying it when that changes.
            values = self.texts({**texts, "title": ""}, row, principal)
        if entry.type == CUSTOM and not values["title"]:
            raise ApiError("rest_title_required", _("A custom link needs a title."))
        values |= {
            "parent_id": entry.parent,
            "modified_gmt": now,
            "terms": terms,
            "status": self._state(args, row),
        }
        values |= self._place(args, row, terms)
        if row is not None:
            return values
        return {
            **values,
            "type": ITEM,
            "slug": "",
            "author_id": principal.id,
            "date_gmt": now,
            "comment_status": "closed",
            "ping_status": "closed",
        }

    def written(self, args: Arguments, row: Any, principal: Principal) -> dict[str, Any]:
        """Return the columns of a write, with the item's own part beside the values of plugins' fields."""
        values = super().written(args, row, principal)
        kept = values.get("meta") or (row["meta"] if row is not None else "{}")
        meta = {**orjson.loads(kept), **self._entry(args, row).written()}
        return {**values, "meta": orjson.dumps(meta).decode()}

    def _entry(self, args: Arguments, row: Any) -> Entry:
        present = entry_of(row) if row is not None else Entry()
        entry = present.changed({name: value for name, value in args.items() if value is not None})
        if entry.type == CUSTOM:
            if not entry.url:
                raise ApiError("rest_url_required", _("A custom link needs an address in url."))
            return entry.changed({"object": "", "object_id": 0, "url": _clean_url(entry.url)})
        return entry.changed({"object": self._object(entry), "url": ""})

    def _object(self, entry: Entry) -> str:
        """Return the name of the type or taxonomy that an entry points at."""
        database, id = self.site.database, entry.object_id
        if entry.type == ARCHIVE:
            if entry.object not in self.site.content_registry.types:
                raise ApiError("rest_post_invalid_type", _("There is no type with the name in object."))
            return entry.object
        if entry.type == TAXONOMY:
            row = database.row("SELECT taxonomy AS name FROM terms WHERE id = ?", (id,))
            if row is None:
                raise ApiError("rest_term_invalid_id", _("There is no term with the id in object_id."))
        else:
            row = database.row(
                "SELECT type AS name FROM content WHERE id = ? AND type <> 'nav_menu_item'", (id,)
            )
            if row is None:
                raise ApiError("rest_post_invalid_id", _("There is nothing with the id in object_id."))
        return str(row["name"])

    def _menu(self, args: dict[str, Any], row: Any) -> dict[str, list[int]]:
        sent = args.get("menus")
        if sent is None:
            return {}
        ids = [id for id in sent if id]
        chosen = chosen_terms(self.site, ITEM, {"menus": ids}, row)
        if len(ids) > 1 or len(chosen[MENU]) != len(ids):
            raise InvalidParams({"menus": _("This must be the id of one menu, or 0 for none.")})
        return chosen

    def _check_parent(self, parent: int, row: Any, terms: dict[str, list[int]]) -> None:
        if not parent:
            return
        database = self.site.database
        known = database.row("SELECT id FROM content WHERE id = ? AND type = ?", (parent, ITEM))
        if known is None:
            raise InvalidParams({"parent": _("There is no menu item %(id)s.", id=parent)})
        if row is not None and is_ancestor_or_self(database, "content", row["id"], parent):
            raise InvalidParams({"parent": _("An item can't stand below itself.")})
        own = terms.get(MENU, [] if row is None else self._menus_of(row["id"]))
        if self._menus_of(parent) != own:
            raise InvalidParams({"parent": _("The item above must be of the same menu.")})

    def _menus_of(self, id: int) -> list[int]:
        return [row["id"] for row in self.site.database.rows(OF_ITEM, (id,))]

    def _place(self, args: dict[str, Any], row: Any, terms: dict[str, list[int]]) -> dict[str, int]:
        if args.get("menu_order") is not None:
            return {"menu_order": args["menu_order"]}
        return (
            {"menu_order": next_place(self.site, next(iter(terms.get(MENU, [])), 0))} if row is None else {}
        )

    def _state(self, args: dict[str, Any], row: Any) -> str:
        sent = args.get("status") or (row["status"] if row is not None else "publish")
        return "publish" if sent == "publish" else "draft"

    def trash(self, row: Any, principal: Principal) -> Item:
        """Refuse: menu items have no trash."""
        return Operations.trash(self, row, principal)

    def remove(self, row: Any, args: Arguments, principal: Principal) -> None:
        """Delete an item; what is below it goes up one level."""
        super().remove(row, args, principal)
        self.site.database.execute(KEEP_PARENTS, (str(row["id"]),))


def _line(text: str | None) -> str | None:
    return None if text is None else clean_line(text)


def _clean_url(sent: str) -> str:
    url = re.sub(r"[\x00-\x20\x7f<>\"'`\\]", "", sent)
    scheme = re.match(r"([a-z][a-z0-9+.-]*):", url, re.IGNORECASE)
    if not url or (scheme and scheme[1].lower() not in SCHEMES):
        raise InvalidParams(
            {
                "url": _(
                    "This must be an address within the site, or one that begins with %(schemes)s.",
                    schemes=", ".join(f"{scheme}:" for scheme in SCHEMES),
                )
            }
        )
    return url


def _target_link(row: Any, page: SerializationContext) -> list[dict[str, Any]] | None:
    entry, target = page.load(load_targets)[row["id"]]
    if not target.address or entry.type == ARCHIVE:
        return None
    return [{entry.type: entry.object, "embeddable": True, "href": target.address}]


def _about(row: Any, page: SerializationContext) -> str:
    return f"{page.site.core_url}/types/{ITEM}"


def _menu_link(row: Any, page: SerializationContext) -> list[dict[str, Any]]:
    return [
        {"taxonomy": MENU, "embeddable": True, "href": f"{page.site.collection_urls[MENU]}?post={row['id']}"}
    ]


def item_resource(kind: ContentType, content_registry: ContentRegistry) -> Resource:
    """Return the resource of menu items; a list is ordered by the items' places unless it is asked for otherwise."""
    arguments = list_arguments(kind, content_registry)
    arguments |= {
        "per_page": arguments["per_page"].copy(load_default=100),
        "order": arguments["order"].copy(load_default="asc"),
        "orderby": arguments["orderby"].copy(load_default="menu_order"),
    }
    links = (
        Link("about", _about),
        Link("wp:term", _menu_link),
        Link("https://api.w.org/menu-item-object", _target_link, columns=NEEDED),
    )
    return Resource(
        kind.name,
        kind.base,
        Content,
        MenuItemSchema,
        type("MenuItemListArgs", (ArgumentSchema,), arguments),
        MenuItemOperations,
        kind.label,
        links=links,
        namespace=kind.namespace,
    )

"""What a write of a menu item stores, from the arguments of a request."""

from __future__ import annotations

import html
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from cms import _
from cms.plugin import (
    ITEM_TERMS,
    ApiError,
    Arguments,
    ContentDrafts,
    ContentRow,
    Draft,
    InvalidParams,
    ParentFault,
    Principal,
    Services,
    chosen_terms,
    clean_address,
    plain_line,
)

from .entries import ARCHIVE, CUSTOM, TAXONOMY, Entry, entry_of
from .names import ITEM, MENU
from .store import MenuStore
from .targets import find_target

#: The fields that say what an item points at.
TARGET = ("type", "object", "object_id")
PUBLISH, DRAFT = "publish", "draft"


@dataclass(frozen=True)
class MenuItemDrafts:
    """Builds what the writes of menu items store; values are checked in the interface's order."""

    services: Services
    content: ContentDrafts

    def texts(self, args: Arguments, row: ContentRow | None, principal: Principal) -> dict[str, Any]:
        """Return the columns of the texts after a write."""
        return self.content.texts({"title": args.get("title")}, row, principal)

    def build(
        self,
        args: Arguments,
        row: ContentRow | None,
        principal: Principal,
        texts: dict[str, Any] | None = None,
    ) -> Draft:
        """Return the columns of a write, and its menu as the item's only term.

        `texts` is what `texts()` returned before the transaction. Raises ApiError for what can't be stored.
        """
        if texts is None:
            texts = self.texts(args, row, principal)
        entry, now = self._entry(args, row), self.services.site.now()
        terms = self._menu(args, row)
        self._check_parent(entry.parent, row, terms)
        columns = self._titled(texts, args, row, principal, entry)
        columns |= {
            "parent_id": entry.parent,
            "modified_gmt": now,
            "status": self._status(args, row),
            "meta": self._meta(entry, row),
        }
        if args.get("menu_order") is not None:
            columns["menu_order"] = args["menu_order"]
        elif row is None:
            columns["menu_order"] = self._next_place(terms)
        if row is None:
            columns |= new_item(principal.id, now)
        return Draft(columns, {ITEM_TERMS: terms})

    def _titled(
        self,
        texts: dict[str, Any],
        args: Arguments,
        row: ContentRow | None,
        principal: Principal,
        entry: Entry,
    ) -> dict[str, Any]:
        if entry.type == CUSTOM:
            if not texts["title"]:
                raise ApiError("rest_title_required", _("A custom link needs a title."))
        elif html.unescape(texts["title"]) == html.unescape(find_target(self.services, entry).title.strip()):
            # What says the title of its target goes on saying it when that changes.
            texts = self.content.texts({"title": ""}, row, principal)
        return texts | _plain_texts(args, row)

    def _entry(self, args: Arguments, row: ContentRow | None) -> Entry:
        present = entry_of(row) if row is not None else Entry()
        entry = present.changed({name: value for name, value in args.items() if value is not None})
        if entry.type == CUSTOM:
            if not entry.url:
                raise ApiError("rest_url_required", _("A custom link needs an address in url."))
            return entry.changed({"object": "", "object_id": 0, "url": read_url(entry.url)})
        if row is not None and all(args.get(name) is None for name in TARGET):
            return entry  # also where what it points at is gone meanwhile
        return entry.changed({"object": self._object(entry), "url": ""})

    def _object(self, entry: Entry) -> str:
        """Return the name of the type or taxonomy that an entry points at."""
        site, id = self.services.site, entry.object_id
        if entry.type == ARCHIVE:
            if entry.object not in site.content_registry.types:
                raise ApiError("rest_post_invalid_type", _("There is no type with the name in object."))
            return entry.object
        if entry.type == TAXONOMY:
            term = site.stores.terms.find(id)
            if term is None:
                raise ApiError("rest_term_invalid_id", _("There is no term with the id in object_id."))
            return term["taxonomy"]
        item = site.stores.content.find(id)
        if item is None or item["type"] == ITEM:
            raise ApiError("rest_post_invalid_id", _("There is nothing with the id in object_id."))
        return item["type"]

    def _menu(self, args: Arguments, row: ContentRow | None) -> dict[str, list[int]]:
        sent = args.get("menus")
        if sent is None:
            return {}
        ids = [id for id in sent if id]
        chosen = chosen_terms(self.services.site, ITEM, {"menus": ids}, row)
        if len(ids) > 1 or len(chosen[MENU]) != len(ids):
            raise InvalidParams({"menus": _("This must be the id of one menu, or 0 for none.")})
        return chosen

    def _check_parent(self, parent: int, row: ContentRow | None, terms: Mapping[str, list[int]]) -> None:
        if not parent:
            return
        stores, id = self.services.site.stores, row["id"] if row is not None else 0
        fault = stores.hierarchy.find_fault("content", id, parent, {"type": ITEM})
        if fault is ParentFault.MISSING:
            raise InvalidParams({"parent": _("There is no menu item %(id)s.", id=parent)})
        if fault is ParentFault.LOOP:
            raise InvalidParams({"parent": _("An item can't stand below itself.")})
        own = set(terms[MENU]) if MENU in terms else stores.terms.of_item(id, MENU)
        if stores.terms.of_item(parent, MENU) != own:
            raise InvalidParams({"parent": _("The item above must be of the same menu.")})

    def _status(self, args: Arguments, row: ContentRow | None) -> str:
        present = row["status"] if row is not None else PUBLISH
        wanted = args.get("status") or present
        return PUBLISH if wanted == PUBLISH else DRAFT

    def _meta(self, entry: Entry, row: ContentRow | None) -> str:
        """Return the column with the item's own part, beside the values of plugins' fields."""
        present = orjson.loads(row["meta"]) if row is not None else {}
        meta = orjson.dumps({**present, **entry.to_meta()}).decode()
        return self.services.site.own_files.store(meta)

    def _next_place(self, terms: Mapping[str, list[int]]) -> int:
        menu = next(iter(terms.get(MENU, [])), 0)
        return MenuStore(self.services.site.database).next_place(menu)


def _plain_texts(args: Arguments, row: ContentRow | None) -> dict[str, str]:
    """Return the columns of the texts that are shown as they are, never as HTML."""
    columns = {"content": "", "excerpt": ""}
    if row is not None:
        columns = {"content": row["content"], "excerpt": row["excerpt"]}
    for column, name in (("content", "description"), ("excerpt", "attr_title")):
        if args.get(name) is not None:
            columns[column] = plain_line(args[name])
    return columns


def new_item(author: int, now: str) -> dict[str, Any]:
    """Return the columns that all new menu items have alike."""
    return {
        "type": ITEM,
        "slug": "",
        "author_id": author,
        "date_gmt": now,
        "modified_gmt": now,
        "comment_status": "closed",
        "ping_status": "closed",
    }


def read_url(sent: str) -> str:
    """Return an address as it is stored; raises InvalidParams for one that has a scheme which links may not have."""
    url = clean_address(sent)
    if not url:
        message = _(
            "This must be an address within the site, or one that begins with a scheme such as https."
        )
        raise InvalidParams({"url": message})
    return url

"""The fields of menu items."""

from __future__ import annotations

import re
from typing import Any

from cms import _
from cms.plugin import (
    ALWAYS,
    EDIT,
    VIEW_EDIT,
    Boolean,
    Integer,
    ItemSchema,
    List,
    Object,
    Raw,
    Row,
    SerializationContext,
    String,
    Text,
    effective_status,
)

from .entries import CUSTOM, TYPES, Entry
from .names import LAST_PLACE
from .targets import Target, load_items

#: The columns that an item's entry and target are made from.
COLUMNS = ("id", "meta", "title", "title_html")
LOADED: dict[str, Any] = {"columns": COLUMNS, "load": load_items}


def _entry(row: Row, page: SerializationContext) -> Entry:
    return page.load(load_items)[row["id"]].entry


def _target(row: Row, page: SerializationContext) -> Target:
    return page.load(load_items)[row["id"]].target


def _title(row: Row, page: SerializationContext) -> dict[str, str]:
    target = _target(row, page)
    html = row["title_html"] if row["title"] else target.html
    if page.context == EDIT:
        return {"raw": row["title"] or target.title, "rendered": html}
    return {"rendered": html}


def _status(row: Row, page: SerializationContext) -> str:
    return effective_status(row, page.now)


def _url(row: Row, page: SerializationContext) -> str:
    return _target(row, page).url


def _type(row: Row, page: SerializationContext) -> str:
    return _entry(row, page).type


def _type_label(row: Row, page: SerializationContext) -> Text | str:
    return _target(row, page).label


def _object(row: Row, page: SerializationContext) -> str:
    entry = _entry(row, page)
    return CUSTOM if entry.type == CUSTOM else entry.object


def _object_id(row: Row, page: SerializationContext) -> int:
    entry = _entry(row, page)
    if entry.type == CUSTOM:
        return int(row["id"])
    return entry.object_id


def _window(row: Row, page: SerializationContext) -> str:
    return _entry(row, page).target


def _classes(row: Row, page: SerializationContext) -> list[str]:
    return list(_entry(row, page).classes)


def _xfn(row: Row, page: SerializationContext) -> list[str]:
    return list(_entry(row, page).xfn)


def _is_invalid(row: Row, page: SerializationContext) -> bool:
    return _target(row, page).invalid


def _meta(row: Row, page: SerializationContext) -> dict[str, object]:
    return {}


class Words(List):
    """Words without signs that could end an attribute: letters, digits, hyphens and underscores stay."""

    def _deserialize(self, value: object, attr: str | None, data: object, **kwargs: object) -> list[Any]:
        words = super()._deserialize(value, attr, data, **kwargs)
        cleaned = [re.sub(r"[^\w-]", "", word, flags=re.ASCII) for word in words]
        return [word for word in cleaned if word]


class MenuItemSchema(ItemSchema):
    """The fields of a menu item."""

    id = Integer(_("Number that identifies the item."), ALWAYS, readonly=True)
    title = Raw(
        _("What the link says; left empty, the title of what it points at."),
        ALWAYS,
        read=_title,
        codes={400: ("rest_title_required",)},
        **LOADED,
    )
    status = String(
        _("publish, or draft for an item that front ends don't show."),
        ALWAYS,
        default="publish",
        columns=("status", "date_gmt"),
        read=_status,
    )
    url = String(
        _("Where the link leads; written for custom links alone."),
        ALWAYS,
        format="uri",
        read=_url,
        codes={400: ("rest_url_required",)},
        **LOADED,
    )
    attr_title = String(_("Text of the link's attribute title."), ALWAYS, column="excerpt")
    description = String(_("The item's description."), ALWAYS, column="content")
    type = String(
        _("Kind of what the item points at."), ALWAYS, enum=TYPES, default=CUSTOM, read=_type, **LOADED
    )
    type_label = String(_("That kind's name for people."), ALWAYS, readonly=True, read=_type_label, **LOADED)
    object = String(
        _("Name of the type or taxonomy that the item points at."),
        ALWAYS,
        read=_object,
        codes={400: ("rest_post_invalid_type",)},
        **LOADED,
    )
    object_id = Integer(
        _("Id of the item of content or the term that the item points at."),
        ALWAYS,
        minimum=0,
        read=_object_id,
        codes={400: ("rest_term_invalid_id",)},
        **LOADED,
    )
    parent = Integer(_("Id of the item above; 0 for none."), ALWAYS, minimum=0, null=0, column="parent_id")
    menu_order = Integer(
        _("Place of the item in its menu; left out, the last."), ALWAYS, minimum=1, maximum=LAST_PLACE
    )
    target = String(
        _("Where the link opens: _blank for a new window."),
        ALWAYS,
        enum=("_blank", ""),
        read=_window,
        **LOADED,
    )
    classes = Words(_("Class names of the link."), ALWAYS, read=_classes, **LOADED)
    xfn = Words(_("Relations of the link, in the notation XFN."), ALWAYS, read=_xfn, **LOADED)
    invalid = Boolean(
        _("Whether what the item points at is gone."), ALWAYS, readonly=True, read=_is_invalid, **LOADED
    )
    meta = Object(_("Further values that plugins have declared."), VIEW_EDIT, columns=(), read=_meta)

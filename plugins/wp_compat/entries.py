"""Fields that types themselves have in newer versions of WordPress; taxonomies and accounts have got no more."""

from __future__ import annotations

from typing import Any, TypedDict

from cms.plugin import ALWAYS, EDIT_ONLY, VIEW_EDIT, Boolean, Call, ContentType, Field, Object, String, _


class TypeRow(TypedDict):
    """What the fields are read from."""

    entry: ContentType


class TextOrFalse(String):
    """A text, or false where there is none; with an `enum` one of these texts."""

    def shape(self) -> dict[str, Any]:
        """Return both types, and what may stand there."""
        shape: dict[str, Any] = {**super().shape(), "type": ["string", "boolean"]}
        return {**shape, "enum": [*self.enum, False]} if self.enum else shape


def fields_of_types() -> dict[str, Field]:
    """Return the fields of types."""
    places: dict[str, Field] = {
        "show_ui": Boolean(_("Whether editors find the items of the type.")),
        "show_in_nav_menus": Boolean(_("Whether menus may lead to items of the type.")),
    }
    return {
        "icon": String(
            _("Name of a picture for the type."), ALWAYS, readonly=True, nullable=True, read=_icon
        ),
        "has_archive": TextOrFalse(
            _("Address of a page that lists all items, false where there is none."),
            VIEW_EDIT,
            readonly=True,
            read=_nothing,
        ),
        "visibility": Object(
            _("Where the type shows."), EDIT_ONLY, properties=places, readonly=True, read=_visibility
        ),
        "template_lock": TextOrFalse(
            _("Which changes of the blocks that a new item begins with are barred, false for none."),
            ALWAYS,
            enum=("all", "insert", "contentOnly"),
            answer_values=(False,),
            readonly=True,
            read=_nothing,
        ),
    }


def _icon(row: TypeRow, call: Call) -> str | None:
    return row["entry"].icon or None


def _nothing(row: TypeRow, call: Call) -> bool:
    return False


def _visibility(row: TypeRow, call: Call) -> dict[str, bool]:
    type = row["entry"]
    return {"show_ui": type.served, "show_in_nav_menus": type.public and not type.inherits}

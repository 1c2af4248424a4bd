"""The rules of writing content that hold for the API and for imports alike."""

from __future__ import annotations

from collections.abc import Mapping

from cms.db.reader import ColumnValues
from cms.db.settings import Settings
from cms.db.stores import SlugStore
from cms.operations.renderer import Renderer
from cms.rendering.plain import sort_key
from cms.rendering.slugs import imported_slug, mark_trashed, without_trash_mark
from cms.schema.content_types import ContentType

TEXTS = ("title", "content", "excerpt")
#: Settings as they are now, or as they were read.
SettingValues = Settings | Mapping[str, object]


def text_columns(
    renderer: Renderer, type: str, texts: Mapping[str, str], row: Mapping[str, object] | None = None
) -> dict[str, str]:
    """Return the columns of title, content and excerpt, with the HTML that is made of them and what titles sort by.

    Of an item that has a `row`, the HTML of those texts alone that change.
    """
    title = texts["title"].strip()
    rendered = renderer.content_columns(type, title, texts["content"], texts["excerpt"], row)
    return {
        "title": title,
        "sort_title": sort_key(title),
        "content": renderer.own_files.store(texts["content"]),
        "excerpt": renderer.own_files.store(texts["excerpt"]),
        **rendered,
    }


def free_slug(
    slugs: SlugStore, type: ContentType, wanted: str, id: int, parent: int, among_types: bool = True
) -> str:
    """Return a slug that no other item has that an item of a type could be taken for, the trash apart.

    `id` is 0 for a new item. Without `among_types` items of other types may have the same one, as they may in what
    is imported.
    """
    if type.inherits and among_types:
        return slugs.free_among_content(wanted, id)
    if type.hierarchical and among_types:
        return slugs.free_among_siblings(wanted, type.name, parent, id)
    if type.hierarchical:
        return slugs.free_among_children(wanted, type.name, parent, id)
    return slugs.free_among_type(wanted, type.name, id)


def trashed_slug(slug: str) -> str:
    """Return the slug of an export as an item in the trash has it: marked once."""
    return mark_trashed(imported_slug(without_trash_mark(slug)))


def default_discussion(type: ContentType, settings: SettingValues) -> dict[str, str]:
    """Return whether items of a type take comments and pings where nothing is said of that."""
    takes_comments = type.discussed and "comments" in type.supports
    return {
        name: str(settings[f"default_{name}"]) if takes_comments else "closed"
        for name in ("comment_status", "ping_status")
    }


def is_pinned_and_locked(columns: ColumnValues) -> bool:
    """Tell whether an item would be both pinned to the front and protected by a password, which it can't be."""
    return bool(columns["password"] and columns["is_sticky"])


def password_of(status: str, password: str) -> str:
    """Return the password that an item has: private ones have none."""
    return "" if status == "private" else password

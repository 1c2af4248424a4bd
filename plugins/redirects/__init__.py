"""What front ends redirect: the slugs that posts, pages and files had before, as a field of each."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from cms.plugin import VIEW_EDIT, ContentRegistry, Field, List, Row, SerializationContext, _, hookimpl

__version__ = "1.0"
cms_api = 1


def load_old_slugs(page: SerializationContext) -> dict[int, list[str]]:
    """Return the slugs that the items of a page had before, by id: one query for all of them."""
    return page.site.stores.slugs.old_of(page.ids)


def old_slugs(row: Row, page: SerializationContext) -> list[str]:
    """Return the slugs that an item had before."""
    return page.load(load_old_slugs).get(row["id"], [])


@hookimpl
def register_fields(content_registry: ContentRegistry) -> Mapping[str, Mapping[str, Field]]:
    """Add the field to the items of all types that front ends show."""
    field = List(
        _("Slugs that the item had before; its old addresses end in them."),
        VIEW_EDIT,
        readonly=True,
        columns=("id",),
        load=load_old_slugs,
        read=old_slugs,
    )
    types = content_registry.types.values()
    return {type.name: {"old_slugs": field.copy()} for type in types if type.public and type.served}


@hookimpl
def register_translations() -> Path:
    """Bring the text of this field in other languages."""
    return Path(__file__).parent / "locales"

"""What search engines and shared links show of posts, pages and terms: the example of fields without storage."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from cms import _, hookimpl
from cms.catalogue import Catalogue
from cms.fields import VIEW_EDIT, Boolean, Field, String

cms_api = 1


def fields() -> dict[str, Field]:
    """Return the fields, made anew for each resource."""
    return {
        "seo_title": String(_("Title for search engines; without one the item's own stands."), VIEW_EDIT, default="",
                            filterable=True),
        "seo_description": String(_("Description for search engines and shared links."), VIEW_EDIT, default=""),
        "seo_canonical": String(_("Address of the original, where this is a copy of it."), VIEW_EDIT, default="",
                                format="uri"),
        "seo_noindex": Boolean(_("Whether search engines are asked to leave this out."), VIEW_EDIT, default=False,
                               filterable=True),
    }


@hookimpl
def register_fields(catalogue: Catalogue) -> Mapping[str, Mapping[str, Field]]:
    """Add the fields to the items of all types that front ends show, and to all terms."""
    types = [kind.name for kind in catalogue.types.values() if kind.public and kind.served and "title" in kind.supports]
    return {name: fields() for name in (*types, *catalogue.taxonomies)}


@hookimpl
def register_translations() -> Path:
    """Bring the texts of these fields in other languages."""
    return Path(__file__).parent / "locales"

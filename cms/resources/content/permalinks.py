"""Where a front end shows an item that isn't below another."""

from __future__ import annotations

from cms.operations.results import Row
from cms.operations.serialize import SerializationContext
from cms.rendering.plain import encode_slug


def has_permalink(row: Row, page: SerializationContext) -> bool:
    """Tell whether a front end shows an item under its slug."""
    has_address = row["status"] in page.site.content_registry.addressed
    return bool(has_address and row["slug"] and row["date_gmt"] <= page.now)


def permalink(row: Row, page: SerializationContext) -> str:
    """Return where a front end shows an item: by its slug, or by its id while it has none or isn't public."""
    if has_permalink(row, page):
        return f"{page.site.url}/{encode_slug(row['slug'])}/"
    return f"{page.site.url}/?p={row['id']}"


def file_permalink(row: Row, page: SerializationContext) -> str:
    """Return where a front end shows a media item."""
    if row["slug"] and row["status"] != "trash":
        return f"{page.site.url}/{encode_slug(row['slug'])}/"
    return f"{page.site.url}/?attachment_id={row['id']}"

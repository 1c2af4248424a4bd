"""Where a front end shows an item: by the pattern of its type."""

from __future__ import annotations

from cms.dates import to_local
from cms.operations.results import Row
from cms.operations.serialize import SerializationContext
from cms.rendering.plain import encode_slug

#: The pattern of a type for which none is set.
USUAL = "/{path}/"
DATE_PARTS = ("{year}", "{month}", "{day}")


def has_permalink(row: Row, page: SerializationContext) -> bool:
    """Tell whether a front end shows an item under its slug."""
    has_address = row["status"] in page.site.content_registry.addressed
    return bool(has_address and row["slug"] and row["date_gmt"] <= page.now)


def permalink(row: Row, page: SerializationContext) -> str:
    """Return where a front end shows an item: by its slug, or by its id while it has none or isn't public."""
    if has_permalink(row, page):
        return patterned_link(row, page)
    return f"{page.site.front_url}/?p={row['id']}"


def file_permalink(row: Row, page: SerializationContext) -> str:
    """Return where a front end shows a media item."""
    if row["slug"] and row["status"] != "trash":
        return patterned_link(row, page)
    return f"{page.site.front_url}/?attachment_id={row['id']}"


def patterned_link(row: Row, page: SerializationContext, above: str = "") -> str:
    """Return the address by the pattern of an item's type; `above` is what stands before the slug in its path."""
    pattern = link_pattern(row, page)
    slug = encode_slug(row["slug"])
    if pattern == USUAL:
        return f"{page.site.front_url}/{above}{slug}/"
    values = {"slug": slug, "path": f"{above}{slug}", "id": row["id"]}
    if any(part in pattern for part in DATE_PARTS):
        year, month, day = to_local(row["date_gmt"], page.zone)[:10].split("-")
        values |= {"year": year, "month": month, "day": day}
    return f"{page.site.front_url}{pattern.format_map(values)}"


def link_pattern(row: Row, page: SerializationContext) -> str:
    """Return the pattern of the address of an item, by its type."""
    return page.site.link_patterns.get(row["type"], USUAL)

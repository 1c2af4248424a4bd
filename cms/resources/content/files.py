"""Where the file of a media item and its renditions lie, and what is told of them."""

from __future__ import annotations

import orjson

from cms.context import SiteContext
from cms.db.models import MediaRow
from cms.schema.resource import SerializedItem


def source_url(site: SiteContext, file: MediaRow) -> str:
    """Return where a file lies: here, or where it came from; empty for neither."""
    return site.file_url(file["file"]) if file["file"] else str(file["origin"])


def file_details(site: SiteContext, file: MediaRow, mime_type: str) -> SerializedItem:
    """Return what is told of a file, with the addresses of its renditions."""
    details: SerializedItem = orjson.loads(file["details"])
    details.pop("missing", None)
    folder = file["file"].rpartition("/")[0]
    for size in details.get("sizes", {}).values():
        size["source_url"] = site.file_url(f"{folder}/{size['file']}")
    if details.get("sizes"):
        details["sizes"]["full"] = {
            "file": file["file"].rpartition("/")[2],
            "width": details["width"],
            "height": details["height"],
            "mime_type": mime_type,
            "source_url": source_url(site, file),
        }
    return details


def rendition(details: SerializedItem, size: str, source: str) -> SerializedItem:
    """Return address and measures of a picture in a size, in its own where it has no rendition of that."""
    found: SerializedItem | None = details.get("sizes", {}).get(size)
    return found or {"source_url": source, **details}

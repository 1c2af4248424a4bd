"""The links of content to other items and lists."""

from __future__ import annotations

from collections.abc import Callable

from cms.operations.results import Row
from cms.operations.serialize import SerializationContext
from cms.schema.resource import Link, SerializedItems


def _list_of(name: str, query: str) -> Callable[[Row, SerializationContext], str]:
    return lambda row, page: f"{page.site.collection_urls[name]}{query}{row['id']}"


def _author(row: Row, page: SerializationContext) -> str:
    return f"{page.site.collection_urls['user']}/{row['author_id']}"


def _featured(row: Row, page: SerializationContext) -> str | None:
    if row["featured_id"]:
        return f"{page.site.collection_urls['attachment']}/{row['featured_id']}"
    return None


def _terms(row: Row, page: SerializationContext) -> SerializedItems:
    return [
        {
            "taxonomy": taxonomy.name,
            "embeddable": True,
            "href": f"{page.site.collection_urls[taxonomy.name]}?post={row['id']}",
        }
        for taxonomy in page.site.content_registry.taxonomies_of(row["type"])
    ]


def _about(row: Row, page: SerializationContext) -> str:
    return f"{page.site.core_url}/types/{row['type']}"


def content_links(name: str) -> tuple[Link, ...]:
    """Return the links of the items of a type."""
    return (
        Link("about", _about, columns=("type",)),
        Link("author", _author, embeddable=True, columns=("author_id",)),
        Link("replies", _list_of("comment", "?post="), embeddable=True),
        Link("version-history", lambda row, page: f"{page.site.collection_urls[name]}/{row['id']}/revisions"),
        Link("wp:featuredmedia", _featured, embeddable=True, columns=("featured_id",)),
        Link("wp:attachment", _list_of("attachment", "?parent=")),
        Link("wp:term", _terms, columns=("id", "type")),
    )

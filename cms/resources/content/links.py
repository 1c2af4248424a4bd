"""The links of content to other items and lists."""

from __future__ import annotations

from operator import itemgetter

from cms.operations.results import Row
from cms.operations.serialize import SerializationContext
from cms.schema.resource import Link, PrepareTarget, RowTarget, SerializedItems


def content_links(name: str) -> tuple[Link, ...]:
    """Return the links of the items of a type."""
    return (
        Link("about", prepare=_about(name)),
        Link("author", prepare=_template("user", "/", "author_id"), embeddable=True, columns=("author_id",)),
        Link("replies", prepare=_template("comment", "?post="), embeddable=True),
        Link("version-history", prepare=_template(name, "/", end="/revisions")),
        Link("wp:featuredmedia", prepare=_featured, embeddable=True, columns=("featured_id",)),
        Link("wp:attachment", prepare=_template("attachment", "?parent=")),
        Link("wp:term", prepare=_terms(name)),
    )


def _template(collection: str, between: str, column: str = "id", end: str = "") -> PrepareTarget:
    """Make what prepares links of a collection's address, what stands between, a column's value and an end."""
    value_of = itemgetter(column)

    def prepare(page: SerializationContext) -> RowTarget:
        start = f"{page.site.collection_urls[collection]}{between}"
        return lambda row: f"{start}{value_of(row)}{end}"

    return prepare


def _featured(page: SerializationContext) -> RowTarget:
    start = f"{page.site.collection_urls['attachment']}/"
    return lambda row: f"{start}{row['featured_id']}" if row["featured_id"] else None


def _about(name: str) -> PrepareTarget:
    def prepare(page: SerializationContext) -> RowTarget:
        address = f"{page.site.core_url}/types/{name}"
        return lambda row: address

    return prepare


def _terms(name: str) -> PrepareTarget:
    def prepare(page: SerializationContext) -> RowTarget:
        taxonomies = page.site.content_registry.taxonomies_of(name)
        starts = [(each.name, f"{page.site.collection_urls[each.name]}?post=") for each in taxonomies]

        def links(row: Row) -> SerializedItems:
            return [
                {"taxonomy": taxonomy, "embeddable": True, "href": f"{start}{row['id']}"}
                for taxonomy, start in starts
            ]

        return links

    return prepare

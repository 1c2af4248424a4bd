"""The resource of menu items: a list has them by their places unless another order is asked for."""

from __future__ import annotations

from typing import Any

from cms.plugin import (
    Content,
    ContentRegistry,
    ContentType,
    Link,
    Resource,
    Row,
    SerializationContext,
    SerializedItems,
    arguments,
    list_arguments,
)

from .entries import ARCHIVE
from .names import ITEM, MENU
from .rules import MenuItemRules
from .schema import COLUMNS, MenuItemSchema
from .targets import load_items


def item_resource(content_type: ContentType, content_registry: ContentRegistry) -> Resource:
    """Return the resource of menu items."""
    return Resource(
        content_type.name,
        content_type.base,
        Content,
        MenuItemSchema,
        arguments("MenuItemListArgs", _list_arguments(content_type, content_registry)),
        MenuItemRules,
        content_type.label,
        links=(
            Link("about", _about),
            Link("wp:term", _menu_link),
            Link("https://api.w.org/menu-item-object", _target_link, columns=COLUMNS),
        ),
        namespace=content_type.namespace,
    )


def _list_arguments(content_type: ContentType, content_registry: ContentRegistry) -> dict[str, Any]:
    fields = list_arguments(content_type, content_registry)
    defaults = {"per_page": 100, "order": "asc", "orderby": "menu_order"}
    return fields | {name: fields[name].copy(load_default=value) for name, value in defaults.items()}


def _about(row: Row, page: SerializationContext) -> str:
    return f"{page.site.core_url}/types/{ITEM}"


def _menu_link(row: Row, page: SerializationContext) -> SerializedItems:
    href = f"{page.site.collection_urls[MENU]}?post={row['id']}"
    return [{"taxonomy": MENU, "embeddable": True, "href": href}]


def _target_link(row: Row, page: SerializationContext) -> SerializedItems | None:
    item = page.load(load_items)[row["id"]]
    if not item.target.address or item.entry.type == ARCHIVE:
        return None
    return [{item.entry.type: item.entry.object, "embeddable": True, "href": item.target.address}]

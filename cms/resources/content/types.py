"""The resource of a type of content, put together from what the type declares: its parts, levels and taxonomies."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from cms.db.models import Content
from cms.i18n import _
from cms.resources.content.hierarchical import HierarchicalContentOperations
from cms.resources.content.operations import ContentOperations
from cms.resources.content.schema import PasswordArgs, WrittenSchema, content_links, list_fields, permalink
from cms.resources.content.terms import having, lacking, term_field
from cms.resources.content.tree import nested_permalink
from cms.schema.content_types import ContentRegistry, ContentType, Taxonomy
from cms.schema.extension import FieldFault, with_field
from cms.schema.fields import VIEW_EDIT, Field, Ids, Integer
from cms.schema.resource import FieldTaken, Link, Resource, SerializationContext, TypeFault
from cms.schema.schemas import ArgumentSchema, ItemSchema, fields_of

#: Which fields items have for each part that a type supports.
PARTS = {
    "title": ("title",),
    "editor": ("content",),
    "excerpt": ("excerpt",),
    "author": ("author",),
    "comments": ("comment_status", "ping_status"),
    "thumbnail": ("featured_media",),
}
#: Which links they have for it.
RELATIONS = {
    "author": "author",
    "comments": "replies",
    "revisions": "version-history",
    "thumbnail": "wp:featuredmedia",
}


def type_resource(kind: ContentType, content_registry: ContentRegistry) -> Resource:
    """Return the resource of a type with its own fields and filters and those of its taxonomies.

    Raises TypeFault or FieldTaken where one of them can't be added.
    """
    resource = (kind.resource or usual_resource)(kind, content_registry)
    for name, field in kind.fields.items():
        try:
            resource = with_field(resource, name, field)
        except FieldFault as error:
            raise TypeFault(kind.name, f"{name!r} of {kind.name!r} {error}") from None
    resource = _with(resource, {}, kind.filters, kind.orders)
    for taxonomy in content_registry.taxonomies_of(kind.name):
        resource = _with(resource, *taxonomy_fields(taxonomy), taxonomy=taxonomy.name)
    return replace(resource, links=(*resource.links, *kind.links))


def usual_resource(kind: ContentType, content_registry: ContentRegistry) -> Resource:
    """Return the resource of a type by the rules that posts and pages follow."""
    schema = type(f"{kind.name}-item", (ItemSchema,), item_fields(kind, content_registry))
    list_args = type(f"{kind.name}-list", (ArgumentSchema,), list_arguments(kind, content_registry))
    operations = kind.operations or (
        HierarchicalContentOperations if kind.hierarchical else ContentOperations
    )
    return Resource(
        kind.name,
        kind.base,
        Content,
        schema,
        list_args,
        operations,
        kind.label,
        get_args=PasswordArgs,
        links=usual_links(kind),
        namespace=kind.namespace,
        address=nested_permalink if kind.hierarchical else permalink,
    )


def item_fields(kind: ContentType, content_registry: ContentRegistry) -> dict[str, Field]:
    """Return the fields of what a type supports."""
    lacked = {name for part, names in PARTS.items() if part not in kind.supports for name in names}
    fields = {name: field for name, field in fields_of(WrittenSchema).items() if name not in lacked}
    fields["status"] = fields["status"].copy(enum=content_registry.writable)
    if kind.hierarchical:
        link = fields["link"]
        fields["link"] = link.copy(columns=(*link.columns, "type", "parent_id"), reader=nested_permalink)
        fields["parent"] = Integer(
            _("Id of the item above; 0 for none."), VIEW_EDIT, null=0, column="parent_id"
        )
        fields["menu_order"] = Integer(_("Place of the item among its siblings."), VIEW_EDIT, null=0)
    return fields


def list_arguments(kind: ContentType, content_registry: ContentRegistry) -> dict[str, Any]:
    """Return the arguments of a type's list."""
    states = (*content_registry.writable, *content_registry.internal, "any")
    arguments = list_fields(states, ("menu_order",) if kind.hierarchical else ())
    if "author" not in kind.supports:
        del arguments["author"], arguments["author_exclude"]
    if kind.hierarchical:
        arguments |= {
            "menu_order": Integer(
                _("Only items with this place among their siblings."), where=Content.menu_order.__eq__
            ),
            "parent": Ids(_("Only items right below these."), default=[], where=Content.parent_id.in_),
            "parent_exclude": Ids(
                _("No items right below these."), default=[], where=Content.parent_id.not_in
            ),
        }
    return arguments


def taxonomy_fields(taxonomy: Taxonomy) -> tuple[dict[str, Field], dict[str, Field]]:
    """Return the field with an item's terms of a taxonomy, and the list filters by them."""
    wanted = _("Only items with one of these terms of the taxonomy %(name)s.", name=taxonomy.name)
    barred = _("No items with these terms of the taxonomy %(name)s.", name=taxonomy.name)
    return {taxonomy.field: term_field(taxonomy)}, {
        taxonomy.field: Ids(wanted, default=[], where=having(taxonomy.name)),
        f"{taxonomy.field}_exclude": Ids(barred, default=[], where=lacking(taxonomy.name)),
    }


def _with(
    resource: Resource,
    fields: Mapping[str, Field],
    filters: Mapping[str, Field],
    orders: Mapping[str, Callable[[], Any]] | None = None,
    taxonomy: str = "",
) -> Resource:
    for added, schema in ((fields, resource.schema), (filters, resource.list_args)):
        for name in added:
            if name in fields_of(schema):
                raise FieldTaken(resource.name, name, taxonomy)
    return resource.extend(fields, filters, orders)


def usual_links(kind: ContentType) -> tuple[Link, ...]:
    """Return the links of a type's items."""
    lacked = {relation for part, relation in RELATIONS.items() if part not in kind.supports}
    links = tuple(link for link in content_links(kind.name) if link.rel not in lacked)
    up = (Link("up", _up, embeddable=True, columns=("type", "parent_id")),) if kind.hierarchical else ()
    return (*links, *up)


def _up(row: Any, page: SerializationContext) -> str | None:
    return f"{page.site.addresses[row['type']]}/{row['parent_id']}" if row["parent_id"] else None

"""The resource of a type of content, put together from what the type declares: its parts, levels and taxonomies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from cms.db.expressions import has_term, lacks_term
from cms.db.models import Content
from cms.db.peewee_types import Expression
from cms.i18n import _
from cms.operations.results import Row
from cms.operations.serialize import SerializationContext
from cms.resources.content.links import content_links
from cms.resources.content.list_args import PasswordArgs, list_fields
from cms.resources.content.permalinks import permalink
from cms.resources.content.rules import ContentRules
from cms.resources.content.schema import WrittenSchema
from cms.resources.content.terms import term_field
from cms.resources.content.tree import nested_permalink
from cms.schema.content_types import ContentRegistry, ContentType, Taxonomy
from cms.schema.extension import FieldFault, with_fields
from cms.schema.fields import VIEW_EDIT, Field, Ids, Integer
from cms.schema.resource import FieldTaken, Link, Resource, TypeFault
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


def type_resource(content_type: ContentType, content_registry: ContentRegistry) -> Resource:
    """Return the resource of a type with its own fields and filters and those of its taxonomies.

    Raises TypeFault or FieldTaken where one of them can't be added.
    """
    resource = (content_type.resource or usual_resource)(content_type, content_registry)
    try:
        resource = with_fields(resource, content_type.fields)
    except FieldFault as error:
        raise TypeFault(content_type.name, f"{error.name!r} of {content_type.name!r} {error}") from None
    resource = _with(resource, {}, content_type.filters, content_type.orders)
    for taxonomy in content_registry.taxonomies_of(content_type.name):
        resource = _with(resource, *taxonomy_fields(taxonomy), taxonomy=taxonomy.name)
    return replace(resource, links=(*resource.links, *content_type.links))


def usual_resource(content_type: ContentType, content_registry: ContentRegistry) -> Resource:
    """Return the resource of a type by the rules that posts and pages follow."""
    schema = type(f"{content_type.name}-item", (ItemSchema,), item_fields(content_type, content_registry))
    list_args = type(
        f"{content_type.name}-list", (ArgumentSchema,), list_arguments(content_type, content_registry)
    )
    return Resource(
        content_type.name,
        content_type.base,
        Content,
        schema,
        list_args,
        content_type.rules or ContentRules,
        content_type.label,
        get_args=PasswordArgs,
        links=usual_links(content_type),
        namespace=content_type.namespace,
        address=nested_permalink if content_type.hierarchical else permalink,
        has_trash=True,
    )


def item_fields(content_type: ContentType, content_registry: ContentRegistry) -> dict[str, Field]:
    """Return the fields of what a type supports."""
    lacked = {name for part, names in PARTS.items() if part not in content_type.supports for name in names}
    fields = {name: field for name, field in fields_of(WrittenSchema).items() if name not in lacked}
    fields["status"] = fields["status"].copy(
        enum=content_registry.writable, answer_values=content_registry.internal
    )
    if content_type.hierarchical:
        link = fields["link"]
        fields["link"] = link.copy(columns=(*link.columns, "parent_id"), reader=nested_permalink)
        fields["parent"] = Integer(
            _("Id of the item above; 0 for none."), VIEW_EDIT, null=0, column="parent_id"
        )
        fields["menu_order"] = Integer(_("Place of the item among its siblings."), VIEW_EDIT, null=0)
    return fields


def list_arguments(content_type: ContentType, content_registry: ContentRegistry) -> dict[str, Field]:
    """Return the arguments of a type's list."""
    statuses = (*content_registry.writable, *content_registry.internal, "any")
    arguments = list_fields(statuses, ("menu_order",) if content_type.hierarchical else ())
    if "author" not in content_type.supports:
        del arguments["author"], arguments["author_exclude"]
    if content_type.hierarchical:
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
        taxonomy.field: Ids(wanted, default=[], where=has_term(taxonomy.name)),
        f"{taxonomy.field}_exclude": Ids(barred, default=[], where=lacks_term(taxonomy.name)),
    }


def _with(
    resource: Resource,
    fields: Mapping[str, Field],
    filters: Mapping[str, Field],
    orders: Mapping[str, Expression] | None = None,
    taxonomy: str = "",
) -> Resource:
    for added, schema in ((fields, resource.schema), (filters, resource.list_args)):
        for name in added:
            if name in fields_of(schema):
                raise FieldTaken(resource.name, name, taxonomy)
    return resource.extend(fields, filters, orders)


def usual_links(content_type: ContentType) -> tuple[Link, ...]:
    """Return the links of a type's items."""
    lacked = {relation for part, relation in RELATIONS.items() if part not in content_type.supports}
    links = tuple(link for link in content_links(content_type.name) if link.rel not in lacked)
    up = (
        (Link("up", _up, embeddable=True, columns=("type", "parent_id")),)
        if content_type.hierarchical
        else ()
    )
    return (*links, *up)


def _up(row: Row, page: SerializationContext) -> str | None:
    if row["parent_id"]:
        return f"{page.site.collection_urls[row['type']]}/{row['parent_id']}"
    return None

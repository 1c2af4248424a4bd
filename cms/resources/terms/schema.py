"""Terms: their fields, the arguments of their lists, their links."""

from __future__ import annotations

from cms.db.models import Term
from cms.i18n import _
from cms.operations.results import Row
from cms.operations.serialize import SerializationContext
from cms.rendering.plain import encode_slug
from cms.resources.content.list_args import slug_filter
from cms.resources.own_addresses import with_own_files
from cms.resources.terms.rules import TermRules
from cms.schema.content_types import Taxonomy
from cms.schema.fields import (
    ALWAYS,
    NEVER,
    VIEW_EDIT,
    Boolean,
    Field,
    Ids,
    Integer,
    Object,
    SearchText,
    String,
)
from cms.schema.resource import Link, Resource, SerializedItems
from cms.schema.schemas import PAGING, ContextArgs, ItemSchema, arguments, fields_of


def _link(row: Row, page: SerializationContext) -> str:
    taxonomy = page.site.content_registry.taxonomies[row["taxonomy"]]
    return f"{page.site.front_url}/{taxonomy.base}/{encode_slug(row['slug'])}/"


class TermSchema(ItemSchema):
    """The fields of a term."""

    id = Integer(_("Number that identifies the term."), ALWAYS, readonly=True)
    count = Integer(_("How many published items have the term."), VIEW_EDIT, readonly=True)
    description = String(
        _("What the term is for; HTML."),
        VIEW_EDIT,
        null="",
        columns=("description",),
        read=with_own_files("description"),
    )
    link = String(
        _("Where a front end lists the term's items."),
        ALWAYS,
        readonly=True,
        format="uri",
        columns=("taxonomy", "slug"),
        read=_link,
    )
    name = String(
        _("The term's name; HTML."), ALWAYS, required=True, null="", max_length=200, example="Rivers"
    )
    slug = String(
        _("Name of the term in addresses, unique in its taxonomy."),
        ALWAYS,
        columns=("slug",),
        read=lambda row, page: encode_slug(row["slug"]),
    )
    taxonomy = String(_("The taxonomy that the term belongs to."), ALWAYS, readonly=True)


class HierarchicalTermSchema(TermSchema):
    """The fields of a term of a taxonomy with levels."""

    parent = Integer(_("Id of the term above; 0 for none."), VIEW_EDIT, column="parent_id")
    meta = Object(
        _("Further values that plugins have declared."), VIEW_EDIT, columns=(), read=lambda row, page: {}
    )


class FlatTermSchema(TermSchema):
    """The fields of a term of a taxonomy without levels."""

    parent = Integer(_("Always refused: these terms have no levels."), NEVER, hidden=True)
    meta = Object(
        _("Further values that plugins have declared."), VIEW_EDIT, columns=(), read=lambda row, page: {}
    )


ORDERS = ("id", "include", "name", "slug", "include_slugs", "term_group", "description", "count")


def list_fields(hierarchical: bool) -> dict[str, Field]:
    """Return the arguments that lists of terms take, of a taxonomy with levels or without."""
    fields: dict[str, Field] = {
        "context": fields_of(ContextArgs)["context"],
        **PAGING,
        "search": SearchText(_("Only terms whose name or slug hold this.")),
        "exclude": Ids(_("All terms but these."), default=[], where=Term.id.not_in),
        "include": Ids(_("Only these terms."), default=[], where=Term.id.in_),
        "order": String(_("Whether the list ascends or descends."), enum=("asc", "desc"), default="asc"),
        "orderby": String(_("What the list is ordered by."), enum=ORDERS, default="name"),
        "hide_empty": Boolean(_("Whether to leave out terms that no published item has."), default=False),
        "post": Integer(_("Only the terms of this item.")),
        "slug": slug_filter(Term.slug.in_),
    }
    if hierarchical:
        fields["parent"] = Integer(_("Only terms right below this one."), where=Term.parent_id.__eq__)
    else:
        fields["offset"] = Integer(_("How many terms of the whole list to skip."), minimum=0)
    return fields


def _items(row: Row, page: SerializationContext) -> SerializedItems:
    taxonomy, addresses = page.site.content_registry.taxonomies[row["taxonomy"]], page.site.collection_urls
    return [{"href": f"{addresses[name]}?{taxonomy.field}={row['id']}"} for name in taxonomy.types]


def _up(row: Row, page: SerializationContext) -> str | None:
    if row["parent_id"]:
        return f"{page.site.collection_urls[row['taxonomy']]}/{row['parent_id']}"
    return None


LINKS = (
    Link(
        "about", lambda row, page: f"{page.site.core_url}/taxonomies/{row['taxonomy']}", columns=("taxonomy",)
    ),
    Link("up", _up, embeddable=True, columns=("parent_id",)),
    Link("wp:post_type", _items, columns=("id", "taxonomy")),
)


def core_taxonomies() -> list[Taxonomy]:
    """Return categories and tags."""
    return [
        Taxonomy(
            "category",
            "categories",
            _("Categories"),
            ("post",),
            hierarchical=True,
            default_option="default_category",
        ),
        Taxonomy("post_tag", "tags", _("Tags"), ("post",), create="edit_posts"),
    ]


def term_resource(taxonomy: Taxonomy) -> Resource:
    """Return the resource of the terms of a taxonomy."""
    return Resource(
        taxonomy.name,
        taxonomy.base,
        Term,
        HierarchicalTermSchema if taxonomy.hierarchical else FlatTermSchema,
        arguments("TermListArgs", list_fields(taxonomy.hierarchical)),
        TermRules,
        taxonomy.label,
        links=LINKS,
        namespace=taxonomy.namespace,
    )

"""Types, statuses and taxonomies: read-only resources of what the site's registry has."""

from __future__ import annotations

from cms.access.capabilities import VERBS, Principal
from cms.call import Call
from cms.i18n import _
from cms.resources.labels import taxonomy_labels, type_labels
from cms.resources.registered import ReadOnlyResource
from cms.schema.content_types import ContentRegistry, ContentType, Status, Taxonomy
from cms.schema.endpoint import Route
from cms.schema.entries import StatusSchema, TaxonomySchema, TypeSchema
from cms.schema.fields import String
from cms.schema.resource import SerializedItem
from cms.schema.schemas import ContextArgs

#: Where editors and visitors find a taxonomy.
PLACES = "public publicly_queryable show_admin_column show_in_nav_menus show_in_quick_edit show_ui"


def _type_capabilities(type: ContentType) -> dict[str, str]:
    """Return the names of the capabilities over a type, by their names for posts; the first are those over one item."""
    plural = type.policy.plural
    return {
        **{f"{verb}_post": f"{verb}_{type.name}" for verb in ("edit", "read", "delete")},
        **{f"{verb}_posts": f"{verb}_{plural}" for verb in VERBS},
        "create_posts": f"edit_{plural}",
        "read": "read",
    }


def _type_row(registry: ContentRegistry, type: ContentType) -> SerializedItem:
    return {
        "capabilities": _type_capabilities(type),
        "description": type.description,
        "hierarchical": type.hierarchical,
        "viewable": type.public,
        "labels": type_labels(type.label, type.hierarchical),
        "name": type.label,
        "slug": type.name,
        "supports": dict.fromkeys(type.supports, True),
        "taxonomies": [taxonomy.name for taxonomy in registry.taxonomies_of(type.name)],
        "rest_base": type.base,
        "rest_namespace": type.namespace,
        "template": [],
    }


def _status_row(registry: ContentRegistry, status: Status) -> SerializedItem:
    return {
        "name": status.label,
        "private": status.private,
        "protected": status.protected,
        "public": status.public,
        "queryable": status.public,
        "show_in_list": status.in_list,
        "slug": status.name,
        "date_floating": status.floating,
    }


def _taxonomy_row(registry: ContentRegistry, taxonomy: Taxonomy) -> SerializedItem:
    capabilities = dict.fromkeys(("manage_terms", "edit_terms", "delete_terms"), taxonomy.manage)
    return {
        "capabilities": {**capabilities, "assign_terms": taxonomy.assign},
        "description": taxonomy.description,
        "hierarchical": taxonomy.hierarchical,
        "labels": taxonomy_labels(taxonomy.label, taxonomy.hierarchical),
        "name": taxonomy.label,
        "slug": taxonomy.name,
        "show_cloud": True,
        "types": taxonomy.types,
        "rest_base": taxonomy.base,
        "rest_namespace": taxonomy.namespace,
        "visibility": dict.fromkeys(PLACES.split(), True),
    }


class TaxonomyListArgs(ContextArgs):
    """The arguments of the list of taxonomies."""

    type = String(_("Only taxonomies that group items of this type."))


def _edits_type(registry: ContentRegistry, type: ContentType, principal: Principal) -> bool:
    return type.policy.may_create(principal)


def _sees_type(registry: ContentRegistry, type: ContentType, principal: Principal) -> bool:
    return type.public


def _edits_status(registry: ContentRegistry, status: Status, principal: Principal) -> bool:
    return any(type.policy.may_create(principal) for type in registry.types.values())


def _sees_status(registry: ContentRegistry, status: Status, principal: Principal) -> bool:
    is_of_use = not status.internal or status.name == "trash"
    return status.public or (is_of_use and _edits_status(registry, status, principal))


def _edits_taxonomy(registry: ContentRegistry, taxonomy: Taxonomy, principal: Principal) -> bool:
    return principal.may(taxonomy.assign)


def _sees_taxonomy(registry: ContentRegistry, taxonomy: Taxonomy, principal: Principal) -> bool:
    return True


def _type_links(call: Call, type: ContentType) -> SerializedItem:
    return _links(call, "types", type.name)


def _taxonomy_links(call: Call, taxonomy: Taxonomy) -> SerializedItem:
    return _links(call, "taxonomies", taxonomy.name)


def _links(call: Call, base: str, name: str) -> SerializedItem:
    return {
        "collection": [{"href": f"{call.site.core_url}/{base}"}],
        "wp:items": [{"href": call.site.collection_urls[name]}],
    }


def _status_links(call: Call, status: Status) -> SerializedItem:
    query = "" if status.name == "publish" else f"?status={status.name}"
    return {"archives": [{"href": f"{call.site.collection_urls['post']}{query}"}]}


TYPES = ReadOnlyResource[ContentType](
    "type",
    "types",
    TypeSchema,
    lambda registry: registry.types,
    _type_row,
    _edits_type,
    _sees_type,
    _sees_type,
    ("rest_type_invalid", _("There is no such type.")),
    ("rest_cannot_read_type", _("This type is internal.")),
    _type_links,
)
STATUSES = ReadOnlyResource[Status](
    "status",
    "statuses",
    StatusSchema,
    lambda registry: registry.statuses,
    _status_row,
    _edits_status,
    _sees_status,
    _sees_status,
    ("rest_status_invalid", _("There is no such status.")),
    ("rest_cannot_read_status", _("You may not see this status.")),
    _status_links,
)
TAXONOMIES = ReadOnlyResource[Taxonomy](
    "taxonomy",
    "taxonomies",
    TaxonomySchema,
    lambda registry: registry.taxonomies,
    _taxonomy_row,
    _edits_taxonomy,
    _sees_taxonomy,
    _sees_taxonomy,
    ("rest_taxonomy_invalid", _("There is no such taxonomy.")),
    ("rest_cannot_view", _("You may not see this taxonomy.")),
    _taxonomy_links,
    TaxonomyListArgs,
)


def registry_routes(registry: ContentRegistry) -> list[Route]:
    """Return the routes of types, statuses and taxonomies, with the fields that plugins add to them."""
    added = registry.entry_fields
    return [
        *TYPES.with_fields(added).routes(_("Identifier of the type.")),
        *STATUSES.with_fields(added).routes(_("Identifier of the status.")),
        *TAXONOMIES.with_fields(added).routes(_("Identifier of the taxonomy.")),
    ]

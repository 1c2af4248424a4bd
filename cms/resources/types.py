"""Types, statuses and taxonomies: read-only, from what the site's catalogue lists."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cms.access.capabilities import VERBS, Principal
from cms.errors import ApiError, NotAllowed
from cms.i18n import Text, _
from cms.resources.content.operations import forbidden_context
from cms.schema.content_types import ContentType, Status, Taxonomy
from cms.schema.endpoint import CHECKED_BY_HANDLER, GET, Answer, Call, Endpoint, Route
from cms.schema.fields import ALWAYS, EDIT, EDIT_ONLY, VIEW_EDIT, Boolean, List, Object, String
from cms.schema.schemas import ContextArgs, ItemSchema, compile_serializer

if TYPE_CHECKING:
    from cms.site import Site


@dataclass(frozen=True)
class ReadOnlyResource:
    """What a read-only resource shows: where its things stand in the catalogue, and who sees which of them.

    `edits` tells who sees the editable form of a thing, `reads` who sees it at all, `lists` which are listed.
    """

    name: str
    base: str
    schema: type[ItemSchema]
    things: Callable[[Site], dict[str, Any]]
    edits: Callable[[Site, Any, Principal], bool]
    reads: Callable[[Site, Any, Principal], bool]
    lists: Callable[[Site, Any, Principal], bool]
    unknown: tuple[str, Text]
    unreadable: tuple[str, Text]
    links: Callable[[Call, Any], dict[str, Any]]
    list_args: type[ContextArgs] = ContextArgs

    def list(self, call: Call) -> Answer:
        """Answer with all things that the principal may see, by name."""
        things = [
            thing for thing in self.things(call.site).values() if self.lists(call.site, thing, call.principal)
        ]
        wanted = call.args.get("type")
        if wanted:
            things = [thing for thing in things if wanted in getattr(thing, "types", ())]
        if call.args["context"] == EDIT:
            things = [thing for thing in things if self.edits(call.site, thing, call.principal)]
            if not things:
                raise NotAllowed(
                    call.principal, "rest_cannot_view", _("You may not see the editable form of these.")
                )
        return Answer({thing.name: self._show(call, thing) for thing in things})

    def get(self, call: Call) -> Answer:
        """Answer with one thing."""
        thing = self.things(call.site).get(call.path[self.name])
        if thing is None:
            raise ApiError(*self.unknown, 404)
        if not self.reads(call.site, thing, call.principal):
            raise NotAllowed(call.principal, *self.unreadable)
        if call.args["context"] == EDIT and not self.edits(call.site, thing, call.principal):
            raise forbidden_context(call.principal)
        return Answer(self._show(call, thing))

    def _show(self, call: Call, thing: Any) -> dict[str, Any]:
        serializer = compile_serializer(self.schema, call.args["context"], call.args.get("_fields"))
        shown = serializer.write(_Attributes(thing), call.site)
        if call.args.get("_fields") is None or "_links" in call.args["_fields"]:
            shown["_links"] = self.links(call, thing)
        return shown

    def routes(self, help: Text) -> Iterable[Route]:
        """Return the routes of the list and of one thing."""
        yield Route(
            f"/{self.base}",
            (Endpoint(GET, self.list, CHECKED_BY_HANDLER, self.list_args),),
            schema=self.schema,
            title=self.name,
        )
        one = Endpoint(GET, self.get, CHECKED_BY_HANDLER, ContextArgs, {self.name: String(help)})
        yield Route(f"/{self.base}/<name:{self.name}>", (one,), schema=self.schema, title=self.name)


class _Attributes:
    """Lets a schema's readers take a thing's attributes as they take a row's columns."""

    def __init__(self, thing: Any) -> None:
        self.thing = thing

    def __getitem__(self, name: str) -> Any:
        return getattr(self.thing, name)


def _taxonomies(row: Any, site: Site) -> list[str]:
    return [taxonomy.name for taxonomy in site.content_registry.taxonomies_of(row["name"])]


def _capabilities(row: Any, site: Site) -> dict[str, str]:
    return {f"{verb}_posts": f"{verb}_{row['policy'].plural}" for verb in VERBS}


class TypeSchema(ItemSchema):
    """The fields of a type."""

    capabilities = Object(_("Capabilities that the type asks for."), EDIT_ONLY, read=_capabilities)
    description = String(_("What the type is for."), VIEW_EDIT)
    hierarchical = Boolean(_("Whether items of the type have parents."), VIEW_EDIT)
    viewable = Boolean(_("Whether front ends show items of the type."), EDIT_ONLY, column="public")
    labels = Object(
        _("Names of the type for people."), EDIT_ONLY, read=lambda row, site: {"name": row["label"]}
    )
    name = String(_("Name of the type for people."), ALWAYS, column="label")
    slug = String(_("Identifier of the type."), ALWAYS, column="name")
    supports = Object(
        _("What items of the type have."),
        EDIT_ONLY,
        read=lambda row, site: dict.fromkeys(row["supports"], True),
    )
    taxonomies = List(_("Taxonomies that group items of the type."), VIEW_EDIT, read=_taxonomies)
    rest_base = String(_("Segment of the type in addresses."), ALWAYS, column="base")
    rest_namespace = String(_("Namespace of the type's routes."), ALWAYS, column="namespace")
    template = List(_("Blocks that a new item begins with."), ALWAYS, read=lambda row, site: [])


class StatusSchema(ItemSchema):
    """The fields of a status."""

    name = String(_("Name of the status for people."), ALWAYS, column="label")
    private = Boolean(_("Whether items in this status are seen by those with the right alone."), EDIT_ONLY)
    protected = Boolean(_("Whether items in this status are unfinished work."), EDIT_ONLY)
    public = Boolean(_("Whether everybody sees items in this status."), VIEW_EDIT)
    queryable = Boolean(_("Whether everybody may ask for items in this status."), VIEW_EDIT, column="public")
    show_in_list = Boolean(
        _("Whether lists for editors show items in this status."), EDIT_ONLY, column="in_list"
    )
    slug = String(_("Identifier of the status."), ALWAYS, column="name")
    date_floating = Boolean(
        _("Whether items in this status may have no date of their own."), ALWAYS, column="floating"
    )


class TaxonomySchema(ItemSchema):
    """The fields of a taxonomy."""

    capabilities = Object(
        _("Capabilities that the taxonomy asks for."),
        EDIT_ONLY,
        read=lambda row, site: {
            "manage_terms": row["manage"],
            "edit_terms": row["manage"],
            "delete_terms": row["manage"],
            "assign_terms": row["assign"],
        },
    )
    description = String(_("What the taxonomy is for."), VIEW_EDIT)
    hierarchical = Boolean(_("Whether terms have parents."), VIEW_EDIT)
    labels = Object(
        _("Names of the taxonomy for people."), EDIT_ONLY, read=lambda row, site: {"name": row["label"]}
    )
    name = String(_("Name of the taxonomy for people."), ALWAYS, column="label")
    slug = String(_("Identifier of the taxonomy."), ALWAYS, column="name")
    show_cloud = Boolean(
        _("Whether front ends may show the terms as a cloud."), EDIT_ONLY, read=lambda row, site: True
    )
    types = List(_("Types whose items the taxonomy groups."), VIEW_EDIT)
    rest_base = String(_("Segment of the taxonomy in addresses."), ALWAYS, column="base")
    rest_namespace = String(_("Namespace of the taxonomy's routes."), ALWAYS, column="namespace")
    visibility = Object(_("Where the taxonomy shows."), EDIT_ONLY, read=lambda row, site: {"public": True})


class TaxonomyListArgs(ContextArgs):
    """The arguments of the list of taxonomies."""

    type = String(_("Only taxonomies that group items of this type."))


def _edits_type(site: Site, thing: ContentType, principal: Principal) -> bool:
    return thing.policy.may_create(principal)


def _reads_status(site: Site, thing: Status, principal: Principal) -> bool:
    writes = any(kind.policy.may_create(principal) for kind in site.content_registry.types.values())
    return thing.public or (writes and (not thing.internal or thing.name == "trash"))


def _edits_status(site: Site, thing: Status, principal: Principal) -> bool:
    return any(kind.policy.may_create(principal) for kind in site.content_registry.types.values())


def _edits_taxonomy(site: Site, thing: Taxonomy, principal: Principal) -> bool:
    return principal.may(thing.assign)


def _items_of(call: Call, thing: ContentType | Taxonomy) -> dict[str, Any]:
    kind = "types" if isinstance(thing, ContentType) else "taxonomies"
    return {
        "collection": [{"href": f"{call.site.root}/{kind}"}],
        "wp:items": [{"href": call.site.addresses[thing.name]}],
    }


def _status_items(call: Call, thing: Status) -> dict[str, Any]:
    query = "" if thing.name == "publish" else f"?status={thing.name}"
    return {"archives": [{"href": f"{call.site.addresses['post']}{query}"}]}


TYPES = ReadOnlyResource(
    "type",
    "types",
    TypeSchema,
    lambda site: site.content_registry.types,
    _edits_type,
    lambda site, thing, principal: thing.public,
    lambda site, thing, principal: thing.public,
    ("rest_type_invalid", _("There is no such type.")),
    ("rest_cannot_read_type", _("This type is internal.")),
    _items_of,
)
STATUSES = ReadOnlyResource(
    "status",
    "statuses",
    StatusSchema,
    lambda site: site.content_registry.statuses,
    _edits_status,
    _reads_status,
    _reads_status,
    ("rest_status_invalid", _("There is no such status.")),
    ("rest_cannot_read_status", _("You may not see this status.")),
    _status_items,
)
TAXONOMIES = ReadOnlyResource(
    "taxonomy",
    "taxonomies",
    TaxonomySchema,
    lambda site: site.content_registry.taxonomies,
    _edits_taxonomy,
    lambda site, thing, principal: True,
    lambda site, thing, principal: True,
    ("rest_taxonomy_invalid", _("There is no such taxonomy.")),
    ("rest_cannot_view", _("You may not see this taxonomy.")),
    _items_of,
    TaxonomyListArgs,
)


def kind_routes() -> list[Route]:
    """Return the routes of all three."""
    return [
        *TYPES.routes(_("Identifier of the type.")),
        *STATUSES.routes(_("Identifier of the status.")),
        *TAXONOMIES.routes(_("Identifier of the taxonomy.")),
    ]

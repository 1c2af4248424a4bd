"""What is shown of types, statuses and taxonomies themselves, to which plugins may add fields."""

from __future__ import annotations

from collections.abc import Mapping

from cms.i18n import Text, _
from cms.schema.fields import ALWAYS, EDIT_ONLY, VIEW_EDIT, Boolean, Field, List, Object, String
from cms.schema.schemas import ItemSchema

#: What such objects hold.
TEXT, FLAG = String(Text("")), Boolean(Text(""))
#: A name for people, which has no value where it makes no sense.
LABEL = String(Text(""), nullable=True)


class TypeSchema(ItemSchema):
    """The fields of a type."""

    capabilities = Object(_("Capabilities that the type asks for."), EDIT_ONLY, values=TEXT)
    description = String(_("What the type is for."), VIEW_EDIT)
    hierarchical = Boolean(_("Whether items of the type have parents."), VIEW_EDIT)
    viewable = Boolean(_("Whether front ends show items of the type."), EDIT_ONLY)
    labels = Object(_("Names of the type for people."), EDIT_ONLY, values=LABEL)
    name = String(_("Name of the type for people."), ALWAYS)
    slug = String(_("Identifier of the type."), ALWAYS)
    supports = Object(_("What items of the type have."), EDIT_ONLY, values=FLAG)
    taxonomies = List(_("Taxonomies that group items of the type."), VIEW_EDIT)
    rest_base = String(_("Segment of the type in addresses."), ALWAYS)
    rest_namespace = String(_("Namespace of the type's routes."), ALWAYS)
    template = List(_("Blocks that a new item begins with."), ALWAYS)


class StatusSchema(ItemSchema):
    """The fields of a status."""

    name = String(_("Name of the status for people."), ALWAYS)
    private = Boolean(_("Whether items in this status are seen by those with the right alone."), EDIT_ONLY)
    protected = Boolean(_("Whether items in this status are unfinished work."), EDIT_ONLY)
    public = Boolean(_("Whether everybody sees items in this status."), VIEW_EDIT)
    queryable = Boolean(_("Whether everybody may ask for items in this status."), VIEW_EDIT)
    show_in_list = Boolean(_("Whether lists for editors show items in this status."), EDIT_ONLY)
    slug = String(_("Identifier of the status."), ALWAYS)
    date_floating = Boolean(_("Whether items in this status may have no date of their own."), ALWAYS)


class TaxonomySchema(ItemSchema):
    """The fields of a taxonomy."""

    capabilities = Object(_("Capabilities that the taxonomy asks for."), EDIT_ONLY, values=TEXT)
    description = String(_("What the taxonomy is for."), VIEW_EDIT)
    hierarchical = Boolean(_("Whether terms have parents."), VIEW_EDIT)
    labels = Object(_("Names of the taxonomy for people."), EDIT_ONLY, values=LABEL)
    name = String(_("Name of the taxonomy for people."), ALWAYS)
    slug = String(_("Identifier of the taxonomy."), ALWAYS)
    show_cloud = Boolean(_("Whether front ends may show the terms as a cloud."), EDIT_ONLY)
    types = List(_("Types whose items the taxonomy groups."), VIEW_EDIT)
    rest_base = String(_("Segment of the taxonomy in addresses."), ALWAYS)
    rest_namespace = String(_("Namespace of the taxonomy's routes."), ALWAYS)
    visibility = Object(_("Where the taxonomy shows."), EDIT_ONLY, values=FLAG)


#: The schemas by the name under which plugins add fields.
ENTRY_SCHEMAS: Mapping[str, type[ItemSchema]] = {
    "type": TypeSchema,
    "status": StatusSchema,
    "taxonomy": TaxonomySchema,
}


def entry_field_fault(field: Field) -> str:
    """Return what keeps a field from being added to types, statuses or taxonomies, empty where nothing does."""
    if not field.is_read_by_code or not field.dump_only:
        return "is of what the site has registered, which nothing writes: give read and readonly=True"
    if field.load is not None or field.filterable or field.sortable or field.protected:
        return "is of what the site has registered: leave out load, filterable, sortable and protected"
    return ""

"""What files declare: types, taxonomies and fields, as plain values without any behaviour."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from dataclasses import field as having
from pathlib import Path

from cms.plugin import LabelText

from .source import Fault, Place

#: Kinds whose values are ids of other things.
RELATIONS = ("relation", "relations", "media", "media_list", "terms")
#: Kinds whose values hold others.
NESTING = ("group", "repeat")


@dataclass(frozen=True)
class FieldDeclaration:
    """A field: `key` is what its values are stored under, which stays when `name` changes.

    `options` are those of its kind; `fields` are what a group holds, or each entry of a repeat. `origin` is its name in
    exports of other systems.
    """

    name: str
    key: str
    kind: str
    label: LabelText
    help: LabelText
    options: Mapping[str, object]
    contexts: tuple[str, ...]
    required: bool = False
    unique: bool = False
    filterable: bool = False
    sortable: bool = False
    protected: bool = False
    in_list: bool = False
    origin: str = ""
    fields: tuple[FieldDeclaration, ...] = ()
    #: Where it stands in its file.
    place: Place = ()


@dataclass(frozen=True)
class TypeDeclaration:
    """A type of content; one that `extends` another is fields alone, for a resource that is there already."""

    path: Path
    name: str
    base: str
    label: LabelText
    description: LabelText
    extends: str = ""
    #: What the type was called when its first items were made, which stays when the name changes.
    key: str = ""
    plural: str = ""
    hierarchical: bool = False
    public: bool = True
    supports: tuple[str, ...] = ()
    taxonomies: tuple[str, ...] = ()
    address: str = ""
    icon: str = ""
    #: Roles by what they may do with items, empty where they may what they may with posts.
    roles: Mapping[str, tuple[str, ...]] = having(default_factory=dict)
    fields: tuple[FieldDeclaration, ...] = ()

    @property
    def resource(self) -> str:
        """The name of the resource whose items have the fields."""
        return self.extends or self.name


@dataclass(frozen=True)
class TaxonomyDeclaration:
    """A taxonomy; `roles` say who may change its terms, add some and give them to items, by the verb."""

    path: Path
    name: str
    base: str
    label: LabelText
    description: LabelText
    key: str = ""
    types: tuple[str, ...] = ()
    field: str = ""
    hierarchical: bool = False
    roles: Mapping[str, tuple[str, ...]] = having(default_factory=dict)
    fields: tuple[FieldDeclaration, ...] = ()


@dataclass
class Declarations:
    """All that the files of a folder declare, and what is wrong with them."""

    types: list[TypeDeclaration] = having(default_factory=list)
    taxonomies: list[TaxonomyDeclaration] = having(default_factory=list)
    faults: list[Fault] = having(default_factory=list)

    def own_types(self) -> list[TypeDeclaration]:
        """Return the types that are declared, without those that files only add fields to."""
        return [type for type in self.types if not type.extends]

    def fields_by_resource(self) -> dict[str, tuple[FieldDeclaration, ...]]:
        """Return all fields by the name of the resource that has them."""
        found: dict[str, tuple[FieldDeclaration, ...]] = {}
        for type in self.types:
            found[type.resource] = found.get(type.resource, ()) + type.fields
        for taxonomy in self.taxonomies:
            found[taxonomy.name] = found.get(taxonomy.name, ()) + taxonomy.fields
        return found


def all_fields(fields: tuple[FieldDeclaration, ...]) -> Iterator[FieldDeclaration]:
    """Yield fields and those inside them."""
    for each in fields:
        yield each
        yield from all_fields(each.fields)

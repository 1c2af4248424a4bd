"""What the files of an instance become: types, taxonomies, rights, and fields of what is there already."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from cms.plugin import (
    Capability,
    ContentRegistry,
    ContentType,
    Field,
    Ids,
    PluginError,
    Taxonomy,
    _,
)

from .building import Builder
from .declarations import RELATIONS, Declarations, FieldDeclaration, TaxonomyDeclaration, TypeDeclaration
from .reading import read_folder
from .store import leads_to

NAME = "declared_types"
#: Rights over terms where a file names no roles.
USUAL_RIGHTS = {"manage": "manage_categories", "create": "manage_categories", "assign": "edit_posts"}


@dataclass
class Registered:
    """What one site registers of what its files declare."""

    declarations: Declarations

    @classmethod
    def read(cls, instance: Path) -> Registered:
        """Read the files of an instance; raises PluginError with the first fault of several."""
        declarations = read_folder(instance)
        if declarations.faults:
            first, *others = declarations.faults
            more = f" ({len(others)} more: cms types check)" if others else ""
            raise PluginError(NAME, f"{first}{more}", "register_types", f"{first.path}:{first.line}")
        return cls(declarations)

    def types(self) -> list[ContentType]:
        """Return the types that are declared."""
        found = []
        for declared in self.declarations.own_types():
            found.append(self._type(declared))
        return found

    def _type(self, declared: TypeDeclaration) -> ContentType:
        fields = Builder(links=True).build_all(declared.fields)
        return ContentType(
            declared.name,
            declared.base,
            declared.label,
            plural=declared.plural,
            hierarchical=declared.hierarchical,
            supports=declared.supports,
            public=declared.public,
            description=declared.description,
            taxonomies=declared.taxonomies,
            fields=fields,
            filters=relation_filters(declared.fields),
            address=declared.address,
            icon=declared.icon,
        )

    def taxonomies(self) -> list[Taxonomy]:
        """Return the taxonomies that are declared."""
        return list(map(_taxonomy, self.declarations.taxonomies))

    def capabilities(self) -> list[Capability]:
        """Return the rights of those types and taxonomies whose files name roles."""
        found = []
        for type in self.declarations.types:
            for verb, roles in type.roles.items():
                found.append(Capability(f"{verb}_{type.plural or type.base}", roles))
        for taxonomy in self.declarations.taxonomies:
            for verb, roles in taxonomy.roles.items():
                found.append(Capability(f"{verb}_{taxonomy.base}", roles))
        return found

    def further_fields(self, registry: ContentRegistry) -> Mapping[str, Mapping[str, Field]]:
        """Return the fields of resources that aren't of these files: of posts, accounts, terms."""
        found: dict[str, Mapping[str, Field]] = {}
        for resource, fields in self._others().items():
            found[resource] = Builder(links=resource in registry.types).build_all(fields)
        return found

    def further_filters(self, registry: ContentRegistry) -> Mapping[str, Mapping[str, Field]]:
        """Return the filters by relations of types that aren't of these files."""
        found: dict[str, Mapping[str, Field]] = {}
        for resource, fields in self._others().items():
            if resource in registry.types:
                found[resource] = relation_filters(fields)
        return found

    def fields_of_resource(self, name: str) -> tuple[FieldDeclaration, ...]:
        """Return the fields that files declare of a resource."""
        return self._by_resource.get(name, ())

    @cached_property
    def _by_resource(self) -> dict[str, tuple[FieldDeclaration, ...]]:
        return self.declarations.fields_by_resource()

    def _others(self) -> dict[str, tuple[FieldDeclaration, ...]]:
        """Return the fields of all that isn't a type of these files itself, by resource."""
        found: dict[str, tuple[FieldDeclaration, ...]] = {}
        for type in self.declarations.types:
            if type.extends:
                found[type.extends] = found.get(type.extends, ()) + type.fields
        for taxonomy in self.declarations.taxonomies:
            if taxonomy.fields:
                found[taxonomy.name] = found.get(taxonomy.name, ()) + taxonomy.fields
        return found


def relation_filters(fields: tuple[FieldDeclaration, ...]) -> dict[str, Field]:
    """Return the filters that find who leads to some ids, by the fields' names."""
    found: dict[str, Field] = {}
    for each in fields:
        if each.kind in RELATIONS and each.filterable:
            wanted = _("Only items that lead to one of these ids by %(name)s.", name=each.name)
            found[each.name] = Ids(wanted, default=[], where=leads_to(each.key))
    return found


def _taxonomy(declared: TaxonomyDeclaration) -> Taxonomy:
    rights = dict(USUAL_RIGHTS)
    for verb in declared.roles:
        rights[verb] = f"{verb}_{declared.base}"
    return Taxonomy(
        declared.name,
        declared.base,
        declared.label,
        types=declared.types,
        field=declared.field,
        hierarchical=declared.hierarchical,
        description=declared.description,
        manage=rights["manage"],
        create=rights["create"],
        assign=rights["assign"],
    )

"""Types, taxonomies and fields that files declare: `instance/types/*.toml`, without a line of Python."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cms.plugin import (
    Capability,
    Config,
    ContentRegistry,
    ContentType,
    Field,
    InvalidParams,
    Row,
    Site,
    Taxonomy,
    Text,
    _,
    fields_of,
    hookimpl,
)

from .commands import types
from .files import read_texts
from .harmless import make_harmless
from .importing import ItemValues
from .registering import Registered
from .relations import TERM, ids_in, is_term, relation_of
from .renaming import move_renamed
from .renaming_command import rename
from .store import find_targets, relate, remember_files

if TYPE_CHECKING:
    from cms.plugin import ImportContext, ItemRecord, TermRecord

__version__ = "1.0"
cms_api = 1

FOLDER = Path(__file__).parent
#: What the files of an instance declare, read by the first hook of a start for those that come after it.
READ: dict[Path, Registered] = {}


@hookimpl
def register_types(config: Config) -> list[ContentType]:
    """Read all files and register their types."""
    READ[config.instance] = Registered.read(config.instance)
    return READ[config.instance].types()


@hookimpl
def register_taxonomies(config: Config) -> list[Taxonomy]:
    """Register their taxonomies."""
    return READ[config.instance].taxonomies()


@hookimpl
def register_capabilities(config: Config) -> list[Capability]:
    """Register rights over types and taxonomies whose files name roles; others follow those over posts."""
    return READ[config.instance].capabilities()


@hookimpl
def register_fields(content_registry: ContentRegistry, config: Config) -> Mapping[str, Mapping[str, Field]]:
    """Register the fields of what isn't of these files, such as posts."""
    return READ[config.instance].further_fields(content_registry)


@hookimpl
def register_filters(content_registry: ContentRegistry, config: Config) -> Mapping[str, Mapping[str, Field]]:
    """Register their filters by relations."""
    return READ[config.instance].further_filters(content_registry)


@hookimpl
def register_migrations() -> Path:
    """Bring the tables of relations."""
    return FOLDER / "migrations"


@hookimpl
def register_commands() -> list[click.Command]:
    """Register what joins `cms types`."""
    types.add_command(rename)
    return [types]


@hookimpl
def register_translations() -> Path:
    """Bring the texts in other languages."""
    return FOLDER / "locales"


@hookimpl
def startup(site: Site) -> None:
    """Have the table of links hold the relations that are declared now, and make older values harmless."""
    texts = read_texts(site.config.instance)
    move_renamed(site.database, READ[site.config.instance].declarations, texts)
    wanted: dict[str, list[str]] = {}
    for name, resource in site.registry.resources.items():
        for field in fields_of(resource.schema).values():
            if relation_of(field) is not None and resource.table == "content":
                wanted.setdefault(name, []).append(field.stored_as)
    relate(site.database, wanted)
    make_harmless(site)
    remember_files(site.database, texts)


@hookimpl
def before_write(resource: str, values: dict[str, Any], row: Row | None, site: Site) -> None:
    """Refuse a relation to what isn't there, or is of another type."""
    known = site.registry.resources.get(resource)
    if known is None or not values:
        return
    fields, wanted = fields_of(known.schema), {}
    for name in values:
        if name in fields and values[name]:
            for relation, id in ids_in(fields[name], values[name]):
                wanted[name, is_term(relation), id] = relation.targets
    there = find_targets(site.database, {(kind, id) for _name, kind, id in wanted})
    faults: dict[str, Text] = {}
    for (name, kind, id), targets in wanted.items():
        if f"{TERM if kind else ''}{there.get((kind, id))}" not in targets:
            faults.setdefault(name, _no_target(targets, id))
    if faults:
        raise InvalidParams(faults)


@hookimpl
def import_values(
    resource: str,
    record: ItemRecord | TermRecord,
    values: Mapping[str, Any],
    importing: ImportContext,
) -> Mapping[str, Any]:
    """Make values of what an export has beside an item: of its pairs, or of what an export of this system says."""
    registered = READ.get(importing.site.config.instance)
    declared = registered.fields_of_resource(resource) if registered is not None else ()
    if not declared:
        return {}
    item = ItemValues(record, importing)
    known, found = fields_of(importing.site.registry.resources[resource].schema), {}
    for each in declared:
        if each.key in values:
            found[each.key] = item.mover.move(known[each.name], values[each.key], each.key)
        elif not importing.exact:
            found[each.key] = item.of_field(each, known[each.name])
    return found


def _no_target(targets: Iterable[str], id: int) -> Text:
    types = ", ".join(target.removeprefix(TERM) for target in targets)
    return _("There is no item %(id)s of the type %(types)s.", id=id, types=types)

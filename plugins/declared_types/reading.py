"""Reading the folder of declarations: one file for each type or taxonomy, checked before anything is registered."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from cms.plugin import VERBS, LabelText, link_patterns

from .declarations import Declarations, FieldDeclaration, TaxonomyDeclaration, TypeDeclaration
from .field_reading import read_fields
from .source import Fault, SourceFile, Table, read_file

FOLDER = "types"
NAME = re.compile(r"[a-z][a-z0-9_-]{0,31}", re.ASCII)
BASE = re.compile(r"[a-z0-9][a-z0-9_-]*", re.ASCII)
A_NAME = "small letters, digits, underscores and hyphens, a letter first, 32 at most"
A_BASE = "small letters, digits, underscores and hyphens, such as recipes"
SUPPORTS = ("title", "editor", "author", "excerpt", "thumbnail", "comments", "revisions", "page-attributes")
USUAL_SUPPORTS = ("title", "editor", "author", "excerpt", "thumbnail", "revisions")
ROLES = ("administrator", "editor", "author", "contributor", "subscriber")
TERM_VERBS = ("manage", "create", "assign")


def read_folder(instance: Path) -> Declarations:
    """Read all files of an instance's folder of types; what is wrong with them stands in `faults`."""
    found = Declarations()
    folder = instance / FOLDER
    for path in sorted(folder.glob("*.toml")):
        source = read_file(path)
        if not source.faults:
            _read_source(source, found)
        found.faults += sorted(source.faults)
    _check_names(found)
    return found


def _read_source(source: SourceFile, found: Declarations) -> None:
    top = Table(source, source.values, ())
    type, taxonomy = top.table("type"), top.table("taxonomy")
    if (type is None) == (taxonomy is None):
        top.refuse("", "a file declares one thing. Write one table [type], or one table [taxonomy]")
        return
    fields = read_fields(top.tables("field"))
    top.finish()
    if type is not None:
        found.types.append(_read_type(type, source, fields))
    elif taxonomy is not None:
        found.taxonomies.append(_read_taxonomy(taxonomy, source, fields))


def _read_type(table: Table, source: SourceFile, fields: tuple[FieldDeclaration, ...]) -> TypeDeclaration:
    extends = table.text("extends", pattern=NAME, takes=A_NAME)
    if extends:
        table.finish()
        return TypeDeclaration(source.path, "", "", LabelText(""), LabelText(""), extends, fields=fields)
    name = _required(table, "name", NAME, A_NAME)
    declared = TypeDeclaration(
        source.path,
        name,
        table.text("base", name, BASE, A_BASE),
        read_label(table, "label", name),
        read_label(table, "description"),
        key=table.text("key", name, NAME, A_NAME),
        plural=table.text("plural", pattern=BASE, takes=A_BASE),
        hierarchical=table.flag("hierarchical"),
        public=table.flag("public", default=True),
        supports=table.texts("supports", USUAL_SUPPORTS, SUPPORTS),
        taxonomies=table.texts("taxonomies"),
        address=_address(table),
        icon=table.text("icon"),
        roles=_roles(table, VERBS),
        fields=fields,
    )
    table.finish()
    return declared


def _read_taxonomy(
    table: Table, source: SourceFile, fields: tuple[FieldDeclaration, ...]
) -> TaxonomyDeclaration:
    name = _required(table, "name", NAME, A_NAME)
    declared = TaxonomyDeclaration(
        source.path,
        name,
        table.text("base", name, BASE, A_BASE),
        read_label(table, "label", name),
        read_label(table, "description"),
        key=table.text("key", name, NAME, A_NAME),
        types=table.texts("types"),
        field=table.text(
            "field", pattern=re.compile(r"[a-z][a-z0-9_]{0,62}"), takes="a name such as cuisines"
        ),
        hierarchical=table.flag("hierarchical"),
        roles=_roles(table, TERM_VERBS),
        fields=fields,
    )
    table.finish()
    return declared


def _required(table: Table, name: str, pattern: re.Pattern[str], takes: str) -> str:
    if not table.has(name):
        table.refuse("", f'it has no {name}. Write {name} = "…": {takes}')
    return table.text(name, pattern=pattern, takes=takes)


def read_label(table: Table, name: str, default: str = "") -> LabelText:
    """Take a text for people, in the languages that it is given in."""
    return LabelText(*table.label(name, default))


def _address(table: Table) -> str:
    address = table.text("address")
    try:
        return link_patterns({"type": address})["type"] if address else ""
    except ValueError as error:
        takes = str(error).removeprefix("for type ")
        table.refuse("address", f'address = "{address}" can\'t be. Write {takes}, such as /recipes/{{slug}}/')
        return ""


def _roles(table: Table, verbs: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Take the roles of each right from the table `roles`."""
    roles = table.table("roles")
    if roles is None:
        return {}
    found = {}
    for verb in verbs:
        found[verb] = roles.texts(verb, (), ROLES)
    roles.finish()
    return found


def _check_names(found: Declarations) -> None:
    """Refuse names and bases that two files have."""
    own = found.own_types()
    for declared in (own, found.taxonomies):
        _refuse_same(found, declared, lambda each: each.name, "the name")
        _refuse_same(found, declared, lambda each: each.key, "the key")
        _refuse_names_as_keys(found, declared)
    _refuse_same(found, [*own, *found.taxonomies], lambda each: each.base, "the base")
    for resource, fields in found.fields_by_resource().items():
        for what in ("name", "key"):
            seen: set[str] = set()
            for each in fields:
                value = str(getattr(each, what))
                if value in seen:
                    path = _path_of(found, each)
                    text = f'{resource} has another field with the {what} "{value}". Give this one a {what} of its own'
                    found.faults.append(Fault(path, read_file(path).line_of(each.place), text))
                seen.add(value)


def _path_of(found: Declarations, field: FieldDeclaration) -> Path:
    declared: list[Named] = [*found.types, *found.taxonomies]
    return next(each.path for each in declared if field in each.fields)


def _refuse_names_as_keys(found: Declarations, declared: Sequence[Named]) -> None:
    """Refuse a key that is the present name of another: whose items are meant couldn't be told."""
    by_name = {each.name: each for each in declared}
    for each in declared:
        other = by_name.get(each.key, each)
        if other is not each:
            text = (
                f'the key "{each.key}" is the name of {other.path.name}. Give that one another name, or take the key '
                "out once every site has been started with this file"
            )
            found.faults.append(Fault(each.path, 1, text))


Named = TypeDeclaration | TaxonomyDeclaration


def _refuse_same(
    found: Declarations, declared: Iterable[Named], name: Callable[[Named], str], what: str
) -> None:
    seen: dict[str, Path] = {}
    for each in declared:
        other = seen.setdefault(name(each), each.path)
        if other is not each.path and name(each):
            text = f'{what} "{name(each)}" is that of {other.name} already. Take another one'
            found.faults.append(Fault(each.path, 1, text))

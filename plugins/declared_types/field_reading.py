"""Reading the tables of fields: what all have, what each kind takes, what fits together."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cms.plugin import ALWAYS, LabelText

from .building import fault_of
from .declarations import NESTING, FieldDeclaration
from .kinds import KINDS, check_pattern
from .source import Table, near

NAME = re.compile(r"[a-z][a-z0-9_]{0,62}", re.ASCII)
A_NAME = "small letters, digits and underscores, a letter first"
DEEPEST = 4


def read_fields(tables: Sequence[Table], level: int = 1) -> tuple[FieldDeclaration, ...]:
    """Read fields; what is wrong with them is noted in their file."""
    found: list[FieldDeclaration] = []
    for table in tables:
        found.append(_read_field(table, level))
    if level > 1:
        _refuse_same(tables, found)
    return tuple(found)


def _read_field(table: Table, level: int) -> FieldDeclaration:
    if not table.has("name"):
        table.refuse("", f'the field has no name. Write name = "…": {A_NAME}')
    name = table.text("name", pattern=NAME, takes=A_NAME)
    kind = _kind(table)
    label = LabelText(*table.label("label", name.replace("_", " ").capitalize()))
    inner = read_fields(table.tables("field"), level + 1) if kind in NESTING and level < DEEPEST else ()
    declared = FieldDeclaration(
        name,
        table.text("key", name, NAME, A_NAME),
        kind,
        label,
        LabelText(*table.label("help")),
        _options(table, kind),
        table.texts("contexts", ALWAYS, ALWAYS),
        required=table.flag("required"),
        origin=table.text("origin"),
        in_list=table.flag("list"),
        fields=inner,
        place=table.place,
        **_uses(table, kind, level),
    )
    _check(table, declared, level)
    table.finish()
    return declared


def _kind(table: Table) -> str:
    kind = table.text("kind", "text")
    if kind in KINDS:
        return kind
    table.refuse(
        "kind", f'kind = "{kind}" isn\'t a kind of field{near(kind, KINDS)} Kinds: {", ".join(KINDS)}'
    )
    return "text"


def _uses(table: Table, kind: str, level: int) -> dict[str, bool]:
    """Take what lists make of the field; inside groups there is nothing of it."""
    flags = {name: table.flag(name) for name in ("unique", "filterable", "sortable", "protected")}
    if level > 1:
        for name, is_set in flags.items():
            if is_set:
                table.refuse(
                    name, f"{name} is for fields of the type itself, not for those in a group. Leave it out"
                )
    elif KINDS[kind].is_relation and not table.has("filterable"):
        flags["filterable"] = True
    elif not KINDS[kind].is_single and not KINDS[kind].is_relation and flags["filterable"]:
        table.refuse(
            "filterable",
            f"a field of the kind {kind} holds several values; it can't be filterable. Leave it out",
        )
    if not KINDS[kind].is_single:
        for name in ("sortable", "unique"):
            if flags[name]:
                table.refuse(name, f"a field of the kind {kind} can't be {name}. Leave it out")
    return flags


def _options(table: Table, kind: str) -> dict[str, object]:
    found: dict[str, object] = {}
    for name, take in KINDS[kind].options.items():
        value = take(table, name)
        if value is not None:
            found[name] = value
    return found


def _check(table: Table, declared: FieldDeclaration, level: int) -> None:
    if declared.kind in NESTING:
        if level == DEEPEST:
            table.refuse("kind", f"groups go {DEEPEST - 1} levels deep. Put the fields one level higher")
        elif not declared.fields:
            table.refuse(
                "kind", f'a {declared.kind} holds fields. Write [[field.field]] with name = "…" below it'
            )
    if declared.required and "default" in declared.options:
        table.refuse("required", "a required field has no default. Leave out required or default")
    if declared.unique and "default" in declared.options:
        table.refuse("unique", "a unique field has no default. Leave out unique or default")
    if declared.kind in ("choice", "choices") and not declared.options.get("choices"):
        table.refuse("kind", f'a {declared.kind} needs its values. Write choices = ["one", "two"]')
    for low, high in (("minimum", "maximum"), ("min_length", "max_length"), ("min_items", "max_items")):
        least, most = declared.options.get(low), declared.options.get(high)
        if isinstance(least, (int, float)) and isinstance(most, (int, float)) and least > most:
            table.refuse(low, f"{low} = {least} is more than {high} = {most}. Change one of them")
    check_pattern(table, declared)
    # Only a default can be refused by its own field; building each field twice would take long.
    if "default" in declared.options and not table.source.faults:
        option, fault = fault_of(declared)
        if fault:
            table.refuse(option, f"{fault}. Change it, or leave it out")


def _refuse_same(tables: Sequence[Table], fields: Sequence[FieldDeclaration]) -> None:
    seen: set[str] = set()
    for table, each in zip(tables, fields, strict=True):
        if each.name in seen or each.key in seen:
            table.refuse("name", f'the group has another field "{each.name}". Give this one another name')
        seen |= {each.name, each.key}

"""Making fields of what is declared: each kind with its options as a field that validates and documents itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypedDict, cast

from cms.plugin import (
    Boolean,
    DateTime,
    Field,
    FieldOptions,
    Integer,
    LabelText,
    Number,
    String,
    Text,
)

from .declarations import NESTING, RELATIONS, FieldDeclaration
from .parts import GroupField, Part, shown
from .relations import TERM, Relation, Targets, relation_of
from .values import (
    ADDRESS,
    HTML,
    Choice,
    Json,
    Several,
    TextValue,
    parse_colour,
    parse_date,
    parse_email,
    parse_html,
    parse_line,
    parse_moment,
    parse_url,
)

#: How many characters a line of text may have where its field says nothing of that, and how many bytes a long text.
LINE, LONG = 1_000, 1_000_000


class Bounds(TypedDict, total=False):
    """How many entries a list may have."""

    min_items: int
    max_items: int


class NumberBounds(TypedDict, total=False):
    """How small and large a number may be."""

    minimum: int
    maximum: int


class Builder:
    """Builds the fields of one resource; `targets` looks up what its relations lead to.

    With `links` items have a link by each relation, which only those of content can.
    """

    def __init__(self, *, links: bool = False) -> None:
        self.targets, self._links = Targets(), links

    def build_all(self, declared: Iterable[FieldDeclaration]) -> dict[str, Field]:
        """Return fields by their names."""
        found = {}
        for each in declared:
            found[each.name] = self.build(each)
        return found

    def build(self, declared: FieldDeclaration) -> Field:
        """Return a field of the resource itself."""
        options: FieldOptions = {
            **self._options(declared),
            "stored_as": declared.key,
            "unique": declared.unique,
            "filterable": declared.filterable and declared.kind not in RELATIONS,
            "sortable": declared.sortable,
            "protected": declared.protected,
            "operators": declared.filterable and declared.kind not in RELATIONS,
        }
        field = self._make(declared, options)
        if declared.kind in NESTING:
            field = field.copy(show=_showing(field))
        if declared.kind in (*RELATIONS, *NESTING):
            self.targets.fields[declared.key] = field
        if declared.kind in RELATIONS and self._links:
            field = field.copy(link=self.targets.link(declared.name, declared.key))
        return field

    def _options(self, declared: FieldDeclaration) -> FieldOptions:
        options: FieldOptions = {"label": declared.label}
        if declared.required:
            options["required"] = True
        else:
            options["default"] = declared.options.get("default", EMPTY.get(declared.kind))
        return options

    def _make(self, declared: FieldDeclaration, options: FieldOptions) -> Field:
        if declared.kind in NESTING:
            return self._nesting(declared, options)
        if declared.kind in RELATIONS:
            return self._relation(declared, options)
        return MAKERS[declared.kind](declared, options)

    def _inner(self, declared: FieldDeclaration) -> Field:
        """Return a field inside another one, which is stored with that."""
        if declared.kind == "datetime":
            return _text(parse_moment, "date-time")(declared, self._options(declared))
        return self._make(declared, self._options(declared))

    def _nesting(self, declared: FieldDeclaration, options: FieldOptions) -> Field:
        parts = [Part(each.name, each.key, self._inner(each)) for each in declared.fields]
        if declared.kind == "group":
            return GroupField(_description(declared), declared.contexts, parts=parts, **options)
        entry = GroupField(Text(""), parts=parts)
        return Several(_description(declared), declared.contexts, items=entry, **_counts(declared), **options)

    def _relation(self, declared: FieldDeclaration, options: FieldOptions) -> Field:
        description, contexts, targets = _description(declared), declared.contexts, _targets(declared)
        if declared.kind in ("relation", "media"):
            field: Field = Relation(description, contexts, targets=targets, **options)
        else:
            one = Relation(Text(""), targets=targets)
            bounds = _counts(declared)
            field = Several(
                description, contexts, items=one, takes_texts=True, is_set=True, **bounds, **options
            )
        relation = relation_of(field)
        return field if relation is None else field.copy(show=self.targets.show(relation))


#: What is shown where nothing is stored, of kinds for which that isn't null.
EMPTY: dict[str, object] = {
    "text": "",
    "long_text": "",
    "html": "",
    "boolean": False,
    "choices": [],
    "media_list": [],
    "relations": [],
    "terms": [],
    "group": {},
    "repeat": [],
}
Make = Callable[[FieldDeclaration, FieldOptions], Field]


def _description(declared: FieldDeclaration) -> Text:
    return declared.help if declared.help else declared.label


def _showing(field: Field) -> Callable[..., object]:
    inner = field.copy(show=None)
    return lambda value, page: shown(inner, value, page)


def _counts(declared: FieldDeclaration) -> Bounds:
    found = {name: declared.options[name] for name in ("min_items", "max_items") if name in declared.options}
    return cast(Bounds, found)


def _bounds(declared: FieldDeclaration) -> NumberBounds:
    found = {name: declared.options[name] for name in ("minimum", "maximum") if name in declared.options}
    return cast(NumberBounds, found)


def _targets(declared: FieldDeclaration) -> tuple[str, ...]:
    if declared.kind == "terms":
        return (f"{TERM}{declared.options.get('taxonomy', '')}",)
    if declared.kind in ("media", "media_list"):
        return ("attachment",)
    return cast("tuple[str, ...]", declared.options.get("to", ())) or ("post",)


def _text(parse: Callable[[str], str] = str, format: str = "", longest: int = 0) -> Make:
    def make(declared: FieldDeclaration, options: FieldOptions) -> Field:
        limits = declared.options
        options = {
            **options,
            "max_length": cast(int, limits.get("max_length", longest or None)),
            "max_bytes": LONG,
        }
        return TextValue(
            _description(declared),
            declared.contexts,
            parse=parse,
            min_length=cast(int, limits.get("min_length", 0)),
            pattern=str(limits.get("pattern", "")),
            format=format,
            has_empty=EMPTY.get(declared.kind) == "",
            **options,
        )

    return make


def _labels(declared: FieldDeclaration) -> dict[str, Text]:
    choices = cast("Mapping[str, tuple[str, dict[str, str]]]", declared.options.get("choices", {}))
    return {value: LabelText(*label) for value, label in choices.items()}


def _choice(declared: FieldDeclaration, options: FieldOptions) -> Field:
    return Choice(_description(declared), declared.contexts, labels=_labels(declared), **options)


def _choices(declared: FieldDeclaration, options: FieldOptions) -> Field:
    if isinstance(options.get("default"), tuple):
        options["default"] = list(options["default"])
    item = String(Text(""), enum=tuple(_labels(declared)))
    return Several(
        _description(declared),
        declared.contexts,
        items=item,
        takes_texts=True,
        is_set=True,
        **_counts(declared),
        **options,
    )


#: Makes the field of each kind that neither holds others nor leads to them.
MAKERS: dict[str, Make] = {
    "text": _text(parse_line, longest=LINE),
    "long_text": _text(),
    "html": _text(parse_html, HTML),
    "integer": lambda declared, options: Integer(
        _description(declared), declared.contexts, **_bounds(declared), **options
    ),
    "number": lambda declared, options: Number(
        _description(declared), declared.contexts, **_bounds(declared), **options
    ),
    "boolean": lambda declared, options: Boolean(_description(declared), declared.contexts, **options),
    "date": _text(parse_date, "date"),
    "datetime": lambda declared, options: DateTime(_description(declared), declared.contexts, **options),
    "choice": _choice,
    "choices": _choices,
    "url": _text(parse_url, ADDRESS, 2_000),
    "email": _text(parse_email, "email", 320),
    "colour": _text(parse_colour, "color", 9),
    "json": lambda declared, options: Json(_description(declared), declared.contexts, **options),
}


def fault_of(declared: FieldDeclaration) -> tuple[str, str]:
    """Return which option of a field is wrong and why, two empty texts where none is."""
    try:
        field = Builder().build(declared)
    except TypeError as error:
        return "name", str(error)
    fault = field.fault()
    return ("default", f"the field {fault}") if fault else ("", "")

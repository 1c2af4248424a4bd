"""Schemas of items and of arguments, and the functions that are made from them once: validation and output."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, TypeVar

from marshmallow import EXCLUDE, Schema, ValidationError, missing
from marshmallow.schema import SchemaMeta

from cms.errors import InvalidParams, missing_params
from cms.i18n import Text, _
from cms.schema.fields import CONTEXTS, VIEW, Boolean, Field, Integer, String
from cms.schema.reading import Load, Prepare, RowReader, prepared


def find_hooks(schema: type[Schema]) -> dict[str, list[tuple[str, bool, dict[str, Any]]]]:
    """Return the methods that marshmallow calls, as it finds them itself; quicker where a class only adds fields.

    A site has several schemas for each of its types, most of them made of others by adding fields.
    """
    brings_any = any(hasattr(value, "__marshmallow_hook__") for value in vars(schema).values())
    if brings_any or schema.__bases__[0] is Schema or len(schema.__bases__) > 1:
        return SchemaMeta.resolve_hooks(schema)
    found: dict[str, list[tuple[str, bool, dict[str, Any]]]] = vars(schema.__bases__[0])["_hooks"]
    return found


class ItemSchema(Schema):
    """What an item is made of: what is shown of it in which context, and what can be written."""

    resolve_hooks = classmethod(find_hooks)

    class Meta:
        unknown = EXCLUDE


class ArgumentSchema(Schema):
    """What a request may send; what isn't declared is passed over."""

    resolve_hooks = classmethod(find_hooks)

    class Meta:
        unknown = EXCLUDE


class ContextArgs(ArgumentSchema):
    """The argument of routes that show an item."""

    context = String(_("Which form of the fields to show."), enum=CONTEXTS, default=VIEW)


class ForceArgs(ArgumentSchema):
    """The argument of routes that delete an item."""

    force = Boolean(_("Whether to delete for good instead of moving to the trash."), default=False)


def fields_of(schema: type[Schema]) -> dict[str, Field]:
    """Return a schema's declared fields by name, in order."""
    return dict(schema._declared_fields)  # type: ignore[arg-type]  # all fields of ours are Field


S = TypeVar("S", bound=Schema)


def extend(schema: type[S], fields: Mapping[str, Field]) -> type[S]:
    """Return a copy of a schema with more fields."""
    return type(schema.__name__, (schema,), dict(fields)) if fields else schema


def arguments(name: str, fields: Mapping[str, Field]) -> type[ArgumentSchema]:
    """Return a schema of arguments made of fields."""
    return type(name, (ArgumentSchema,), dict(fields))


@lru_cache(maxsize=1_000)
def writable(schema: type[Schema], *, creating: bool) -> type[ArgumentSchema]:
    """Return the arguments that write an item: what isn't read-only; nothing is required of an update."""
    chosen = {name: field for name, field in fields_of(schema).items() if not field.dump_only}
    if not creating:
        chosen = {name: _optional(field) for name, field in chosen.items()}
    return type(f"{schema.__name__}{'Create' if creating else 'Update'}", (ArgumentSchema,), chosen)


def _optional(field: Field) -> Field:
    """Return a copy that need not be sent and has no default: what an update leaves out stays as it is."""
    if not field.required and field.load_default is missing:
        return field
    return field.copy(required=False, load_default=missing)


class Loader:
    """Check arguments against a schema and give them their types."""

    def __init__(self, schema: type[Schema]) -> None:
        self.fields = fields_of(schema)
        self.required = [name for name, field in self.fields.items() if field.required]
        self._type = schema

    @cached_property
    def _schema(self) -> Schema:
        """The schema that checks, made when it is first needed."""
        return self._type()

    def load(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the arguments; raises what is missing (alone), then all that is invalid."""
        absent = [name for name in self.required if given.get(name) is None]
        if absent:
            raise missing_params(absent)
        return self._loaded(given, partial=False)

    def load_some(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return these arguments alone; nothing is required and nothing has a default."""
        return self._loaded(given, partial=True)

    def _loaded(self, given: Mapping[str, Any], *, partial: bool) -> dict[str, Any]:
        try:
            return dict(self._schema.load(given, partial=partial))
        except ValidationError as error:
            raise InvalidParams(_first_faults(error.messages_dict)) from None


def _first_faults(messages: Mapping[str, Any]) -> dict[str, Text]:
    faults = {}
    for name, found in messages.items():
        while not isinstance(found, str):
            found = next(iter(found.values() if isinstance(found, dict) else found))
        faults[name] = found if isinstance(found, Text) else Text(found)
    return faults


@lru_cache(maxsize=1_000)
def loader_of(schema: type[Schema]) -> Loader:
    """Return what checks arguments against a schema; it holds nothing of a site, so that all may use it."""
    return Loader(schema)


@dataclass(frozen=True)
class Serializer:
    """Makes the dict of an item in one context from a row; `columns` are what it reads, `loads` run once a page."""

    columns: tuple[str, ...]
    loads: tuple[Callable[[Any], Any], ...]
    readers: tuple[tuple[str, Prepare], ...]
    has_links: bool = True

    def serialize(self, row: Mapping[str, Any], page: object) -> dict[str, Any]:
        """Return the item as a dict in the order of the declaration."""
        return self.serialize_rows([row], page)[0]

    def serialize_rows(self, rows: Iterable[Mapping[str, Any]], page: object) -> list[dict[str, Any]]:
        """Return items as dicts in the order of the declaration."""
        readers = [(name, prepare(page)) for name, prepare in self.readers]
        items = []
        for row in rows:
            try:
                items.append({name: read(row) for name, read in readers})
            except KeyError as error:
                _explain(error, row, readers)
                raise
        return items


def _explain(error: KeyError, row: Mapping[str, Any], readers: Iterable[tuple[str, RowReader]]) -> None:
    """Add to an error which field it is that reads a column that it doesn't name."""
    missing_column = error.args[0] if error.args else None
    if missing_column in row:
        return
    for name, read in readers:
        try:
            read(row)
        except KeyError:
            error.add_note(
                f"The field {name!r} reads {missing_column!r}: name it in columns=({missing_column!r},)"
            )
            return


def compile_serializer(
    schema: type[Schema],
    context: str,
    wanted: Collection[str] | None = None,
    always: Sequence[str] = (),
    has_links: bool = True,
) -> Serializer:
    """Make the output function of a schema in a context, of all fields or of the wanted ones.

    `always` names columns that are read whatever is shown: ids, and what permissions depend on.
    """
    columns, loads, readers = dict.fromkeys(always), dict[Load, None](), []
    for name, field in fields_of(schema).items():
        if context not in field.contexts or (wanted is not None and name not in wanted):
            continue
        columns.update(dict.fromkeys(field.needed(name, context)))
        readers.append((name, prepared(field, name)))
        if field.load:
            loads[field.load] = None
    return Serializer(tuple(columns), tuple(loads), tuple(readers), has_links)


PAGING = {
    # The largest that JSON's readers everywhere take exactly, and that times `per_page` fits into the database.
    "page": Integer(_("Which page of the list to show."), default=1, minimum=1, maximum=10**15),
    "per_page": Integer(_("How many items a page holds at most."), default=10, minimum=1, maximum=100),
}

"""Fields that hold others: groups, whose values are stored under the keys of their fields."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Unpack

from marshmallow import ValidationError, missing

from cms.plugin import ALWAYS, Field, FieldOptions, Object, SerializationContext, Text, _

from .values import Several


class Part(NamedTuple):
    """A field of a group: under which key its value is stored, and what it is."""

    name: str
    key: str
    field: Field

    @property
    def default(self) -> Any:
        """What it is where nothing is stored."""
        return None if self.field.load_default is missing else self.field.load_default


class GroupField(Object):
    """Several fields as one value."""

    def __init__(
        self,
        description: Text,
        contexts: Sequence[str] = ALWAYS,
        *,
        parts: Sequence[Part],
        **options: Unpack[FieldOptions],
    ) -> None:
        """Declare the group; names and keys of its parts are taken, so that what is stored may be sent again."""
        self.parts = tuple(parts)
        by_key, by_name, properties = {}, {}, {}
        for part in parts:
            by_key[part.key] = by_name[part.name] = part
            properties[part.name] = part.field
        self._by_name = {**by_key, **by_name}
        super().__init__(description, contexts, properties=properties, **options)

    def _deserialize(self, value: object, attr: str | None, data: object, **kwargs: object) -> dict[str, Any]:
        sent = super()._deserialize(value, attr, data, **kwargs)
        by_part = {}
        for name, each in sent.items():
            if name not in self._by_name:
                names = ", ".join(part.name for part in self.parts)
                raise ValidationError(
                    [_("There is no %(name)s in this. Fields: %(names)s.", name=name, names=names)]
                )
            by_part[self._by_name[name]] = each
        stored = {}
        for part in self.parts:
            found = _read_part(part, by_part)
            if found is not None and found != part.default:
                stored[part.key] = found
        return stored


def _read_part(part: Part, sent: Mapping[Part, object]) -> Any:
    value = sent.get(part)
    if value is None and part.field.required:
        raise ValidationError([_("%(name)s is missing.", name=part.name)])
    if value is None:
        return None
    try:
        return part.field.deserialize(value, part.name)
    except ValidationError as error:
        reason = str(next(iter(error.messages), ""))
        raise ValidationError([_("%(name)s: %(reason)s", name=part.name, reason=reason)]) from None


def shown(field: Field, value: Any, page: SerializationContext) -> Any:
    """Return a stored value as it is shown: groups whole and by name, without what leads nowhere any more."""
    if isinstance(field, GroupField) and isinstance(value, dict):
        return {part.name: shown(part.field, value.get(part.key, part.default), page) for part in field.parts}
    if isinstance(field, Several) and isinstance(field.items, GroupField) and isinstance(value, list):
        return [shown(field.items, each, page) for each in value]
    return value if field.show is None or value is None else field.show(value, page)


def leaves(field: Field, value: Any) -> Iterator[tuple[Field, Any]]:
    """Yield the single values inside a stored value, each with its field."""
    if isinstance(field, GroupField) and isinstance(value, dict):
        for part in field.parts:
            yield from leaves(part.field, value.get(part.key))
    elif isinstance(field, Several) and isinstance(field.items, GroupField) and isinstance(value, list):
        for each in value:
            yield from leaves(field.items, each)
    elif value is not None:
        yield field, value


def changed(field: Field, value: Any, change: Callable[[Field, Any], Any]) -> Any:
    """Return a stored value with what `change` makes of each single value in it and its field."""
    if isinstance(field, GroupField) and isinstance(value, dict):
        found = dict(value)
        for part in field.parts:
            if part.key in value:
                found[part.key] = changed(part.field, value[part.key], change)
        return found
    if isinstance(field, Several) and isinstance(field.items, GroupField) and isinstance(value, list):
        entries = []
        for each in value:
            entries.append(changed(field.items, each, change))
        return entries
    return change(field, value)

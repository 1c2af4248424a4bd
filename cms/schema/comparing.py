"""List filters that compare: `price=20` for equal, `price[gte]=20` and the like for more."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from marshmallow import ValidationError, missing
from peewee import OP, Expression

from cms.i18n import Text, _
from cms.schema.field import Field

#: The operator that takes a list.
AMONG = "in"
#: What each operator of a filter makes of an expression and the place of its value.
OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "gte": operator.ge,
    "gt": operator.gt,
    "lte": operator.le,
    "lt": operator.lt,
    AMONG: lambda value, place: value.in_(place),
    # Items without a value count among those that have another one.
    "not": lambda value, place: Expression(value, OP.IS_NOT, place),
}


class Comparisons(dict[str, Any]):
    """What a filter was sent by operators: the checked value of each, a list for `in`."""


class ComparedFilter(Field):
    """The argument that narrows a list by a field, to one value or by operators."""

    def __init__(self, name: str, field: Field, build: Callable[[], Any]) -> None:
        """Make the filter of a field; `build` builds the expression of its value."""
        operators = ", ".join(OPERATORS)
        description = _(
            "Only items whose field %(name)s has this value, or compares to it as said in brackets: %(operators)s.",
            name=name,
            operators=operators,
        )
        super().__init__(description, where=_where(build))
        self._value = field.copy(load_default=missing, required=False, null=missing)
        self.json_type = field.json_type
        self.in_meta = True

    def shape(self) -> dict[str, Any]:
        """Return what JSON Schema says of one value."""
        return self._value.shape()

    def item_shape(self) -> dict[str, Any]:
        """Return what it says of one value besides."""
        return self._value.item_shape()

    def deserialize(self, value: Any, attr: str | None = None, data: Any = None, **kwargs: Any) -> Any:
        """Read a value, or an object with one for each operator; raises ValidationError for anything else."""
        if not isinstance(value, dict):
            return self._value.deserialize(value, attr, data, **kwargs)
        unknown = [name for name in value if name not in OPERATORS]
        if unknown:
            raise ValidationError([_unknown_operator(unknown[0])])
        read = Comparisons()
        for name, sent in value.items():
            read[name] = self._read_list(sent, attr, data) if name == AMONG else self._read(sent, attr, data)
        return read

    def _read(self, sent: Any, attr: str | None, data: Any) -> Any:
        found = self._value.deserialize(sent, attr, data)
        if found is missing or found is None:
            raise self._value.wrong_type()
        return found

    def _read_list(self, sent: Any, attr: str | None, data: Any) -> list[Any]:
        parts = sent.split(",") if isinstance(sent, str) else sent
        if not isinstance(parts, list):
            parts = [parts]
        return [self._read(part, attr, data) for part in parts]


def _where(build: Callable[[], Any]) -> Callable[..., Any]:
    def where(place: Any, name: str = "") -> Any:
        return OPERATORS.get(name, operator.eq)(build(), place)

    return where


def _unknown_operator(name: str) -> Text:
    return _(
        "There is no operator %(name)s. Operators: %(operators)s.", name=name, operators=", ".join(OPERATORS)
    )

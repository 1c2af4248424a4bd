"""The types of declared fields: numbers, lists and objects, beside the texts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Unpack

from marshmallow import ValidationError, missing

from cms.i18n import Text, _
from cms.schema.field import (
    ALWAYS,
    CONTEXTS,
    EDIT,
    EDIT_ONLY,
    EMBED,
    NEVER,
    VIEW,
    VIEW_EDIT,
    Field,
    FieldOptions,
)
from cms.schema.reading import Prepare
from cms.schema.texts import DateTime, SearchText, String
from cms.schema.values import (
    LARGEST,
    bounds_schema,
    check_bounds,
    clean_json,
    clean_text,
    require_bounds,
    whole_number,
)

__all__ = [
    "ALWAYS",
    "CONTEXTS",
    "EDIT",
    "EDIT_ONLY",
    "EMBED",
    "LARGEST",
    "NEVER",
    "VIEW",
    "VIEW_EDIT",
    "Boolean",
    "DateTime",
    "Field",
    "FieldOptions",
    "Ids",
    "Integer",
    "List",
    "Object",
    "Raw",
    "SearchText",
    "String",
    "split_list",
    "text_properties",
    "whole_number",
]


#: What stands between the values of a list that is sent as one text.
SEPARATORS = re.compile(r"[\s,]+")


class Integer(Field):
    """A whole number, as such or as text."""

    json_type = "integer"

    def __init__(
        self,
        description: Text,
        contexts: Sequence[str] = ALWAYS,
        *,
        minimum: int | None = None,
        maximum: int | None = None,
        **options: Unpack[FieldOptions],
    ) -> None:
        super().__init__(description, contexts, **options)
        require_bounds(minimum, maximum)
        self.minimum, self.maximum = minimum, maximum

    def shape(self) -> dict[str, Any]:
        """Return type and bounds."""
        return {"type": "integer", **bounds_schema(self.minimum, self.maximum)}

    def _deserialize(self, value: object, attr: str | None, data: object, **kwargs: object) -> int:
        number = whole_number(value)
        if number is None:
            raise self.wrong_type()
        check_bounds(number, self.minimum, self.maximum)
        return number


class Boolean(Field):
    """True or false; texts and numbers that plainly mean one of them count."""

    json_type = "boolean"
    WORDS = {"true": True, "1": True, "false": False, "0": False}

    def __init__(
        self, description: Text, contexts: Sequence[str] = ALWAYS, **options: Unpack[FieldOptions]
    ) -> None:
        super().__init__(description, contexts, **options)
        if self.column is not None and not self.is_read_by_code:
            self.columns = (self.column,)
            self.prepare = _read_bool(self.column)

    def _deserialize(self, value: object, attr: str | None, data: object, **kwargs: object) -> bool:
        if not isinstance(value, (bool, int, str)) or str(value).lower() not in self.WORDS:
            raise self.wrong_type()
        return self.WORDS[str(value).lower()]


def _read_bool(column: str) -> Prepare:
    def read(row: Mapping[str, Any]) -> bool:
        return bool(row[column])

    return lambda page: read


class List(Field):
    """Several values: a JSON list, repeated arguments, or one text with commas."""

    json_type = "array"

    def __init__(
        self,
        description: Text,
        contexts: Sequence[str] = ALWAYS,
        *,
        items: Field | None = None,
        **options: Unpack[FieldOptions],
    ) -> None:
        super().__init__(description, contexts, **options)
        if items is not None and not isinstance(items, Field):
            raise TypeError(f'items must be a field, such as Integer(_("…")), not {items!r}')
        self.items = items or String(Text(""))

    def shape(self) -> dict[str, Any]:
        """Return type and what each value is."""
        return {"type": "array", "items": self.items.shape()}

    def _deserialize(self, value: object, attr: str | None, data: object, **kwargs: object) -> list[Any]:
        if isinstance(value, str):
            value = split_list(value)
        elif isinstance(value, (int, float)):
            value = [value]
        if not isinstance(value, list):
            raise self.wrong_type()
        return [self.items.deserialize(part, attr, data) for part in value if part is not None]


def split_list(text: str, most: int = 0) -> list[str]:
    """Return the values of a list that is sent as one text; where `most` is given, that many and one more at most."""
    parts = SEPARATORS.split(text.strip(" ,\t\n\r"), maxsplit=most)
    return [part for part in parts if part]


class Ids(List):
    """Ids of other things."""

    def __init__(
        self, description: Text, contexts: Sequence[str] = ALWAYS, **options: Unpack[FieldOptions]
    ) -> None:
        super().__init__(description, contexts, items=Integer(Text("")), **options)


def text_properties(contexts: Sequence[str] = ALWAYS) -> dict[str, Field]:
    """Return what an object with both forms of a text holds."""
    editable = tuple({EDIT}.intersection(contexts))
    return {
        "raw": String(_("The text as it was written."), editable),
        "rendered": String(_("The text as HTML."), contexts, readonly=True),
    }


def _described(properties: Mapping[str, Field]) -> dict[str, Any]:
    if not properties:
        return {}
    return {"properties": {name: field.item_schema() for name, field in properties.items()}}


class Object(Field):
    """A JSON object; `properties` describe what it holds, or `values` what each of its values is, whatever its name."""

    json_type = "object"

    def __init__(
        self,
        description: Text,
        contexts: Sequence[str] = ALWAYS,
        *,
        properties: dict[str, Field] | None = None,
        values: Field | None = None,
        **options: Unpack[FieldOptions],
    ) -> None:
        super().__init__(description, contexts, **options)
        if not all(isinstance(declared, Field) for declared in dict(properties or {}).values()):
            raise TypeError(f"properties must be fields by their names, not {properties!r}")
        self.properties = properties or {}
        self.values = values

    def shape(self) -> dict[str, Any]:
        """Return the type alone: discovery stays flat."""
        return {"type": "object"}

    def item_shape(self) -> dict[str, Any]:
        """Return the properties, where they are declared."""
        return _described(self.properties)

    def _deserialize(self, value: object, attr: str | None, data: object, **kwargs: object) -> Any:
        if not isinstance(value, dict):
            if value in ([], ""):
                return {}
            raise self.wrong_type()
        return clean_json(value)


class Raw(Field):
    """A text with a rendered form: taken as a text or as an object with `raw`, returned as an object.

    `properties` describe what the object holds besides.
    """

    json_type = "object"

    def __init__(
        self,
        description: Text,
        contexts: Sequence[str] = ALWAYS,
        *,
        properties: Mapping[str, Field] | None = None,
        **options: Unpack[FieldOptions],
    ) -> None:
        super().__init__(description, contexts, **options)
        self.properties = {**text_properties(self.contexts), **(properties or {})}

    def item_shape(self) -> dict[str, Any]:
        """Return the properties: both forms of the text, and the others."""
        return _described(self.properties)

    def shape(self) -> dict[str, Any]:
        """Return the type alone, whatever else the field is declared with."""
        return {"type": "object"}

    def _deserialize(self, value: object, attr: str | None, data: object, **kwargs: object) -> Any:
        if isinstance(value, dict):
            value = value.get("raw")
            if value is None:
                return missing
        if isinstance(value, (bool, list, dict)):
            raise ValidationError([_("This must be a text, or an object with the text in raw.")])
        text = clean_text(str(value))
        self.check_length(text, attr)
        return text

"""The types of declared fields: texts, dates, numbers, lists and objects."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Unpack

from marshmallow import ValidationError, missing

from cms.i18n import Text, _
from cms.rendering.addresses import has_allowed_scheme
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
    Read,
    check_names,
)
from cms.schema.values import (
    LARGEST,
    clean_json,
    clean_text,
    not_one_of,
    out_of_range,
    whole_number,
    wrong_scheme,
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


class String(Field):
    """A text; `enum` lists the only ones allowed, and the format `uri` takes addresses of harmless schemes alone.

    Control characters that no export can hold are left out.
    """

    #: Whether such characters are refused instead, since what is sent must be what counts: of passwords.
    exact = False

    def __init__(
        self,
        description: Text,
        contexts: Sequence[str] = ALWAYS,
        *,
        enum: Sequence[str] = (),
        format: str = "",
        **options: Unpack[FieldOptions],
    ) -> None:
        super().__init__(description, contexts, **options)
        check_names("enum", enum)
        self.enum = tuple(enum)
        self.format = format

    def shape(self) -> dict[str, Any]:
        """Return type, allowed values and format."""
        shape: dict[str, Any] = {"type": "string"}
        if self.enum:
            shape["enum"] = list(self.enum)
        if self.format:
            shape["format"] = self.format
        return shape

    def _deserialize(self, value: object, attr: str | None, data: object, **kwargs: object) -> Any:
        if not isinstance(value, str):
            raise self.wrong_type()
        if self.enum and value not in self.enum:
            raise not_one_of(self.enum)
        text = clean_text(value, exact=self.exact)
        if self.format == "uri" and not has_allowed_scheme(text):
            raise wrong_scheme()
        return text


class SearchText(String):
    """What a list is searched for."""

    LONGEST = 1_000

    def _deserialize(self, value: object, attr: str | None, data: object, **kwargs: object) -> str:
        text = str(super()._deserialize(value, attr, data, **kwargs))
        if len(text) > self.LONGEST:
            raise ValidationError([_("This may have %(most)s characters at most.", most=self.LONGEST)])
        return text


class DateTime(String):
    """A full date with a time, ISO 8601; the value is a datetime, aware where an offset was sent."""

    PATTERN = re.compile(
        r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d(?::?\d\d)?)?", re.ASCII | re.IGNORECASE
    )

    def item_shape(self) -> dict[str, Any]:
        """Return the format."""
        return {"format": "date-time"}

    def _deserialize(self, value: object, attr: str | None, data: object, **kwargs: object) -> datetime:
        match = self.PATTERN.fullmatch(value) if isinstance(value, str) else None
        try:
            if match is None:
                raise ValueError
            day, time, offset = match.groups()
            when = datetime.fromisoformat(f"{day}T{time}{_offset(offset)}")
            if not 1000 < when.year < 9999:  # so that no time zone moves it out of what can be counted with
                raise ValueError
            return when
        except ValueError:
            raise ValidationError(
                [_("This must be a date with a time, as in 2026-01-31T12:00:00.")]
            ) from None


def _offset(text: str | None) -> str:
    if not text:
        return ""
    if text in "Zz":
        return "+00:00"
    digits = text[1:].replace(":", "").ljust(4, "0")
    return f"{text[0]}{digits[:2]}:{digits[2:]}"


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
        if minimum is not None and maximum is not None and minimum > maximum:
            raise TypeError(f"no number is at least {minimum} and at most {maximum}")
        self.minimum, self.maximum = minimum, maximum

    def shape(self) -> dict[str, Any]:
        """Return type and bounds."""
        shape: dict[str, Any] = {"type": "integer"}
        if self.minimum is not None:
            shape["minimum"] = self.minimum
        if self.maximum is not None:
            shape["maximum"] = self.maximum
        return shape

    def _deserialize(self, value: object, attr: str | None, data: object, **kwargs: object) -> int:
        number = whole_number(value)
        if number is None:
            raise self.wrong_type()
        is_too_small = self.minimum is not None and number < self.minimum
        is_too_large = self.maximum is not None and number > self.maximum
        if is_too_small or is_too_large:
            raise out_of_range(self.minimum, self.maximum)
        return number


class Boolean(Field):
    """True or false; texts and numbers that plainly mean one of them count."""

    json_type = "boolean"
    WORDS = {"true": True, "1": True, "false": False, "0": False}

    def __init__(
        self, description: Text, contexts: Sequence[str] = ALWAYS, **options: Unpack[FieldOptions]
    ) -> None:
        super().__init__(description, contexts, **options)
        if self.column is not None and self.reader is None:
            self.columns = (self.column,)
            self.reader = _read_bool(self.column)

    def _deserialize(self, value: object, attr: str | None, data: object, **kwargs: object) -> bool:
        if not isinstance(value, (bool, int, str)) or str(value).lower() not in self.WORDS:
            raise self.wrong_type()
        return self.WORDS[str(value).lower()]


def _read_bool(column: str) -> Read:
    def read(row: Mapping[str, Any], page: object) -> bool:
        return bool(row[column])

    return read


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
    """A JSON object; `properties` describe what it holds."""

    json_type = "object"

    def __init__(
        self,
        description: Text,
        contexts: Sequence[str] = ALWAYS,
        *,
        properties: dict[str, Field] | None = None,
        **options: Unpack[FieldOptions],
    ) -> None:
        super().__init__(description, contexts, **options)
        if not all(isinstance(declared, Field) for declared in dict(properties or {}).values()):
            raise TypeError(f"properties must be fields by their names, not {properties!r}")
        self.properties = properties or {}

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

"""The types of declared fields that are texts: any, what is searched for, and dates."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Unpack

from marshmallow import ValidationError

from cms.i18n import Text, _
from cms.rendering.addresses import has_allowed_scheme
from cms.schema.field import ALWAYS, Field, FieldOptions, check_names
from cms.schema.values import clean_text, not_one_of, wrong_scheme

#: How many characters may be searched for.
LONGEST_SEARCH = 1_000


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

    def __init__(
        self, description: Text, contexts: Sequence[str] = ALWAYS, **options: Unpack[FieldOptions]
    ) -> None:
        options.setdefault("max_length", LONGEST_SEARCH)
        super().__init__(description, contexts, **options)


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

"""Fields of single values: texts that are read in a certain way, choices, dates, addresses."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from typing import Any, Unpack

from marshmallow import ValidationError, validate

from cms.plugin import ALWAYS, Field, FieldOptions, List, Object, String, Text, _, plain_line, sanitize_post

COLOUR = re.compile(r"#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})", re.ASCII)
IS_URL = validate.URL(schemes={"http", "https"}, require_tld=False)
#: The formats of texts that are HTML, and of addresses.
HTML, ADDRESS = "html", "uri-reference"
IS_EMAIL = validate.Email()


class TextValue(String):
    """A text that is read by a function, which raises ValidationError for one that can't be."""

    def __init__(
        self,
        description: Text,
        contexts: Sequence[str] = ALWAYS,
        *,
        parse: Callable[[str], str] = str,
        min_length: int = 0,
        pattern: str = "",
        format: str = "",
        has_empty: bool = False,
        **options: Unpack[FieldOptions],
    ) -> None:
        """Declare the text; an empty one is the default, unless it is a value, and no required field takes it."""
        super().__init__(description, contexts, format=format, **options)
        self._parse, self.format = parse, format
        self._min_length, self._pattern = min_length, pattern
        self._must_be_there = bool(options.get("required"))
        self._empty = "" if has_empty else options.get("default")

    def shape(self) -> dict[str, object]:
        """Return type, format, lengths and pattern."""
        limits = {
            "minLength": self._min_length or None,
            "maxLength": self.max_length,
            "pattern": f"^(?:{self._pattern})$" if self._pattern else None,
        }
        return super().shape() | {name: limit for name, limit in limits.items() if limit is not None}

    def _deserialize(self, value: object, attr: str | None, data: object, **kwargs: object) -> Any:
        if not isinstance(value, str):
            raise self.wrong_type()
        text = self._parse(str(super()._deserialize(value, attr, data, **kwargs)))
        if not text and self._must_be_there:
            raise ValidationError([_("This may not be empty.")])
        if not text:
            return self._empty
        if len(text) < self._min_length:
            raise ValidationError(
                [_("This must have %(least)s characters at least.", least=self._min_length)]
            )
        if self._pattern and not re.fullmatch(self._pattern, text):
            raise ValidationError([_("This must fit the pattern %(pattern)s.", pattern=self._pattern)])
        return text


def parse_line(text: str) -> str:
    """Return a text in one line."""
    return plain_line(text)


def parse_html(text: str) -> str:
    """Return HTML without what not every author may write."""
    return sanitize_post(text)


def parse_date(text: str) -> str:
    """Return a day as ISO 8601 writes it; raises ValidationError where it is none."""
    try:
        return date.fromisoformat(text.strip()).isoformat() if text.strip() else ""
    except ValueError:
        raise ValidationError([_("This must be a day, as in 2026-01-31.")]) from None


def parse_moment(text: str) -> str:
    """Return a date with a time as it was sent; raises ValidationError where it is none."""
    try:
        return datetime.fromisoformat(text.strip()).isoformat() if text.strip() else ""
    except ValueError:
        raise ValidationError([_("This must be a date with a time, as in 2026-01-31T12:00:00.")]) from None


def parse_url(text: str) -> str:
    """Return an address of the web, or a path of the site; raises ValidationError where it is neither."""
    address = plain_line(text)
    if not address or re.fullmatch(r"/(?!/)\S*|#\S+", address):
        return address
    try:
        return IS_URL(address)
    except ValidationError:
        raise ValidationError([_("This must be an address that begins with http:// or https://.")]) from None


def parse_email(text: str) -> str:
    """Return an e-mail address; raises ValidationError where it is none."""
    address = plain_line(text)
    try:
        return IS_EMAIL(address) if address else ""
    except ValidationError:
        raise ValidationError([_("This must be an e-mail address.")]) from None


def parse_colour(text: str) -> str:
    """Return a colour as `#rrggbb`; raises ValidationError where it is none."""
    found = COLOUR.fullmatch(text.strip())
    if found is None and text.strip():
        raise ValidationError([_("This must be a colour, as in #3366cc.")])
    digits = found[1].lower() if found else ""
    if len(digits) == 3:
        digits = "".join(digit * 2 for digit in digits)
    return f"#{digits}" if digits else ""


class Choice(String):
    """One of some values; an empty text stands for none."""

    def __init__(
        self,
        description: Text,
        contexts: Sequence[str] = ALWAYS,
        *,
        labels: Mapping[str, Text],
        **options: Unpack[FieldOptions],
    ) -> None:
        """Declare the choice; `labels` name the values for people."""
        super().__init__(description, contexts, enum=tuple(labels), **options)
        self._labels = labels
        self._must_be_there, self._empty = bool(options.get("required")), options.get("default")

    def item_shape(self) -> dict[str, object]:
        """Return the labels of the values."""
        return {"enumNames": list(self._labels.values())}

    def _deserialize(self, value: object, attr: str | None, data: object, **kwargs: object) -> Any:
        if value == "" and not self._must_be_there:
            return self._empty
        return super()._deserialize(value, attr, data, **kwargs)


class Several(List):
    """A list that has a bounded number of entries."""

    def __init__(
        self,
        description: Text,
        contexts: Sequence[str] = ALWAYS,
        *,
        items: Field,
        min_items: int = 0,
        max_items: int | None = None,
        takes_texts: bool = False,
        is_set: bool = False,
        **options: Unpack[FieldOptions],
    ) -> None:
        """Declare the list; one that `takes_texts` may be sent as a text with commas, a set has each value once."""
        super().__init__(description, contexts, items=items, **options)
        self.min_items, self.max_items = min_items, max_items
        self._takes_texts, self._is_set = takes_texts, is_set

    def shape(self) -> dict[str, object]:
        """Return type, entries and their number."""
        bounds = {"minItems": self.min_items or None, "maxItems": self.max_items}
        return super().shape() | {name: bound for name, bound in bounds.items() if bound is not None}

    def item_shape(self) -> dict[str, object]:
        """Return the entries with what they hold."""
        return {"items": {**self.items.shape(), **self.items.item_shape()}}

    def _deserialize(self, value: object, attr: str | None, data: object, **kwargs: object) -> list[Any]:
        if not isinstance(value, list) and not self._takes_texts and value != "":
            raise self.wrong_type()
        found = [each for each in super()._deserialize(value, attr, data, **kwargs) if each is not None]
        if self._is_set:
            found = list(dict.fromkeys(found))
        if len(found) < self.min_items:
            raise ValidationError([_("This must have %(least)s entries at least.", least=self.min_items)])
        if self.max_items is not None and len(found) > self.max_items:
            raise ValidationError([_("This may have %(most)s entries at most.", most=self.max_items)])
        return found


class Json(Object):
    """An object or a list of JSON, whatever it holds."""

    def shape(self) -> dict[str, object]:
        """Return both types."""
        return {"type": ["object", "array"]}

    def _deserialize(self, value: object, attr: str | None, data: object, **kwargs: object) -> Any:
        if isinstance(value, list):
            return super()._deserialize({"list": value}, attr, data, **kwargs)["list"]
        return super()._deserialize(value, attr, data, **kwargs)

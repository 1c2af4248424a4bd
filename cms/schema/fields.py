"""Fields that document themselves: marshmallow fields whose first arguments are description and contexts.

A field says once what it is; validation, discovery, the JSON Schema of OPTIONS, output and filters read that.
As a part of an item it says how its value is read from a row of a page of items; as an argument of a list it
may say `where`, the condition that its value adds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import datetime
from operator import itemgetter
from typing import Any, Self

import marshmallow
from marshmallow import ValidationError, missing

from cms.i18n import Text, _

VIEW, EMBED, EDIT = "view", "embed", "edit"
CONTEXTS = (VIEW, EMBED, EDIT)
ALWAYS = CONTEXTS
VIEW_EDIT = (VIEW, EDIT)
EDIT_ONLY = (EDIT,)
NEVER: tuple[str, ...] = ()

LARGEST = 2**63 - 1

Read = Callable[[Any, Any], Any]
Where = Callable[[Any], Any]
Store = Callable[[Any, int, Any], None]


class Field(marshmallow.fields.Field[Any]):
    """A declared value.

    `column` names the row's column (default: the field's name); `read(row, page)` replaces it where the value is
    made from more, then `columns` lists what it needs (`edit_columns` what it needs besides in the editable form) and
    `load(page)` is called once for a whole page of items, its result standing in `page.load(load)`.
    `where(bound)` builds the condition of a list's argument.
    `null` says what a sent null means: the field is left as it is (default), or takes this value.
    A `hidden` field is read where it is sent, but not told of: it is there to be refused with a reason.

    A plugin's field that says neither how it is read nor a column is kept beside the item, without code; `store(site,
    id, value)` keeps it elsewhere, inside the transaction of the write. `filterable` adds a list filter of the same
    name and `sortable` a value of `orderby`; a field that is kept elsewhere gives the condition in `where` and what to
    order by in `order`.
    """

    json_type = "string"

    def __init__(
        self,
        description: Text,
        contexts: Sequence[str] = ALWAYS,
        *,
        default: Any = missing,
        required: bool = False,
        readonly: bool = False,
        null: Any = missing,
        column: str | None = None,
        columns: Sequence[str] = (),
        edit_columns: Sequence[str] = (),
        read: Read | None = None,
        load: Callable[[Any], Any] | None = None,
        where: Where | None = None,
        hidden: bool = False,
        store: Store | None = None,
        filterable: bool = False,
        sortable: bool = False,
        order: Callable[[], Any] | None = None,
    ) -> None:
        super().__init__(load_default=default, dump_only=readonly, required=required)
        self.description = description
        self.contexts = tuple(contexts)
        self.null = null
        self.column = column
        self.columns = tuple(columns)
        self.edit_columns = tuple(edit_columns)
        self.reader = read
        self.load = load
        self.where = where
        self.hidden = hidden
        self.store = store
        self.filterable = filterable
        self.sortable = sortable
        self.order = order
        #: Whether the value is kept beside the item; set where a plugin's field is registered.
        self.in_meta = False
        #: Whether the field was added to a resource, which doesn't know itself how to write it.
        self.added = False

    def copy(self, **changes: Any) -> Self:
        """Return a copy with other attributes; the original stays as it is."""
        copied = self.__class__.__new__(self.__class__)
        copied.__dict__.update(self.__dict__, **changes)
        return copied

    def needed(self, name: str, context: str) -> tuple[str, ...]:
        """Return the columns that the field's value is made from in a context."""
        own = self.columns if self.reader is not None else (self.column or name,)
        return own + self.edit_columns if context == EDIT else own

    def reading(self, name: str) -> Read:
        """Return the function that makes the field's value from a row and its page."""
        if self.reader is not None:
            return self.reader
        take = itemgetter(self.column or name)
        return lambda row, page: take(row)

    def describe(self) -> dict[str, Any]:
        """Return the field as an argument of the discovery document."""
        told: dict[str, Any] = {"required": bool(self.required)}
        if self.load_default is not missing:
            told["default"] = self.load_default
        told.update(self.shape())
        if self.description:
            told["description"] = self.description
        return told

    def shape(self) -> dict[str, Any]:
        """Return what JSON Schema says of the field's values."""
        return {"type": self.json_type}

    def deserialize(self, value: Any, attr: str | None = None, data: Any = None, **kwargs: Any) -> Any:
        """Read a sent value; null counts as not sent unless the field says what it means."""
        if value is None:
            return self.load_default if self.null is missing else self.null
        return super().deserialize(value, attr, data, **kwargs)

    def serialize(self, attr: str, obj: Any, accessor: Any = None, **kwargs: Any) -> Any:
        """Make the value of an item, given as a pair of its row and its page."""
        row, page = obj
        return self.reading(attr)(row, page)

    def wrong_type(self) -> ValidationError:
        """Build the refusal of a value of another type."""
        return ValidationError([_("This must be of type %(type)s.", type=self.json_type)])


class String(Field):
    """A text; `enum` lists the only ones allowed."""

    def __init__(
        self,
        description: Text,
        contexts: Sequence[str] = ALWAYS,
        *,
        enum: Sequence[str] = (),
        format: str = "",
        **options: Any,
    ) -> None:
        super().__init__(description, contexts, **options)
        self.enum = tuple(enum)
        self.format = format

    def shape(self) -> dict[str, Any]:
        """Return type, allowed values and format."""
        told: dict[str, Any] = {"type": "string"}
        if self.enum:
            told["enum"] = list(self.enum)
        if self.format:
            told["format"] = self.format
        return told

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        if not isinstance(value, str):
            raise self.wrong_type()
        if self.enum and value not in self.enum:
            raise not_one_of(self.enum)
        return value


class DateTime(String):
    """A full date with a time, ISO 8601; the value is a datetime, aware where an offset was sent."""

    PATTERN = re.compile(
        r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d(?::?\d\d)?)?", re.ASCII | re.IGNORECASE
    )

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
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
    if not text or text in "Zz":
        return "+00:00" if text else ""
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
        **options: Any,
    ) -> None:
        super().__init__(description, contexts, **options)
        self.minimum, self.maximum = minimum, maximum

    def shape(self) -> dict[str, Any]:
        """Return type and bounds."""
        told: dict[str, Any] = {"type": "integer"}
        if self.minimum is not None:
            told["minimum"] = self.minimum
        if self.maximum is not None:
            told["maximum"] = self.maximum
        return told

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> int:
        number = whole_number(value)
        if number is None:
            raise self.wrong_type()
        low = self.minimum is not None and number < self.minimum
        if low or (self.maximum is not None and number > self.maximum):
            raise out_of_range(self.minimum, self.maximum)
        return number


class Boolean(Field):
    """True or false; texts and numbers that plainly mean one of them count."""

    json_type = "boolean"
    WORDS = {"true": True, "1": True, "false": False, "0": False}

    def __init__(self, description: Text, contexts: Sequence[str] = ALWAYS, **options: Any) -> None:
        super().__init__(description, contexts, **options)
        if self.column is not None and self.reader is None:
            column = self.column
            self.columns, self.reader = (column,), lambda row, page: bool(row[column])

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> bool:
        word = str(value).lower() if isinstance(value, (bool, int, str)) else ""
        if word not in self.WORDS:
            raise self.wrong_type()
        return self.WORDS[word]


class List(Field):
    """Several values: a JSON list, repeated arguments, or one text with commas."""

    json_type = "array"

    def __init__(
        self,
        description: Text,
        contexts: Sequence[str] = ALWAYS,
        *,
        items: Field | None = None,
        **options: Any,
    ) -> None:
        super().__init__(description, contexts, **options)
        self.items = items or String(Text(""))

    def shape(self) -> dict[str, Any]:
        """Return type and what each value is."""
        return {"type": "array", "items": self.items.shape()}

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> list[Any]:
        if isinstance(value, str):
            value = [part for part in re.split(r"[\s,]+", value) if part]
        elif isinstance(value, (int, float)):
            value = [value]
        if not isinstance(value, list):
            raise self.wrong_type()
        return [self.items.deserialize(part, attr, data) for part in value if part is not None]


class Ids(List):
    """Ids of other things."""

    def __init__(self, description: Text, contexts: Sequence[str] = ALWAYS, **options: Any) -> None:
        super().__init__(description, contexts, items=Integer(Text("")), **options)


class Object(Field):
    """A JSON object; `properties` describe what it holds."""

    json_type = "object"

    def __init__(
        self,
        description: Text,
        contexts: Sequence[str] = ALWAYS,
        *,
        properties: dict[str, Field] | None = None,
        **options: Any,
    ) -> None:
        super().__init__(description, contexts, **options)
        self.properties = properties or {}

    def shape(self) -> dict[str, Any]:
        """Return the type alone: discovery stays flat; OPTIONS adds the properties."""
        return {"type": "object"}

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        if not isinstance(value, dict):
            if value in ([], ""):
                return {}
            raise self.wrong_type()
        return value


class Raw(Object):
    """A text with a rendered form: taken as a text or as an object with `raw`, shown as an object."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        if isinstance(value, dict):
            value = value.get("raw")
            if value is None:
                return missing
        if isinstance(value, (bool, list, dict)):
            raise ValidationError([_("This must be a text, or an object with the text in raw.")])
        return str(value)


def whole_number(value: Any) -> int | None:
    """Read a whole number of at most 64 bits from a number or a text in ASCII digits, else None."""
    if isinstance(value, str) and re.fullmatch(r"\s*[+-]?\d{1,19}(\.0+)?\s*", value, re.ASCII):
        value = int(value.split(".")[0])
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) > LARGEST:
        return None
    return value


def out_of_range(least: int | None, most: int | None) -> ValidationError:
    """Build the refusal of a number beyond its bounds."""
    if least is None:
        return ValidationError([_("This must be %(most)s or less.", most=most)])
    if most is None:
        return ValidationError([_("This must be %(least)s or more.", least=least)])
    return ValidationError([_("This must be from %(least)s to %(most)s.", least=least, most=most)])


def not_one_of(allowed: Sequence[str]) -> ValidationError:
    """Build the refusal of a value that isn't on the list."""
    return ValidationError([_("This must be one of: %(allowed)s.", allowed=", ".join(allowed))])

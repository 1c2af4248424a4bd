"""Values of an export on their way into declared fields: from pairs of names and texts, with the ids of this site."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

import orjson
from marshmallow import ValidationError

from cms.plugin import ApiError, DateTime, Field, to_gmt

from .declarations import FieldDeclaration
from .moving import Mover
from .php import unserialized

if TYPE_CHECKING:
    from cms.plugin import ImportContext, ItemRecord, TermRecord

DAY = re.compile(r"(\d{4})(\d\d)(\d\d)", re.ASCII)
#: More entries of a repeat than any item has.
MOST_ENTRIES = 1_000


class ItemValues:
    """The values of one item or term of an export."""

    def __init__(self, record: ItemRecord | TermRecord, importing: ImportContext) -> None:
        self.record, self.importing = record, importing
        self.mover = Mover(record, importing)
        self.texts = dict(record.meta)

    def of_field(self, declared: FieldDeclaration, field: Field) -> Any:
        """Return the value of a field from the item's pairs, None where it has none."""
        name = declared.origin or declared.key
        found = self._from_pairs(declared, name)
        return None if found is None else self.read(declared, field, found)

    def read(self, declared: FieldDeclaration, field: Field, value: Any) -> Any:
        """Return a value as it is stored here, None for one that the field doesn't take."""
        try:
            read = field.deserialize(self.mover.move(field, value, declared.key), declared.name)
        except (ValidationError, ApiError) as error:
            reason = str(next(iter(getattr(error, "messages", [])), error))
            self._warn(f"the value of {declared.name} was left out: {reason}")
            return None
        if isinstance(read, datetime) and isinstance(field, DateTime):
            return to_gmt(read, self.importing.zone)
        return read

    def _warn(self, text: str) -> None:
        self.importing.warn(self.record.line, text, self.record.source_id)

    def _from_pairs(self, declared: FieldDeclaration, name: str) -> Any:
        if declared.kind == "group":
            return self._group(declared.fields, f"{name}_", [name])
        if declared.kind == "repeat":
            return self._repeat(declared, name)
        if name not in self.texts:
            return None
        self._use(name)
        return read_text(declared.kind, self.texts[name])

    def _group(self, fields: Sequence[FieldDeclaration], prefix: str, names: Sequence[str]) -> Any:
        found = {}
        for each in fields:
            value = self._from_pairs(each, prefix + (each.origin or each.key))
            if value is not None:
                found[each.key] = value
        if found:
            for name in names:
                self._use(name)
        return found or None

    def _repeat(self, declared: FieldDeclaration, name: str) -> Any:
        number = self.texts.get(name, "")
        if not number.isdecimal():
            return None
        self._use(name)
        found = []
        for index in range(min(int(number), MOST_ENTRIES)):
            entry = self._group(declared.fields, f"{name}_{index}_", [])
            if entry is not None:
                found.append(entry)
        return found

    def _use(self, name: str) -> None:
        """Note a pair as used, and the one in which Advanced Custom Fields names its field."""
        self.importing.use_meta(name)
        self.importing.use_meta(f"_{name}")


def read_text(kind: str, text: str) -> Any:
    """Return the value that a text of an export stands for, as a field of a kind is sent it; None for none."""
    if text == "":
        return None
    reader = READERS.get(kind)
    return text if reader is None else reader(text)


def _read_day(text: str) -> str:
    return DAY.sub(r"\1-\2-\3", text, count=1)


def _read_moment(text: str) -> str:
    return text.strip().replace(" ", "T", 1)


def _read_list(text: str) -> Any:
    """Return a list from a serialized one, from one text with commas, or of one value."""
    try:
        found = unserialized(text)
    except (ValueError, UnicodeDecodeError):
        return text
    if isinstance(found, dict):
        return list(found.values())
    return found if isinstance(found, list) else [found]


def _read_one(text: str) -> Any:
    """Return a value, or the first of a list of one."""
    found = _read_list(text)
    return found[0] if isinstance(found, list) and found else found


def _read_json(text: str) -> Any:
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        pass
    try:
        return unserialized(text)
    except (ValueError, UnicodeDecodeError):
        return text


READERS: Mapping[str, Callable[[str], Any]] = {
    "date": _read_day,
    "datetime": _read_moment,
    "choices": _read_list,
    "relations": _read_list,
    "media_list": _read_list,
    "terms": _read_list,
    "relation": _read_one,
    "media": _read_one,
    "choice": _read_one,
    "json": _read_json,
}

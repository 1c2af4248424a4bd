"""How long the texts of an export may be, and what their values may be: as the interface takes them, by its fields."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from marshmallow import ValidationError

from cms.config import Config
from cms.errors import ApiError
from cms.schema.fields import Field
from cms.schema.resource import Resource
from cms.schema.schemas import fields_of
from cms.transfer.importing.cleaning import Warn

#: What a cut may leave at the end of a text: a tag or a character reference that isn't finished.
_UNFINISHED = re.compile(r"(?:<[^<>]{0,2000}|&#?\w{0,31})\Z")


class TooLongError(Exception):
    """An item can't be stored, since its text is longer than one may be; the message names both lengths."""


@dataclass(frozen=True, slots=True)
class Bound:
    """The most that a text may have of a unit, `characters` or `bytes`."""

    most: int
    unit: str

    def measure(self, text: str) -> int:
        """Return how long a text is."""
        if self.unit == "characters":
            return len(text)
        return len(text.encode("utf-8", "replace"))

    def holds(self, text: str) -> bool:
        """Tell whether a text is no longer than it may be."""
        # No character has more than four bytes, so that most texts needn't be measured.
        return 4 * len(text) <= self.most or self.measure(text) <= self.most

    def cut(self, text: str, tidy: Callable[[str], str]) -> str:
        """Return the beginning of a text that fits in when it is tidied, which may lengthen it again."""
        room, made = self.most, text
        while not self.holds(made):
            made = tidy(_UNFINISHED.sub("", self._take(text, room)))
            room = room * self.most // max(self.measure(made), self.most + 1)
        return made

    def tell(self, text: str) -> str:
        """Return what is wrong with the length of a text."""
        return f"has {self.measure(text)} {self.unit}, more than the {self.most} that one may have"

    def _take(self, text: str, room: int) -> str:
        if self.unit == "characters":
            return text[:room]
        return text.encode("utf-8", "replace")[:room].decode("utf-8", "ignore")


class Bounds:
    """The bounds of the fields of a site's resources; what no field takes has none."""

    def __init__(self, resources: dict[str, Resource], config: Config) -> None:
        self._resources, self._config = resources, config
        self._bounds: dict[tuple[str, str], Bound | None] = {}

    def of(self, resource: str, field: str) -> Bound | None:
        """Return the bound of a text, None where the site has no such field."""
        key = (resource, field)
        if key not in self._bounds:
            self._bounds[key] = bound_of(self._field(resource, field), self._config)
        return self._bounds[key]

    def fit(
        self, field: tuple[str, str], text: str, what: str, warn: Warn, tidy: Callable[[str], str] = str.strip
    ) -> str:
        """Return a text that its field takes: one that is too long is cut, with a warning.

        `field` names the resource and its field; `what` is how the warning calls the text; `tidy` makes of a cut text
        what can be stored.
        """
        bound = self.of(*field)
        if bound is None or bound.holds(text):
            return text
        warn(f"{what} {bound.tell(text)}; it was cut")
        return bound.cut(text, tidy)

    def accept(self, field: tuple[str, str], text: str) -> str | None:
        """Return a value as its field stores it, None for one that it refuses."""
        found = self._field(*field)
        if found is None:
            return text
        try:
            return str(found.deserialize(text))
        except (ValidationError, ApiError):
            return None

    def _field(self, resource: str, field: str) -> Field | None:
        if resource not in self._resources:
            return None
        return fields_of(self._resources[resource].schema).get(field)


def bound_of(field: Field | None, config: Config) -> Bound | None:
    """Return the bound of a field's texts, None where there is no field."""
    if field is None:
        return None
    if field.max_length is not None:
        return Bound(field.max_length, "characters")
    if field.max_bytes_setting:
        return Bound(int(config[field.max_bytes_setting]), "bytes")
    return Bound(field.max_bytes, "bytes")

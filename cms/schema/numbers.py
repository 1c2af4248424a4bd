"""Declared fields that are numbers with a fraction."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any, Unpack

from cms.i18n import Text
from cms.schema.field import ALWAYS, Field, FieldOptions
from cms.schema.values import LARGEST, bounds_schema, check_bounds, require_bounds

DECIMAL = re.compile(r"\s*[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?\s*", re.ASCII)


class Number(Field):
    """A number, with a fraction or without, as such or as text."""

    json_type = "number"

    def __init__(
        self,
        description: Text,
        contexts: Sequence[str] = ALWAYS,
        *,
        minimum: float | None = None,
        maximum: float | None = None,
        **options: Unpack[FieldOptions],
    ) -> None:
        super().__init__(description, contexts, **options)
        require_bounds(minimum, maximum)
        self.minimum, self.maximum = minimum, maximum

    def shape(self) -> dict[str, Any]:
        """Return type and bounds."""
        return {"type": "number", **bounds_schema(self.minimum, self.maximum)}

    def _deserialize(self, value: object, attr: str | None, data: object, **kwargs: object) -> float:
        if isinstance(value, str) and DECIMAL.fullmatch(value):
            value = float(value)
        if not isinstance(value, (int, float)) or isinstance(value, bool):
            raise self.wrong_type()
        if not math.isfinite(value) or abs(value) > LARGEST:
            raise self.wrong_type()
        check_bounds(value, self.minimum, self.maximum)
        return value

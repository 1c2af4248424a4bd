"""Declared fields that are numbers with a fraction."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any, Unpack

from marshmallow import ValidationError

from cms.i18n import Text, _
from cms.schema.field import ALWAYS, Field, FieldOptions
from cms.schema.values import LARGEST

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
        if minimum is not None and maximum is not None and minimum > maximum:
            raise TypeError(f"no number is at least {minimum} and at most {maximum}")
        self.minimum, self.maximum = minimum, maximum

    def shape(self) -> dict[str, Any]:
        """Return type and bounds."""
        bounds = {"minimum": self.minimum, "maximum": self.maximum}
        return {"type": "number"} | {name: bound for name, bound in bounds.items() if bound is not None}

    def _deserialize(self, value: object, attr: str | None, data: object, **kwargs: object) -> float:
        if isinstance(value, str) and DECIMAL.fullmatch(value):
            value = float(value)
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not is_number or not math.isfinite(value) or abs(value) > LARGEST:  # type: ignore[arg-type]
            raise self.wrong_type()
        number: float = value  # type: ignore[assignment]
        if self.minimum is not None and number < self.minimum:
            raise ValidationError([_("This must be %(least)s or more.", least=self.minimum)])
        if self.maximum is not None and number > self.maximum:
            raise ValidationError([_("This must be %(most)s or less.", most=self.maximum)])
        return number

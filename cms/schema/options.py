"""Options of declared fields: how long a sent text may be, and what answers hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

#: The most bytes of a sent text where its field says nothing of that.
MAX_BYTES = 65_535


class LengthOptions(TypedDict, total=False):
    """How long a sent text may be, in characters and in bytes of UTF-8.

    `too_long` is the code of the refusal, where it has one of its own. `max_bytes_setting` names the setting of the
    site that bounds the bytes instead, whose refusal has the status 413.
    """

    max_length: int | None
    max_bytes: int
    max_bytes_setting: str
    too_long: str


class AnswerOptions(TypedDict, total=False):
    """What answers hold besides what may be sent, for the OpenAPI document.

    A `nullable` value may be null, an `optional` one may be left out of an item. `answer_values` are those that a field
    with an enum has in answers too. `answer` is a field with the type of answers, where that is another one.
    `example` is a value as it is sent or answered. `codes` are those of refusals that a sent value can cause,
    by status, where they aren't the core's.
    """

    nullable: bool
    optional: bool
    answer_values: Sequence[str | bool]
    answer: Any  # a field
    example: Any  # of the field's own type
    codes: Mapping[int, Sequence[str]]


def set_answer_options(field: Any, options: AnswerOptions) -> None:
    """Set the attributes of a field that say what answers hold."""
    field.nullable = options.get("nullable", False)
    field.optional = options.get("optional", False)
    field.answer_values = tuple(options.get("answer_values", ()))
    field.answer = options.get("answer")
    field.example = options.get("example")
    field.codes = options.get("codes", {})

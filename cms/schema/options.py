"""Options of declared fields: how long a sent text may be."""

from __future__ import annotations

from typing import TypedDict

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

"""A time and random numbers that are the same whenever something is done again."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from unittest.mock import patch

#: Saturday, the 1st of March 2025, 08:00:00 GMT.
BEGIN = 1_740_816_000


class Moments:
    """Counts moments: each is a second of its own, with random numbers of its own."""

    def __init__(self) -> None:
        self.number = 0

    def now(self) -> float:
        """Return the second of the present moment."""
        return float(BEGIN + self.number)

    @contextmanager
    def at(self, number: int) -> Iterator[None]:
        """Have it be this moment while something is done."""
        self.number = number
        numbers = Random(number)

        def some_bytes(length: int | None = None) -> bytes:
            return numbers.randbytes(length or 32)

        with patch.object(time, "time", self.now), patch.object(secrets, "token_bytes", some_bytes):
            yield

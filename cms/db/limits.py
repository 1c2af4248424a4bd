"""How long reading statements may take: the bound of each thread, and the error of a statement that reached it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from types import TracebackType

from cms.db.errors import OPERATIONAL_ERRORS, ServerUnavailable
from cms.errors import ApiError
from cms.i18n import _


def never() -> bool:
    """Return False, for statements that nobody cancels."""
    return False


class Limits(threading.local):
    """How long a statement of this thread may take; `with` it each statement runs and has its rows fetched.

    Leaving it raises ApiError with the status 503 where the statement was ended because it took too long.
    """

    def __init__(self) -> None:
        #: Seconds that each statement has; 0 for any time.
        self.seconds: float = 0
        #: Tells whether nobody waits any more for what the statements find.
        self.is_cancelled: Callable[[], bool] = never
        #: When the present statement is to end, by the clock of `time.monotonic`; 0 for never.
        self.end: float = 0
        self._outer: list[float] = []

    def is_counting(self) -> bool:
        """Tell whether a statement of this thread runs that may be ended."""
        return bool(self._outer)

    def is_over(self) -> bool:
        """Tell whether the present statement of this thread has taken too long, or is asked for by nobody any more."""
        if not self._outer:
            return False
        return self.is_cancelled() or (bool(self.end) and time.monotonic() > self.end)

    def __enter__(self) -> None:
        self._outer.append(self.end)
        if self.seconds:
            self.end = time.monotonic() + self.seconds

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        is_ended = isinstance(error, OPERATIONAL_ERRORS) and self.is_over()
        is_ended = is_ended and not isinstance(error, ServerUnavailable)
        self.end = self._outer.pop()
        if is_ended:
            message = _(
                "Finding this takes longer than %(seconds)s seconds. Ask for less.", seconds=self.seconds
            )
            raise ApiError("rest_too_slow", message, 503) from None


class TimeLimit:
    """The bound on the statements of a thread while it is open (`with`)."""

    __slots__ = ("_before", "_is_cancelled", "_limits", "_seconds")

    def __init__(self, limits: Limits, seconds: float, is_cancelled: Callable[[], bool]) -> None:
        self._limits, self._seconds, self._is_cancelled = limits, seconds, is_cancelled

    def __enter__(self) -> None:
        limits = self._limits
        self._before = limits.seconds, limits.is_cancelled
        limits.seconds, limits.is_cancelled = self._seconds, self._is_cancelled

    def __exit__(self, *raised: object) -> None:
        self._limits.seconds, self._limits.is_cancelled = self._before

"""What becomes of a delivery that has failed: when it is tried again, and after how many tries it is set aside."""

from __future__ import annotations

#: Seconds between a failed try and the next; after the last of them a delivery becomes a dead letter.
RETRY_DELAYS = (10, 60, 300, 1_800, 7_200, 21_600, 86_400)
MAX_ERROR_LENGTH = 500


class DeliveryFailed(Exception):
    """Say that a target didn't take a delivery.

    `code` is the status that it answered, `retry_after` for how many seconds it asks to be left alone. A failure that
    is final isn't followed by another try.
    """

    def __init__(
        self, message: str, code: int | None = None, retry_after: int = 0, is_final: bool = False
    ) -> None:
        super().__init__(message)
        self.code, self.retry_after, self.is_final = code, retry_after, is_final


def delay_after(tries: int) -> int | None:
    """Return the seconds between the last of so many failed tries and the next; None where there is none."""
    return RETRY_DELAYS[tries - 1] if tries <= len(RETRY_DELAYS) else None

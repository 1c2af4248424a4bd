"""The log of statements that take long, as they are written: with placeholders, never with values."""

from __future__ import annotations

import logging

#: The longest part of a statement that is logged.
LONGEST = 2_000

log = logging.getLogger("cms")


def log_slow_statement(sql: str, seconds: float) -> None:
    """Log a statement with the time that it has taken."""
    log.warning("a statement has taken %d ms: %s", seconds * 1000, " ".join(sql.split())[:LONGEST])

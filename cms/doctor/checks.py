"""The core's checks: their modules add them when they are imported."""

from __future__ import annotations

from collections.abc import Callable

from cms.schema.checks import FAULT, FILE, LEVELS, MACHINE, NOTE, ROWS, WARNING, Check, Look, Repair

__all__ = ["CHECKS", "FAULT", "FILE", "LEVELS", "MACHINE", "NOTE", "ROWS", "WARNING", "Check", "check"]

CHECKS: dict[str, Check] = {}


def check(
    name: str,
    level: str,
    meaning: str,
    advice: str,
    needs: str = ROWS,
    repair: Repair | None = None,
    among: dict[str, Check] = CHECKS,
) -> Callable[[Look], Look]:
    """Add the function below to the checks."""

    def add(look: Look) -> Look:
        among[name] = Check(name, level, meaning, advice, look, needs, repair)
        return look

    return add

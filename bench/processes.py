"""Processes with all below them, and the processor time that they have taken, as /proc says it."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")


def processes_of(parent: int) -> list[int]:
    """Return the ids of a process and of all below it."""
    found, waiting = [], [parent]
    while waiting:
        found.append(waiting.pop())
        for each in Path(f"/proc/{found[-1]}/task").glob("*/children"):
            waiting += map(int, each.read_text().split())
    return found


def seconds_of(parent: int) -> float:
    """Return the processor time that a process and all below it have taken, those that have ended included."""
    ticks = 0
    for process in processes_of(parent):
        with suppress(FileNotFoundError, ProcessLookupError):  # ended since: its parent's time has it now
            fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
            ticks += sum(map(int, fields[11:15]))
    return ticks / TICKS

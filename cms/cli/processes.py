"""Which processes serve a site, and by which unit of systemd they were started."""

from __future__ import annotations

import os
import re
from pathlib import Path

from cms.db.sqlite.presence import holders_of

#: The unit of a service in the line that systemd's own hierarchy has for a process.
UNIT = re.compile(r"^0::.*/([\w@.:-]+)\.service$", re.MULTILINE)


def others_of(database: Path) -> list[int]:
    """Return the processes besides this one that have a site's database open."""
    return sorted(holders_of(database) - {os.getpid(), 0})


def unit_of(process: int) -> str:
    """Return the unit of systemd that a process belongs to, an empty text where it belongs to none of its own."""
    try:
        lines = Path(f"/proc/{process}/cgroup").read_text(encoding="utf-8")
    except OSError:
        return ""
    found = UNIT.search(lines)
    return found[1] if found and not found[1].startswith("user@") else ""

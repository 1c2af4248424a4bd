"""A backup that somebody asks for while the site is served: one at a time, in a thread of its own."""

from __future__ import annotations

import fcntl
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from cms.backup.schedule import BackupSchedule
from cms.config import Config
from cms.db.file_locks import try_lock


@dataclass(frozen=True)
class BackupState:
    """Whether a backup that was asked for is being made, and why the latest one failed; empty where it didn't."""

    is_running: bool
    fault: str


def begin_backup(schedule: BackupSchedule, config: Config) -> bool:
    """Begin to make a backup, unless any process of the site is making one that was asked for; return which."""
    file = _lock_file(config).open("a+", encoding="utf-8")
    if not try_lock(file):
        file.close()
        return False
    file.truncate(0)
    threading.Thread(target=_make, args=(schedule, file), name="cms-backup-asked", daemon=True).start()
    return True


def backup_state(config: Config) -> BackupState:
    """Return how the latest backup stands that was asked for."""
    path = _lock_file(config)
    if not path.exists():
        return BackupState(False, "")
    with path.open("r+", encoding="utf-8") as file:
        return BackupState(False, file.read()) if try_lock(file) else BackupState(True, "")


def _make(schedule: BackupSchedule, file: TextIO) -> None:
    """Make it; the file is locked meanwhile, and says then what went wrong."""
    with file:
        fault = schedule.run(removes_old=False)
        file.write(fault)
        file.flush()
        # A process that was forked meanwhile has the same open file, and would hold its lock.
        fcntl.flock(file, fcntl.LOCK_UN)


def _lock_file(config: Config) -> Path:
    return config.instance / "backup.lock"

"""Scheduled backups: made by the site's timed work, once for all its processes, the newest kept."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from cms.background.outbox import Outbox
from cms.backup.errors import BackupError
from cms.backup.making import Backup, dated_name, default_target, make_backup
from cms.backup.restoring import only_one
from cms.backup.retention import archives_of, remove_old
from cms.backup.uploads import finish_uploads, journal_folder
from cms.context import SiteContext

#: Seconds between two looks at whether a backup is due.
INTERVAL = 60
#: After a failure it is tried again when this time is over.
PAUSE = timedelta(hours=1)
MADE, FAILED = "backup.made", "backup.failed"

log = logging.getLogger("cms")


class _Stopped(Exception):
    """The process ends, and with it a backup that isn't whole yet."""


class BackupSchedule:
    """The scheduled backups of a site, in a thread of their own: other timed work doesn't wait for them."""

    def __init__(self, site: SiteContext, outbox: Outbox, is_stopping: Callable[[], bool]) -> None:
        self._site, self._outbox, self._is_stopping = site, outbox, is_stopping
        self._thread: threading.Thread | None = None
        self._last_try: datetime | None = None

    def run_due(self) -> None:
        """Begin a backup if one is due, and finish a restore that a crash has interrupted."""
        self._finish_restore()
        if self._thread is not None and self._thread.is_alive():
            return
        if self._is_due():
            self._last_try = self._now()
            self._thread = threading.Thread(target=self.run, name="cms-backup", daemon=True)
            self._thread.start()

    def last_made(self) -> datetime | None:
        """Return when the newest archive of the schedule was made, None where there is none."""
        if not self._site.config["backup_target"]:
            return None
        made = archives_of(self._site, default_target(self._site.config))
        return made[-1][0] if made else None

    def wait(self) -> None:
        """Return when the backup that was begun has ended."""
        if self._thread is not None:
            self._thread.join()

    def run(self, *, removes_old: bool = True) -> str:
        """Make a backup and remove those that are too many; a failure is logged, told as an event and returned."""
        target = default_target(self._site.config)
        try:
            backup = make_backup(self._site, target, dated_name(self._site, target), self._stop_early)
            if removes_old:
                remove_old(self._site, target)
        except _Stopped:
            return "The process ended meanwhile."
        except Exception as error:  # whatever it is, somebody has to hear of it
            log.error("the scheduled backup failed: %s", error, exc_info=not isinstance(error, BackupError))
            reason = str(error) or type(error).__name__
            self._tell(FAILED, {"reason": reason})
            return reason
        else:
            self._note(backup)
            return ""
        finally:
            self._site.database.close()

    def _note(self, backup: Backup) -> None:
        log.info("made the backup %s", backup.place)
        for key in backup.manifest.missing:
            log.warning("the backup %s lacks %s, which the site hasn't got either", backup.place, key)
        self._tell(
            MADE, {"file": backup.place, "bytes": backup.manifest.size, "missing": backup.manifest.missing}
        )

    def _tell(self, name: str, data: dict[str, object]) -> None:
        try:
            with self._site.database.write():
                self._outbox.record(name, "backup", 0, 0, data)
        except Exception as error:  # the log has it already
            log.error("%s could not be told: %s", name, error)

    def _stop_early(self, _stage: str, _done: int, _total: int | None) -> None:
        if self._is_stopping():
            raise _Stopped

    def _is_due(self) -> bool:
        config = self._site.config
        if not config["backup_target"] or not config["backup_hours"]:
            return False
        now = self._now()
        if self._last_try is not None and now - self._last_try < PAUSE:
            return False
        made = [moment for moment, _name in archives_of(self._site, default_target(config))]
        return not made or now - made[-1] >= timedelta(hours=config["backup_hours"])

    def _now(self) -> datetime:
        return datetime.strptime(self._site.now(), "%Y-%m-%dT%H:%M:%S").replace(tzinfo=UTC)

    def _finish_restore(self) -> None:
        if not journal_folder(self._site.config).exists():
            return
        try:
            with only_one(self._site.config):
                finish_uploads(self._site.config, self._site.storage)
        except BackupError:
            return  # that restore is running

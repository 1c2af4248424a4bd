"""Bringing the files of an export: from the old site or from a folder, several at once, each kept as an upload is."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import Protocol

from cms.db.file_index import WantedFile
from cms.errors import ApiError
from cms.media.uploads import Upload
from cms.resources.media.files import StoredFile, store_file
from cms.site import Site
from cms.transfer.importing.media.file_index import Files
from cms.transfer.wxr.records import ImportRefused

log = logging.getLogger("cms")

#: Files that are fetched at the same time: enough to fill the line, few enough for the old site.
WORKERS = 4


class Missing(Exception):
    """Say why a file can't be had."""


class Source(Protocol):
    """Where files come from; used from several threads."""

    def bring(self, site: Site, wanted: WantedFile) -> Upload:
        """Put a copy of a file among the arrivals; raises Missing, nothing left behind."""

    def stop(self) -> None:
        """End what is under way as soon as it can be; it then raises Missing."""


@contextmanager
def fetched(
    site: Site, files: Files, source: Source | None, progress: Callable[[int], None] | None = None
) -> Iterator[None]:
    """Bring all files that are wanted; they are removed again where what follows fails.

    No transaction may be open: it would last as long as the slowest server. `progress` is told how many are done.
    """
    try:
        if source is not None:
            _fetch_all(site, files, source, progress)
        yield
    except BaseException:
        for key in files.fresh_keys():
            site.storage.delete(key)
        raise


def _fetch_all(site: Site, files: Files, source: Source, progress: Callable[[int], None] | None) -> None:
    site.config.incoming.mkdir(parents=True, exist_ok=True)
    now = site.now()
    month = f"{now[:4]}/{now[5:7]}"
    work = _Work(site, source, month)
    done = 0
    with ThreadPoolExecutor(WORKERS, "fetching") as pool:
        running: set[Future[WantedFile]] = set()
        try:
            for wanted in files.find_wanted():
                running.add(pool.submit(work.store_file, wanted))
                if len(running) >= 2 * WORKERS:
                    done = _note_finished(files, work, running, done, progress)
            while running:
                done = _note_finished(files, work, running, done, progress)
        except BaseException:
            work.stop()
            pool.shutdown(cancel_futures=True)
            work.remove_stored()
            raise


def _note_finished(
    files: Files,
    work: _Work,
    running: set[Future[WantedFile]],
    done: int,
    progress: Callable[[int], None] | None,
) -> int:
    """Wait until some files are here, and take note of them."""
    for future in wait(running, return_when=FIRST_COMPLETED).done:
        running.discard(future)
        try:
            wanted = future.result()
        except OSError as error:
            raise ImportRefused(
                f"A file can't be kept: {error.strerror or error}. Nothing was imported."
            ) from error
        outcome = work.outcomes[wanted.number]
        if isinstance(outcome, StoredFile):
            files.add_stored(wanted, outcome)
        else:
            files.set_missing(wanted.number, outcome)
        del work.outcomes[wanted.number]
        done += 1
        if progress:
            progress(done)
    return done


class _Work:
    """What each thread does, and the end of it."""

    def __init__(self, site: Site, source: Source, month: str) -> None:
        self._site, self._source, self._month = site, source, month
        self._stopped = threading.Event()
        #: What has become of files that nobody has taken note of yet: kept, or the reason why they aren't.
        self.outcomes: dict[int, StoredFile | str] = {}

    def store_file(self, wanted: WantedFile) -> WantedFile:
        """Bring a file and keep it; raises OSError where the site itself can't keep files."""
        made: list[str] = []
        try:
            self.outcomes[wanted.number] = self._keep(wanted, made)
        except OSError:
            self._remove(made)  # the disk is full, say: no other file would fare better
            raise
        except Missing as missing:
            self.outcomes[wanted.number] = str(missing)
        except ApiError as error:
            self.outcomes[wanted.number] = str(error.message)
            self._remove(made)
        except Exception as error:  # one odd file among thousands must not cost the others
            log.exception("the file %s could not be kept", wanted.address)
            self.outcomes[wanted.number] = f"it can't be kept ({type(error).__name__})"
            self._remove(made)
        return wanted

    def _keep(self, wanted: WantedFile, made: list[str]) -> StoredFile:
        if self._stopped.is_set():
            raise Missing("stopped")
        upload = self._source.bring(self._site, wanted)
        try:
            return store_file(self._site, upload, made, wanted.month or self._month)
        finally:
            upload.path.unlink(missing_ok=True)

    def stop(self) -> None:
        """Let all work end soon."""
        self._stopped.set()
        self._source.stop()

    def remove_stored(self) -> None:
        """Remove what was kept and nobody has taken note of; all work has to be at its end."""
        for outcome in self.outcomes.values():
            if isinstance(outcome, StoredFile):
                self._remove(outcome.keys)

    def _remove(self, keys: list[str]) -> None:
        for key in keys:
            self._site.storage.delete(key)

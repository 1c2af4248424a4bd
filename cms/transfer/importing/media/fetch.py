"""Fetching the files of an export from their source, several at once, each stored as an upload is."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import Protocol

from cms.db.sqlite.file_index import WantedFile
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
    """The reason why a file can't be fetched."""


class Source(Protocol):
    """Where files come from; used from several threads."""

    def fetch(self, site: Site, wanted: WantedFile) -> Upload:
        """Copy a file to the site's folder of incoming files and return it.

        Raises Missing where there is none, ApiError where it is too large; then no copy is left.
        """

    def stop(self) -> None:
        """Make every running `fetch` raise Missing soon."""


@contextmanager
def fetched_files(
    site: Site, files: Files, source: Source | None, progress: Callable[[int], None] | None = None
) -> Iterator[None]:
    """Fetch all wanted files, and remove them again if the body of the `with` fails.

    No transaction may be open: it would last as long as the slowest server. `progress` is called with the number of
    files that are done. Raises ImportRefused where the site can't store files.
    """
    try:
        if source is not None:
            _fetch_all(site, files, source, progress)
        yield
    except BaseException:
        for key in files.fresh_keys():
            site.context.storage.delete(key)
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
    """Wait until some files are done, note them in the index, and return how many are done in all."""
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
    """The work of the threads and its outcomes."""

    def __init__(self, site: Site, source: Source, month: str) -> None:
        self._site, self._source, self._month = site, source, month
        self._stopped = threading.Event()
        #: Files by number that aren't noted in the index yet: stored ones, and the reasons why others are missing.
        self.outcomes: dict[int, StoredFile | str] = {}

    def store_file(self, wanted: WantedFile) -> WantedFile:
        """Fetch a file and store it; raises OSError where the site itself can't store files."""
        made: list[str] = []
        try:
            self.outcomes[wanted.number] = self._fetch(wanted, made)
        except OSError:
            self._remove(made)  # such as a full disk: no other file could be stored either
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

    def _fetch(self, wanted: WantedFile, made: list[str]) -> StoredFile:
        if self._stopped.is_set():
            raise Missing("stopped")
        upload = self._source.fetch(self._site, wanted)
        try:
            return store_file(self._site.context, upload, made, wanted.month or self._month)
        finally:
            upload.path.unlink(missing_ok=True)

    def stop(self) -> None:
        """Let all work end soon, without results."""
        self._stopped.set()
        self._source.stop()

    def remove_stored(self) -> None:
        """Remove the stored files that aren't in the index; no work may be running."""
        for outcome in self.outcomes.values():
            if isinstance(outcome, StoredFile):
                self._remove(outcome.keys)

    def _remove(self, keys: list[str]) -> None:
        for key in keys:
            self._site.context.storage.delete(key)

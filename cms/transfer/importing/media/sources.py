"""The sources of an export's files: the web addresses that it names, or a folder with a copy of the uploads."""

from __future__ import annotations

import threading
import time
import unicodedata
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit

import urllib3
from urllib3.exceptions import HTTPError

from cms.db.sqlite.file_index import WantedFile
from cms.media.names import ending_of
from cms.media.types import BY_ENDING, BY_MIME
from cms.media.uploads import CHUNK, TemporaryUpload, Upload, too_large
from cms.net.client import Client, Failed
from cms.net.hosts import Refused
from cms.site import Site
from cms.transfer.importing.media.fetch import Missing

#: Statuses that may be other ones a moment later.
RETRY_STATUSES = (408, 425, 429, 500, 502, 503, 504)
#: Seconds before each new attempt.
RETRY_DELAYS = (0.5, 2.0)
#: Seconds that a server may ask to wait.
MAX_RETRY_DELAY = 30.0
#: After so many files in a row that a host failed to send, retries included, no more are requested from it.
MAX_FAILURES = 8
#: Bytes a second that a server has to send on average, and the seconds after which that is checked.
MIN_SPEED, SPEED_CHECKED_AFTER = 10_000, 60.0
#: A compressed answer could unfold to any size, and files are asked for as they are.
HEADERS = {"Accept-Encoding": "identity", "User-Agent": "cms-import"}
UPLOADS = ("/wp-content/uploads/", "/uploads/", "/files/")


class _TemporaryFailure(Exception):
    """A failure that may be over later; `delay` are the seconds that the server asks to wait."""

    def __init__(self, reason: str, delay: float = 0) -> None:
        super().__init__(reason)
        self.delay = delay


class Web:
    """The addresses that the export names, as far as they are on the open internet."""

    def __init__(self, client: Client | None = None, retry_delays: tuple[float, ...] = RETRY_DELAYS) -> None:
        self._client = client or Client()
        self._retry_delays = retry_delays
        self._stopped = threading.Event()
        self._failures: Counter[str] = Counter()

    def fetch(self, site: Site, wanted: WantedFile) -> Upload:
        """Fetch a file, with new attempts after temporary failures.

        Raises Missing where it can't be had, ApiError where it is too large.
        """
        if not wanted.address:
            raise Missing("the export names no address for it")
        host = _host(wanted.address)
        for delay in (*self._retry_delays, None):
            self._check_failures(host)
            try:
                upload = self._fetch(site, wanted.address)
            except Missing:  # an answer all the same
                self._failures[host] = 0
                raise
            except Refused as refused:
                raise Missing(f"its address isn't visited: {refused}") from refused
            except _TemporaryFailure as failure:
                if delay is None or self._stopped.wait(max(delay, failure.delay)):
                    self._failures[host] += 1
                    raise Missing(str(failure)) from failure
            else:
                self._failures[host] = 0
                return upload
        raise AssertionError("the last round ends")  # pragma: no cover

    def stop(self) -> None:
        """End all transfers and retries."""
        self._stopped.set()
        self._client.stop()

    def _check_failures(self, host: str) -> None:
        if self._failures[host] >= MAX_FAILURES:
            raise Missing(
                f'"{host}" failed for {MAX_FAILURES} other files in a row; import again when it is well'
            )

    def _fetch(self, site: Site, address: str) -> Upload:
        try:
            with (
                self._client.open("GET", address, headers=HEADERS) as answer,
                _temporary_upload(site) as upload,
            ):
                self._check(site, answer)
                self._receive(answer, upload)
                name = _name(address, answer.headers.get("Content-Type", ""))
                return Upload(name, upload.path, upload.size)
        except Failed as failed:
            if failed.lasting:
                raise Missing(str(failed)) from failed
            raise _TemporaryFailure(str(failed)) from failed
        except HTTPError as error:
            raise _TemporaryFailure(f"the transfer broke off ({type(error).__name__})") from error

    def _check(self, site: Site, answer: urllib3.BaseHTTPResponse) -> None:
        if answer.status in RETRY_STATUSES:
            raise _TemporaryFailure(f"the server answered {answer.status}", _requested_delay(answer))
        if answer.status != 200:
            raise Missing(f"the server answered {answer.status}")
        if answer.headers.get("Content-Encoding", "identity") != "identity":
            raise Missing("the server sends it compressed only")
        length = answer.headers.get("Content-Length", "")
        if length.isdecimal() and int(length) > site.config["max_upload"]:
            raise too_large(site.config["max_upload"])

    def _receive(self, answer: urllib3.BaseHTTPResponse, upload: TemporaryUpload) -> None:
        since = time.monotonic()
        for piece in answer.stream(CHUNK, decode_content=False):
            if self._stopped.is_set():
                raise Missing("stopped")
            upload.write(piece)
            passed = time.monotonic() - since
            if passed > SPEED_CHECKED_AFTER and upload.size < MIN_SPEED * passed:
                raise Missing("the server is too slow")
        if not upload.size:
            raise Missing("the file is empty")


class Folder:
    """A copy of the old site's uploads, in their folders by year and month or all in one."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()
        self._stopped = threading.Event()

    def fetch(self, site: Site, wanted: WantedFile) -> Upload:
        """Copy a file; raises Missing where the folder has none, ApiError where it is too large."""
        path = self._find(wanted)
        try:
            source = path.open("rb")
        except OSError as error:
            raise Missing(f"it can't be read: {error.strerror}") from error
        with source as file, _temporary_upload(site) as upload:
            while piece := file.read(CHUNK):
                if self._stopped.is_set():
                    raise Missing("stopped")
                upload.write(piece)
            if not upload.size:
                raise Missing("the file is empty")
            return Upload(path.name, upload.path, upload.size)

    def stop(self) -> None:
        """End all copying."""
        self._stopped.set()

    def _find(self, wanted: WantedFile) -> Path:
        for place in _places(wanted):
            if found := self._find_at(place):
                return found
        return self._find_by_name(wanted)

    def _find_at(self, place: str) -> Path | None:
        for folder in ("", "uploads", "wp-content/uploads"):
            for form in ("NFC", "NFD"):  # archives of some systems have decomposed names
                if found := self._file(PurePosixPath(folder, unicodedata.normalize(form, place))):
                    return found
        return None

    def _find_by_name(self, wanted: WantedFile) -> Path:
        name = PurePosixPath(next(_places(wanted), "")).name
        found = None
        if name:
            found = self._file(PurePosixPath(name))
        if found is None:
            raise Missing("it isn't in the folder")
        if wanted.shares_name:
            raise Missing(f'several files are named "{name}"; put each into its folder by year and month')
        return found

    def _file(self, place: PurePosixPath) -> Path | None:
        """Return a file of the folder, None for one that a link or `..` leads out of it to."""
        try:
            path = (self._folder / place).resolve()
            if path.is_file() and path.is_relative_to(self._folder):
                return path
        except (OSError, ValueError):  # a name too long, or with a zero byte
            pass
        return None


def _places(wanted: WantedFile) -> Iterator[str]:
    """Yield the paths below the uploads that a file may have: first the item's, then those of the address."""
    if wanted.attached:
        yield wanted.attached.lstrip("/")
    path = unquote(_path(wanted.address))
    for mark in UPLOADS:
        _before, found, place = path.partition(mark)
        if found:
            yield place
    yield path.lstrip("/")


@contextmanager
def _temporary_upload(site: Site) -> Iterator[TemporaryUpload]:
    """Yield a file in the site's folder of incoming files; it is removed where it isn't completed."""
    upload = TemporaryUpload(site.config.incoming, site.config["max_upload"])
    try:
        yield upload
        upload.close()
    except BaseException:
        upload.discard()
        raise


def _requested_delay(answer: urllib3.BaseHTTPResponse) -> float:
    seconds = answer.headers.get("Retry-After", "")
    if not seconds.isdecimal():
        return 0.0
    return min(float(seconds), MAX_RETRY_DELAY)


def _name(address: str, content_type: str) -> str:
    """Return a file's name by its address; one without a known ending gets that of its type."""
    name = PurePosixPath(unquote(_path(address))).name or "file"
    if ending_of(name) in BY_ENDING:
        return name
    kind = BY_MIME.get(content_type.partition(";")[0].strip().lower())
    if kind is None:
        return name
    return f"{name}.{kind.endings[0]}"


def _path(address: str) -> str:
    try:
        return urlsplit(address).path
    except ValueError:
        return ""


def _host(address: str) -> str:
    try:
        return urlsplit(address).netloc.lower()
    except ValueError:
        return ""

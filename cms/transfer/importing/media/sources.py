"""Where the files of an export come from: the addresses that it names, or a folder that somebody has copied."""

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

from cms.db.file_index import WantedFile
from cms.media.names import ending_of
from cms.media.types import BY_ENDING, BY_MIME
from cms.media.uploads import CHUNK, TemporaryUpload, Upload, too_large
from cms.net import Client, Failed, Refused
from cms.site import Site
from cms.transfer.importing.media.fetch import Missing

#: Statuses that may be gone a moment later.
PASSING = (408, 425, 429, 500, 502, 503, 504)
PAUSES = (0.5, 2.0)
#: Seconds that a server may ask to wait.
LONGEST_PAUSE = 30.0
#: After so many files in a row that a host failed to give, though asked again, it isn't asked any more.
PATIENCE = 8
#: Bytes a second that a server has to bring in the long run, and seconds until that is looked at.
SLOWEST, GRACE = 10_000, 60.0
#: A compressed answer could unfold to any size, and files are asked for as they are.
HEADERS = {"Accept-Encoding": "identity", "User-Agent": "cms-import"}
UPLOADS = ("/wp-content/uploads/", "/uploads/", "/files/")


class _Passing(Exception):
    """Say why it didn't work this time, and in how many seconds it may."""

    def __init__(self, reason: str, pause: float = 0) -> None:
        super().__init__(reason)
        self.pause = pause


class Web:
    """The addresses that the export names, as far as they are on the open internet."""

    def __init__(self, client: Client | None = None, pauses: tuple[float, ...] = PAUSES) -> None:
        self._client = client or Client()
        self._pauses = pauses
        self._stopped = threading.Event()
        self._failures: Counter[str] = Counter()

    def bring(self, site: Site, wanted: WantedFile) -> Upload:
        """Fetch a file, with some patience for what may pass."""
        if not wanted.address:
            raise Missing("the export names no address for it")
        host = _host(wanted.address)
        for pause in (*self._pauses, None):
            if self._failures[host] >= PATIENCE:
                raise Missing(
                    f'"{host}" failed for {PATIENCE} other files in a row; import again when it is well'
                )
            try:
                upload = self._fetch(site, wanted.address)
                self._failures[host] = 0
                return upload
            except Missing:  # an answer all the same
                self._failures[host] = 0
                raise
            except Refused as refused:
                raise Missing(f"its address isn't visited: {refused}") from refused
            except _Passing as passing:
                if pause is None or self._stopped.wait(max(pause, passing.pause)):
                    self._failures[host] += 1
                    raise Missing(str(passing)) from passing
        raise AssertionError("the last round ends")  # pragma: no cover

    def stop(self) -> None:
        """End all transfers."""
        self._stopped.set()
        self._client.stop()

    def _fetch(self, site: Site, address: str) -> Upload:
        try:
            with self._client.open("GET", address, headers=HEADERS) as answer, _arrival(site) as arrival:
                self._check(site, answer)
                self._receive(answer, arrival)
                name = _name(address, answer.headers.get("Content-Type", ""))
                return Upload(name, arrival.path, arrival.size)
        except Failed as failed:
            if failed.lasting:
                raise Missing(str(failed)) from failed
            raise _Passing(str(failed)) from failed
        except HTTPError as error:
            raise _Passing(f"the transfer broke off ({type(error).__name__})") from error

    def _check(self, site: Site, answer: urllib3.BaseHTTPResponse) -> None:
        if answer.status in PASSING:
            raise _Passing(f"the server answered {answer.status}", _asked_pause(answer))
        if answer.status != 200:
            raise Missing(f"the server answered {answer.status}")
        if answer.headers.get("Content-Encoding", "identity") != "identity":
            raise Missing("the server sends it compressed only")
        length = answer.headers.get("Content-Length", "")
        if length.isdecimal() and int(length) > site.config["max_upload"]:
            raise too_large(site.config["max_upload"])

    def _receive(self, answer: urllib3.BaseHTTPResponse, arrival: TemporaryUpload) -> None:
        since = time.monotonic()
        for piece in answer.stream(CHUNK, decode_content=False):
            if self._stopped.is_set():
                raise Missing("stopped")
            arrival.write(piece)
            passed = time.monotonic() - since
            if passed > GRACE and arrival.size < SLOWEST * passed:
                raise Missing("the server is too slow")
        if not arrival.size:
            raise Missing("the file is empty")


class Folder:
    """A copy of the old site's uploads, in their folders by year and month or all in one."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()
        self._stopped = threading.Event()

    def bring(self, site: Site, wanted: WantedFile) -> Upload:
        """Copy a file."""
        path = self._find(wanted)
        try:
            opened = path.open("rb")
        except OSError as error:
            raise Missing(f"it can't be read: {error.strerror}") from error
        with opened as file, _arrival(site) as arrival:
            while piece := file.read(CHUNK):
                if self._stopped.is_set():
                    raise Missing("stopped")
                arrival.write(piece)
            if not arrival.size:
                raise Missing("the file is empty")
            return Upload(path.name, arrival.path, arrival.size)

    def stop(self) -> None:
        """End all copying."""
        self._stopped.set()

    def _find(self, wanted: WantedFile) -> Path:
        for place in _places(wanted):
            for below in ("", "uploads", "wp-content/uploads"):
                for form in ("NFC", "NFD"):  # archives of some systems hold names taken apart
                    if found := self._file(PurePosixPath(below, unicodedata.normalize(form, place))):
                        return found
        name = PurePosixPath(next(iter(_places(wanted)), "")).name
        found = self._file(PurePosixPath(name)) if name else None
        if found and wanted.shares_name:
            raise Missing(f'several files are named "{name}"; put each into its folder by year and month')
        if found:
            return found
        raise Missing("it isn't in the folder")

    def _file(self, place: PurePosixPath) -> Path | None:
        """Return a file below the folder; one that a link or `..` leads out to isn't one."""
        try:
            path = (self._folder / place).resolve()
            return path if path.is_file() and path.is_relative_to(self._folder) else None
        except (OSError, ValueError):  # a name too long, or with a zero byte
            return None


def _places(wanted: WantedFile) -> Iterator[str]:
    """Yield the paths below the uploads that a file may lie at: as the item says, then as the address shows."""
    if wanted.attached:
        yield wanted.attached.lstrip("/")
    path = unquote(_path(wanted.address))
    for mark in UPLOADS:
        _before, found, place = path.partition(mark)
        if found:
            yield place
    yield path.lstrip("/")


@contextmanager
def _arrival(site: Site) -> Iterator[TemporaryUpload]:
    """Give a place for a file among the arrivals; it is removed where the file doesn't get there."""
    arrival = TemporaryUpload(site.config.incoming, site.config["max_upload"])
    try:
        yield arrival
        arrival.close()
    except BaseException:
        arrival.discard()
        raise


def _asked_pause(answer: urllib3.BaseHTTPResponse) -> float:
    asked = answer.headers.get("Retry-After", "")
    return min(float(asked), LONGEST_PAUSE) if asked.isdecimal() else 0.0


def _name(address: str, content_type: str) -> str:
    """Return a file's name by its address; one without a known ending gets that of its type."""
    name = PurePosixPath(unquote(_path(address))).name or "file"
    kind = BY_MIME.get(content_type.partition(";")[0].strip().lower())
    return name if ending_of(name) in BY_ENDING or kind is None else f"{name}.{kind.endings[0]}"


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

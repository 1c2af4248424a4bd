"""The file of a request: sent as it is with a Content-Disposition, or as the part `file` of a form."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import IO, Any
from urllib.parse import unquote

from flask import Request
from werkzeug.exceptions import HTTPException, RequestEntityTooLarge
from werkzeug.formparser import FormDataParser
from werkzeug.http import parse_options_header

from cms.api.request import JSON, arguments, form_arguments, query_arguments, readable
from cms.errors import ApiError
from cms.i18n import _
from cms.media.uploads import CHUNK, TemporaryUpload, Upload, too_large
from cms.site import Site

FORM = "multipart/form-data"
PLAIN = re.compile(r""";\s*filename\s*=\s*("(?:[^"\\]|\\.)*"|[^;]*)""", re.IGNORECASE)
EXTENDED = re.compile(r";\s*filename\*\s*=", re.IGNORECASE)
ESCAPED = re.compile(r"\\(.)")
PERCENT = re.compile(r"%[0-9A-Fa-f]{2}")
LONE_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")
#: What the parser of forms needs besides: it reads this much at once, and holds it to the bound of all fields.
BUFFER = 1 << 17


class DiscardSink:
    """Takes the parts of a form that nobody may send, and forgets them."""

    def write(self, data: bytes) -> int:
        """Forget a piece."""
        return len(data)

    def seek(self, place: int, whence: int = 0) -> int:
        """Stay at the beginning."""
        return 0


class RequestFile:
    """Reads the file of one request; what was received is removed at the end, unless it was kept elsewhere."""

    def __init__(self, site: Site, request: Request, welcome: bool, most: int) -> None:
        """Prepare for a request of somebody who may upload, or not; `most` bounds what isn't the file, in bytes."""
        self._site, self._request, self._welcome, self._most = site, request, welcome, most
        self._arrivals: list[TemporaryUpload] = []
        self._sent: tuple[str, TemporaryUpload] | None = None

    def arguments(self) -> dict[str, Any]:
        """Return the fields beside the file; those of a file sent as it is stand in the address."""
        if self._request.mimetype == FORM:
            return {**query_arguments(self._request), **self._form()}
        if JSON.fullmatch(self._request.mimetype) or self._request.mimetype.endswith("urlencoded"):
            return arguments(self._request, self._most)
        return query_arguments(self._request)

    def open_upload(self) -> Upload:
        """Return the file; raises ApiError where none was sent, or not as it should be."""
        if self._request.mimetype == FORM:
            return self._from_form()
        return self._from_body()

    def discard(self) -> None:
        """Remove what was received."""
        for arrival in self._arrivals:
            arrival.discard()

    def _arrival(self) -> TemporaryUpload:
        made = TemporaryUpload(self._site.config.incoming, self._site.config["max_upload"])
        self._arrivals.append(made)
        return made

    def _form(self) -> dict[str, Any]:
        config = self._site.config
        most = config["max_upload"] + self._most if self._welcome else self._most
        if (self._request.content_length or 0) > most:
            raise too_large(most)
        self._request.max_content_length = most
        parser = FormDataParser(
            stream_factory=self._place,
            max_form_memory_size=self._most + BUFFER,
            max_form_parts=1_000,
            silent=False,
        )
        options = parse_options_header(self._request.headers.get("Content-Type", ""))[1]
        try:
            _stream, fields, files = parser.parse(
                ReadableStream(self._request.stream),  # type: ignore[arg-type]  # all that is asked of it is to be read
                FORM,
                self._request.content_length,
                options,
            )
        except RequestEntityTooLarge:
            raise too_large(config["max_upload"]) from None
        except (ValueError, HTTPException):
            raise ApiError(
                "rest_invalid_form", _("The form can't be read. Send it as multipart/form-data.")
            ) from None
        file = files.get("file")
        if file is not None and isinstance(file.stream, TemporaryUpload):
            self._sent = (file.filename or "", file.stream)
        return form_arguments(fields.items(multi=True))

    def _place(
        self,
        total_content_length: int | None,
        content_type: str | None,
        filename: str | None,
        content_length: int | None = None,
    ) -> Any:
        return self._arrival() if self._welcome and not self._arrivals else DiscardSink()

    def _from_form(self) -> Upload:
        if self._sent is None:
            raise _no_data()
        name, arrival = self._sent
        arrival.close()
        if not name or not arrival.size:
            raise _no_data()
        self._check_sum(arrival)
        return Upload(name, arrival.path, arrival.size, form=True)

    def _from_body(self) -> Upload:
        if not self._request.content_length and "chunked" not in self._request.headers.get(
            "Transfer-Encoding", ""
        ):
            raise _no_data()
        if not self._request.headers.get("Content-Type", "").strip():
            raise ApiError("rest_upload_no_content_type", _("Say in Content-Type what kind of file this is."))
        name = self._named()
        arrival = self._arrival()
        most = self._site.config["max_upload"]
        if (self._request.content_length or 0) > most:
            raise too_large(most)
        self._request.max_content_length = most + 1
        _copy(ReadableStream(self._request.stream), arrival, most)
        arrival.close()
        if not arrival.size:
            raise _no_data()
        self._check_sum(arrival)
        return Upload(name, arrival.path, arrival.size)

    def _named(self) -> str:
        header = self._request.headers.get("Content-Disposition", "")
        if not header.strip():
            message = _('Name the file in a header: Content-Disposition: attachment; filename="…".')
            raise ApiError("rest_upload_no_content_disposition", message)
        name = file_name(header)
        if not name:
            message = _('Content-Disposition must read: attachment; filename="…".')
            raise ApiError("rest_upload_invalid_disposition", message)
        return name

    def _check_sum(self, arrival: TemporaryUpload) -> None:
        wanted = self._request.headers.get("Content-MD5", "").strip().lower()
        if wanted and wanted != arrival.md5:
            message = _("The file doesn't have the checksum of Content-MD5. Send it again.")
            raise ApiError("rest_upload_hash_mismatch", message, 412)


def file_name(header: str) -> str:
    """Return the name of a file from Content-Disposition, or nothing.

    A name in the extended notation of RFC 5987 counts before the plain one, which must stand there too. The plain one
    is read as clients write it: with spaces around, without quotes, percent-encoded.
    """
    kind, plain = header.partition(";")[0].strip(), PLAIN.search(header)
    if not kind or "=" in kind or plain is None:
        return ""
    if EXTENDED.search(header):
        _kind, options = parse_options_header(PLAIN.sub("", header))
        return options.get("filename", "")
    return _plain_name(plain[1].strip())


def _plain_name(name: str) -> str:
    if name.startswith('"'):
        name = ESCAPED.sub(r"\1", name[1:-1])
    with suppress(UnicodeError):
        name = name.encode("latin-1").decode()  # what clients send in UTF-8, servers give as Latin-1
    if PERCENT.search(name) and not LONE_PERCENT.search(name):
        with suppress(UnicodeError):
            return unquote(name, errors="strict")
    return name


class ReadableStream:
    """The stream of a body, whose faults would be taken for those of the disk."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream

    def read(self, size: int = -1) -> bytes:
        """Return the next bytes; raises ApiError where they can't be read."""
        with readable():
            return self._stream.read(size)


def _copy(stream: ReadableStream, arrival: TemporaryUpload, most: int) -> None:
    try:
        while piece := stream.read(CHUNK):
            arrival.write(piece)
    except RequestEntityTooLarge:
        raise too_large(most) from None


def _no_data() -> ApiError:
    message = _('No file was sent. Send it as the body, or as the part "file" of a form.')
    return ApiError("rest_upload_no_data", message)

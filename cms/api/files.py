"""Uploaded files, served by the site itself: with ranges and tags, and nothing in them is run."""

from __future__ import annotations

from collections.abc import Iterable

from flask import Blueprint, Response, request
from werkzeug.exceptions import RequestedRangeNotSatisfiable
from werkzeug.wsgi import FileWrapper, wrap_file

from cms.api.origins import opening
from cms.api.response import SAFETY_HEADERS, respond_error
from cms.api.unavailable import refuse_without_storage
from cms.errors import ApiError
from cms.i18n import ENGLISH, _
from cms.media.headers import content_type_of, disposition_of
from cms.media.object_storage import ObjectStorage
from cms.media.storage import StorageUnavailable, Stored
from cms.site import Site

#: Browsers show pictures, sounds and films under this policy, and run or fetch nothing.
POLICY = "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox"
#: The part of a browser that shows documents needs what a sandbox forbids; it runs nothing on the site's behalf.
POLICY_OF_DOCUMENTS = (
    "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'; plugin-types application/pdf"
)
DAY = 86_400
#: Seconds for which a redirect to a presigned address is remembered; the address holds for longer (`VALID`).
REMEMBERED = 900
#: Bytes that are sent at once.
PIECE = 1 << 16


def build_files(site: Site) -> Blueprint:
    """Return the blueprint that serves what lies in the site's storage."""
    blueprint = Blueprint("cms_files", __name__)

    def view(key: str) -> Response:
        return serve(site, key)

    blueprint.register_error_handler(StorageUnavailable, _unavailable)
    blueprint.add_url_rule(
        "/<path:key>",
        "file",
        view,
        methods=["GET", "HEAD"],
        provide_automatic_options=False,
        merge_slashes=False,
    )
    return blueprint


def serve(site: Site, key: str) -> Response:
    """Return a file, or a part of it, or 404: for those of deleted items too, which are kept for a while."""
    if site.stores.media.is_withdrawn(key):
        return _not_found()
    storage = site.context.storage
    try:
        if isinstance(storage, ObjectStorage) and storage.presigned:
            return _send_on(site, storage.link(key, request.method))
        stored = storage.open(key)
    except FileNotFoundError:
        return _not_found()
    response = Response(
        _wrapped(stored),
        direct_passthrough=True,
        content_type=content_type_of(key),
    )
    response.content_length = stored.size
    response.set_etag(stored.tag)
    response.cache_control.public, response.cache_control.max_age = True, DAY
    try:
        response.make_conditional(request.environ, accept_ranges=True, complete_length=stored.size)
    except RequestedRangeNotSatisfiable as error:
        stored.file.close()
        failed = respond_error(ApiError("rest_no_range", _("The file is shorter."), 416), lambda: ENGLISH)
        failed.headers["Content-Range"] = f"bytes */{error.length}"
        return failed
    origin = request.headers.get("Origin", "")
    response.headers.update(opening(origin, site.config["cors_origins"], to_all=True))
    _make_inert(response, key)
    return response


def _wrapped(stored: Stored) -> Iterable[bytes]:
    """Return what sends a file: the server's own way where it is one of the disk, else one that seeks."""
    try:
        stored.file.fileno()
    except OSError:
        return FileWrapper(stored.file, PIECE)
    return wrap_file(request.environ, stored.file)


def _send_on(site: Site, address: str) -> Response:
    """Return a redirect to the object storage, which may be remembered only while the address holds."""
    response = Response(status=302, headers={**SAFETY_HEADERS, "Location": address})
    response.cache_control.public, response.cache_control.max_age = True, REMEMBERED
    response.headers.update(
        opening(request.headers.get("Origin", ""), site.config["cors_origins"], to_all=True)
    )
    return response


def _make_inert(response: Response, key: str) -> None:
    """Have browsers run nothing of a file, and show those kinds alone that are meant to be shown."""
    headers = response.headers
    headers.update(SAFETY_HEADERS)
    headers["Content-Security-Policy"] = POLICY
    if response.mimetype == "application/pdf":
        headers["Content-Security-Policy"] = POLICY_OF_DOCUMENTS
    headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    headers["Content-Disposition"] = disposition_of(key)


def _unavailable(error: Exception) -> Response:
    return respond_error(refuse_without_storage(error), lambda: ENGLISH)


def _not_found() -> Response:
    return respond_error(ApiError("rest_no_file", _("There is no such file."), 404), lambda: ENGLISH)

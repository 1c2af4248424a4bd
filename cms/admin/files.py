"""The files of the editing page, by a list that is made when the site starts, and what browsers may do with them."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

from flask import Response, abort, request

from cms.api.response import COMMON_HEADERS
from cms.schema.page_editors import SERVED
from cms.site import Site

FOLDER = Path(__file__).parent / "page"
INDEX = "index.html"
TYPES = SERVED
#: Nothing of another host but the front end's preview in a frame, nothing that stands in the page itself.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data: blob:; "
    "media-src 'self'; connect-src 'self'; frame-src {preview}; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)


class PageFiles:
    """Answers with the page and with the files that it loads."""

    def __init__(self, site: Site) -> None:
        self._files = dict(_served())
        for editor in site.registry.editors.values():
            self._files.update(editor.files())
        preview = urlsplit(site.config["preview_url"])
        origin = f"{preview.scheme}://{preview.netloc}" if preview.netloc else "'none'"
        self._policy = POLICY.format(preview=origin)

    def forward(self) -> Response:
        """Lead to the address with a slash, from which the page's own relative addresses are read."""
        last = request.path.rpartition("/")[2]
        return self._guarded(Response(status=308, headers={"Location": f"{last}/"}))

    def page(self) -> Response:
        """Answer with the page."""
        return self._file(FOLDER / INDEX, "text/html")

    def asset(self, name: str) -> Response:
        """Answer with a file of the page; one that isn't on the list is answered as nothing."""
        path = self._files.get(name)
        if path is None:
            abort(404)
        return self._file(path, TYPES[path.suffix])

    def _file(self, path: Path, mimetype: str) -> Response:
        response = Response(path.read_bytes(), mimetype=mimetype)
        response.add_etag()
        response.make_conditional(request)
        return self._guarded(response)

    def _guarded(self, response: Response) -> Response:
        response.headers.update({**COMMON_HEADERS, "Content-Security-Policy": self._policy})
        response.headers["Cache-Control"] = "no-cache"
        return response


@cache
def _served() -> dict[str, Path]:
    """Return what browsers may load, by its path below the folder, without the page itself."""
    found = {}
    for path in FOLDER.rglob("*"):
        if path.suffix in TYPES and path.is_file():
            found[path.relative_to(FOLDER).as_posix()] = path
    return found

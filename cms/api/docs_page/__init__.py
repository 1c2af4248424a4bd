"""The page at /docs, where a person reads the interface and tries it; all of it comes from files of the site."""

from __future__ import annotations

import html
from pathlib import Path

from flask import Blueprint, Response, abort, request

from cms.api.response import COMMON_HEADERS
from cms.site import Site

FOLDER = Path(__file__).parent / "files"
#: What the page loads; the folder has the viewer's licence too.
SERVED = ("page.js", "swagger-ui-bundle.js", "swagger-ui.css")
TYPES = {".js": "text/javascript", ".css": "text/css"}
#: Nothing of another host, nothing that stands in the page itself, no frame around it.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}: API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="docs/swagger-ui.css">
<div id="docs"><noscript>The interface is described in <a href="api/openapi.json">api/openapi.json</a>.</noscript></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/page.js"></script>
</html>
"""


def build_docs_page(site: Site) -> Blueprint:
    """Return a blueprint with the page and its files; under a prefix with a `language` it reads that language."""
    blueprint = Blueprint("cms_docs", __name__)

    def page(language: str = "") -> Response:
        code = site.content_registry.locales[language].code if language else ""
        title = html.escape(html.unescape(site.settings.localized("title", code) or ""))
        return _guarded(Response(PAGE.format(title=title), mimetype="text/html"))

    def file(name: str, language: str = "") -> Response:
        if name not in SERVED:
            abort(404)
        response = Response((FOLDER / name).read_bytes(), mimetype=TYPES[Path(name).suffix])
        response.add_etag()
        response.make_conditional(request)
        return _guarded(response)

    for rule, view in (("", page), ("/<name>", file)):
        blueprint.add_url_rule(
            rule or "", view.__name__, view, methods=["GET", "HEAD"], provide_automatic_options=False
        )
    return blueprint


def _guarded(response: Response) -> Response:
    response.headers.update({**COMMON_HEADERS, "Content-Security-Policy": POLICY})
    response.headers.setdefault("Cache-Control", "no-cache")
    return response

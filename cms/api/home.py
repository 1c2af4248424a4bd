"""The small page at the site's own address, which says what this is and where clients find the API."""

from __future__ import annotations

import html
from collections.abc import Callable
from html import escape

from flask import Response
from werkzeug.exceptions import HTTPException

from cms.api.response import SAFETY_HEADERS, respond_error
from cms.errors import ApiError, no_route
from cms.i18n import ENGLISH
from cms.site import Site

PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<link rel="https://api.w.org/" href="{api}/">
<title>{title}</title>
<style>body {{ font: 1rem/1.5 system-ui, sans-serif; max-width: 34rem; margin: 4rem auto; padding: 0 1rem }}</style>
<h1>{title}</h1>
<p>{description}</p>
<p>This site's content is served as JSON, for front ends and other programs.
Start at the <a href="{api}/">discovery document</a>, which lists every route and argument;
the newest posts are at <a href="{api}/cms/v2/posts">{api}/cms/v2/posts</a>.</p>
</html>
"""


def home_page(site: Site) -> Callable[[], Response]:
    """Make the view of the page."""

    def view() -> Response:
        texts = {name: escape(html.unescape(site.settings[name] or "")) for name in ("title", "description")}
        page = Response(PAGE.format(api=escape(site.api_url), **texts), mimetype="text/html")
        page.headers["Link"] = f'<{site.api_url}/>; rel="https://api.w.org/"'
        page.headers.update(SAFETY_HEADERS)
        page.headers["Content-Security-Policy"] = "default-src 'none'; style-src 'unsafe-inline'"
        return page

    return view


def fault_page(error: HTTPException) -> Response:
    """Return what is answered outside of the API where there is nothing, or nothing that takes the method."""
    status = error.code or 500
    response = respond_error(ApiError("rest_no_route", no_route().message, status), lambda: ENGLISH)
    for name, value in error.get_headers():
        if name in ("Allow", "Location"):
            response.headers[name] = value
    return response

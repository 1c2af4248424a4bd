"""The way of a request to a route of the editing page: as to the API, for sessions and pages of the site alone."""

from __future__ import annotations

from functools import partial
from typing import Any

from flask import Request, Response
from flask import request as current_request

from cms.api.cached_answers import NONCE
from cms.api.failures import respond_failure
from cms.api.origins import is_own
from cms.api.view import SAFE, RouteView
from cms.db.bounded_table import BoundedTable
from cms.errors import ApiError
from cms.i18n import _
from cms.schema.endpoint import Route
from cms.site import Site

#: What opens answers of the API to pages of other sites, and what asks browsers for a password.
LEFT_OUT = (
    "Access-Control-Allow-Origin",
    "Access-Control-Allow-Credentials",
    "Access-Control-Expose-Headers",
    "Access-Control-Allow-Methods",
    "Access-Control-Allow-Headers",
    "WWW-Authenticate",
)


class AdminView:
    """Answers the requests to one route below /admin/api."""

    def __init__(self, site: Site, route: Route, open_methods: tuple[str, ...]) -> None:
        """Prepare for one route; `open_methods` are those that need no session, and take no notice of its nonce."""
        self._site, self._open = site, open_methods
        self._view = RouteView(site, route, BoundedTable(0))

    def __call__(self, **path: Any) -> Response:
        """Answer."""
        request = current_request._get_current_object()  # type: ignore[attr-defined]  # it is a proxy
        # A browser sends passwords that it remembers by itself: here a session counts alone.
        request.environ.pop("HTTP_AUTHORIZATION", None)
        if request.method in self._open:
            request.environ.pop(NONCE, None)
        if request.method in SAFE or is_own(request, request.headers.get("Origin"), self._site.url):
            response = self._view(language=self._language_of(request), **path)
        else:
            response = respond_failure(_foreign(), request, partial(self._site.translation, ""), self._site)
        for name in LEFT_OUT:
            response.headers.pop(name, None)
        response.headers["Cache-Control"] = "no-store"
        return response

    def _language_of(self, request: Request) -> str | None:
        """Return the prefix of the language that the page is in, None where the site hasn't got it."""
        wanted = request.headers.get("Accept-Language", "").partition(",")[0].replace("-", "_")
        for prefix, locale in self._site.content_registry.locales.items():
            if locale.code == wanted:
                return prefix
        return None


def _foreign() -> ApiError:
    message = _("This comes from a page of another site. Only the editing page itself may send it.")
    return ApiError("cms_foreign_page", message, 403)

"""What each request to a site passes first: who the client behind trusted proxies is, and which host was asked."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from time import perf_counter
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from cms.access.proxies import TrustedProxies
from cms.api.health import PATHS
from cms.api.hosts import AllowedHosts
from cms.api.request_ids import HEADER, give_id
from cms.api.response import respond_error
from cms.config import Config
from cms.errors import ApiError
from cms.i18n import _
from cms.site import Site

#: Who connected, as the server says; a second site in the application begins with it too.
PEER = "cms.peer"
#: What watchers inside the network ask for, by whatever name they have for the host.
UNNAMED = (*PATHS, "/metrics")
#: Whether the answer to a request will have its id; among several sites in an application one adds it.
IS_NAMED = "cms.is_named"

log = logging.getLogger("cms")


def added_headers(config: Config) -> list[tuple[str, str]]:
    """Return the headers that every answer of a site gets at the end, those that are kept too."""
    if config["hsts_seconds"] and config["url"].startswith("https:"):
        return [("Strict-Transport-Security", f"max-age={config['hsts_seconds']}")]
    return []


class Entrance:
    """A WSGI application around the site's own and all that plugins put around it.

    It changes the variables of the request in place, so that the server's log has the client's address too.
    """

    def __init__(self, application: WSGIApplication, site: Site) -> None:
        self._application, self._site = application, site
        self._base = site.base
        self._proxies = TrustedProxies(site.config["trusted_proxies"])
        self._hosts = AllowedHosts(site.config["allowed_hosts"], site.url)
        self._added = added_headers(site.config)
        self._slow = site.config["slow_milliseconds"] / 1000

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Refuse hosts that aren't the site's, and hand on what the request says of its client."""
        base = self._base
        path = environ.setdefault("PATH_INFO", "")
        if not path and not environ.get("SCRIPT_NAME"):
            # Flask would redirect it, to an address made of the Host header.
            path = environ["PATH_INFO"] = "/"
        if path != base and not path.startswith(f"{base}/"):
            return self._application(environ, start_response)
        if IS_NAMED not in environ:
            start_response = self._named(environ, start_response)
        if self._proxies or PEER in environ:
            self._set_origin(environ)
        if path not in UNNAMED and not self._hosts.admit(environ.get("HTTP_HOST")):
            return self._refuse(environ, start_response)
        if self._slow:
            return self._timed(environ, start_response)
        return self._application(environ, start_response)

    def _named(self, environ: WSGIEnvironment, start_response: StartResponse) -> StartResponse:
        """Give a request its id, and return what begins an answer that has it in its headers."""
        id = give_id(environ, environ.get(PEER, (environ.get("REMOTE_ADDR", ""),))[0], self._proxies)
        environ[IS_NAMED] = True

        def start(
            status: str, headers: list[tuple[str, str]], exc_info: Any = None
        ) -> Callable[[bytes], object]:
            # Of a kept answer the headers are nobody's own: they are copied, not added to.
            return start_response(status, [*headers, *self._added, (HEADER, id)], exc_info)

        return start

    def _timed(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        began = perf_counter()
        try:
            return self._application(environ, start_response)
        finally:
            spent = perf_counter() - began
            if spent >= self._slow:
                which = f"{environ['REQUEST_METHOD']} {environ['PATH_INFO']}"
                id = give_id(environ, "", self._proxies)
                log.warning("%r has taken %d ms (request %s)", which, spent * 1000, id)

    def _set_origin(self, environ: WSGIEnvironment) -> None:
        address, scheme = environ.setdefault(
            PEER, (environ.get("REMOTE_ADDR", ""), environ["wsgi.url_scheme"])
        )
        origin = self._proxies.origin(address, scheme, environ)
        environ["REMOTE_ADDR"], environ["wsgi.url_scheme"] = origin.address, origin.scheme

    def _refuse(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        message = _(
            "This site doesn't answer to the host that was asked for. It may be named in allowed_hosts."
        )
        answer: Callable[..., Iterable[bytes]] = respond_error(
            ApiError("rest_host_not_allowed", message), self._site.translation
        )
        return answer(environ, start_response)

"""What each request to a site passes first: who the client behind trusted proxies is, and which host was asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from cms.access.proxies import TrustedProxies
from cms.api.health import PATHS
from cms.api.hosts import AllowedHosts
from cms.api.response import respond_error
from cms.errors import ApiError
from cms.i18n import _
from cms.site import Site

#: Who connected, as the server says; a second site in the application begins with it too.
PEER = "cms.peer"


class Entrance:
    """A WSGI application around the site's own and all that plugins put around it.

    It changes the variables of the request in place, so that the server's log has the client's address too.
    """

    def __init__(self, application: WSGIApplication, site: Site) -> None:
        self._application, self._site = application, site
        self._base = site.base
        self._proxies = TrustedProxies(site.config["trusted_proxies"])
        self._hosts = AllowedHosts(site.config["allowed_hosts"], site.url)

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Refuse hosts that aren't the site's, and hand on what the request says of its client."""
        base = self._base
        path = environ.setdefault("PATH_INFO", "")
        if not path and not environ.get("SCRIPT_NAME"):
            # Flask would redirect it, to an address made of the Host header.
            path = environ["PATH_INFO"] = "/"
        if path != base and not path.startswith(f"{base}/"):
            return self._application(environ, start_response)
        if self._proxies or PEER in environ:
            self._set_origin(environ)
        if path not in PATHS and not self._hosts.admit(environ.get("HTTP_HOST")):
            return self._refuse(environ, start_response)
        return self._application(environ, start_response)

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

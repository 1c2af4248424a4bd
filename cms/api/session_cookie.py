"""The cookie of a session: its name and path, how it is set, and what of a session a request sends."""

from __future__ import annotations

import hashlib
from urllib.parse import urlsplit

from flask import Request, Response

from cms.access.sessions import SentSession
from cms.api.cached_answers import NONCE
from cms.site import Site

DAY = 86_400


def cookie_name(site: Site) -> str:
    """Return the name of a site's cookie: browsers send those of one port to all others of its host."""
    return "cms_session_" + hashlib.sha256(f"{site.url}{site.base}".encode()).hexdigest()[:8]


def sent_session(site: Site, request: Request) -> SentSession | None:
    """Return what a request sends of a session; None without the nonce, so that a cookie alone counts for nothing."""
    nonce = request.environ.get(NONCE)
    if not nonce:
        return None
    return SentSession(sent_secret(site, request), nonce)


def sent_secret(site: Site, request: Request) -> str:
    """Return the secret in a request's cookie, empty for none."""
    return request.cookies.get(cookie_name(site), "")


def public_path(site: Site, request: Request) -> str:
    """Return the path below which browsers find the site, whose prefix a server or a proxy may take away."""
    prefix = request.script_root or urlsplit(site.url).path.rstrip("/")
    return f"{prefix}{site.base}"


def set_session(site: Site, request: Request, response: Response, secret: str) -> None:
    """Give a browser the secret of a session, or take it away where it is empty."""
    url = urlsplit(site.url)
    is_https = request.is_secure or (url.scheme == "https" and request.host.partition(":")[0] == url.hostname)
    days = site.config["session_days"] if secret else 0
    response.set_cookie(
        cookie_name(site),
        secret,
        max_age=days * DAY,
        path=public_path(site, request) or "/",
        secure=is_https,
        httponly=True,
        samesite="Lax",
    )

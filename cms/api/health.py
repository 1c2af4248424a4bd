"""What watchers ask of a process that serves a site: whether it answers, and whether it can do its work."""

from __future__ import annotations

import logging
import os
import threading
import time

from flask import Blueprint, Response

from cms.api.response import COMMON_HEADERS
from cms.background.readiness import failing_checks
from cms.site import Site

LIVE, READY = PATHS = ("/healthz", "/readyz")
#: Seconds for which what was found out is told again: many who ask cost as much as one.
MEMORY = 1.0

log = logging.getLogger("cms")


def build_health(site: Site) -> Blueprint:
    """Return a blueprint with `/healthz` and `/readyz`, which no discovery document lists.

    `/healthz` touches nothing. `/readyz` answers 503 with the names of the checks that fail.
    """
    blueprint = Blueprint("cms_health", __name__)
    readiness = _Readiness(site)

    def healthz() -> Response:
        return _plain("ok", 200)

    def readyz() -> Response:
        failing = readiness.failing()
        if failing:
            return _plain(f"failing: {', '.join(failing)}", 503)
        return _plain("ok", 200)

    for path, view in ((LIVE, healthz), (READY, readyz)):
        blueprint.add_url_rule(path, path[1:], view, methods=["GET", "HEAD"], provide_automatic_options=False)
    return blueprint


class _Readiness:
    """What was last found out of a site in this process."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._lock = threading.Lock()
        self._until = 0.0
        self._failing: list[str] = []

    def failing(self) -> list[str]:
        """Return the names of the checks that fail."""
        if self._site.started_in != os.getpid():
            self._start()
        with self._lock:
            if time.monotonic() >= self._until:
                self._failing = failing_checks(self._site.context)
                self._until = time.monotonic() + MEMORY
            return self._failing

    def _start(self) -> None:
        """Begin timed work, as the first request to the API would."""
        try:
            self._site.start()
        except Exception as error:  # a plugin's, say; what doesn't work then is among the checks
            log.error("the site can't start: %s", error)


def _plain(text: str, status: int) -> Response:
    headers = {**COMMON_HEADERS, "Cache-Control": "no-store"}
    return Response(f"{text}\n", status, headers, mimetype="text/plain")

"""Numbers for Prometheus, counted by every process of a site into files that whichever is asked adds up."""

from __future__ import annotations

import hmac
import os
import re
import threading
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from time import perf_counter
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from flask import Blueprint, Response, request
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest, values
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.multiprocess import MultiProcessCollector
from werkzeug.exceptions import HTTPException

from cms.api.application import Application, KnownPaths
from cms.api.metrics_of_site import SiteCollector
from cms.api.response import COMMON_HEADERS
from cms.db.file_locks import try_lock
from cms.site import Site

PATH = "/metrics"
#: The folder of the files that processes count into, in the instance folder.
FOLDER = "metrics"
METHODS = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))
#: What is counted where no route takes a request, or no method that HTTP knows asks.
OTHER = "other"
SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
CONVERTER = re.compile(r"<(?:[^<>:]+:)?(\w+)>")


class Slots:
    """Gives each living process a number of its own, the smallest that is free, so that files don't grow in number."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._process, self._slot, self._file = 0, 0, -1

    def __call__(self) -> int:
        """Return the number of this process; a forked child takes another one."""
        if self._process != os.getpid():
            if self._file >= 0:
                os.close(self._file)  # the parent's, which stays locked
            self._take()
        return self._slot

    def _take(self) -> None:
        self._slot = 0
        while not self._try():
            self._slot += 1
        self._process = os.getpid()

    def _try(self) -> bool:
        self._file = os.open(
            self._folder / f"{self._slot}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644
        )
        is_free = try_lock(self._file)
        if not is_free:
            os.close(self._file)
        return is_free


class Grown:
    """A counter of what a site counts itself, in numbers of this process that only grow."""

    def __init__(self, counter: Counter, numbers: Callable[[], dict[str, int]]) -> None:
        """Prepare; `numbers` returns them by the counter's label."""
        self._counter, self._numbers = counter, numbers
        self._lock = threading.Lock()
        self._counted: dict[str, int] = {}

    def catch_up(self) -> None:
        """Count what has come since the last time."""
        with self._lock:
            found, before = self._numbers(), self._counted
            self._counted = found
        for label, number in found.items():
            self._counter.labels(label).inc(number - before.get(label, 0))


class Metrics:
    """What the processes of a site count, and the WSGI application around the site's own that does it."""

    def __init__(self, app: Application, site: Site) -> None:
        self._application: WSGIApplication = app.wsgi_app
        self._map, self._site = app.url_map, site
        self._folder = site.config.instance / FOLDER
        self._count_into(self._folder)
        labels = ("method", "route")
        self._requests = Counter(
            "cms_requests", "Requests that were answered.", (*labels, "status"), registry=None
        )
        self._seconds = Histogram(
            "cms_request_seconds", "Time until an answer begins.", labels, buckets=SECONDS, registry=None
        )
        self._grown = list(self._of_site())

    def _of_site(self) -> Iterator[Grown]:
        site, replicas = self._site, self._site.context.replicas
        kept = Counter(
            "cms_answer_cache", "Answers that were kept, or had to be made.", ("found",), registry=None
        )
        yield Grown(kept, lambda: {"yes": site.answers.hits, "no": site.answers.misses})
        if replicas is None:
            return
        reads = Counter(
            "cms_replica_reads", "Reads of visitors, by who was asked.", ("answered",), registry=None
        )
        yield Grown(reads, lambda: {"replica": replicas.hits, "primary": replicas.misses})

    def _count_into(self, folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        # The library reads the folder from the environment alone, and this when a number is counted first.
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(folder)
        values.ValueClass = values.MultiProcessValue(Slots(folder))

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request and count it."""
        began, statuses = perf_counter(), ["500"]

        def start(
            status: str, headers: list[tuple[str, str]], exc_info: Any = None
        ) -> Callable[[bytes], object]:
            statuses[0] = status[:3]
            return start_response(status, headers, exc_info)

        method, path = environ["REQUEST_METHOD"], environ.get("PATH_INFO", "")
        try:
            return self._application(environ, start)
        finally:
            self.count(method, path, statuses[0], perf_counter() - began)

    def count(self, method: str, path: str, status: str, seconds: float) -> None:
        """Count a request that was answered in so many seconds."""
        route = self._route(method, path)
        method = method if method in METHODS else OTHER
        self._requests.labels(method, route, status).inc()
        self._seconds.labels(method, route).observe(seconds)
        for grown in self._grown:
            grown.catch_up()

    def _route(self, method: str, path: str) -> str:
        """Return the route that a path leads to, without what stands in its places."""
        known = self._map.known.get((method, path)) if isinstance(self._map, KnownPaths) else None
        try:
            rule = known[0] if known else self._map.bind("").match(path, method, return_rule=True)[0]
        except HTTPException:
            return OTHER
        return CONVERTER.sub(r"<\1>", rule.rule)

    def blueprint(self) -> Blueprint:
        """Return the blueprint with `/metrics`, for those who have the token."""
        blueprint = Blueprint("cms_metrics", __name__)
        blueprint.add_url_rule(
            PATH, "metrics", self._show, methods=["GET", "HEAD"], provide_automatic_options=False
        )
        return blueprint

    def _show(self) -> Response:
        headers = {**COMMON_HEADERS, "Cache-Control": "no-store"}
        sent = request.headers.get("Authorization", "").encode()
        if not hmac.compare_digest(sent, f"Bearer {self._site.config['metrics_token']}".encode()):
            headers["WWW-Authenticate"] = "Bearer"
            return Response("the token isn't right\n", 401, headers, mimetype="text/plain")
        registry = CollectorRegistry()
        MultiProcessCollector(registry, path=str(self._folder))
        registry.register(SiteCollector(self._site))
        return Response(generate_latest(registry), 200, headers, content_type=CONTENT_TYPE_LATEST)

"""The Flask application of one site: Flask's own way of a request, with what it asks anew each time kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, lru_cache, partial
from typing import Any

from flask import Flask, Request
from werkzeug.routing import Map, MapAdapter, Rule
from werkzeug.routing.rules import RuleFactory
from werkzeug.sansio.utils import get_host

from cms.api.view import RouteView
from cms.db.bounded_table import BoundedTable

#: How many bytes the paths take at most whose routes are known.
MOST_KNOWN = 500_000
#: The longest path and host that are kept.
LONGEST = 255

#: What a path of a method leads to.
Match = tuple[Rule, Mapping[str, Any]]

_checked_host = lru_cache(maxsize=64)(get_host)


class KnownPaths(Map):
    """A map of routes that knows where the paths of the last requests led to."""

    def __init__(self, *args: Any, **options: Any) -> None:
        self.known: BoundedTable[tuple[str, str], Match] = BoundedTable(MOST_KNOWN)
        super().__init__(*args, **options)

    def add(self, rulefactory: RuleFactory) -> None:
        """Add a route, which may take paths from others."""
        self.known = BoundedTable(MOST_KNOWN)
        super().add(rulefactory)


class KnownPathAdapter(MapAdapter):
    """Matches the path of one request, one that led to the site's API before without a search."""

    map: KnownPaths
    app: Application

    def match(self, *args: Any, **options: Any) -> Any:
        """Return what a path leads to; raises what `MapAdapter.match` does."""
        if args or options != {"return_rule": True}:
            return super().match(*args, **options)
        key = (self.default_method, self.path_info)
        known = self.map.known.get(key)
        if known is not None:
            return known[0], dict(known[1])
        found = super().match(return_rule=True)
        self._keep(key, (found[0], dict(found[1])))
        return found

    def _keep(self, key: tuple[str, str], found: Match) -> None:
        """Keep a route of the API: what others' converters make of a path may depend on more than that."""
        is_ours = isinstance(self.app.view_functions.get(found[0].endpoint), RouteView)
        if is_ours and len(self.path_info) <= LONGEST:
            self.map.known.put(key, found, 500 + 4 * len(self.path_info))


class RarelyBuiltRule(Rule):
    """A route whose way to make addresses, which takes longer than all else of it, is compiled when one is made."""

    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
        compiled = cache(partial(super()._compile_builder, append_unknown))

        def build(rule: Rule, /, **values: Any) -> tuple[str, str]:
            return compiled()(rule, **values)

        return build


class Application(Flask):
    """A Flask application, which an embedding program may use as any other."""

    url_map_class = KnownPaths
    url_rule_class = RarelyBuiltRule

    def create_url_adapter(self, request: Request | None) -> MapAdapter | None:
        """Return what matches the request's path; where Flask is set to look at hosts, it does it itself."""
        config = self.config
        if request is None or config["TRUSTED_HOSTS"] is not None or config["SERVER_NAME"] is not None:
            return super().create_url_adapter(request)
        environ = request.environ
        host = environ.get("HTTP_HOST")
        if host is None or len(host) > LONGEST or "HTTP_UPGRADE" in environ or self.subdomain_matching:
            return super().create_url_adapter(request)
        if self.url_map.host_matching or self.request_class.trusted_hosts is not None:
            return super().create_url_adapter(request)
        return self._adapter(request, _checked_host(request.scheme, host))

    def _adapter(self, request: Request, host: str) -> MapAdapter:
        request.host = host
        adapter = KnownPathAdapter(
            self.url_map,
            host.lower(),
            request.root_path,
            self.url_map.default_subdomain or "",
            request.scheme,
            request.path if request.environ.get("PATH_INFO") else "",
            request.method,
            request.query_string.decode(errors="replace"),
        )
        adapter.app = self
        return adapter

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function that isn't a coroutine; that a route's view is none needs no look."""
        return func if isinstance(func, RouteView) else super().ensure_sync(func)

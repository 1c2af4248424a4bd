"""Every route of a site as a Flask blueprint."""

from __future__ import annotations

import re
from collections.abc import Callable

from flask import Blueprint, Response, request
from flask.sansio.blueprints import BlueprintSetupState
from werkzeug.routing import BaseConverter

from cms.api.discovery import Discovery
from cms.api.openapi.documents import Documents
from cms.api.view import ParsedQueries, RouteView
from cms.db.bounded_table import BoundedTable
from cms.schema.fields import LARGEST
from cms.site import Site

#: How many bytes the checked arguments of reads take at most.
MOST_PARSED = 2_000_000
ALL_METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")


class Digits(BaseConverter):
    """A whole number in ASCII digits; one beyond 64 bits stands for the largest, which nothing has as its id."""

    regex = r"[0-9]+"

    def to_python(self, value: str) -> int:
        """Return the number."""
        digits = value.lstrip("0") or "0"
        return min(int(digits), LARGEST) if len(digits) < 20 else LARGEST


class Name(BaseConverter):
    """An identifier: ASCII letters, digits, underscore and hyphen."""

    regex = r"[0-9A-Za-z_-]+"


def build_blueprint(site: Site) -> Blueprint:
    """Return the blueprint of a site's API; its rules are exact, and a last one takes what no other does.

    Under a prefix with a `language` in it, it is the variant in that language.
    """
    blueprint = Blueprint("cms", __name__)
    blueprint.record_once(_prepare)
    discovery = Discovery(site, site.registry.routes)
    parsed: ParsedQueries = BoundedTable(MOST_PARSED)
    nowhere = RouteView(site, None, parsed)
    rules = []
    for route in [*discovery.routes, *Documents(discovery).routes()]:
        for rule in {route.rule, route.rule.rstrip("/") or "/"}:
            rules.append((rule, route.pattern.replace(".", "_"), RouteView(site, route, parsed)))
    for rule, endpoint, view in [
        *rules,
        ("/<path:rest>", "no_route", nowhere),
        ("", "no_slash", rules[0][2]),
    ]:
        blueprint.add_url_rule(
            rule or "",
            endpoint=endpoint,
            view_func=view,
            methods=ALL_METHODS,
            provide_automatic_options=False,
            strict_slashes=False,
            merge_slashes=False,
        )
    return blueprint


def unrouted(site: Site) -> Callable[[], Response | None]:
    """Make what answers, before anything else, a request below the API that no rule takes, whatever is odd about it.

    That is a method that HTTP doesn't know, a path with a line feed, two slashes in a row.
    """
    view = RouteView(site, None, BoundedTable(0))
    languages = "|".join(map(re.escape, site.content_registry.locales))
    api = re.compile(rf"{re.escape(site.base)}(?:/({languages}))?/api(?:/.*)?", re.DOTALL)

    def answer() -> Response | None:
        if request.routing_exception is None:
            return None
        found = api.fullmatch(request.path)
        return view(found[1]) if found else None

    return answer


def _prepare(state: BlueprintSetupState) -> None:
    state.app.url_map.converters.update(digits=Digits, name=Name)

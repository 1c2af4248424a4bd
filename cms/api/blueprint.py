"""Every route of a site as a Flask blueprint."""

from __future__ import annotations

from flask import Blueprint
from flask.sansio.blueprints import BlueprintSetupState
from werkzeug.routing import BaseConverter

from cms.api.discovery import Discovery
from cms.api.view import RouteView
from cms.schema.fields import LARGEST
from cms.site import Site

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
    nowhere = RouteView(site, None)
    rules = []
    for route in discovery.routes:
        for rule in {route.rule, route.rule.rstrip("/") or "/"}:
            rules.append((rule, route.pattern.replace(".", "_"), RouteView(site, route)))
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


def _prepare(state: BlueprintSetupState) -> None:
    state.app.url_map.converters.update(digits=Digits, name=Name)

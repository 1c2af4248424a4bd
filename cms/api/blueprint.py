"""Every route of a site as a Flask blueprint: who asks, what they send, the endpoint, the answer."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable
from typing import Any

from flask import Blueprint, Response, request
from flask.sansio.app import App
from peewee import OperationalError
from werkzeug.exceptions import HTTPException
from werkzeug.routing import BaseConverter

from cms.api.discovery import Discovery
from cms.api.request import arguments
from cms.api.response import respond, respond_error
from cms.errors import ApiError, no_route
from cms.i18n import _
from cms.resources.routes import resource_routes
from cms.route import Call, Endpoint, Route
from cms.site import Site

ALL_METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
MOST_PARSED = 500

log = logging.getLogger("cms")

View = Callable[..., Response]


class Digits(BaseConverter):
    """A whole number in ASCII digits that fits in 64 bits."""

    regex = r"[0-9]{1,18}"


class Name(BaseConverter):
    """An identifier: ASCII letters, digits, underscore and hyphen."""

    regex = r"[0-9A-Za-z_-]+"


def build_blueprint(site: Site) -> Blueprint:
    """Return the blueprint of a site's API; its rules are exact, and a last one takes what no other does."""
    blueprint = Blueprint("cms", __name__)
    blueprint.record_once(lambda state: _prepare(state.app))
    routes = [route for resource in site.registry.resources.values() for route in resource_routes(resource)]
    discovery = Discovery(site, [*routes, *site.registry.routes])
    for route in discovery.routes:
        view = _guarded(site, _view(site, route))
        for rule in {route.rule, route.rule.rstrip("/") or "/"}:
            blueprint.add_url_rule(rule, endpoint=route.pattern.replace(".", "_"), view_func=view,
                                   methods=ALL_METHODS, provide_automatic_options=False, strict_slashes=False,
                                   merge_slashes=False)
    for index, rule in enumerate(("", "/<path:rest>")):
        blueprint.add_url_rule(rule or "/", endpoint=f"no_route_{index}", view_func=_guarded(site, _nowhere),
                               methods=ALL_METHODS, provide_automatic_options=False, merge_slashes=False)
    return blueprint


def _prepare(app: App) -> None:
    app.url_map.converters.update(digits=Digits, name=Name)


def _nowhere(**path: Any) -> Response:
    raise no_route()


def _view(site: Site, route: Route) -> View:
    by_method = {method: endpoint for endpoint in route.endpoints for method in endpoint.methods}
    if "GET" in by_method:
        by_method["HEAD"] = by_method["GET"]
    parsed: dict[bytes, tuple[dict[str, Any], dict[str, Any]]] = {}

    def read(endpoint: Endpoint) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return raw and checked arguments; those of a read are a function of the query alone, and kept."""
        if request.method not in ("GET", "HEAD"):
            given = arguments(request, site.config["max_body"])
            return given, endpoint.loader.load(given)
        query = request.query_string
        known = parsed.get(query)
        if known is None:
            given = arguments(request, 0)
            known = given, endpoint.loader.load(given)
            if len(parsed) >= MOST_PARSED:
                parsed.clear()
            parsed[query] = known
        return known

    def view(**path: Any) -> Response:
        endpoint = by_method.get(request.method)
        if endpoint is None:
            raise no_route()
        viewer = site.sign_in.viewer(request.headers.get("Authorization"))
        given, args = read(endpoint)
        endpoint.require(viewer)
        answer = endpoint.run(Call(site, viewer, args, given, path))
        return respond(site, request, answer, private=viewer.id != 0)

    return view


def _guarded(site: Site, view: View) -> View:
    """Turn what is raised into answers; what nobody expected is logged and told without detail."""

    def guarded(**path: Any) -> Response:
        try:
            return view(**path)
        except ApiError as error:
            return respond_error(error)
        except HTTPException as error:
            message = _("The request can't be read: %(fault)s.", fault=error.name)
            return respond_error(ApiError("rest_bad_request", message, error.code or 400))
        except (OperationalError, sqlite3.OperationalError) as error:
            if "locked" not in str(error) and "busy" not in str(error):
                return _failed(error)
            response = respond_error(ApiError("rest_busy", _("Another write takes long. Try again."), 503))
            response.headers["Retry-After"] = "1"
            return response
        except Exception as error:
            return _failed(error)

    return guarded


def _failed(error: Exception) -> Response:
    log.error("%s %s failed", request.method, request.path, exc_info=error)
    return respond_error(ApiError("rest_internal_error", _("Something went wrong here. It has been logged."), 500))

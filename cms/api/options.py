"""What OPTIONS tells of a route: its methods and arguments, and the JSON Schema of its items."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema

from cms.api.discovery import describe_route
from cms.call import Call
from cms.errors import ApiError
from cms.schema.endpoint import CHECKED_BY_HANDLER, PUBLIC, Answer, Route
from cms.schema.schemas import fields_of


def describe_options(call: Call, route: Route) -> Answer:
    """Answer with the route's description; the Allow header names what is open to the principal."""
    described = describe_route(route, call.site.api_url)
    described.pop("_links", None)
    if route.schema is not None:
        described["schema"] = json_schema(route.schema, route.title)
    return Answer(described, allow=allowed_methods(call, route) or None)


def allowed_methods(call: Call, route: Route) -> tuple[str, ...]:
    """Return the methods that the principal may use."""
    if route.allowed is not None:
        try:
            return route.allowed(call)
        except ApiError:
            return ()
    allowed: list[str] = []
    for endpoint in route.endpoints:
        if endpoint.permission in (PUBLIC, CHECKED_BY_HANDLER) or call.principal.may(endpoint.permission):
            allowed += endpoint.methods
    return tuple(allowed)


def json_schema(schema: type[Schema], title: str) -> dict[str, Any]:
    """Return a schema's fields as JSON Schema, with the contexts that show them."""
    fields = fields_of(schema).items()
    properties = {name: field.item_schema() for name, field in fields if field.contexts or not field.hidden}
    return {
        "$schema": "http://json-schema.org/draft-04/schema#",
        "title": title,
        "type": "object",
        "properties": properties,
    }

"""Collecting the routes of a site, plugins' checked."""

from __future__ import annotations

import re

from cms.hooks.registry.content_types import SPACE
from cms.hooks.registry.names import NameRegistry, listed, named_fields, registration_error
from cms.schema.content_types import ContentRegistry
from cms.schema.endpoint import CHECKED_BY_HANDLER, PATTERNS, PUBLIC, Endpoint, Route
from cms.schema.resource import Resource
from cms.schema.schemas import ArgumentSchema

HOOK = "register_routes"
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")


def collect_routes(
    names: NameRegistry, content_registry: ContentRegistry, resources: dict[str, Resource]
) -> list[tuple[Route, str]]:
    """Ask all plugins for their routes and return them with their plugins; two with one address are refused."""
    found = []
    for plugin, route in listed(
        names.plugins, HOOK, Route, content_registry=content_registry, resources=resources
    ):
        _check_route(plugin, route, content_registry)
        # The core makes the routes of everybody's types and taxonomies.
        owner = names.owner_of_resource(route.title) if plugin == "core" else plugin
        shape = re.sub(r"<(\w+):\w+>", r"<\1>", route.rule)
        names.claim(owner, HOOK, "routes", shape, route.rule)
        found.append((route, owner))
    return found


def _check_route(plugin: str, route: Route, content_registry: ContentRegistry) -> None:
    fault = ""
    if route.namespace and not SPACE.fullmatch(route.namespace):
        fault = f"has the namespace {route.namespace!r}; it takes one like acme/v1"
    elif not re.fullmatch(r"(/([\w.~-]+|<\w+:\w+>))+", route.path, re.ASCII):
        fault = "has no proper path: write it as /things/<digits:id>"
    elif not set(re.findall(r"<(\w+):", route.path)) <= set(PATTERNS):
        fault = f"has a part of an unknown kind. Kinds: {', '.join(PATTERNS)}"
    elif not isinstance(route.endpoints, (tuple, list)) or not all(
        isinstance(endpoint, Endpoint) for endpoint in route.endpoints
    ):
        fault = f"has endpoints={route.endpoints!r}. They are a tuple of Endpoint: (Endpoint(…),)"
    elif not route.endpoints:
        fault = "has no endpoints"
    if fault:
        raise registration_error(plugin, HOOK, f"the route {route.rule} {fault}")
    for endpoint in route.endpoints:
        _check_endpoint(plugin, route, endpoint, content_registry)


def _check_endpoint(plugin: str, route: Route, endpoint: Endpoint, content_registry: ContentRegistry) -> None:
    permission, fault = endpoint.permission, ""
    if not permission:
        fault = "doesn't say who may call it: give a capability, PUBLIC or CHECKED_BY_HANDLER"
    elif permission not in (PUBLIC, CHECKED_BY_HANDLER, *content_registry.capabilities):
        fault = f"asks for the capability {permission!r}, which nothing registers"
    elif isinstance(endpoint.methods, str) or not set(endpoint.methods) <= set(METHODS):
        fault = f"has methods {endpoint.methods!r}. Methods: {', '.join(METHODS)}"
    elif endpoint.args is not None and not (
        isinstance(endpoint.args, type) and issubclass(endpoint.args, ArgumentSchema)
    ):
        fault = f"has arguments that aren't a class made of cms.plugin.ArgumentSchema: {endpoint.args!r}"
    elif not callable(endpoint.run):
        fault = f"can't be run: {endpoint.run!r} isn't a function"
    if fault:
        raise registration_error(plugin, HOOK, f"the route {route.rule} {fault}")
    if plugin != "core":
        named_fields(plugin, HOOK, dict(endpoint.loader.fields), f"the route {route.rule}")

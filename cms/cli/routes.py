"""`cms routes`: what the site answers to."""

from __future__ import annotations

import re
from typing import Any

import click

from cms.api.discovery import Discovery
from cms.cli.instance import Instance, pass_instance
from cms.plugin.output import json_option, print_json, print_table
from cms.schema.endpoint import CHECKED_BY_HANDLER, PUBLIC, Route
from cms.site import Site

WHO = {PUBLIC: "everybody", CHECKED_BY_HANDLER: "depends on the item"}


@click.command()
@json_option
@pass_instance
def routes(instance: Instance, as_json: bool) -> None:
    """List the site's routes: methods, addresses, who may call them.

    The discovery document, at /api/ of the served site, describes every argument of every route.
    """
    with instance.existing() as site:
        found = []
        for route in all_routes(site):
            found += describe(site, route)
    if as_json:
        print_json(found)
        return
    lines: list[tuple[object, ...]] = []
    for f in found:
        path = re.sub(r"<\w+:", "<", f["route"])
        lines.append((", ".join(f["methods"]), path, len(f["arguments"]), f["who"]))
    print_table(("Methods", "Address", "Arguments", "Who"), lines)


def all_routes(site: Site) -> list[Route]:
    """Return every route of the site, the discovery documents' first."""
    return Discovery(site, site.registry.routes).routes


def describe(site: Site, route: Route) -> list[dict[str, Any]]:
    """Return what a person or program needs to know about each endpoint of a route."""
    address = f"{site.base}/api{route.rule}"
    described = []
    for endpoint in route.endpoints:
        described.append(
            {
                "methods": list(endpoint.methods),
                "route": address,
                "namespace": route.namespace,
                "arguments": list(endpoint.described()),
                "who": WHO.get(endpoint.permission, endpoint.permission),
            }
        )
    return described

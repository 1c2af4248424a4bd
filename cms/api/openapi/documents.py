"""The OpenAPI documents of a site: the whole one and one for each namespace, made once for each language."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

import orjson

from cms.api.discovery import Discovery
from cms.api.openapi.common import (
    security_schemes,
    shared_headers,
    shared_parameters,
    shared_responses,
)
from cms.api.openapi.components import Components
from cms.api.openapi.operations import SIGNED_IN, path_item, path_of, tag_of
from cms.call import Call
from cms.i18n import _, translate
from cms.schema.endpoint import GET, PUBLIC, Answer, Endpoint, Route
from cms.schema.json_schema import JsonSchema
from cms.schema.resource import Resource
from cms.version import __version__

VERSION = "3.1.1"
PATH = "/openapi.json"


def describe_api(routes: Iterable[Route], resources: Iterable[Resource]) -> JsonSchema:
    """Return the document of routes without what differs between sites: title and address."""
    labels = {resource.name: resource.label for resource in resources}
    components, paths = Components(), {}
    tags: dict[str, None] = {}
    for route in routes:
        paths[path_of(route) or "/"] = path_item(route, components, labels)
        tags[tag_of(route)] = None
    return {
        "openapi": VERSION,
        "security": [{}, *SIGNED_IN],
        "tags": [{"name": name} for name in tags],
        "paths": paths,
        "components": {
            "schemas": components.schemas,
            "responses": shared_responses(),
            "parameters": shared_parameters(),
            "headers": shared_headers(),
            "securitySchemes": security_schemes(),
        },
    }


class Documents:
    """The documents of one site as routes that discovery doesn't list."""

    def __init__(self, discovery: Discovery) -> None:
        self._site, self._discovery = discovery.site, discovery
        self._made: dict[tuple[str, str, str], tuple[JsonSchema, bytes]] = {}

    def routes(self) -> list[Route]:
        """Return the routes of all documents."""
        found = [_route(PATH, partial(self._answer, ""))]
        for name in self._discovery.namespaces:
            found.append(_route(f"/openapi/{name}.json", partial(self._answer, name)))
        return found

    def document(self, call: Call, namespace: str = "") -> dict[str, Any]:
        """Return the document of a namespace, or of all, in the language that is asked for."""
        site, language = self._site, call.principal.language or self._site.settings["language"]
        routes = [route for route in self._discovery.routes if namespace in ("", route.namespace)]
        document = describe_api(routes, site.registry.resources.values())
        whole = {**self._head(call), **document}
        found: dict[str, Any] = translate(whole, site.translation(language))
        return found

    def _head(self, call: Call) -> JsonSchema:
        settings, language = self._site.settings, call.principal.language
        return {
            "openapi": VERSION,
            "info": {
                "title": settings.localized("title", language) or self._site.url,
                "version": __version__,
                "description": _(
                    "Programs that can't send other methods than GET and POST send a POST with the header "
                    "X-HTTP-Method-Override. Arguments are taken from the address, from JSON and from forms. An answer "
                    "to _fields has the chosen fields alone, whatever its schema requires."
                ),
            },
            "servers": [{"url": self._discovery.root(call)}],
        }

    def _answer(self, namespace: str, call: Call) -> Answer:
        """Answer with a document; it is made anew where the site's title has changed."""
        head = self._head(call)
        key = (
            namespace,
            self._discovery.root(call),
            call.principal.language or self._site.settings["language"],
        )
        made = self._made.get(key)
        if made is None or made[0] != head:
            made = self._made[key] = (head, orjson.dumps(self.document(call, namespace)))
        return Answer(made[1], content_type="application/json", version=0, cacheable=True)


def _route(path: str, run: Any) -> Route:
    return Route(path, (Endpoint(GET, run, PUBLIC),), namespace="")

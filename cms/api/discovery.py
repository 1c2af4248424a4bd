"""The documents that describe the service and its routes, made once per language."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from cms.call import Call
from cms.dates import gmt_offset
from cms.i18n import Text, translate
from cms.schema.endpoint import GET, PUBLIC, Answer, Endpoint, Route
from cms.schema.fields import Field
from cms.schema.schemas import ArgumentSchema
from cms.site import Site


class Plain(Field):
    """An argument of which only the default is told."""

    def shape(self) -> dict[str, Any]:
        """Return nothing: its values aren't limited."""
        return {}


class DiscoveryArgs(ArgumentSchema):
    """The argument of the whole document."""

    context = Plain(Text(""), default="view")


def namespace_args(namespace: str) -> type[ArgumentSchema]:
    """Return the arguments of one namespace's document."""
    fields = {"namespace": Plain(Text(""), default=namespace), "context": Plain(Text(""), default="view")}
    return type("NamespaceArgs", (ArgumentSchema,), fields)


def describe_route(route: Route, root: str) -> dict[str, Any]:
    """Return a route as the document lists it; `root` is the address of the API."""
    described: dict[str, Any] = {
        "namespace": route.namespace,
        "methods": route.methods,
        "endpoints": [{"methods": list(e.methods), "args": e.described() or []} for e in route.endpoints],
    }
    if "<" not in route.path:
        described["_links"] = {"self": f"{root}{route.rule}"}
    return described


class Discovery:
    """The discovery routes of one site."""

    def __init__(self, site: Site, routes: Iterable[Route]) -> None:
        self.site = site
        registered = list(routes)
        self.namespaces = list(dict.fromkeys(route.namespace for route in registered if route.namespace))
        self.routes = [*self.own_routes(), *registered]
        self._described: dict[tuple[str, str], dict[str, Any]] = {}

    def describe_routes(self, call: Call) -> dict[str, Any]:
        """Return all routes as the document lists them, put together and translated once for each language and root."""
        root, language = self.root(call), call.principal.language or self.site.settings["language"]
        if (root, language) not in self._described:
            routes = {route.pattern: describe_route(route, root) for route in self.routes}
            self._described[root, language] = translate(routes, self.site.translation(language))
        return self._described[root, language]

    def root(self, call: Call) -> str:
        """Return the address of the API in the language that is asked for."""
        for locale in self.site.content_registry.locales.values():
            if locale.code == call.principal.language:
                return f"{self.site.url}{self.site.base}/{locale.prefix}/api"
        return self.site.api_url

    def own_routes(self) -> list[Route]:
        """Return the routes of the documents themselves."""
        return [
            Route("/", (Endpoint(GET, self.whole, PUBLIC, DiscoveryArgs),), namespace=""),
            *(
                Route("", (Endpoint(GET, partial(self.namespace, name), PUBLIC, namespace_args(name)),), name)
                for name in self.namespaces
            ),
        ]

    def whole(self, call: Call) -> Answer:
        """Answer with the whole document."""
        settings, language = self.site.settings, call.principal.language
        return Answer(
            {
                "name": settings.localized("title", language) or "",
                "description": settings.localized("description", language) or "",
                "url": self.site.url,
                "home": self.site.front_url,
                "gmt_offset": gmt_offset(settings.zone),
                "timezone_string": settings["timezone"],
                "namespaces": self.namespaces,
                "authentication": [],
                "routes": self.describe_routes(call),
                "_links": {"help": [{"href": f"{self.site.url}/"}]},
            },
            cacheable=True,
        )

    def namespace(self, name: str, call: Call) -> Answer:
        """Answer with the routes of one namespace."""
        described = self.describe_routes(call)
        routes = {}
        for route in self.routes:
            if route.namespace == name:
                routes[route.pattern] = described[route.pattern]
        up = {"up": [{"href": f"{self.root(call)}/"}]}
        return Answer({"namespace": name, "routes": routes, "_links": up}, cacheable=True)

"""One search over all that a site shows: items of every type and terms, ranked, with the words marked."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from cms.plugin import ContentRegistry, Resource, Route, hookimpl

from .routes import search_route

__version__ = "1.0"
cms_api = 1


@hookimpl
def register_routes(content_registry: ContentRegistry, resources: Mapping[str, Resource]) -> list[Route]:
    """Add the route of the search."""
    return [search_route(content_registry)]


@hookimpl
def register_translations() -> Path:
    """Bring the texts of these routes in other languages."""
    return Path(__file__).parent / "locales"

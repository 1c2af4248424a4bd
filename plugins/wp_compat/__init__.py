"""The interface under the addresses of WordPress, with what its newer versions have besides.

A request to an alias is answered by the route that it stands for (`aliases.py`). Routes and fields that came to
WordPress after version 4.9 are made here (`routes.py`, `fields.py`, `entries.py`), as far as they mean something.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from wsgiref.types import WSGIApplication

from cms.plugin import ContentRegistry, Field, Resource, Route, Site, hookimpl

from .aliases import Aliases
from .entries import fields_of_types
from .fields import later_fields
from .routes import later_routes

__version__ = "1.0"
cms_api = 1


@hookimpl
def wrap_wsgi(application: WSGIApplication, site: Site) -> WSGIApplication:
    """Answer below `/wp-json` and to `?rest_route=`, and name the API in the headers of every answer."""
    return Aliases(application, site)


@hookimpl
def register_routes(content_registry: ContentRegistry, resources: Mapping[str, Resource]) -> list[Route]:
    """Add the search, and the lists of blocks, of which there are none."""
    return later_routes(content_registry)


@hookimpl
def register_fields(content_registry: ContentRegistry) -> Mapping[str, Mapping[str, Field]]:
    """Add what items of all types that front ends show, and types themselves, have in newer versions."""
    found = {"type": fields_of_types()}
    for type in content_registry.types.values():
        if type.public and type.served:
            found[type.name] = later_fields(type)
    return found


@hookimpl
def register_translations() -> Path:
    """Bring the texts of these routes and fields in other languages."""
    return Path(__file__).parent / "locales"

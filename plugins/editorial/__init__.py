"""What editors need besides: revisions restored, drafts shown by signed links, texts saved while they are written."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cms import _, hookimpl
from cms.access.capabilities import Principal
from cms.schema.content_types import ContentRegistry
from cms.schema.endpoint import Route
from cms.schema.fields import Field, String
from cms.schema.resource import Resource
from cms.site import Site

from .autosaves import autosave_routes
from .previews import check_token, preview_routes
from .restoring import restore_routes

__version__ = "1.0"
cms_api = 1


@hookimpl
def register_routes(content_registry: ContentRegistry, resources: Mapping[str, Resource]) -> list[Route]:
    """Add routes to the items of every type that is written."""
    kinds = [kind for kind in content_registry.types.values() if kind.served and not kind.inherits]
    return [
        *(route for kind in kinds for route in preview_routes(kind)),
        *(
            route
            for kind in kinds
            if "revisions" in kind.supports
            for route in restore_routes(kind, resources[kind.name])
        ),
        *(
            route
            for kind in kinds
            if "editor" in kind.supports
            for route in autosave_routes(kind, resources[kind.name])
        ),
    ]


@hookimpl
def register_read_arguments(content_registry: ContentRegistry) -> Mapping[str, Mapping[str, Field]]:
    """Let requests for one item bring a token that opens it."""
    return {
        kind.name: {"preview": String(_("Token of a link to a preview, which opens the item as it is now."))}
        for kind in content_registry.types.values()
        if kind.served and not kind.inherits
    }


@hookimpl
def open_item(
    resource: str, row: Any, args: Mapping[str, Any], principal: Principal, site: Site
) -> bool | None:
    """Open the item that a valid token names."""
    token = args.get("preview")
    if not token:
        return None
    check_token(site, row, token)
    return True


@hookimpl
def register_migrations() -> Path:
    """Add the tables of autosaves and of the secrets that links are signed with."""
    return Path(__file__).parent / "migrations"


@hookimpl
def register_translations() -> Path:
    """Bring the texts of the routes in other languages."""
    return Path(__file__).parent / "locales"

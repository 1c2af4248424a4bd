"""What editors need besides: revisions restored, drafts shown by signed links, texts saved while they are written."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from cms import _, hookimpl
from cms.plugin import (
    ContentRegistry,
    ContentRow,
    ContentType,
    Field,
    Principal,
    Resource,
    Route,
    Site,
    String,
)

from .autosaves import autosave_routes
from .previews import CLOSED, check_token, preview_routes
from .restoring import restore_routes

__version__ = "1.0"
cms_api = 1


@hookimpl
def register_routes(content_registry: ContentRegistry, resources: Mapping[str, Resource]) -> list[Route]:
    """Add routes to the items of every type that is written."""
    types = _written_types(content_registry)
    routes = [route for content_type in types for route in preview_routes(content_type)]
    for content_type in types:
        if "revisions" in content_type.supports:
            routes += restore_routes(content_type, resources[content_type.name])
    for content_type in types:
        if "editor" in content_type.supports:
            routes += autosave_routes(content_type, resources[content_type.name])
    return routes


@hookimpl
def register_read_arguments(content_registry: ContentRegistry) -> Mapping[str, Mapping[str, Field]]:
    """Let requests for one item bring a token that opens it."""
    token = String(_("Token of a link to a preview, which opens the item as it is now."), codes=CLOSED)
    return {content_type.name: {"preview": token.copy()} for content_type in _written_types(content_registry)}


@hookimpl
def open_item(
    resource: str, row: ContentRow, args: Mapping[str, object], principal: Principal, site: Site
) -> bool | None:
    """Open the item that a valid token names."""
    token = args.get("preview")
    if not token:
        return None
    check_token(site, row, str(token))
    return True


@hookimpl
def register_migrations() -> Path:
    """Add the tables of autosaves and of the secrets that links are signed with."""
    return Path(__file__).parent / "migrations"


@hookimpl
def register_translations() -> Path:
    """Bring the texts of the routes in other languages."""
    return Path(__file__).parent / "locales"


def _written_types(content_registry: ContentRegistry) -> list[ContentType]:
    return [each for each in content_registry.types.values() if each.served and not each.inherits]

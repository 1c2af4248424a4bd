"""Routes to list, make, rename and revoke an account's tokens, as WordPress has them for application passwords."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from cms.plugin import ContentRegistry, Resource, Route, hookimpl

from .routes import password_routes

__version__ = "1.0"
cms_api = 1


@hookimpl
def register_routes(content_registry: ContentRegistry, resources: Mapping[str, Resource]) -> list[Route]:
    """Add the routes below each account."""
    return password_routes()


@hookimpl
def register_migrations() -> Path:
    """Add the table that says which application a token belongs to."""
    return Path(__file__).parent / "migrations"


@hookimpl
def register_translations() -> Path:
    """Bring the texts of the routes in other languages."""
    return Path(__file__).parent / "locales"

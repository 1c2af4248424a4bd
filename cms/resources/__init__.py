"""What the core registers, through the same hooks as any plugin."""

from __future__ import annotations

from pathlib import Path

from cms.catalogue import TYPES, Locale
from cms.hookspecs import hookimpl
from cms.resource import Resource
from cms.route import Route

LOCALES = str(Path(__file__).parent.parent / "locales")


@hookimpl
def register_resources() -> list[Resource]:
    """Register posts, pages, media, terms, accounts and comments."""
    from cms.resources import comments, media, pages, posts, terms, users

    return [posts.post(), pages.page(), media.attachment(), terms.category(), terms.tag(), users.user(),
            comments.comment()]


@hookimpl
def register_routes() -> list[Route]:
    """Register types, statuses, taxonomies, the viewer's own account, the settings and revisions."""
    from cms.resources import kinds, me, revisions, settings

    return [*kinds.kind_routes(), me.me_route(), settings.settings_route(), *revisions.revision_routes(TYPES)]


@hookimpl
def register_locales() -> list[Locale]:
    """Register English, which needs no catalogue, and Indonesian."""
    return [Locale("en_US", "en", "English", LOCALES), Locale("id_ID", "id", "Bahasa Indonesia", LOCALES)]

"""What the core registers, through the same hooks as any plugin."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from pathlib import Path

from cms.access.capabilities import ROLES, Capability
from cms.db.indexes import make_grown_indexes
from cms.hooks.markers import hookimpl
from cms.i18n import _
from cms.resources import routes, settings, types
from cms.resources.comments import schema as comments
from cms.resources.content import pages, posts, revisions
from cms.resources.content import types as content_types
from cms.resources.content.rerender import Rerenderer
from cms.resources.media import cleanup
from cms.resources.media import schema as media
from cms.resources.terms import schema as terms
from cms.resources.users import me
from cms.resources.users import schema as users
from cms.schema.content_types import STATUSES, ContentRegistry, ContentType, Locale, Status, Taxonomy
from cms.schema.endpoint import Route
from cms.schema.fields import Field
from cms.schema.resource import Resource
from cms.site import Site

log = logging.getLogger("cms")

LOCALES = str(Path(__file__).parent.parent / "locales")


@hookimpl(tryfirst=True)
def register_capabilities() -> list[Capability]:
    """Register the rights of the five roles."""
    return [
        Capability(name, tuple(role for role, held in ROLES.items() if name in held))
        for name in sorted(frozenset().union(*ROLES.values()))
    ]


@hookimpl(tryfirst=True)
def register_statuses() -> tuple[Status, ...]:
    """Register the states between draft and publication, and those of the trash and of what depends on others."""
    return STATUSES


@hookimpl(tryfirst=True)
def register_types() -> list[ContentType]:
    """Register posts, pages, media and revisions."""
    return [
        posts.post_type(),
        pages.page_type(),
        media.media_type(),
        ContentType(
            "revision", "revisions", _("Revisions"), "posts", supports=("author",), public=False, served=False
        ),
    ]


@hookimpl(tryfirst=True)
def register_taxonomies() -> list[Taxonomy]:
    """Register categories and tags."""
    return terms.core_taxonomies()


@hookimpl(tryfirst=True)
def register_locales() -> list[Locale]:
    """Register English, which needs no catalogue, and Indonesian."""
    return [Locale("en_US", "en", "English", LOCALES), Locale("id_ID", "id", "Bahasa Indonesia", LOCALES)]


@hookimpl(tryfirst=True)
def register_settings() -> Mapping[str, Field]:
    """Register the settings of every site."""
    return settings.core_settings()


@hookimpl(tryfirst=True)
def register_resources(content_registry: ContentRegistry) -> list[Resource]:
    """Register all types and taxonomies of the site, whoever brings them, accounts and comments."""
    return [
        *(
            content_types.type_resource(content_type, content_registry)
            for content_type in content_registry.types.values()
            if content_type.served
        ),
        *(terms.term_resource(taxonomy) for taxonomy in content_registry.taxonomies.values()),
        users.user(content_registry),
        comments.comment(),
    ]


@hookimpl(tryfirst=True)
def register_routes(content_registry: ContentRegistry, resources: Mapping[str, Resource]) -> list[Route]:
    """Register the routes of all resources; types, statuses, taxonomies, own account, settings and revisions."""
    return [
        *(route for resource in resources.values() for route in routes.resource_routes(resource)),
        *types.registry_routes(content_registry),
        me.me_route(resources["user"]),
        settings.settings_route(content_registry),
        *revisions.revision_routes(content_registry.types.values()),
    ]


@hookimpl(tryfirst=True)
def startup(site: Site) -> None:
    """Have texts rendered again that older rules have rendered, and files removed that nothing needs."""
    rerenderer = Rerenderer(site.context, site.renderer)
    site.worker.schedule_every(10, "rendering", lambda: rerenderer.run(site.worker.is_stopping))
    site.worker.schedule_every(3_600, "files", lambda: _clean_files(site))
    site.worker.schedule_every(600, "indexes", lambda: _make_indexes(site))


def _make_indexes(site: Site) -> None:
    for name in make_grown_indexes(site.database, site.registry.indexes, site.worker.is_stopping):
        log.info("Made the index %s, since there are more items of its type now.", name)


def _clean_files(site: Site) -> None:
    cleanup.remove_unused(site.context)
    cleanup.remove_abandoned(site.context)

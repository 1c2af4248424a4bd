"""Pages: content in levels, which templates show."""

from __future__ import annotations

from dataclasses import replace

from cms.i18n import _
from cms.resources.content.types import usual_resource
from cms.schema.content_types import ContentRegistry, ContentType
from cms.schema.resource import Resource

SUPPORTS = ("title", "editor", "author", "revisions", "thumbnail", "comments", "page-attributes")


def page_type() -> ContentType:
    """Return the type of pages."""
    return ContentType(
        "page",
        "pages",
        _("Pages"),
        hierarchical=True,
        discussed=False,
        supports=SUPPORTS,
        icon="dashicons-admin-page",
        resource=page_resource,
    )


def page_resource(content_type: ContentType, content_registry: ContentRegistry) -> Resource:
    """Return the resource of pages, which have an excerpt though their type doesn't claim to support any."""
    return usual_resource(
        replace(content_type, supports=(*content_type.supports, "excerpt")), content_registry
    )

"""Posts: which of the parts of `schema.WrittenSchema` they have, and the fields that they have besides."""

from __future__ import annotations

from cms.db.models import Content
from cms.i18n import _
from cms.schema.content_types import FORMATS, ContentType
from cms.schema.fields import VIEW_EDIT, Boolean, String

SUPPORTS = ("title", "editor", "author", "revisions", "excerpt", "thumbnail", "comments", "post-formats")


def post_type() -> ContentType:
    """Return the type of posts."""
    sticky = Boolean(_("Whether the post is pinned to the front."), VIEW_EDIT, null=False, column="is_sticky")
    format = String(
        _("What kind of post this is, for how it is shown."), VIEW_EDIT, enum=FORMATS, column="format"
    )
    pinned = Boolean(_("Only pinned posts, or only those that aren't."), where=Content.is_sticky.__eq__)
    return ContentType(
        "post",
        "posts",
        _("Posts"),
        supports=SUPPORTS,
        icon="dashicons-admin-post",
        fields={"sticky": sticky, "format": format},
        filters={"sticky": pinned},
    )

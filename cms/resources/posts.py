"""Posts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cms.catalogue import FORMATS, TAXONOMIES, Taxonomy
from cms.fields import VIEW_EDIT, Boolean, Ids, String
from cms.i18n import _
from cms.models import Content, ContentTerm, Term
from cms.resource import Page, Resource
from cms.resources.content import PasswordArgs, WrittenSchema, content_links, list_fields, permalink
from cms.resources.content_operations import ContentOperations
from cms.schema import Arguments

OF_ITEMS = """
SELECT c.content_id, t.taxonomy, t.id FROM content_terms c JOIN terms t ON t.id = c.term_id
WHERE c.content_id IN (SELECT value FROM json_each(?)) ORDER BY t.sort_name, t.id
"""


def load_terms(page: Page) -> dict[tuple[int, str], list[int]]:
    """Return the ids of terms by item and taxonomy, for all items of a page at once."""
    found: dict[tuple[int, str], list[int]] = {}
    for content_id, taxonomy, id in page.site.database.rows(OF_ITEMS, (str(page.ids),)):
        found.setdefault((content_id, taxonomy), []).append(id)
    return found


def terms_of(taxonomy: str) -> Callable[[Any, Page], list[int]]:
    """Make the reader of an item's terms of one taxonomy."""
    return lambda row, page: page.loaded[load_terms].get((row["id"], taxonomy), [])


def term_field(taxonomy: Taxonomy) -> Ids:
    """Return the field with an item's terms of one taxonomy."""
    return Ids(_("Ids of the item's terms of the taxonomy %(name)s.", name=taxonomy.name), VIEW_EDIT, null=[],
               columns=("id",), read=terms_of(taxonomy.name), load=load_terms)


def _with_terms(taxonomy: str, bound: Any) -> Any:
    terms = Term.select(Term.id).where(Term.taxonomy == taxonomy, Term.id.in_(bound))
    return ContentTerm.select(ContentTerm.content_id).where(ContentTerm.term_id.in_(terms))


def having(taxonomy: str) -> Callable[[Any], Any]:
    """Make the condition that an item has one of the given terms."""
    return lambda bound: Content.id.in_(_with_terms(taxonomy, bound))


def lacking(taxonomy: str) -> Callable[[Any], Any]:
    """Make the condition that an item has none of the given terms."""
    return lambda bound: Content.id.not_in(_with_terms(taxonomy, bound))


class PostSchema(WrittenSchema):
    """The fields of a post."""

    sticky = Boolean(_("Whether the post is pinned to the front."), VIEW_EDIT, null=False,
                     columns=("is_sticky",), read=lambda row, page: bool(row["is_sticky"]))
    format = String(_("What kind of post this is, for how it is shown."), VIEW_EDIT, enum=FORMATS)
    categories = term_field(TAXONOMIES[0])
    tags = term_field(TAXONOMIES[1])


class PostListArgs(Arguments):
    """The arguments of the list of posts."""

    locals().update(list_fields())
    categories = Ids(_("Only posts in one of these categories."), default=[], where=having("category"))
    categories_exclude = Ids(_("No posts in these categories."), default=[], where=lacking("category"))
    tags = Ids(_("Only posts with one of these tags."), default=[], where=having("post_tag"))
    tags_exclude = Ids(_("No posts with these tags."), default=[], where=lacking("post_tag"))
    sticky = Boolean(_("Only pinned posts, or only those that aren't."), where=Content.is_sticky.__eq__)


def post() -> Resource:
    """Return the resource of posts."""
    return Resource("post", "posts", Content, PostSchema, PostListArgs, ContentOperations, _("Posts"),
                    get_args=PasswordArgs, links=content_links("posts"), address=permalink)

"""Posts, pages and items of plugins' types on their way from an export into the table of content."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from cms.dates import FORM, to_gmt
from cms.rendering.plain import sort_key
from cms.rendering.slugs import clean_slug, without_trash_mark
from cms.schema.content_types import COMMENT_STATUSES, FORMATS, ContentRegistry
from cms.transfer.importing.comments import write_comments
from cms.transfer.importing.context import ImportContext
from cms.transfer.importing.meta import kept_meta
from cms.transfer.importing.parents import awaited_parent, free_under, has_parents, missing_told, taken_told
from cms.transfer.importing.statuses import TRASH, is_unfinished, stored_state, usual_state
from cms.transfer.importing.survey import name_author, name_item
from cms.transfer.importing.terms import FORMAT, find_term, term_slug
from cms.transfer.wxr.records import ItemRecord

THUMBNAIL, TEMPLATE = "_thumbnail_id", "_wp_page_template"
TRASHED_STATUS, TRASHED_TIME = "_wp_trash_meta_status", "_wp_trash_meta_time"
#: Values that become something else of a post or page.
USED_META = (THUMBNAIL, TEMPLATE, TRASHED_STATUS, TRASHED_TIME)
KNOWN = "SELECT id, type FROM content WHERE source_site = ? AND source_id = ?"


@dataclass(frozen=True)
class Entry:
    """An item of the file in one import."""

    importing: ImportContext
    item: ItemRecord
    status: str

    @property
    def content_registry(self) -> ContentRegistry:
        return self.importing.site.content_registry

    def tell(self, text: str) -> None:
        self.importing.tell(self.item.line, text, self.item.source_id)


def write_item(importing: ImportContext, item: ItemRecord) -> None:
    """Store an item that isn't a file with its terms and comments, unless it was imported before."""
    source, kind, content_registry = name_item(item), item.type, importing.site.content_registry
    known = importing.site.database.row(KNOWN, (importing.source, source))
    if known is not None and known["type"] != kind:
        importing.report.leave_out(kind, "the site has another item with the same id")
        return
    if known is None and is_unfinished(content_registry, kind, item.status):
        importing.report.leave_out(kind, f"its state is {item.status}")
        return
    if known is None:
        id = _store(
            Entry(
                importing,
                item,
                stored_state(content_registry, kind, item.status) or usual_state(content_registry, kind),
            )
        )
        importing.report.count(kind)
    else:
        id = int(known["id"])
        importing.report.recognise(kind)
    write_comments(importing, item, id)


def _store(post: Entry) -> int:
    item, importing = post.item, post.importing
    if stored_state(post.content_registry, item.type, item.status) is None:
        post.tell(f'the state "{item.status}" isn\'t known; the {item.type} became a draft')
    columns = {
        **shared_columns(post),
        "slug": _slug(post),
        "format": _format(post),
        "featured_id": _featured(post),
        "parent_id": awaited_parent(importing, item),
    }
    if has_parents(post.content_registry.types[item.type]) and (item.parent_source_id or 0) < 0:
        post.tell(missing_told(item.parent_source_id))
    id = importing.insert("content", columns)
    if not columns["slug"] and post.status not in (*post.content_registry.floating, TRASH):
        importing.run("UPDATE content SET slug = ? WHERE id = ?", _free(post, str(id)), id)
    if columns["parent_id"]:
        importing.lines[id] = item.line
    store_terms(post, id)
    return id


def shared_columns(post: Entry) -> dict[str, Any]:
    """Return the columns that are the same for items of all types."""
    return {
        "type": post.item.type,
        "status": post.status,
        **_texts(post),
        "author_id": _author(post),
        **_dates(post),
        **_openness(post),
        **_trashed(post),
        "menu_order": post.item.menu_order,
        "template": _template(post),
        "meta": kept_meta(post.importing.site, post.item.type, post.item.more, post.tell),
        "source_site": post.importing.source,
        "source_id": name_item(post.item),
    }


def _featured(post: Entry) -> int:
    """Return the id of the picture that stands for the post, which may come later in the file."""
    given = dict(post.item.meta).get(THUMBNAIL, "").strip()
    if not given.isdecimal() or not given.isascii() or not int(given[:18]):
        return 0
    found = post.importing.files.id_of(int(given[:18]))
    if found is None:
        post.tell(f"its featured image {given[:18]} isn't in the file; it has none")
    return found or 0


def _texts(post: Entry) -> dict[str, str]:
    title = post.item.title.strip()
    content, excerpt = (post.importing.rewrite_links(text) for text in (post.item.content, post.item.excerpt))
    rendered = post.importing.site.renderer.content_columns(post.item.type, title, content, excerpt)
    return {"title": title, "sort_title": sort_key(title), "content": content, "excerpt": excerpt, **rendered}


def _author(post: Entry) -> int:
    login = name_author(post.item)
    others = [
        other.name or other.slug
        for other in post.item.coauthors
        if login not in (other.slug, other.slug.removeprefix("cap-"))
    ]
    if others:
        post.tell(f'the post has several authors; it is by "{login}" alone now, without: {", ".join(others)}')
    if login in post.importing.users:
        return post.importing.users[login]
    post.tell("the post has no author; it went to the site's first administrator")
    return post.importing.administrator


def _dates(post: Entry) -> dict[str, Any]:
    """Return the post's dates in GMT; a draft that was given none moves along until it is published."""
    item, now = post.item, post.importing.now
    date = _stored(item.date_gmt) or _from_local(post)
    floats = (
        item.date_gmt is None
        and (_trashed(post).get("trashed_status") or post.status) in post.content_registry.floating
    )
    if date is None and not floats:
        post.tell("the post has no date; it got the date of the import")
    date = date or now
    return {
        "date_gmt": date,
        "date_floats": int(floats),
        "modified_gmt": _stored(item.modified_gmt) or min(date, now),
    }


def _stored(moment: datetime | None) -> str | None:
    return to_gmt(moment, UTC) if moment else None


def _from_local(post: Entry) -> str | None:
    try:
        return to_gmt(post.item.date_local, post.importing.zone) if post.item.date_local else None
    except OverflowError:
        return None


def _openness(post: Entry) -> dict[str, Any]:
    """Return who may read the post and answer to it, and whether it is pinned."""
    item, settings = post.item, post.importing.site.settings
    password = "" if post.status == "private" else item.password
    sticky = item.is_sticky and post.status != TRASH
    if sticky and password:
        post.tell("a post with a password can't be pinned; it is pinned no more")
    states = {
        name: given if given in COMMENT_STATUSES else settings[f"default_{name}"]
        for name, given in (("comment_status", item.comment_status), ("ping_status", item.ping_status))
    }
    return {"password": password, "is_sticky": int(sticky and not password), **states}


def _slug(post: Entry) -> str:
    """Return a free slug: the file's own, else of the title where the post is published."""
    if post.status == TRASH:
        return f"{clean_slug(without_trash_mark(post.item.slug))}__trashed"
    wanted = clean_slug(post.item.slug)
    if not wanted and post.status not in post.content_registry.floating:
        return _free(post, clean_slug(post.item.title))
    slug = _free(post, wanted)
    if slug != wanted:
        post.tell(taken_told(wanted, slug))
    return slug


def _free(post: Entry, wanted: str) -> str:
    return free_under(post.importing, post.item.type, wanted, awaited_parent(post.importing, post.item))


def _format(post: Entry) -> str:
    for link in post.item.terms:
        if link.taxonomy == FORMAT:
            name = link.slug.removeprefix("post-format-")
            if name in FORMATS:
                return name
            post.tell(f'the format "{name}" isn\'t known; the post has the standard one')
    return "standard"


def _template(post: Entry) -> str:
    """Return the template's name; the format calls the usual one `default`."""
    name = dict(post.item.meta).get(TEMPLATE, "")
    return "" if name == "default" else name


def _trashed(post: Entry) -> dict[str, str]:
    if post.status != TRASH:
        return {}
    meta = dict(post.item.meta)
    before = stored_state(post.content_registry, post.item.type, meta.get(TRASHED_STATUS, ""))
    usual = usual_state(post.content_registry, post.item.type)
    return {
        "trashed_status": usual if before in (None, TRASH) else before,
        "trashed_gmt": _from_seconds(meta.get(TRASHED_TIME, "")) or post.importing.now,
    }


def _from_seconds(text: str) -> str | None:
    try:
        return datetime.fromtimestamp(int(text), UTC).strftime(FORM)
    except (ValueError, OverflowError, OSError):
        return None


def store_terms(post: Entry, id: int) -> None:
    """Give the item its terms; where a taxonomy has a default one, none is left without."""
    ids: dict[int | None, None] = {}
    for taxonomy in post.content_registry.taxonomies_of(post.item.type):
        found = [
            find_term(post.importing, taxonomy.name, term_slug(link.slug, link.name))
            for link in post.item.terms
            if link.taxonomy == taxonomy.name
        ]
        if not any(found) and taxonomy.default_option and not post.importing.exact:
            found = [_existing(post, post.importing.site.settings[taxonomy.default_option])]
        ids |= dict.fromkeys(found)
    for term in filter(None, ids):
        post.importing.insert("content_terms", {"content_id": id, "term_id": term})


def _existing(post: Entry, term: int) -> int | None:
    return term if post.importing.site.database.row("SELECT 1 FROM terms WHERE id = ?", (term,)) else None

"""Posts and pages of an export on their way into the table of content."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from cms.catalogue import COMMENT_STATES, FORMATS, UNPUBLISHED
from cms.dates import FORM, to_gmt
from cms.slugs import clean_slug, without_mark
from cms.text import sort_key
from cms.transfer.comments import write_comments
from cms.transfer.grouping import FORMAT, TAXONOMIES, find_term, term_slug
from cms.transfer.more import meta_of
from cms.transfer.parents import awaited_parent, free_under, taken_told
from cms.transfer.records import ItemRecord
from cms.transfer.survey import name_author
from cms.transfer.writing import Writing

#: What a state of the file is stored as; what is scheduled is published at a date ahead.
STATES = {"publish": "publish", "future": "publish", "draft": "draft", "pending": "pending", "private": "private",
          "trash": "trash"}
UNFINISHED = ("auto-draft", "inherit")
KNOWN = "SELECT id FROM content WHERE source_site = ? AND source_id = ?"


@dataclass(frozen=True)
class _Item:
    """A post or page of the file in one import."""

    writing: Writing
    item: ItemRecord
    status: str

    def tell(self, text: str) -> None:
        self.writing.tell(self.item.line, text, self.item.source_id)


def write_item(writing: Writing, item: ItemRecord) -> None:
    """Store a post or page with its terms and comments, unless it was imported before."""
    source, kind = name_item(item), item.type
    known = writing.site.database.row(KNOWN, (writing.source, source))
    if known is not None and known["id"] > writing.newest:
        writing.report.leave_out(kind, "the file has another item with the same id")
        return
    if known is None and item.status in UNFINISHED:
        writing.report.leave_out(kind, f"its state is {item.status}")
        return
    if known is None:
        id = _store(_Item(writing, item, STATES.get(item.status, "draft")), source)
        writing.report.count(kind)
    else:
        id = int(known["id"])
        writing.report.recognise(kind)
    if item.source_id is not None:
        writing.items[item.source_id] = id
    write_comments(writing, item, id)


def name_item(item: ItemRecord) -> str:
    """Return what an item is recognised by when the same file, or a later one, is imported."""
    if item.source_id is not None:
        return str(item.source_id)
    return item.guid or item.link or f"{item.type} {item.date_local} {item.slug} {item.title}"


def _store(post: _Item, source: str) -> int:
    item, writing = post.item, post.writing
    if item.status not in STATES:
        post.tell(f'the state "{item.status}" isn\'t known; the post became a draft')
    columns = {
        "type": item.type, "status": post.status, **_texts(post), "author_id": _author(post), **_dates(post),
        **_openness(post), **_trashed(post), "slug": _slug(post), "format": _format(post),
        "menu_order": item.menu_order, "template": _template(post), "meta": meta_of(item.more),
        "parent_id": awaited_parent(item),
        "source_site": writing.source, "source_id": source,
    }
    id = writing.insert("content", columns)
    if not columns["slug"] and post.status not in (*UNPUBLISHED, "trash"):
        writing.run("UPDATE content SET slug = ? WHERE id = ?", _free(post, str(id)), id)
    if columns["parent_id"]:
        writing.lines[id] = item.line
    for term in _terms(post) if item.type == "post" else ():
        writing.insert("content_terms", {"content_id": id, "term_id": term})
    return id


def _texts(post: _Item) -> dict[str, str]:
    title, content, excerpt = post.item.title.strip(), post.item.content, post.item.excerpt
    rendered = post.writing.site.renderer.content_columns(post.item.type, title, content, excerpt)
    return {"title": title, "sort_title": sort_key(title), "content": content, "excerpt": excerpt, **rendered}


def _author(post: _Item) -> int:
    login = name_author(post.item)
    others = [other.name or other.slug for other in post.item.coauthors
              if login not in (other.slug, other.slug.removeprefix("cap-"))]
    if others:
        post.tell(f'the post has several authors; it is by "{login}" alone now, without: {", ".join(others)}')
    if login in post.writing.users:
        return post.writing.users[login]
    post.tell("the post has no author; it went to the site's first administrator")
    return post.writing.administrator


def _dates(post: _Item) -> dict[str, Any]:
    """Return the post's dates in GMT; a draft that was given none moves along until it is published."""
    item, now = post.item, post.writing.now
    date = _stored(item.date_gmt) or _from_local(post)
    floats = item.date_gmt is None and (_trashed(post).get("trashed_status") or post.status) in UNPUBLISHED
    if date is None and not floats:
        post.tell("the post has no date; it got the date of the import")
    date = date or now
    return {"date_gmt": date, "date_floats": int(floats), "modified_gmt": _stored(item.modified_gmt) or min(date, now)}


def _stored(moment: datetime | None) -> str | None:
    return to_gmt(moment, UTC) if moment else None


def _from_local(post: _Item) -> str | None:
    try:
        return to_gmt(post.item.date_local, post.writing.zone) if post.item.date_local else None
    except OverflowError:
        return None


def _openness(post: _Item) -> dict[str, Any]:
    """Return who may read the post and answer to it, and whether it is pinned."""
    item, settings = post.item, post.writing.site.settings
    password = "" if post.status == "private" else item.password
    sticky = item.is_sticky and post.status != "trash"
    if sticky and password:
        post.tell("a post with a password can't be pinned; it is pinned no more")
    states = {name: given if given in COMMENT_STATES else settings[f"default_{name}"]
              for name, given in (("comment_status", item.comment_status), ("ping_status", item.ping_status))}
    return {"password": password, "is_sticky": int(sticky and not password), **states}


def _slug(post: _Item) -> str:
    """Return a free slug: the file's own, else of the title where the post is published."""
    if post.status == "trash":
        return f"{clean_slug(without_mark(post.item.slug))}__trashed"
    wanted = clean_slug(post.item.slug)
    if not wanted and post.status not in UNPUBLISHED:
        return _free(post, clean_slug(post.item.title))
    slug = _free(post, wanted)
    if slug != wanted:
        post.tell(taken_told(wanted, slug))
    return slug


def _free(post: _Item, wanted: str) -> str:
    return free_under(post.writing.site.database, post.item.type, wanted, awaited_parent(post.item))


def _format(post: _Item) -> str:
    for link in post.item.terms:
        if link.taxonomy == FORMAT:
            name = link.slug.removeprefix("post-format-")
            if name in FORMATS:
                return name
            post.tell(f'the format "{name}" isn\'t known; the post has the standard one')
    return "standard"


def _template(post: _Item) -> str:
    """Return the template's name; the format calls the usual one `default`."""
    name = dict(post.item.meta).get("_wp_page_template", "")
    return "" if name == "default" else name


def _trashed(post: _Item) -> dict[str, str]:
    if post.status != "trash":
        return {}
    meta = dict(post.item.meta)
    before = STATES.get(meta.get("_wp_trash_meta_status", ""), "draft")
    return {"trashed_status": "draft" if before == "trash" else before,
            "trashed_gmt": _from_seconds(meta.get("_wp_trash_meta_time", "")) or post.writing.now}


def _from_seconds(text: str) -> str | None:
    try:
        return datetime.fromtimestamp(int(text), UTC).strftime(FORM)
    except (ValueError, OverflowError, OSError):
        return None


def _terms(post: _Item) -> list[int]:
    """Return the ids of the post's terms; without a category it gets the default one."""
    ids: dict[int, None] = {}
    default: int | None = None if post.writing.exact else post.writing.site.settings["default_category"]
    for link in post.item.terms:
        if link.taxonomy not in TAXONOMIES:
            continue
        found = find_term(post.writing, link.taxonomy, term_slug(link.slug, link.name))
        if found is not None:
            ids[found] = None
            default = None if link.taxonomy == "category" else default
    if default is not None and post.writing.site.database.row("SELECT 1 FROM terms WHERE id = ?", (default,)):
        ids[default] = None
    return list(ids)

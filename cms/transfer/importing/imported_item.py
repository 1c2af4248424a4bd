"""An item of an export as it is stored: the columns and terms that items of all types have, files too."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property, partial
from urllib.parse import unquote

from cms.dates import FORM, to_gmt, to_local
from cms.db.expressions import TRASH
from cms.db.reader import Columns
from cms.rendering.sanitising import sanitize_post, sanitize_title
from cms.rendering.slugs import imported_slug
from cms.resources.content.writing import (
    default_discussion,
    is_pinned_and_locked,
    password_of,
    text_columns,
)
from cms.schema.content_types import COMMENT_STATUSES, ContentRegistry, ContentType
from cms.transfer.importing.bounds import TooLongError
from cms.transfer.importing.context import ImportContext
from cms.transfer.importing.identity import ATTACHMENT
from cms.transfer.importing.media.ids import Places
from cms.transfer.importing.meta import imported_meta
from cms.transfer.importing.statuses import default_status, imported_status
from cms.transfer.importing.survey import name_author
from cms.transfer.wxr.records import ItemRecord

OLD_SLUG = "_wp_old_slug"
TEMPLATE = "_wp_page_template"
#: How much of a slug a notice tells.
MAX_SLUG_IN_NOTICE = 300
#: The texts of items beside their content, and those of files, with the fields that take them.
ITEM_TEXTS = (("excerpt", "excerpt"),)
FILE_TEXTS = (("excerpt", "caption"), ("content", "description"))
TRASHED_STATUS, TRASHED_TIME = "_wp_trash_meta_status", "_wp_trash_meta_time"


def changed_slug(sent: str, slug: str) -> str:
    """Return the notice of a slug that holds what none can hold; its percent-escapes are told as they were."""
    return f'the slug "{sent[:MAX_SLUG_IN_NOTICE]}" can\'t be one; it became "{slug}"'


@dataclass(frozen=True)
class ImportedItem:
    """An item of the file in one import, with the status that it is stored with."""

    importing: ImportContext
    item: ItemRecord
    status: str

    @property
    def registry(self) -> ContentRegistry:
        """The types, taxonomies and statuses of the site."""
        return self.importing.site.content_registry

    @property
    def type(self) -> ContentType:
        """The item's type."""
        return self.registry.types[self.item.type]

    @property
    def floats(self) -> bool:
        """Whether the item's date moves along, or would out of the trash."""
        status = _trashed(self).get("trashed_status") or self.status
        return status in self.registry.floating

    @cached_property
    def slug(self) -> str:
        """The item's slug as it was in the file; what a slug can't hold is left out and told."""
        slug = imported_slug(self.item.slug)
        if slug != unquote(self.item.slug):
            self.warn(changed_slug(self.item.slug, slug))
        return slug

    def get_meta(self, name: str) -> str:
        """Return a value that the format has beside the item, empty where it has none."""
        return dict(self.item.meta).get(name, "")

    def warn(self, text: str) -> None:
        """Report what was stored differently from what the file says."""
        self.importing.warn(self.item.line, text, self.item.source_id)


def shared_columns(imported: ImportedItem) -> Columns:
    """Return the columns that are the same for items of all types."""
    item, importing = imported.item, imported.importing
    return {
        "type": item.type,
        "status": imported.status,
        **item_texts(imported),
        "author_id": _author(imported),
        **_dates(imported),
        **_discussion(imported),
        **_access(imported),
        **_trashed(imported),
        "menu_order": item.menu_order,
        "template": _template(imported),
        "meta": imported_meta(importing, item.type, item, imported.warn),
    }


def await_texts(imported: ImportedItem, id: int) -> None:
    """Keep what the texts of an item name of media that aren't here."""
    for number, places in imported.importing.links.take_unknown().items():
        field = text_field(places)
        imported.importing.await_reference("content", id, field, "item", number)


def text_field(places: Places | None) -> str:
    """Return what a reference says of its place: in the texts, wherever the number stands or at some places alone."""
    return "text" if places is None else f"text:{places.write()}"


def store_old_slugs(imported: ImportedItem, id: int) -> None:
    """Keep the slugs that an item had on the old site before, but for its present one."""
    found = {imported_slug(value) for name, value in imported.item.meta if name == OLD_SLUG}
    old = sorted(found - {"", imported_slug(imported.item.slug)})
    if old:
        imported.importing.site.stores.slugs.keep_old(id, old)


def item_texts(imported: ImportedItem) -> dict[str, str]:
    """Return the columns of an item's texts; raises TooLongError where its content can't be stored whole."""
    item, importing = imported.item, imported.importing
    texts = {
        "title": importing.clean(item.title.strip(), sanitize_title, "its title", imported.warn),
        "content": importing.clean(item.content, sanitize_post, "its text", imported.warn),
        "excerpt": importing.clean(item.excerpt, sanitize_post, "its excerpt", imported.warn),
    }
    for name in ("content", "excerpt"):
        texts[name] = importing.links.rewrite(texts[name])
    _bound(imported, texts)
    render = partial(_render, importing, item.type)
    return importing.made.make(
        render, f"item {item.type}", texts["title"], texts["content"], texts["excerpt"]
    )


def _render(importing: ImportContext, type: str, title: str, content: str, excerpt: str) -> dict[str, str]:
    texts = {"title": title, "content": content, "excerpt": excerpt}
    return text_columns(importing.site.renderer, type, texts)


def _bound(imported: ImportedItem, texts: dict[str, str]) -> None:
    """Cut texts that are too long, but for the content of a post or page, which isn't stored without its end."""
    bounds, type = imported.importing.bounds, imported.item.type
    content = bounds.of(type, "content")
    if content is not None and not content.holds(texts["content"]):
        raise TooLongError(f"its text {content.tell(texts['content'])}")
    tidy_title = imported.importing.tidy(sanitize_title)
    texts["title"] = bounds.fit((type, "title"), texts["title"], "its title", imported.warn, tidy_title)
    tidy = imported.importing.tidy(sanitize_post)
    for name, field in FILE_TEXTS if type == ATTACHMENT else ITEM_TEXTS:
        texts[name] = bounds.fit((type, field), texts[name], f"its {field}", imported.warn, tidy)


def _author(imported: ImportedItem) -> int:
    """Return the account of the author, of several the first one."""
    login, importing = name_author(imported.item), imported.importing
    others = []
    for coauthor in imported.item.coauthors:
        if login not in (coauthor.slug, coauthor.slug.removeprefix("cap-")):
            others.append(coauthor.name or coauthor.slug)
    if others:
        names = ", ".join(others)
        imported.warn(f'the post has several authors; it is by "{login}" alone now, without: {names}')
    if login in importing.accounts.by_login:
        return importing.accounts.by_login[login]
    imported.warn("the post has no author; it went to the site's first administrator")
    return importing.administrator


def _dates(imported: ImportedItem) -> Columns:
    """Return the item's dates in GMT; a draft that has none of its own moves along until it is published."""
    item, now = imported.item, imported.importing.now
    date = _from_gmt(item.date_gmt) or _from_local(imported)
    floats = item.date_gmt is None and imported.floats
    if date is None and not floats:
        imported.warn("the post has no date; it got the date of the import")
    if (
        date
        and item.date_local
        and to_local(date, imported.importing.display_zone) != _stored(item.date_local)
    ):
        imported.importing.shifted.add(item.line, item.source_id)
    date = date or now
    return {
        "date_gmt": date,
        "date_floats": int(floats),
        "modified_gmt": _from_gmt(item.modified_gmt) or min(date, now),
    }


def _stored(moment: datetime) -> str:
    return to_gmt(moment, UTC)


def _from_gmt(moment: datetime | None) -> str | None:
    return None if moment is None else to_gmt(moment, UTC)


def _from_local(imported: ImportedItem) -> str | None:
    date = imported.item.date_local
    if date is None:
        return None
    try:
        return to_gmt(date, imported.importing.zone)
    except OverflowError:
        return None


def _discussion(imported: ImportedItem) -> dict[str, str]:
    """Return whether the item takes comments and pings; what the file leaves open is as in a new item."""
    columns = default_discussion(imported.type, imported.importing.settings)
    item = imported.item
    for name, status in (("comment_status", item.comment_status), ("ping_status", item.ping_status)):
        if status in COMMENT_STATUSES:
            columns[name] = status
    return columns


def _access(imported: ImportedItem) -> Columns:
    """Return the item's password, and whether it is pinned."""
    item = imported.item
    columns: Columns = {
        "password": _password(imported),
        "is_sticky": int(item.is_sticky and imported.status != TRASH),
    }
    if is_pinned_and_locked(columns):
        imported.warn("a post with a password can't be pinned; it is pinned no more")
        columns["is_sticky"] = 0
    return columns


def _password(imported: ImportedItem) -> str:
    item = imported.item
    password = password_of(imported.status, item.password)
    return imported.importing.bounds.fit(
        (item.type, "password"), password, "its password", imported.warn, str
    )


def _template(imported: ImportedItem) -> str:
    """Return the template's name; the format calls the usual one `default`."""
    name = imported.get_meta(TEMPLATE)
    name = imported.importing.bounds.fit(
        (imported.item.type, "template"), name, "its template", imported.warn
    )
    return "" if name == "default" else name


def _trashed(imported: ImportedItem) -> dict[str, str]:
    """Return what an item in the trash goes back to, and when it came there."""
    if imported.status != TRASH:
        return {}
    type = imported.item.type
    before = imported_status(imported.registry, type, imported.get_meta(TRASHED_STATUS))
    if before in (None, TRASH):
        before = default_status(imported.registry, type)
    return {
        "trashed_status": str(before),
        "trashed_gmt": _from_seconds(imported.get_meta(TRASHED_TIME)) or imported.importing.now,
    }


def _from_seconds(text: str) -> str | None:
    try:
        return datetime.fromtimestamp(int(text), UTC).strftime(FORM)
    except (ValueError, OverflowError, OSError):
        return None

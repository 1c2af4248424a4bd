"""One child of an export's channel: typed access to its values, and the record made of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from xml.etree.ElementTree import Element

from cms.transfer.wxr.extension import EMPTY, TAG, UNREADABLE, More, read_more, texts_of
from cms.transfer.wxr.records import (
    AuthorRecord,
    Coauthor,
    CommentRecord,
    ItemRecord,
    Meta,
    Notice,
    TermLink,
    TermRecord,
)

_SPACE = " \t\r\n"
NUMBER = re.compile(r"-?[0-9]{1,18}")
_NO_DATE = "0000-00-00"
_NO_YEAR = " -0001 "  # how the zero date looks in a pubDate
# Taxonomy, and the names of slug, name, description and parent, by kind of term.
_TERMS = {
    "wp:category": ("category", "category_nicename", "cat_name", "category_description", "category_parent"),
    "wp:tag": ("post_tag", "tag_slug", "tag_name", "tag_description", "tag_parent"),
    "wp:term": ("", "term_slug", "term_name", "term_description", "term_parent"),
}
# The oldest version calls the taxonomy of tags differently.
_TAXONOMIES = {"tag": "post_tag"}


class ChannelElement:
    """A finished element with the line where it starts; a value that can't be read is empty and notified."""

    def __init__(
        self,
        node: Element,
        line: int,
        notify: Callable[[Notice], None],
        item: int | None = None,
        comments: tuple[CommentRecord, ...] = (),
    ) -> None:
        self.node = node
        self.line = line
        self.item = item
        self.comments = comments
        self._notify = notify
        self._texts = {child.tag: child.text or "" for child in node}
        self.more = self._read_more()
        self._exact = texts_of(self.more)
        self._texts |= self._exact

    def raw(self, name: str) -> str:
        """Return the text of a child unchanged, or an empty text."""
        return self._texts.get(name, "")

    def text(self, name: str) -> str:
        """Return the text of a child without the white space around it."""
        return self.raw(name).strip(_SPACE)

    def _read_more(self) -> More:
        if TAG not in self._texts:
            return EMPTY
        more = read_more(self._texts[TAG])
        if more is None:
            self._warn(UNREADABLE)
            return EMPTY
        return more

    def number(self, name: str) -> int | None:
        """Return a child's whole number, or None if there is none."""
        text = self.text(name)
        if NUMBER.fullmatch(text):
            return int(text)
        if text:
            self._warn(f'{name} isn\'t a number and was left out: "{text[:40]}"')
        return None

    def moment(self, name: str) -> datetime | None:
        """Return a child's date without a zone, or None if there is none or a zero date."""
        text = self.text(name)
        if not text or text.startswith(_NO_DATE):
            return None
        try:
            return _drop_zone(datetime.fromisoformat(text))
        except (ValueError, OverflowError):
            self._warn(f'{name} isn\'t a date and was left out: "{text[:40]}"')
            return None

    def pairs(self, tag: str) -> Meta:
        """Return keys and values of the children of one kind, in order; pairs without a key are left out."""
        pairs = []
        for child in self._children(tag):
            pair = ChannelElement(child, self.line, self._notify, self.item)
            key = pair.text("wp:meta_key")
            if key:
                pairs.append((key, self._exact.get(key, pair.raw("wp:meta_value"))))
        return tuple(pairs)

    def to_author(self) -> AuthorRecord:
        """Return the record of a `wp:author`."""
        return AuthorRecord(
            login=self.text("wp:author_login"),
            email=self.text("wp:author_email"),
            display_name=self.text("wp:author_display_name"),
            first_name=self.text("wp:author_first_name"),
            last_name=self.text("wp:author_last_name"),
            source_id=self.number("wp:author_id") or None,
            line=self.line,
            more=self.more,
        )

    def to_term(self) -> TermRecord:
        """Return the record of a `wp:category`, `wp:tag` or `wp:term`."""
        taxonomy, slug, name, description, parent = _TERMS[self.node.tag]
        return TermRecord(
            taxonomy=taxonomy or _taxonomy_of(self.text("wp:term_taxonomy")),
            source_id=self.number("wp:term_id") or None,
            slug=self.text(f"wp:{slug}"),
            name=self.text(f"wp:{name}"),
            description=self.raw(f"wp:{description}"),
            parent_slug=self.text(f"wp:{parent}"),
            meta=self.pairs("wp:termmeta"),
            line=self.line,
            more=self.more,
        )

    def to_item(self) -> ItemRecord:
        """Return the record of an `item`."""
        self.item = self.number("wp:post_id") or None
        return self._item_record(*self._categories())

    def _item_record(self, terms: tuple[TermLink, ...], coauthors: tuple[Coauthor, ...]) -> ItemRecord:
        return ItemRecord(
            source_id=self.item,
            type=self.text("wp:post_type"),
            title=self.raw("title"),
            link=self.text("link"),
            guid=self.text("guid"),
            author_login=self.text("dc:creator"),
            content=self.raw("content:encoded"),
            excerpt=self.raw("excerpt:encoded"),
            date_local=self.moment("wp:post_date"),
            date_gmt=self._published_gmt(),
            modified_gmt=self.moment("wp:post_modified_gmt"),
            comment_status=self.text("wp:comment_status"),
            ping_status=self.text("wp:ping_status"),
            slug=self.text("wp:post_name"),
            status=self.text("wp:status"),
            parent_source_id=self.number("wp:post_parent") or None,
            menu_order=self.number("wp:menu_order") or 0,
            password=self.raw("wp:post_password"),
            is_sticky=self.text("wp:is_sticky") == "1",
            attachment_url=self.text("wp:attachment_url"),
            terms=terms,
            coauthors=coauthors,
            meta=self.pairs("wp:postmeta"),
            comments=self.comments,
            line=self.line,
            more=self.more,
        )

    def to_comment(self) -> CommentRecord:
        """Return the record of a `wp:comment`."""
        return CommentRecord(
            source_id=self.number("wp:comment_id") or None,
            author=self.text("wp:comment_author"),
            email=self.text("wp:comment_author_email"),
            url=self.text("wp:comment_author_url"),
            ip=self.text("wp:comment_author_IP"),
            date=self.moment("wp:comment_date"),
            date_gmt=self.moment("wp:comment_date_gmt"),
            content=self.raw("wp:comment_content"),
            approved=self.text("wp:comment_approved"),
            type=self.text("wp:comment_type"),
            parent_source_id=self.number("wp:comment_parent") or None,
            user_id=self.number("wp:comment_user_id") or None,
            meta=self.pairs("wp:commentmeta"),
            more=self.more,
        )

    def _categories(self) -> tuple[tuple[TermLink, ...], tuple[Coauthor, ...]]:
        """Return what the `category` elements name; those without a slug are of that name, or only repeat one."""
        terms: dict[tuple[str, str], TermLink] = {}
        unnamed: dict[tuple[str, str], None] = {}
        coauthors: dict[str, Coauthor] = {}
        for child in self._children("category"):
            taxonomy = _taxonomy_of(child.get("domain", "").strip(_SPACE))
            slug, name = child.get("nicename", "").strip(_SPACE), (child.text or "").strip(_SPACE)
            if not slug:
                unnamed[taxonomy, name] = None
            elif not taxonomy:
                continue
            elif taxonomy == "author":
                coauthors.setdefault(slug, Coauthor(slug, name))
            else:
                terms.setdefault((taxonomy, slug), TermLink(taxonomy, slug, name))
        return (*terms.values(), *self._by_name(unnamed, terms)), tuple(coauthors.values())

    def _by_name(
        self, unnamed: Mapping[tuple[str, str], None], terms: Mapping[tuple[str, str], TermLink]
    ) -> Iterator[TermLink]:
        """Yield the terms that are known by their names alone; one without a taxonomy is told where nothing has it."""
        named = {(term.taxonomy, term.name) for term in terms.values()}
        names = {name for taxonomy, name in (*named, *unnamed) if taxonomy}
        for taxonomy, name in unnamed:
            if taxonomy and name and (taxonomy, name) not in named:
                yield TermLink(taxonomy, "", name)
            elif name and name not in names:
                self._warn(f'the category "{name[:80]}" names no taxonomy and was left out')

    def _published_gmt(self) -> datetime | None:
        """Return the date in GMT; `pubDate`, which is wrong for drafts, only where an item has no other."""
        if "wp:post_date" in self._texts or "wp:post_date_gmt" in self._texts:
            return self.moment("wp:post_date_gmt")
        text = self.text("pubDate")
        if _NO_YEAR in text:
            return None
        try:
            return _drop_zone(parsedate_to_datetime(text))
        except (ValueError, OverflowError):
            return None

    def _children(self, tag: str) -> Iterator[Element]:
        return (child for child in self.node if child.tag == tag)

    def _warn(self, text: str) -> None:
        self._notify(Notice(self.line, self.item, text))


def _taxonomy_of(name: str) -> str:
    return _TAXONOMIES.get(name, name)


def _drop_zone(moment: datetime) -> datetime:
    if moment.tzinfo is None:
        return moment
    return moment.astimezone(UTC).replace(tzinfo=None)

"""The first pass over an export: what it holds, so that the second finds authors and terms before their items."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from cms.db.sources import normal_source
from cms.schema.content_types import ContentRegistry
from cms.transfer.importing.media.file_index import Files
from cms.transfer.importing.statuses import is_unfinished
from cms.transfer.importing.terms import term_slug
from cms.transfer.importing.zones import Offsets
from cms.transfer.wxr.records import (
    AuthorRecord,
    ImportRefused,
    ItemRecord,
    Record,
    SiteInfo,
    TermLink,
    TermRecord,
)

#: Earlier texts of items aren't imported.
REVISION = "revision"
#: Higher numbers of the export don't become ids here.
HIGHEST_ID = 2**31


@dataclass
class Survey:
    """List the authors, terms and files of an export, and count its items."""

    files: Files
    #: The types whose items are imported, with the taxonomies whose terms they bring along.
    brought: Mapping[str, tuple[str, ...]]
    registry: ContentRegistry
    #: How many characters one text of an item may have.
    max_length: int
    source: str = ""
    site: SiteInfo = field(default_factory=lambda: SiteInfo("", "", "", "", "", "", ""))
    home: str = ""
    items: int = 0
    comments: int = 0
    #: The highest number of a comment.
    last_comment: int = 0
    offsets: Offsets = field(default_factory=Offsets)
    authors: dict[str, AuthorRecord] = field(default_factory=dict)
    authors_again: list[AuthorRecord] = field(default_factory=list)
    unlisted: dict[str, int] = field(default_factory=dict)
    terms: list[TermRecord] = field(default_factory=list)
    linked_terms: dict[tuple[str, str], TermRecord] = field(default_factory=dict)

    def add(self, record: Record) -> None:
        """Take note of a record."""
        if isinstance(record, SiteInfo):
            self.source, self.site = name_source(record), record
            self.home = record.base_site_url or record.base_blog_url or record.link
            self.files.items.has_source = bool(self.source)
        elif isinstance(record, TermRecord):
            self.terms.append(record)
        elif isinstance(record, AuthorRecord):
            self._add_author(record)
        else:
            self._add_item(record)

    def _add_author(self, author: AuthorRecord) -> None:
        # One known from items alone only counts where an item that is imported names it.
        if author.listed and self.authors.setdefault(author.login, author) is not author:
            self.authors_again.append(author)

    def _add_item(self, item: ItemRecord) -> None:
        self.items += 1
        if item.type not in self.brought:
            return
        self._check_length(item)
        self._index(item)
        self.offsets.add(item)
        login = name_author(item)
        if login:
            self.unlisted.setdefault(login, item.line)
        for link in item.terms:
            if link.taxonomy in self.brought[item.type]:
                self.linked_terms.setdefault(
                    (link.taxonomy, term_slug(link.slug, link.name)), _term_of_link(link, item.line)
                )

    def _index(self, item: ItemRecord) -> None:
        finished = not is_unfinished(self.registry, item.type, item.status)
        self.files.add(item, self.home, finished)
        self.comments += len(item.comments)
        for comment in item.comments:
            if comment.source_id is not None and self.last_comment < comment.source_id <= HIGHEST_ID:
                self.last_comment = comment.source_id

    def _check_length(self, item: ItemRecord) -> None:
        texts = (item.content, item.excerpt, item.title, *(comment.content for comment in item.comments))
        length = max(map(len, texts))
        if length > self.max_length:
            raise ImportRefused(
                f"Line {item.line}, item {item.source_id}: a text has {length} characters, more than the setting "
                f"max_body ({self.max_length}). Shorten it in the file or raise the setting. Nothing was imported."
            )

    def all_authors(self) -> list[AuthorRecord]:
        """Return the authors of the list, then those that only imported items name."""
        authors = [*self.authors.values(), *self.authors_again]
        for login, line in self.unlisted.items():
            if login not in self.authors:
                authors.append(AuthorRecord(login, "", login, "", "", None, line, listed=False))
        return authors

    def all_terms(self) -> list[TermRecord]:
        """Return the terms of the list, then those that only items name."""
        listed = {(term.taxonomy, term_slug(term.slug, term.name)) for term in self.terms}
        terms = list(self.terms)
        for key, term in self.linked_terms.items():
            if key not in listed:
                terms.append(term)
        return terms


def survey(records: Iterable[Record], found: Survey) -> None:
    """Take note of what a whole export holds; its records are read to the end before anything is written."""
    for record in records:
        found.add(record)


def brought_types(content_registry: ContentRegistry) -> dict[str, tuple[str, ...]]:
    """Return the types whose items are imported, each with its taxonomies."""
    found = {}
    for name in content_registry.types:
        if name != REVISION:
            found[name] = tuple(taxonomy.name for taxonomy in content_registry.taxonomies_of(name))
    return found


def name_source(site: SiteInfo) -> str:
    """Return the address that the export's site is known by, in its normal form; empty where it names none."""
    addresses = (site.base_blog_url, site.link, site.base_site_url)
    return next(filter(None, map(normal_source, addresses)), "")


def name_author(item: ItemRecord) -> str:
    """Return the login of an item's author: the first of several where none is named as the only one."""
    if item.author_login or not item.coauthors:
        return item.author_login
    return item.coauthors[0].slug.removeprefix("cap-")


def _term_of_link(link: TermLink, line: int) -> TermRecord:
    return TermRecord(link.taxonomy, None, link.slug, link.name, "", "", (), line, listed=False)

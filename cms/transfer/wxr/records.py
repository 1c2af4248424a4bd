"""The records of an export, one frozen class per kind; their ids are those of the file.

`more` is the extension that exports of this system have.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

Meta = tuple[tuple[str, str], ...]


class ImportRefused(Exception):
    """The reason why a file can't be imported, and what to do about it."""


@dataclass(frozen=True, slots=True)
class Notice:
    """A difference between the file and what was read: its line, the id of the item in the file, what it is."""

    line: int
    item: int | None
    text: str


@dataclass(frozen=True, slots=True)
class SiteInfo:
    """The site that was exported."""

    title: str
    link: str
    base_site_url: str
    base_blog_url: str
    version: str
    language: str
    description: str
    more: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class AuthorRecord:
    """An author; one that isn't `listed` is known by its login from items alone."""

    login: str
    email: str
    display_name: str
    first_name: str
    last_name: str
    source_id: int | None
    line: int
    listed: bool = True
    more: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TermRecord:
    """A term of any taxonomy, with its parent's slug; one that isn't `listed` is known from items alone."""

    taxonomy: str
    source_id: int | None
    slug: str
    name: str
    description: str
    parent_slug: str
    meta: Meta
    line: int
    more: Mapping[str, Any] = field(default_factory=dict)
    listed: bool = True


@dataclass(frozen=True, slots=True)
class TermLink:
    """A term that an item has."""

    taxonomy: str
    slug: str
    name: str


@dataclass(frozen=True, slots=True)
class Coauthor:
    """One of several authors, as the Co-Authors Plus plugin exports them."""

    slug: str
    name: str


@dataclass(frozen=True, slots=True)
class CommentRecord:
    """A comment; `approved` is `1`, `0`, `spam` or `trash`."""

    source_id: int | None
    author: str
    email: str
    url: str
    ip: str
    date: datetime | None
    date_gmt: datetime | None
    content: str
    approved: str
    type: str
    parent_source_id: int | None
    user_id: int | None
    meta: Meta
    more: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ItemRecord:
    """A post, page, attachment, menu entry or an item of any other type."""

    source_id: int | None
    type: str
    title: str
    link: str
    guid: str
    author_login: str
    content: str
    excerpt: str
    date_local: datetime | None
    date_gmt: datetime | None
    modified_gmt: datetime | None
    comment_status: str
    ping_status: str
    slug: str
    status: str
    parent_source_id: int | None
    menu_order: int
    password: str
    is_sticky: bool
    attachment_url: str
    terms: tuple[TermLink, ...]
    coauthors: tuple[Coauthor, ...]
    meta: Meta
    comments: tuple[CommentRecord, ...]
    line: int
    more: Mapping[str, Any] = field(default_factory=dict)


Record = SiteInfo | AuthorRecord | TermRecord | ItemRecord

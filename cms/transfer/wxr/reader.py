"""The reader of WXR, the XML that WordPress exports (1.0 to 1.3): record by record, never as a whole."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import IO
from xml.etree.ElementTree import Element, ParseError, TreeBuilder

from defusedxml.common import DTDForbidden
from defusedxml.ElementTree import XMLParser

from cms.transfer.wxr import draft, refusals
from cms.transfer.wxr.decoding import decode
from cms.transfer.wxr.elements import NUMBER, ChannelElement
from cms.transfer.wxr.extension import NAMESPACE, TAG, UNREADABLE, read_more, texts_of
from cms.transfer.wxr.records import AuthorRecord, CommentRecord, ImportRefused, Notice, Record, SiteInfo

Progress = Callable[[int], None]
Listener = Callable[[Notice], None]
#: A finished child of the channel, the line where it starts, and its comments.
Child = tuple[Element, int, tuple[CommentRecord, ...]]

VERSIONS = ("1.0", "1.1", "1.2", "1.3")
_EXPORT = re.compile(r"https?://wordpress\.org/export/(\d+\.\d+)/?")
_PREFIXES = (
    (_EXPORT, "wp"),
    (re.compile(r"https?://wordpress\.org/export/\d+\.\d+/excerpt/?"), "excerpt"),
    (re.compile(r"https?://purl\.org/rss/1\.0/modules/content/?"), "content"),
    (re.compile(r"https?://purl\.org/dc/elements/1\.\d/?"), "dc"),
    (re.compile(re.escape(NAMESPACE)), "cms"),
)
_TERMS = frozenset({"wp:category", "wp:tag", "wp:term"})
_RECORDS = _TERMS | {"wp:author", "item"}
_CHANNEL = ["rss", "channel"]
_COMMENT = "wp:comment"
#: How much of the beginning is kept to tell what a file is that isn't XML.
_BEGINNING = 4_000


def read(
    path: Path | str,
    progress: Progress | None = None,
    notice: Listener | None = None,
    encoding: str | None = None,
) -> Iterator[Record]:
    """Yield the records of an export in the order of the file, the site first.

    `progress` is called with the bytes read so far, `notice` with each difference between the file and the records.
    An `encoding` counts instead of the one that the file declares.
    Raises ImportRefused for a file that isn't an export or is damaged. A damaged place is found when reading gets
    there, so use what was yielded only after the last record.
    """
    notify = notice or _ignore
    header: dict[str, str] = {}
    authors = _Authors()
    has_records = False
    channel = _Channel(notify)
    source = _Source(Path(path), encoding)
    for node, line, comments in _read_children(source, channel, notify, progress):
        if node.tag not in _RECORDS:
            header.setdefault(node.tag, (node.text or "").strip())
            continue
        if not has_records:
            has_records = True
            yield _describe_site(header, channel, notify)
        yield from _make_records(ChannelElement(node, line, notify, comments=comments), authors)
    if not has_records:
        yield _describe_site(header, channel, notify)


def _ignore(notice: Notice) -> None:
    pass


class _Authors:
    """The logins found so far; a file that lists no authors names them in its items only."""

    def __init__(self) -> None:
        self.listed = False
        self.found: set[str] = set()

    def find_unlisted(self, login: str, line: int) -> Iterator[AuthorRecord]:
        if login and not self.listed and login not in self.found:
            self.found.add(login)
            yield AuthorRecord(login, "", login, "", "", None, line, listed=False)


def _make_records(element: ChannelElement, authors: _Authors) -> Iterator[Record]:
    if element.node.tag == "wp:author":
        authors.listed = True
        yield element.to_author()
    elif element.node.tag in _TERMS:
        yield element.to_term()
    else:
        item = element.to_item()
        yield from authors.find_unlisted(item.author_login, item.line)
        yield item


def _describe_site(header: dict[str, str], channel: _Channel, notify: Listener) -> SiteInfo:
    if not (channel.version and channel.found):
        raise refusals.no_export(channel.root)
    version = header.get("wp:wxr_version") or channel.version
    if "wp:wxr_version" not in header and not channel.is_draft:
        notify(Notice(1, None, f"the file doesn't name its version; it was read like {version}"))
    if version not in VERSIONS:
        notify(
            Notice(1, None, f"version {version} of the format isn't known; it was read like {VERSIONS[-1]}")
        )
    more = read_more(header.get(TAG, "{}"))
    if more is None:
        notify(Notice(1, None, UNREADABLE))
    header |= texts_of(more or {})
    return SiteInfo(
        title=header.get("title", ""),
        link=header.get("link", ""),
        base_site_url=header.get("wp:base_site_url", ""),
        base_blog_url=header.get("wp:base_blog_url", ""),
        version=version,
        language=header.get("language", ""),
        description=header.get("description", ""),
        more=more or {},
    )


class _Channel:
    """The target of a parser's events; it keeps the finished children of `rss/channel` until they are taken.

    Comments become records as they end, since an item may have so many that their elements would fill the memory.
    """

    def __init__(self, notify: Listener) -> None:
        self._notify = notify
        self._builder = TreeBuilder()
        self._path: list[str] = []
        self._channel: Element | None = None
        self._item: Element | None = None
        self._comments: list[CommentRecord] = []
        self._line = 0
        self.version = ""
        self.root = ""
        self.is_draft = False
        self.found = False
        self.finished: list[Child] = []
        self.data = self._builder.data
        self.parser = XMLParser(target=self, forbid_dtd=True)

    def start_ns(self, prefix: str, address: str) -> None:
        if not self.version and (match := _EXPORT.fullmatch(address)):
            self.version = match[1]

    def start(self, tag: str, attributes: dict[str, str]) -> Element:
        short = _shorten(tag, self._path[-1] if self._path else "")
        if not self._path:
            self._begin(short, attributes)
        elif self.is_draft:
            short, attributes = draft.restate(self._path[-1], short, attributes)
        node = self._builder.start(short, attributes)
        self._path.append(short)
        if len(self._path) == 2:
            self._channel = node
            self.found = self.found or self._path == _CHANNEL
        elif len(self._path) == 3:
            self._item, self._line = node, self.parser.parser.CurrentLineNumber
        return node

    def _begin(self, root: str, attributes: dict[str, str]) -> None:
        self.root = root
        if draft.VERSION in attributes:
            self.is_draft, self.version = True, attributes[draft.VERSION].removesuffix("-proposed")

    def end(self, tag: str) -> Element:
        node = self._builder.end(self._path.pop())
        if len(self._path) == 2 and self._channel is not None:
            if self._path == _CHANNEL:
                self.finished.append((node, self._line, tuple(self._comments)))
            self._comments.clear()
            self._channel.clear()
        elif len(self._path) == 3 and node.tag == _COMMENT:
            self._add_comment(node)
        return node

    def _add_comment(self, node: Element) -> None:
        item = self._item_id()
        self._comments.append(ChannelElement(node, self._line, self._notify, item).to_comment())
        node.clear()

    def name_item(self) -> str:
        """Return which item the parser is in, for messages; empty where it is in none."""
        if self._item is None or len(self._path) < 3:
            return ""
        title = (self._item.findtext("title") or "").strip()
        names = [f"item {self._item_id() or 'without an id'}", f'"{title[:60]}"' if title else ""]
        return " ".join(filter(None, names))

    def _item_id(self) -> int | None:
        if self._item is None:
            return None
        text = (self._item.findtext("wp:post_id") or "").strip()
        if not NUMBER.fullmatch(text):
            return None
        return int(text)

    def close(self) -> None:
        self._builder.close()

    def take(self) -> list[Child]:
        taken, self.finished = self.finished, []
        return taken


@lru_cache(maxsize=512)
def _shorten(tag: str, parent: str) -> str:
    """Return `wp:post_id` for `{http://wordpress.org/export/1.2/}post_id`; names of other formats stay."""
    address, brace, name = tag[1:].rpartition("}")
    if not brace:
        return tag
    for pattern, prefix in _PREFIXES:
        if pattern.fullmatch(address):
            return f"{prefix}:{name}"
    return draft.rename(parent, tag) or tag


class _Source:
    """The file that is read, with the encoding that was named for it."""

    def __init__(self, path: Path, encoding: str | None) -> None:
        self._path, self._encoding = path, encoding

    def open(self) -> IO[bytes]:
        """Open the file; raises ImportRefused where that can't be done."""
        try:
            return self._path.open("rb")
        except OSError as error:
            raise ImportRefused(
                f"The file {self._path} can't be opened: {error.strerror}. {refusals.NOTHING}"
            ) from error

    def decode(self, file: IO[bytes], notify: Listener, progress: Progress | None = None) -> Iterator[str]:
        return decode(file, notify, progress, self._encoding)

    def lines(self) -> Iterator[str]:
        """Yield the file's lines as the parser counted them."""
        with self.open() as file:
            rest = ""
            for text in self.decode(file, _ignore):
                *whole, rest = (rest + text).split("\n")
                yield from whole
            yield rest


def _read_children(
    source: _Source, channel: _Channel, notify: Listener, progress: Progress | None
) -> Iterator[Child]:
    beginning = ""
    with source.open() as file:
        for text in source.decode(file, notify, progress):
            beginning = beginning or text.lstrip()[:_BEGINNING]
            _feed(channel, text, beginning, source)
            yield from channel.take()
    if not beginning:
        raise refusals.empty_file()
    _finish(channel, beginning)


def _feed(channel: _Channel, text: str, beginning: str, source: _Source) -> None:
    try:
        channel.parser.feed(text)
    except DTDForbidden as error:
        line = channel.parser.parser.CurrentLineNumber
        raise refusals.has_doctype(error.name, line) from error
    except ParseError as error:
        if not channel.root:
            raise refusals.not_xml(error, beginning) from error
        if not channel.version:
            raise refusals.no_export(channel.root) from error
        raise refusals.damaged(error, channel.name_item(), source.lines()) from error


def _finish(channel: _Channel, beginning: str) -> None:
    try:
        channel.parser.close()
    except ParseError as error:
        if not channel.root:
            raise refusals.not_xml(error, beginning) from error
        if not channel.version:
            raise refusals.no_export(channel.root) from error
        raise refusals.cut_off(error.position[0], channel.name_item()) from error


def read_export(path: Path) -> Iterator[Record]:
    """Yield the records of an export, without a word about its oddities.

    Raises ImportRefused where it can't be read to its end.
    """
    yield from read(path, None, lambda notice: None)

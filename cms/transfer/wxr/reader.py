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
_NOTHING = "Nothing was imported."


def read(
    path: Path | str, progress: Progress | None = None, notice: Listener | None = None
) -> Iterator[Record]:
    """Yield the records of an export in the order of the file, the site first.

    `progress` is called with the bytes read so far, `notice` with each difference between the file and the records.
    Raises ImportRefused for a file that isn't an export or is damaged. A damaged place is found when reading gets
    there, so use what was yielded only after the last record.
    """
    notify = notice or _ignore
    header: dict[str, str] = {}
    authors = _Authors()
    has_records = False
    channel = _Channel(notify)
    for node, line, comments in _read_children(Path(path), channel, notify, progress):
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
        raise ImportRefused(
            "This is XML, but not an export of WordPress (WXR). "
            f"Choose the file that Tools > Export gave you. {_NOTHING}"
        )
    version = header.get("wp:wxr_version") or channel.version
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
        self.found = False
        self.finished: list[Child] = []
        self.data = self._builder.data
        self.parser = XMLParser(target=self, forbid_dtd=True)

    def start_ns(self, prefix: str, address: str) -> None:
        if not self.version and (match := _EXPORT.fullmatch(address)):
            self.version = match[1]

    def start(self, tag: str, attributes: dict[str, str]) -> Element:
        short = _shorten(tag)
        node = self._builder.start(short, attributes)
        self._path.append(short)
        if len(self._path) == 2:
            self._channel = node
            self.found = self.found or self._path == _CHANNEL
        elif len(self._path) == 3:
            self._item, self._line = node, self.parser.parser.CurrentLineNumber
        return node

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
def _shorten(tag: str) -> str:
    """Return `wp:post_id` for `{http://wordpress.org/export/1.2/}post_id`; other names stay."""
    address, brace, name = tag[1:].rpartition("}")
    if brace:
        for pattern, prefix in _PREFIXES:
            if pattern.fullmatch(address):
                return f"{prefix}:{name}"
    return tag


def _read_children(
    path: Path, channel: _Channel, notify: Listener, progress: Progress | None
) -> Iterator[Child]:
    with _open(path) as file:
        texts = decode(file, notify, progress)
        has_text = False
        for text in texts:
            has_text = has_text or bool(text.strip())
            _feed(channel, text)
            yield from channel.take()
    if not has_text:
        raise ImportRefused(f"the file is empty; choose another one or export the site again. {_NOTHING}")
    _finish(channel)


def _open(path: Path) -> IO[bytes]:
    try:
        return path.open("rb")
    except OSError as error:
        raise ImportRefused(f"The file {path} can't be opened: {error.strerror}. {_NOTHING}") from error


def _feed(channel: _Channel, text: str) -> None:
    try:
        channel.parser.feed(text)
    except DTDForbidden as error:
        raise ImportRefused(
            "The file has a DOCTYPE. Exports have none, and it can hide harmful entities, so it isn't read. "
            f"Export the site again, or remove it if you trust the file. {_NOTHING}"
        ) from error
    except ParseError as error:
        raise ImportRefused(_explain(error, channel)) from error


def _finish(channel: _Channel) -> None:
    try:
        channel.parser.close()
    except ParseError as error:
        if not channel.version:
            raise ImportRefused(_explain(error, channel)) from error
        raise ImportRefused(
            f"The file is cut off at line {error.position[0]}. Download or export it again. {_NOTHING}"
        ) from error


def _explain(error: ParseError, channel: _Channel) -> str:
    reason, line = str(error).partition(":")[0], error.position[0]
    if not channel.version:
        return (
            f"This isn't an export of WordPress (WXR), and not XML either (line {line}: {reason}). "
            f"Choose the .xml file of the export; unpack it first if it came in an archive. {_NOTHING}"
        )
    return f"The XML is damaged at line {line}: {reason}. Repair it or export the site again. {_NOTHING}"

"""Links to files of the old site in texts of an export."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from cms.transfer.importing.media.file_index import Files
from cms.transfer.importing.media.ids import IdRewriter
from cms.transfer.importing.media.urls import UrlRewriter


class LinkRewriter:
    """Rewrites addresses and ids of files that the site has now, and counts the addresses."""

    def __init__(self, files: Files, file_url: Callable[[str], str]) -> None:
        """Look up which files there are; `file_url` returns where visitors fetch one by its key."""
        self._urls = UrlRewriter(files, file_url)
        self._ids = IdRewriter(partial(files.items.id_of, is_file=True))

    @property
    def count(self) -> int:
        """How many addresses were rewritten."""
        return self._urls.count

    def rewrite(self, text: str) -> str:
        """Return a text of an item with the addresses and ids that its media have here."""
        return self._ids.rewrite(self._urls.rewrite(text))

    def rewrite_urls(self, text: str) -> str:
        """Return a text that can't name media by their ids with the addresses that they have here."""
        return self._urls.rewrite(text)

    def take_unknown(self) -> set[int]:
        """Return the ids of media in texts since the last call that nothing here has; they stayed as they were."""
        unknown = set(self._ids.unknown)
        self._ids.unknown.clear()
        return unknown

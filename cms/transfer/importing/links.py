"""Links to files of the old site in texts of an export."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial

from cms.transfer.importing.media.file_index import Files
from cms.transfer.importing.media.ids import IdRewriter, Places, find_places
from cms.transfer.importing.media.urls import UrlRewriter


class LinkRewriter:
    """Rewrites addresses and ids of files that the site has now, and counts the addresses."""

    def __init__(self, files: Files, file_url: Callable[[str], str]) -> None:
        """Look up which files there are; `file_url` returns where visitors fetch one by its key."""
        self._urls = UrlRewriter(files, file_url)
        find_id = lru_cache(maxsize=10_000)(partial(files.items.id_of, is_file=True))
        self._find_id = find_id
        self._ids = IdRewriter(find_id)

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

    def rewrite_value(self, text: str) -> str:
        """Return a text of a field, which may be an address and nothing else, with the addresses of files here."""
        return self._urls.rewrite_value(text)

    def rewrite_ids(self, text: str) -> tuple[str, dict[int, Places | None]]:
        """Return markup of a field with the ids that its media have here, and the ids that nothing here has."""
        rewriter = IdRewriter(self._find_id)
        return rewriter.rewrite(text), unknown_ids(rewriter)

    def take_unknown(self) -> dict[int, Places | None]:
        """Return the ids of media in texts since the last call that nothing here has; they stayed as they were.

        Each comes with the places where it stands for itself, where others have become the same number.
        """
        places = unknown_ids(self._ids)
        self._ids.seen.clear()
        return places


def unknown_ids(rewriter: IdRewriter) -> dict[int, Places | None]:
    """Return the ids that nothing here has, each with its places where others have become the same number."""
    unknown = {number for number, found in rewriter.seen if found is None}
    return {number: find_places(rewriter.seen, number) for number in sorted(unknown)}

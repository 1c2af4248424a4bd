"""Ids of the old site's media in texts, replaced by the ids of the imported items."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

#: Blocks whose attributes name media; a comment ends where another begins, so that no text takes long to search.
_BLOCK = re.compile(
    r"<!--\s+wp:(?:core/)?(?:image|gallery|cover|cover-image|media-text|file|video|audio)\s+"
    r"\{(?:[^-<]|-(?!->)|<(?!!--))*-->"
)
_ID_OF_BLOCK = re.compile(r'("(?:id|mediaId)"\s*:\s*"?)([0-9]{1,18})(?![0-9.])')
_IDS_OF_BLOCK = re.compile(r'"ids"\s*:\s*\[[0-9,"\s]*\]')
_SHORTCODE = re.compile(r"\[(?:gallery|playlist)\s[^\[\]]*\]")
_IDS_OF_SHORTCODE = re.compile(r"\b(?:ids|include|exclude)\s*=\s*[^0-9\s\w]*[0-9][0-9,\s]*")
_CLASS = re.compile(r"(\bwp-image-)([0-9]{1,18})\b")
#: How pictures of the older gallery blocks name their item.
_DATA = re.compile(r"""(<img\s[^<>]*?\bdata-id=["'])([0-9]{1,18})\b""")
_NUMBER = re.compile(r"()([0-9]{1,18})")


class Places(NamedTuple):
    """Which of the ids in a text that are the same number mean the old site's media, of how many."""

    chosen: frozenset[int]
    total: int

    def write(self) -> str:
        """Return the places as a reference keeps them."""
        return f"{','.join(map(str, sorted(self.chosen)))}/{self.total}"


def read_places(text: str) -> Places | None:
    """Return the places that a reference has kept, None for one that means all."""
    if not text:
        return None
    chosen, _slash, total = text.partition("/")
    return Places(frozenset(map(int, chosen.split(","))), int(total))


class FoundId(NamedTuple):
    """The id here of what a text waited for, and the places where it stands; None for all."""

    id: int
    places: Places | None


class ChosenIds:
    """The ids of what a text waited for, at the places where it means that."""

    def __init__(self, ids: dict[int, FoundId]) -> None:
        self._ids = ids
        self._passed: Counter[int] = Counter()

    def find(self, number: int) -> int | None:
        """Return the id of the next number of a text, None where it stays."""
        place = self._passed[number]
        self._passed[number] += 1
        found = self._ids.get(number)
        if found is None or (found.places is not None and place not in found.places.chosen):
            return None
        return found.id


class IdRewriter:
    """Replaces ids of media in texts, each once; an unknown one isn't changed.

    `seen` has all of them in the order in which they were found, each with what became of it.
    """

    def __init__(self, id_of: Callable[[int], int | None]) -> None:
        self.seen: list[tuple[int, int | None]] = []
        self._id_of = id_of

    def rewrite(self, text: str) -> str:
        """Return a text with the ids that its media have in the site."""
        if "wp:" in text:
            text = _BLOCK.sub(self._in_block, text)
        if "[gallery" in text or "[playlist" in text:
            text = _SHORTCODE.sub(self._in_shortcode, text)
        if "wp-image-" in text:
            text = _CLASS.sub(self._one, text)
        if "data-id=" in text:
            text = _DATA.sub(self._one, text)
        return text

    def _in_block(self, block: re.Match[str]) -> str:
        return _IDS_OF_BLOCK.sub(self._in_list, _ID_OF_BLOCK.sub(self._one, block[0]))

    def _in_shortcode(self, code: re.Match[str]) -> str:
        return _IDS_OF_SHORTCODE.sub(self._in_list, code[0])

    def _in_list(self, ids: re.Match[str]) -> str:
        return _NUMBER.sub(self._one, ids[0])

    def _one(self, match: re.Match[str]) -> str:
        number = int(match[2])
        found = self._id_of(number)
        self.seen.append((number, found))
        if found is None:
            return match[0]
        return f"{match[1]}{found}"


def find_places(
    seen: list[tuple[int, int | None]], number: int, before: Places | None = None
) -> Places | None:
    """Return where a number still means the old site's media, when others may have become the same number.

    `before` are the places where it meant that until now. None says that it does wherever it stands.
    """
    chosen, total, passed = set(), 0, 0
    for own, found in seen:
        if number == (own if found is None else found):
            if found is None and (before is None or passed in before.chosen):
                chosen.add(total)
            total += 1
        passed += own == number
    if len(chosen) == total:
        return None
    return Places(frozenset(chosen), total)

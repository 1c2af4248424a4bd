"""References to characters that XML forbids, such as `&#x1;`: left out where they are references and not text."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

from cms.rendering.characters import FORBIDDEN
from cms.transfer.wxr.records import Notice

#: What begins a part in which a reference is text, with what ends it.
_VERBATIM = {"<![CDATA[": "]]>", "<!--": "-->"}
_BEGIN = re.compile(r"<!\[CDATA\[|<!--")
_REFERENCE = re.compile(r"&#(?:x([0-9A-Fa-f]{1,8})|([0-9]{1,10}));")
#: The end of a piece that may go on in the next one, as a reference or as the beginning of such a part.
_PARTIAL = re.compile(r"(?:&(?:#(?:x[0-9A-Fa-f]{0,8}|[0-9]{0,10})?)?|<(?:!(?:-|\[C?D?A?T?A?)?)?)\Z")
_LONGEST_PARTIAL = 16
_HIGHEST = 0x10FFFF


class ReferenceCleaner:
    """Leaves out references to forbidden characters from pieces of a file, with a notice for each."""

    def __init__(self, notice: Callable[[Notice], None]) -> None:
        self._notice = notice
        #: What ends the part that is being read, empty in markup.
        self._end = ""
        self._rest, self._line = "", 1

    def clean(self, piece: str, is_last: bool) -> str:
        """Return the text of a piece as far as it can be told; what may go on in the next one is kept until then."""
        text, cleaned, place = self._rest + piece, [], 0
        while (border := self._find_border(text, place)) is not None:
            end, follows = border
            cleaned.append(self._take(text[place:end]))
            place, self._end = end, follows
        whole = len(text) if is_last else self._find_whole(text, place)
        cleaned.append(self._take(text[place:whole]))
        self._rest = text[whole:]
        return "".join(cleaned)

    def _find_border(self, text: str, place: int) -> tuple[int, str] | None:
        """Return where the part ends that begins at a place, and what ends the next one; None for one without end."""
        if self._end:
            found = text.find(self._end, place)
            return None if found < 0 else (found + len(self._end), "")
        begin = _BEGIN.search(text, place)
        if begin is None:
            return None
        return (begin.end(), _VERBATIM[begin[0]])

    def _find_whole(self, text: str, place: int) -> int:
        """Return up to where a part is whole that has no end yet."""
        if self._end:
            return max(len(text) - len(self._end) + 1, place)
        match = _PARTIAL.search(text, max(len(text) - _LONGEST_PARTIAL, place))
        return len(text) if match is None else match.start()

    def _take(self, part: str) -> str:
        cleaned = part
        if not self._end and "&#" in part:
            cleaned = _REFERENCE.sub(partial(self._replace, part), part)
        self._line += part.count("\n")
        return cleaned

    def _replace(self, part: str, reference: re.Match[str]) -> str:
        code = int(reference[1], 16) if reference[1] else int(reference[2])
        if code <= _HIGHEST and not FORBIDDEN.match(chr(code)):
            return reference[0]
        line = self._line + part.count("\n", 0, reference.start())
        text = f"a reference to a character that XML doesn't allow was left out: {reference[0]}"
        self._notice(Notice(line, None, text))
        return ""

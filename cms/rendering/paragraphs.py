"""Paragraphs and line breaks of texts: an empty line or two breaks end a paragraph, a single line end is a break.

Well-formed HTML stays well-formed: paragraphs begin and end inside one element that may contain them.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from cms.rendering.lines import (
    BREAK,
    SPACE,
    Line,
    Piece,
    add_breaks,
    count_unspaced,
    is_blank,
    join_pieces,
    trim,
    without_edge_breaks,
)
from cms.rendering.markup import BLOCKS, Token
from cms.rendering.outline import Outline, find_elements

#: Elements that can't contain text between their children.
_STRUCTURE = frozenset(
    [
        "table",
        "thead",
        "tbody",
        "tfoot",
        "tr",
        "colgroup",
        "ul",
        "ol",
        "menu",
        "dl",
        "dir",
        "hgroup",
    ]
)
#: Elements in which space alone is left out; "" is the whole text.
_SPACELESS = _STRUCTURE | {"", "blockquote"}
#: Elements that can't contain a paragraph.
_PHRASES = frozenset(["p", "h1", "h2", "h3", "h4", "h5", "h6", "summary", "legend", "caption", "dt"])
#: Elements that may begin and end with a break.
_HEADINGS = _PHRASES - {"p", "dt"}
#: Elements in which even a single text without a line end changes.
_CHANGING = _STRUCTURE | {"blockquote"}
#: Elements in which a single text needs no paragraph, even with empty lines around it.
_ITEMS = frozenset(["li", "dd", "td", "th", "figcaption"])
#: Elements whose content isn't changed.
_OPAQUE_NAMES = "pre svg math object select audio video picture map ruby noscript template canvas"
_OPAQUE = frozenset(_OPAQUE_NAMES.split())

_EMPTY_LINES = re.compile(r"\n[ \t\f\v]*+\n\s*+")
#: Elements that a text in one line can't hold.
_BREAKING = BLOCKS | _OPAQUE | {"br"}
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)


class _Container(NamedTuple):
    name: str
    end: int


def add_paragraphs(tokens: list[Token]) -> str:
    """Return the HTML of the tokens with paragraphs and breaks."""
    serializer = _Writer(tokens, find_elements(tokens))
    index = 0
    while index < len(tokens):
        index = serializer.write(index)
    return serializer.finish()


class _Writer:
    def __init__(self, tokens: list[Token], outline: Outline) -> None:
        self.tokens = tokens
        self.outline = outline
        self.out: list[str] = []
        self.lines: list[Line] = [[]]
        self.stack = [_Container("", -1)]
        self.inline_ends: list[int] = []

    def write(self, index: int) -> int:
        """Write a token, or an element that is copied whole, and return the index of what follows."""
        token = self.tokens[index]
        if self.stack[-1].end == index:
            self.leave_implied(index)
        while self.inline_ends and self.inline_ends[-1] <= index:
            self.inline_ends.pop()
        if token.name in _OPAQUE and token.kind == "open":
            return self.write_whole(index)
        if token.kind == "text":
            self.add_text(token.html)
        elif token.kind == "close":
            self.write_close(index, token)
        elif token.name in BLOCKS and token.kind == "open":
            return self.write_element(index, token)
        elif index in self.outline.with_blocks:
            self.enter(index, token)
        elif token.is_block:
            self.write_block(token.html)
        else:
            self.add_inline(index, token)
        return index + 1

    def finish(self) -> str:
        """Write what is left and return the whole HTML."""
        self.leave_implied(len(self.tokens))
        self.flush(closing=True)
        return "".join(self.out)

    # Blocks.

    def write_whole(self, index: int) -> int:
        end = self.outline.ends[index]
        if end < len(self.tokens) and self.tokens[end][::2] == ("close", self.tokens[index].name):
            end += 1
        html = "".join([token.html for token in self.tokens[index:end]])
        if self.tokens[index].is_block:
            self.write_block(html)
        else:
            self.lines[-1].append(Piece(False, html))
        return end

    def write_block(self, html: str) -> None:
        self.flush()
        self.start_line()
        self.out += [html, "\n"]

    def write_element(self, index: int, token: Token) -> int:
        """Enter a block, or write it whole where nothing in it changes; return the index of what follows."""
        end = self.outline.ends[index]
        if token.name in _CHANGING or not self.closes(index, end):
            self.enter(index, token)
            return index + 1
        self.flush()
        self.start_line()
        self.out += [piece.html for piece in self.tokens[index : end + 1]]
        self.out.append("\n")
        return self.skip_space(end + 1)

    def skip_space(self, index: int) -> int:
        """Return the index behind a space that stands between two blocks, of which the first is written."""
        between = self.tokens[index : index + 2]
        if len(between) == 2 and between[0].kind == "text" and not between[0].html.strip(SPACE):
            following = between[1]
            if following.name in BLOCKS and following.kind == "open":
                return index + 1
        return index

    def closes(self, index: int, end: int) -> bool:
        """Tell whether a block ends with its own tag and holds no block, no line end and no break."""
        if end == len(self.tokens) or self.tokens[end][::2] != ("close", self.tokens[index].name):
            return False
        return all(_is_fixed(self.tokens[number]) for number in range(index + 1, end))

    def enter(self, index: int, token: Token) -> None:
        self.flush()
        self.start_line()
        self.out.append(token.html)
        self.stack.append(_Container(token.name, self.outline.ends[index]))

    def leave_implied(self, index: int) -> None:
        """Leave the elements that end before a token without an end tag of their own."""
        while self.stack[-1].end == index and not self.is_end(index):
            self.flush(closing=True)
            self.stack.pop()
            self.start_line()

    def is_end(self, index: int) -> bool:
        if index >= len(self.tokens):
            return False
        token = self.tokens[index]
        return token.kind == "close" and token.name == self.stack[-1].name

    def write_close(self, index: int, token: Token) -> None:
        if self.stack[-1].end == index:
            self.flush(closing=True)
            self.out += [token.html, "\n"]
            self.stack.pop()
        elif not token.is_block:
            self.lines[-1].append(Piece(False, token.html))
        elif token.name != "p":
            self.write_block(token.html)

    def start_line(self) -> None:
        if self.out and not self.out[-1].endswith("\n"):
            self.out.append("\n")

    # Lines.

    def add_text(self, text: str) -> None:
        if "\n" not in text or self.inline_ends or self.stack[-1].name in _STRUCTURE:
            self.lines[-1].append(Piece(True, text))
            return
        first, *others = _EMPTY_LINES.split(text)
        self.lines[-1].append(Piece(True, first))
        for other in others:
            self.lines.append([Piece(True, other)])

    def add_inline(self, index: int, token: Token) -> None:
        if token.kind == "open":
            self.inline_ends.append(self.outline.ends[index])
        if token.name == "br" and _BREAK.fullmatch(token.html):
            self.add_break()
        else:
            self.lines[-1].append(Piece(False, token.html))

    def add_break(self) -> None:
        """Add a break, which ends the line where it is the second one in a row, as an empty line would."""
        line = self.lines[-1]
        before = count_unspaced(line)
        splits = not self.inline_ends and self.stack[-1].name not in _STRUCTURE
        if splits and before and line[before - 1] == BREAK:
            del line[before - 1 :]
            self.lines.append([])
        else:
            line.append(BREAK)

    def flush(self, closing: bool = False) -> None:
        lines, self.lines, self.inline_ends = self.lines, [[]], []
        if len(lines) == 1 and is_blank(lines[0]):
            self.write_space(lines)
            return
        name = self.stack[-1].name
        if name not in _HEADINGS:
            lines = [without_edge_breaks(line) for line in lines]
        filled = [line for line in lines if not is_blank(line)]
        if not filled:
            self.write_space(lines)
        elif name == "blockquote":
            self.write_quoted(filled, closing)
        elif _wants_paragraphs(name, len(lines), len(filled)):
            self.start_line()
            for line in filled:
                self.out.append(f"<p>{add_breaks(trim(line))}</p>\n")
        elif name in _STRUCTURE:
            self.out += map(join_pieces, filled)
        else:
            self.write_unwrapped(filled)

    def write_space(self, lines: list[Line]) -> None:
        space = "".join(map(join_pieces, lines))
        if len(lines) > 1 or "\n" in space:
            self.start_line()
        elif self.stack[-1].name not in _SPACELESS and self.out and not self.out[-1].endswith("\n"):
            self.out.append(space)

    def write_quoted(self, lines: list[Line], closing: bool) -> None:
        """Write a quotation's paragraphs; the line ends next to its tags aren't removed."""
        fresh = bool(self.out) and not self.out[-1].endswith("\n")
        last = len(lines) - 1
        for number, line in enumerate(lines):
            line = trim(line, start=not (fresh and number == 0), end=not (closing and number == last))
            self.out.append(f"<p>{add_breaks(line)}</p>")
            if not (closing and number == last):
                self.out.append("\n")

    def write_unwrapped(self, lines: list[Line]) -> None:
        between = "<br />\n<br />\n"
        if self.stack[-1].name == "p":
            between = "</p>\n<p>"
            lines = [
                trim(line, start=number > 0, end=line is not lines[-1]) for number, line in enumerate(lines)
            ]
        html = between.join(map(add_breaks, lines))
        if self.out and self.out[-1].endswith("\n"):
            html = html.lstrip(SPACE)
        self.out.append(html)


def _is_fixed(token: Token) -> bool:
    """Tell whether a token in a line makes neither a break nor a block, nor is opaque."""
    if token.kind == "text":
        return "\n" not in token.html
    if token.kind == "void" and not token.name:
        return False
    return token.name not in _BREAKING


def _wants_paragraphs(name: str, lines: int, filled: int) -> bool:
    """Tell whether an element's text goes into paragraphs: in a block it does where empty lines are."""
    if name in _PHRASES or name in _STRUCTURE:
        return False
    return name == "" or (lines > 1 and (filled > 1 or name not in _ITEMS))

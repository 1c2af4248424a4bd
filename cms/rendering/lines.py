"""Lines of texts on their way into paragraphs: pieces of text and markup, with their breaks."""

from __future__ import annotations

from typing import NamedTuple

SPACE = " \t\n\f\v"


class Piece(NamedTuple):
    """A piece of a line: text, whose line ends are breaks, or markup."""

    is_text: bool
    html: str


Line = list[Piece]
BREAK = Piece(False, "<br />")


def is_blank(line: Line) -> bool:
    """Tell whether a line is nothing but space."""
    return all(map(_is_space, line))


def _is_space(piece: Piece) -> bool:
    return piece.is_text and not piece.html.strip(SPACE)


def count_unspaced(line: Line) -> int:
    """Return how many pieces a line has without the space at its end."""
    count = len(line)
    while count and _is_space(line[count - 1]):
        count -= 1
    return count


def without_edge_breaks(line: Line) -> Line:
    """Return a line without the breaks that it begins and ends with."""
    begin, end = 0, len(line)
    for number, piece in enumerate(line):
        if piece == BREAK:
            begin = number + 1
        elif not _is_space(piece):
            break
    for number in range(len(line) - 1, begin - 1, -1):
        if line[number] == BREAK:
            end = number
        elif not _is_space(line[number]):
            break
    return line[begin:end]


def join_pieces(line: Line) -> str:
    """Return the HTML of a line as it is."""
    return "".join([piece.html for piece in line])


def trim(line: Line, start: bool = True, end: bool = True) -> Line:
    """Return a line without the line ends at its start and end."""
    line = list(line)
    if start and line[0].is_text:
        line[0] = Piece(True, line[0].html.lstrip("\n"))
    if end and line[-1].is_text:
        line[-1] = Piece(True, line[-1].html.rstrip("\n"))
    return line


def add_breaks(line: Line) -> str:
    """Return the HTML of a line; line ends at its edges and behind a break are line ends alone."""
    html, after_break, last = [], True, len(line) - 1
    for number, piece in enumerate(line):
        text = piece.html
        if not piece.is_text:
            after_break = piece == BREAK
            html.append(text)
            continue
        head = tail = ""
        if after_break:
            head, text = _split_head(text)
        if number == last:
            text, tail = _split_tail(text)
        after_break = after_break and not text
        html += [head, _break_lines(text), tail]
    return "".join(html)


def _split_head(text: str) -> tuple[str, str]:
    rest = text.lstrip(SPACE)
    head = text[: len(text) - len(rest)]
    cut = head.rfind("\n") + 1
    return text[:cut], text[cut:]


def _split_tail(text: str) -> tuple[str, str]:
    cut = text.find("\n", len(text.rstrip(SPACE)))
    if cut < 0:
        return text, ""
    return text[:cut], text[cut:]


def _break_lines(text: str) -> str:
    *lines, last = text.split("\n")
    return "".join([f"{line.rstrip(SPACE)}<br />\n" for line in lines]) + last

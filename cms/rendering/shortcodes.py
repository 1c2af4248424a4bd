"""Shortcodes: bracketed marks in texts, `[name attribute="value"]` or `[name]content[/name]`, and what they become."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from cms.rendering.markup import BLOCKS, VERBATIM, Token, join_tokens

#: Makes HTML of a shortcode's attributes, by name (those without one by their number), and of the HTML of its content;
#: None leaves the mark as it was written.
Shortcode = Callable[[Mapping[str, str], str], str | None]
Shortcodes = Mapping[str, Shortcode]
#: Makes the HTML of a shortcode's content from its tokens.
Finish = Callable[[list[Token]], str]

#: Shortcodes whose content is an address, where no character may change.
VERBATIM_CONTENT = frozenset({"embed"})
#: The name of a shortcode.
NAME = r"[a-zA-Z][\w-]{0,62}"
_MARK = re.compile(rf"(\[?)\[(/?)({NAME})(?=[\s\]/])([^\[\]<>]*+)\](\]?)")
_VALUE = re.compile(
    r"""([\w-]+)\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s'"]++))|"([^"]*+)"|'([^']*+)'|([^\s'"]++)"""
)
_FIRST_TAG = re.compile(r"\s*+<([a-zA-Z][a-zA-Z0-9]*+)")


class Mark(NamedTuple):
    """A known mark in a text; the one that ends a content `closes`."""

    raw: str
    name: str
    closes: bool
    attributes: str


Part = Token | Mark


def expand_shortcodes(tokens: list[Token], shortcodes: Shortcodes, finish: Finish) -> list[Token]:
    """Return tokens with the HTML of shortcodes in place of their marks; marks in double brackets are to be read."""
    if not any(token.kind == "text" and "[" in token.html for token in tokens):
        return tokens
    return _expand(_find_marks(tokens, shortcodes), shortcodes, finish)


def drop_shortcodes(text: str, shortcodes: Shortcodes) -> str:
    """Return HTML without shortcodes and what stands between their marks."""
    if "[" not in text:
        return text
    kept, done = [], 0
    ends: dict[str, int] = {}
    for match in _MARK.finditer(text):
        name = match[3]
        if match.start() < done or name not in shortcodes:
            continue
        kept.append(text[done : match.start()])
        done = match.end()
        if match[2]:
            continue
        if ends.get(name, 0) < done:
            found = text.find(f"[/{name}]", done)
            ends[name] = len(text) if found < 0 else found
        end = ends[name]
        if end < len(text) and not _opens_again(text, name, done, end):
            done = end + len(name) + 3
    return "".join([*kept, text[done:]])


def read_attributes(text: str) -> dict[str, str]:
    """Return a shortcode's attributes by name, those without one by their number."""
    found: dict[str, str] = {}
    for match in _VALUE.finditer(text):
        name, *values = match.groups()
        value = next((each for each in values if each is not None), "")
        found[(name or str(len(found))).lower()] = html.unescape(value)
    return found


def _opens_again(text: str, name: str, begin: int, end: int) -> bool:
    """Tell whether a mark of the same name opens between a mark and an end mark, which is then that one's."""
    again = text.find(f"[{name}", begin, end)
    return again >= 0 and text[again + len(name) + 1] in " \t\n]/"


def _find_marks(tokens: list[Token], shortcodes: Shortcodes) -> list[Part]:
    parts: list[Part] = []
    code = 0
    for token in tokens:
        if token.name in VERBATIM:
            code = code + 1 if token.kind == "open" else max(code - 1, 0)
        if token.kind == "text" and not code:
            parts += _split(token.html, shortcodes)
        else:
            parts.append(token)
    return parts


def _split(text: str, shortcodes: Shortcodes) -> Iterator[Part]:
    done = 0
    for match in _MARK.finditer(text):
        before, slash, name, attributes, behind = match.groups()
        if name not in shortcodes:
            continue
        if before and behind:  # escaped: to be read, without the outer brackets
            begin, end = match.start(), match.end()
            part: Part = Token("void", text[begin + 1 : end - 1])
        else:
            begin, end = match.start() + len(before), match.end() - len(behind)
            part = Mark(text[begin:end], name, bool(slash), attributes)
        if begin > done:
            yield Token("text", text[done:begin])
        yield part
        done = end
    if done < len(text):
        yield Token("text", text[done:])


def _expand(parts: list[Part], shortcodes: Shortcodes, finish: Finish) -> list[Token]:
    ends = _find_ends(parts)
    found: list[Token] = []
    index = 0
    while index < len(parts):
        part = parts[index]
        index += 1
        if isinstance(part, Token):
            found.append(part)
            continue
        inner: list[Part] = []
        raw = part.raw
        if end := ends.get(index - 1):
            inner, index = parts[index:end], end + 1
        if part.closes:
            continue  # of nothing that was opened
        inside = _expand(inner, shortcodes, finish)
        content = join_content(inside) if part.name in VERBATIM_CONTENT else finish(inside)
        made = shortcodes[part.name](read_attributes(part.attributes), content)
        if made is None:
            found.append(Token("void", f"{raw}{content}[/{part.name}]" if end else raw))
        elif made:
            found.append(_token(made))
    return found


def _find_ends(parts: list[Part]) -> dict[int, int]:
    """Return the index of the end mark of each mark that has one: the next, unless the name opens again before it."""
    ends: dict[int, int] = {}
    last: dict[str, int] = {}
    for index in range(len(parts) - 1, -1, -1):
        part = parts[index]
        if isinstance(part, Token):
            continue
        if part.closes:
            last[part.name] = index
        elif part.name in last and not part.attributes.rstrip().endswith("/"):
            ends[index] = last.pop(part.name)
    return ends


def _token(made: str) -> Token:
    """Return HTML as one token, a block where it begins with one: no paragraph goes into it."""
    tag = _FIRST_TAG.match(made)
    name = tag[1].lower() if tag else ""
    return Token("void", made, name if name in BLOCKS else "")


def join_content(tokens: list[Token]) -> str:
    """Return the HTML of a content as it is."""
    return join_tokens(tokens).strip()

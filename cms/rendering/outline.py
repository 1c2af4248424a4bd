"""The elements of a token list: where each ends, and which inline ones contain blocks."""

from __future__ import annotations

from typing import NamedTuple

from cms.rendering.markup import BLOCKS, Token

#: Elements that a sibling of the same group ends without an end tag.
_SIBLINGS = {"li": "li", "dt": "d", "dd": "d", "td": "cell", "th": "cell", "tr": "tr", "p": "p"}


class Outline(NamedTuple):
    """By the index of an open tag the index of the token that ends it, and the inline tags that contain blocks."""

    ends: dict[int, int]
    with_blocks: set[int]


def find_elements(tokens: list[Token]) -> Outline:
    """Return the outline of tokens: their open tags, matched with what ends them."""
    finder = _Finder(tokens)
    for index, token in enumerate(tokens):
        if not token.name:
            continue
        if token.kind == "close":
            finder.close(index, token.name)
        elif token.name in BLOCKS:
            finder.start_block(index, token)
        elif token.kind == "open":
            finder.push(index, token.name)
    finder.pop_to(0, len(tokens))
    return Outline(finder.ends, finder.with_blocks)


class _Finder:
    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = tokens
        self.stack: list[tuple[str, int]] = []
        self.open: dict[str, int] = {}
        self.ends: dict[int, int] = {}
        self.with_blocks: set[int] = set()

    def push(self, index: int, name: str) -> None:
        self.stack.append((name, index))
        self.open[name] = self.open.get(name, 0) + 1

    def start_block(self, index: int, token: Token) -> None:
        if self.stack:
            group = _SIBLINGS.get(self.stack[-1][0])
            if group == "p" or (group and group == _SIBLINGS.get(token.name)):
                self.pop(index)
        if self.stack:
            self.mark(self.stack[-1][1])
        if token.kind == "open":
            self.push(index, token.name)

    def mark(self, index: int) -> None:
        if not self.tokens[index].is_block:
            self.with_blocks.add(index)

    def close(self, index: int, name: str) -> None:
        if not self.open.get(name):
            return
        while self.stack[-1][0] != name:
            self.pop(index)
        self.pop(index)

    def pop(self, end: int) -> None:
        name, index = self.stack.pop()
        self.open[name] -= 1
        self.ends[index] = end
        if index in self.with_blocks and self.stack:
            self.mark(self.stack[-1][1])

    def pop_to(self, size: int, end: int) -> None:
        while len(self.stack) > size:
            self.pop(end)

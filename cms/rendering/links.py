"""Links of comments: addresses become links, and all links are marked as user content."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from cms.rendering.markup import ATTRIBUTE, VERBATIM, Token

_REL = ' rel="nofollow ugc"'
#: An attribute with the space before it; what looks like one inside another's value isn't found.
_ATTRIBUTE = re.compile(rf"\s*+{ATTRIBUTE.pattern}")
_WORD = re.compile(r"\S+")
_ADDRESS = re.compile(r"(?:https?://|ftp://|www\.)[^\s<>\"'`]*[^\s<>\"'`.,;:!?)\]}][)\]}]*+", re.IGNORECASE)
_MAIL = re.compile(r"[A-Za-z0-9._+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}")
_BEFORE, _BEHIND = "([{\"'", ".,;:!?)]}\"'"
_BRACKETS = {")": "(", "]": "[", "}": "{"}


class _Link(NamedTuple):
    """A link to be made of the first `length` characters of a word; `rel` is an attribute or empty."""

    length: int
    label: str
    target: str
    rel: str


def mark_links(tokens: list[Token]) -> list[Token]:
    """Return the tokens with a `rel` on every link that marks it as user content for search engines."""
    marked = []
    for token in tokens:
        if token.name == "a" and token.kind == "open":
            token = _marked(token)
        marked.append(token)
    return marked


def _marked(token: Token) -> Token:
    names = [match[1].lower() for match in _ATTRIBUTE.finditer(token.attributes)]
    if "href" not in names:
        return token
    attributes = _ATTRIBUTE.sub(_without_rel, token.attributes)
    return token._replace(html=f"<a{attributes.rstrip(' /')}{_REL}>")


def _without_rel(match: re.Match[str]) -> str:
    return "" if match[1].lower() == "rel" else match[0]


def link_addresses(tokens: list[Token]) -> list[Token]:
    """Return the tokens with links around the web and mail addresses in their texts."""
    linked: list[Token] = []
    depth = 0  # in links and code
    for token in tokens:
        if token.name in VERBATIM or token.name == "a":
            if token.kind == "open":
                depth += 1
            elif depth:
                depth -= 1
        if token.kind == "text" and not depth:
            linked += _link_text(token.html)
        else:
            linked.append(token)
    return linked


def _link_text(text: str) -> Iterator[Token]:
    done = 0
    for match in _WORD.finditer(text):
        word = match[0].lstrip(_BEFORE)
        start = match.end() - len(word)
        link = _find_link(word)
        if link is None:
            continue
        if start > done:
            yield Token("text", text[done:start])
        # The address is markup too, since hyphens and dots in it must not be typeset.
        yield Token("void", f'<a href="{link.target}"{link.rel}>{link.label}</a>', "a")
        done = start + link.length
    if done < len(text):
        yield Token("text", text[done:])


def _find_link(word: str) -> _Link | None:
    if match := _ADDRESS.match(word):
        address = target = _without_foreign_brackets(match[0])
        if "://" not in target[:8]:
            target = f"http://{target}"
        return _Link(len(address), target, target, _REL)
    mail = word.rstrip(_BEHIND)
    if "@" in mail and _MAIL.fullmatch(mail):
        return _Link(len(mail), mail, f"mailto:{mail}", "")
    return None


def _without_foreign_brackets(address: str) -> str:
    """Return an address without the brackets at its end that were opened before it."""
    end = len(address)
    openings = {bracket: address.count(opening) for bracket, opening in _BRACKETS.items()}
    closings = {bracket: address.count(bracket) for bracket in _BRACKETS}
    while (last := address[end - 1]) in _BRACKETS and closings[last] > openings[last]:
        closings[last] -= 1
        end -= 1
    return address[:end]

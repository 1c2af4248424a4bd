"""Makes links of the addresses in comments, and marks all links there as not the site's own."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cms.rendering.markup import VERBATIM, Token

_REL = ' rel="nofollow ugc"'
_REL_GIVEN = re.compile(r"""\srel\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\s>"']++)""", re.IGNORECASE)
_HREF = re.compile(r"\shref\s*=", re.IGNORECASE)
_WORD = re.compile(r"\S+")
_ADDRESS = re.compile(r"(?:https?://|ftp://|www\.)[^\s<>\"'`]*[^\s<>\"'`.,;:!?)\]}]", re.IGNORECASE)
_MAIL = re.compile(r"[A-Za-z0-9._+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}")
_BEFORE, _BEHIND = "([{\"'", ".,;:!?)]}\"'"


def mark_links(tokens: list[Token]) -> list[Token]:
    """Return the tokens with a `rel` on every link that tells search engines whose it is."""
    return [_mark(token) if token.name == "a" and token.kind == "open" else token for token in tokens]


def _mark(token: Token) -> Token:
    if not _HREF.search(token.html):
        return token
    html = _REL_GIVEN.sub("", token.html)
    return token._replace(html=f"{html[:-1].rstrip(' /')}{_REL}>")


def link_addresses(tokens: list[Token]) -> list[Token]:
    """Return the tokens with links around the web and mail addresses in their texts."""
    linked: list[Token] = []
    inside = 0
    for token in tokens:
        if token.name in VERBATIM or token.name == "a":
            inside = max(0, inside + (1 if token.kind == "open" else -1))
        if token.kind == "text" and not inside:
            linked += _link_text(token.html)
        else:
            linked.append(token)
    return linked


def _link_text(text: str) -> Iterator[Token]:
    done = 0
    for match in _WORD.finditer(text):
        word = match[0].lstrip(_BEFORE)
        start = match.end() - len(word)
        link = _link(word)
        if link is None:
            continue
        shown, target, rel = link
        if start > done:
            yield Token("text", text[done:start])
        # The address itself is no text whose hyphens and dots may be set.
        yield Token("void", f'<a href="{target}"{rel}>{shown[1]}</a>', "a")
        done = start + shown[0]
    if done < len(text):
        yield Token("text", text[done:])


def _link(word: str) -> tuple[tuple[int, str], str, str] | None:
    """Return an address's length and text, its target, and the link's `rel`."""
    if address := _ADDRESS.match(word):
        target = address[0] if "://" in address[0][:8] else f"http://{address[0]}"
        return (len(address[0]), target), target, _REL
    mail = word.rstrip(_BEHIND)
    if "@" in mail and _MAIL.fullmatch(mail):
        return (len(mail), mail), f"mailto:{mail}", ""
    return None

"""Rendering of raw texts to HTML: pure functions in linear time."""

from __future__ import annotations

import hashlib
import re

from cms.rendering.excerpts import make_excerpt
from cms.rendering.file_lists import replace_signs
from cms.rendering.links import link_addresses, mark_links
from cms.rendering.markup import Token, join_tokens, tokenize
from cms.rendering.media_marks import CORE
from cms.rendering.paragraphs import add_paragraphs
from cms.rendering.shortcodes import Shortcodes, expand_shortcodes, join_content
from cms.rendering.typography import typeset

#: To be raised with every change of what the functions here return.
VERSION = 5
#: Identifies the version in stored HTML.
FINGERPRINT = hashlib.sha256(f"rendering {VERSION}".encode()).hexdigest()[:12]

__all__ = ["FINGERPRINT", "fingerprint", "render_comment", "render_content", "render_excerpt", "render_title"]

_BLOCK_MARK = re.compile(r"<!--\s+/?wp:")


def fingerprint(smilies: bool) -> str:
    """Return the version of rendered HTML, with emoticons or without, in a form to store with it."""
    if smilies:
        return f"{FINGERPRINT}+smilies"
    return FINGERPRINT


def render_title(raw: str) -> str:
    """Return the HTML of a title, with its typography set."""
    return join_tokens(typeset(tokenize(raw)))


def render_content(raw: str, smilies: bool = False, shortcodes: Shortcodes = CORE) -> str:
    """Return the HTML of a text, in paragraphs unless block marks show that it is HTML already."""
    tokens: list[Token] = []
    has_blocks = False
    for token in tokenize(_unify_line_ends(replace_signs(raw))):
        if token.kind == "comment" and _BLOCK_MARK.match(token.html):
            has_blocks = True
        else:
            tokens.append(token)

    def set_content(inner: list[Token]) -> str:
        return join_content(typeset(inner, smilies))

    if "[" in raw:
        tokens = expand_shortcodes(tokens, shortcodes, set_content)
    tokens = typeset(tokens, smilies)
    if has_blocks:
        return join_tokens(tokens)
    return add_paragraphs(tokens)


def render_excerpt(
    raw_excerpt: str, raw_content: str, smilies: bool = False, shortcodes: Shortcodes = CORE
) -> str:
    """Return the HTML of an excerpt; an empty one is made of the first words of the content."""
    raw = raw_excerpt
    if not raw.strip():
        raw = make_excerpt(raw_content, shortcodes)
    return add_paragraphs(typeset(tokenize(_unify_line_ends(raw)), smilies))


def render_comment(raw: str, smilies: bool = False) -> str:
    """Return the HTML of a comment: in paragraphs, its addresses linked, its links marked as user content."""
    tokens = mark_links(link_addresses(tokenize(_unify_line_ends(raw))))
    return add_paragraphs(typeset(tokens, smilies))


def _unify_line_ends(raw: str) -> str:
    return raw.replace("\r\n", "\n").replace("\r", "\n")

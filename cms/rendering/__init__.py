"""From raw texts to the HTML that is shown: pure functions, in linear time."""

from __future__ import annotations

import hashlib
import re

from cms.rendering.excerpts import shorten
from cms.rendering.links import link_addresses, mark_links
from cms.rendering.markup import Token, join_tokens, read_tokens
from cms.rendering.paragraphs import set_paragraphs
from cms.rendering.shortcodes import unescape_shortcodes
from cms.rendering.typography import set_type

#: To be raised with every change of what the functions here return.
RULES = 1
#: Tells whether stored HTML is of these rules.
FINGERPRINT = hashlib.sha256(f"rendering {RULES}".encode()).hexdigest()[:12]

__all__ = ["FINGERPRINT", "fingerprint", "render_comment", "render_content", "render_excerpt", "render_title"]

_BLOCK_MARK = re.compile(r"<!--\s+/?wp:")


def fingerprint(smilies: bool) -> str:
    """Return the mark of HTML that these rules made, with emoticons or without."""
    return f"{FINGERPRINT}+smilies" if smilies else FINGERPRINT


def render_title(raw: str) -> str:
    """Return a title with its typography set."""
    return join_tokens(set_type(read_tokens(raw)))


def render_content(raw: str, smilies: bool = False) -> str:
    """Return a text as HTML: in paragraphs, unless block marks say that it is HTML already."""
    tokens = [_show_shortcodes(token) for token in read_tokens(_unify_line_ends(raw))]
    unmarked = [token for token in tokens if not (token.kind == "comment" and _BLOCK_MARK.match(token.html))]
    typeset = set_type(unmarked, smilies)
    return set_paragraphs(typeset) if len(unmarked) == len(tokens) else join_tokens(typeset)


def render_excerpt(raw_excerpt: str, raw_content: str, smilies: bool = False) -> str:
    """Return an excerpt as HTML; without one, the first words of the text."""
    raw = raw_excerpt if raw_excerpt.strip() else shorten(raw_content)
    return set_paragraphs(set_type(read_tokens(_unify_line_ends(raw)), smilies))


def render_comment(raw: str, smilies: bool = False) -> str:
    """Return a comment as HTML: in paragraphs, its addresses linked, its links marked as its author's."""
    tokens = mark_links(link_addresses(read_tokens(_unify_line_ends(raw))))
    return set_paragraphs(set_type(tokens, smilies))


def _unify_line_ends(raw: str) -> str:
    return raw.replace("\r\n", "\n").replace("\r", "\n")


def _show_shortcodes(token: Token) -> Token:
    return token._replace(html=unescape_shortcodes(token.html)) if token.kind == "text" else token

"""Excerpts of texts that have none of their own."""

from __future__ import annotations

import re

from cms.rendering.markup import strip_tags
from cms.rendering.shortcodes import drop_shortcodes

MAX_WORDS = 55
_MORE_MARK = re.compile(r"<!--(?:more(?:\s[^<>]*)?|nextpage)-->")


def make_excerpt(content: str) -> str:
    """Return the first words of a text before its `more` mark, without tags."""
    beginning = _MORE_MARK.split(content, maxsplit=1)[0]
    words = strip_tags(drop_shortcodes(beginning), " ").split()
    excerpt = " ".join(words[:MAX_WORDS])
    if len(words) > MAX_WORDS:
        excerpt += " [&hellip;]"
    return excerpt

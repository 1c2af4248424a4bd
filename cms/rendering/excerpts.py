"""Excerpts made of a text that has none of its own."""

from __future__ import annotations

import re

from cms.rendering.markup import without_tags
from cms.rendering.shortcodes import drop_shortcodes

LENGTH = 55
_REST = re.compile(r"<!--(?:more(?:\s[^<>]*)?|nextpage)-->")


def shorten(content: str) -> str:
    """Return the first words of a text before its `more` mark, without tags."""
    words = without_tags(drop_shortcodes(_REST.split(content, maxsplit=1)[0]), " ").split()
    more = " [&hellip;]" if len(words) > LENGTH else ""
    return " ".join(words[:LENGTH]) + more

"""The bracketed marks of older texts that stand for pictures and players."""

from __future__ import annotations

import re

_NAMES = "audio|caption|embed|gallery|playlist|video|wp_caption"
_MARK = re.compile(rf"\[/?(?:{_NAMES})(?=[\s\]/])[^\[\]<>]*+\]")
_ESCAPED = re.compile(rf"\[(\[/?(?:{_NAMES})(?=[\s\]/])[^\[\]<>]*+\])\]")


def drop_shortcodes(html: str) -> str:
    """Remove the marks."""
    return _MARK.sub("", html)


def unescape_shortcodes(text: str) -> str:
    """Take the second brackets off marks that are to be shown."""
    return _ESCAPED.sub(r"\1", text)

"""Shortcodes: the bracketed marks of older texts for pictures and players."""

from __future__ import annotations

import re

_NAMES = "audio|caption|embed|gallery|playlist|video|wp_caption"
_MARK = re.compile(rf"\[/?(?:{_NAMES})(?=[\s\]/])[^\[\]<>]*+\]")
_ESCAPED = re.compile(rf"\[(\[/?(?:{_NAMES})(?=[\s\]/])[^\[\]<>]*+\])\]")


def drop_shortcodes(html: str) -> str:
    """Return HTML without shortcodes."""
    return _MARK.sub("", html)


def unescape_shortcodes(text: str) -> str:
    """Return a text in which shortcodes in double brackets, which are to be read, have single ones."""
    return _ESCAPED.sub(r"\1", text)

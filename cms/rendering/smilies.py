"""Emoticons and the emoji that replace them."""

from __future__ import annotations

import re

EMOTICONS = {
    ":)": "🙂",
    ":-)": "🙂",
    ":smile:": "🙂",
    ":D": "😀",
    ":-D": "😀",
    ":grin:": "😀",
    ":(": "🙁",
    ":-(": "🙁",
    ":sad:": "🙁",
    ";)": "😉",
    ";-)": "😉",
    ":wink:": "😉",
    ":P": "😛",
    ":-P": "😛",
    ":razz:": "😛",
    ":o": "😮",
    ":-o": "😮",
    ":eek:": "😮",
    "8O": "😯",
    "8-O": "😯",
    ":shock:": "😯",
    ":?": "😕",
    ":-?": "😕",
    ":???:": "😕",
    "8)": "😎",
    "8-)": "😎",
    ":cool:": "😎",
    ":x": "😡",
    ":-x": "😡",
    ":mad:": "😡",
    ":|": "😐",
    ":-|": "😐",
    ":neutral:": "😐",
    ":lol:": "😆",
    ":cry:": "😥",
    ":oops:": "😳",
    ":roll:": "🙄",
    ":evil:": "👿",
    ":twisted:": "😈",
    ":idea:": "💡",
    ":arrow:": "➡",
    ":!:": "❗",
    ":?:": "❓",
}
_LONGEST_FIRST = sorted(EMOTICONS, key=len, reverse=True)
_ANY_EMOTICON = "|".join(map(re.escape, _LONGEST_FIRST))
_EMOTICON = re.compile(rf"(?:(?<!\S)|(?<=&nbsp;))({_ANY_EMOTICON})(?!\S)")


def replace_emoticons(text: str) -> str:
    """Return a plain text with emoji for the emoticons that have space around them."""
    if ":" in text or ";" in text or "8" in text:
        return _EMOTICON.sub(_emoji, text)
    return text


def _emoji(match: re.Match[str]) -> str:
    return EMOTICONS[match[1]]

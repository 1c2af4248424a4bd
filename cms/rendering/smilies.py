"""Turns emoticons into emoji."""

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
_EMOTICON = re.compile(
    rf"(?:(?<!\S)|(?<=&nbsp;))({'|'.join(re.escape(sign) for sign in _LONGEST_FIRST)})(?!\S)"
)


def draw_smilies(text: str) -> str:
    """Put emoji for the emoticons of a plain text that stand between spaces."""
    return _EMOTICON.sub(lambda match: EMOTICONS[match[1]], text)

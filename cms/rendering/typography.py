"""Typographic quotes, dashes and signs in the text of HTML, never in its tags or code."""

from __future__ import annotations

import re

from cms.rendering.markup import VERBATIM, Token, escape_bare_ampersands
from cms.rendering.smilies import draw_smilies

_OPEN, _CLOSE, _SINGLE_OPEN, _APOSTROPHE = "&#8220;", "&#8221;", "&#8216;", "&#8217;"
_DOUBLE_PRIME, _PRIME = "&#8243;", "&#8242;"
_EN, _EM, _DOTS, _TRADEMARK, _TIMES = "&#8211;", "&#8212;", "&#8230;", "&#8482;", "&#215;"

_SPECIAL = re.compile(r"[-'\"&`(.]|\dx\d")
_QUOTE = re.compile("[\"']")
_SPACED_DASH = re.compile(r"(?<!\S)--?(?!\S)")
_DASH = re.compile(r"(?<!xn)--")
_NUMBER = re.compile(r"(?<!\w)\d[\w.,]*+")
_PRODUCT = re.compile(r"(?!0x)[\d.,]++(?:x\d[\d.,]*+)+")
_YEAR = re.compile(r"'\d\d(?!\d)")
# Words that begin with an apostrophe.
_SHORTENED = re.compile(r"'(?:tain't|twere|twas|tis|twill|til|bout|nuff|round|cause|em)\b", re.IGNORECASE)


def set_type(tokens: list[Token], smilies: bool = False) -> list[Token]:
    """Return the tokens with the typography of their texts set, emoticons drawn if wanted."""
    setter = _Setter(smilies)
    return [setter.set(token) for token in tokens]


class _Setter:
    """Carries what the next text must know of those before: open quotes, the last character, open code."""

    def __init__(self, smilies: bool) -> None:
        self.smilies = smilies
        self.code = 0
        self.start_block()

    def start_block(self) -> None:
        self.before = ""
        self.double = self.single = False

    def set(self, token: Token) -> Token:
        if token.kind != "text":
            self.pass_markup(token)
            return token
        text = token.html
        if not self.code:
            text = self.set_text(draw_smilies(text) if self.smilies else text)
        self.remember(token.html)
        return Token("text", text)

    def pass_markup(self, token: Token) -> None:
        if token.name in VERBATIM:
            self.code = max(0, self.code + (1 if token.kind == "open" else -1))
        if token.is_block or token.name == "br":
            self.start_block()

    def remember(self, text: str) -> None:
        last = text[-1:]
        self.before = " " if last.isspace() else "(" if last in "([{-" else "a"

    def set_text(self, text: str) -> str:
        if not _SPECIAL.search(text):
            return text
        text = self.before + text
        text = _SPACED_DASH.sub(lambda dash: _EM if len(dash[0]) == 2 else _EN, text.replace("---", _EM))
        text = _DASH.sub(_EN, text).replace("...", _DOTS)
        text = text.replace("``", _OPEN).replace("''", _CLOSE).replace(" (tm)", f" {_TRADEMARK}")
        text = _NUMBER.sub(_multiply, self.curl(text))
        return escape_bare_ampersands(text[len(self.before) :], "&#038;")

    def curl(self, text: str) -> str:
        pieces, done, opened = [], 0, -1
        for match in _QUOTE.finditer(text):
            at = match.start()
            opens = (opened == at - 1 or _may_open(text, at)) and not text[at + 1 : at + 2].isspace()
            choose = self.double_quote if match[0] == '"' else self.single_quote
            sign = choose(text, at, opens)
            if sign in (_OPEN, _SINGLE_OPEN):
                opened = at
            pieces += [text[done:at], sign]
            done = at + 1
        return "".join([*pieces, text[done:]])

    def double_quote(self, text: str, at: int, opens: bool) -> str:
        if opens:
            self.double = True
            return _OPEN
        if not self.double and _measures(text, at):
            return _DOUBLE_PRIME
        self.double = False
        return _CLOSE

    def single_quote(self, text: str, at: int, opens: bool) -> str:
        if opens:
            if _YEAR.match(text, at) or _SHORTENED.match(text, at):
                return _APOSTROPHE
            self.single = True
            return _SINGLE_OPEN
        if not self.single and _measures(text, at):
            return _PRIME
        if not text[at + 1 : at + 2].isalnum():
            self.single = False
        return _APOSTROPHE


def _may_open(text: str, at: int) -> bool:
    before = text[at - 1 : at] if at else ""
    return not before or before.isspace() or before in "([{-" or text.endswith((_EN, _EM, "&nbsp;"), 0, at)


def _measures(text: str, at: int) -> bool:
    """Tell whether a sign stands behind a number, as for feet and inches."""
    return at > 0 and text[at - 1].isdecimal() and not text[at + 1 : at + 2].isalnum()


def _multiply(match: re.Match[str]) -> str:
    return match[0].replace("x", _TIMES) if _PRODUCT.fullmatch(match[0]) else match[0]

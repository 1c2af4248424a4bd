"""Typographic quotes, dashes and signs in the text of HTML, never in its tags or code."""

from __future__ import annotations

import re

from cms.rendering.markup import LINE_ENDS, VERBATIM, Token, escape_bare_ampersands
from cms.rendering.smilies import replace_emoticons

_OPEN, _CLOSE, _SINGLE_OPEN, _APOSTROPHE = "&#8220;", "&#8221;", "&#8216;", "&#8217;"
_DOUBLE_PRIME, _PRIME = "&#8243;", "&#8242;"
_EN, _EM, _DOTS, _TRADEMARK, _TIMES = "&#8211;", "&#8212;", "&#8230;", "&#8482;", "&#215;"

_SPECIAL = re.compile(r"[-'\"&`(.]|\dx\d")
_TIMES_HINT = re.compile(r"x(?<=[\d.,]x)\d")
_QUOTE = re.compile("[\"']")
_SPACED_DASH = re.compile(r"(?<!\S)--?(?!\S)")
_DASH = re.compile(r"(?<!xn)--")
_NUMBER = re.compile(r"(?<!\w)\d[\w.,]*+")
_PRODUCT = re.compile(r"(?!0x)[\d.,]++(?:x\d[\d.,]*+)+")
_YEAR = re.compile(r"'\d\d(?!\d)")
# Words that begin with an apostrophe.
_SHORTENED = re.compile(r"'(?:tain't|twere|twas|tis|twill|til|bout|nuff|round|cause|em)\b", re.IGNORECASE)


def typeset(tokens: list[Token], smilies: bool = False) -> list[Token]:
    """Return the tokens with typographic signs in their texts, with emoji for emoticons if wanted."""
    typesetter = _Typesetter(smilies)
    return [typesetter.set(token) for token in tokens]


class _Typesetter:
    """Carries what the next text must know of those before: open quotes, the last character, open code."""

    def __init__(self, smilies: bool) -> None:
        self.smilies = smilies
        self.code = 0
        self.start_block()

    def start_block(self) -> None:
        self.last = ""
        self.double = self.single = False

    def set(self, token: Token) -> Token:
        if token.kind != "text":
            self.pass_markup(token)
            return token
        text = token.html
        if not self.code:
            if self.smilies:
                text = replace_emoticons(text)
            if _has_signs(text):
                text = self.set_text(text)
        self.last = token.html[-1]
        return token if text == token.html else Token("text", text)

    def pass_markup(self, token: Token) -> None:
        if token.name in VERBATIM:
            if token.kind == "open":
                self.code += 1
            elif self.code:
                self.code -= 1
        if token.name in LINE_ENDS:
            self.start_block()

    def before(self) -> str:
        """Return a character of the kind of the last one: a space, an opening bracket, a letter; none at the start."""
        if not self.last:
            return ""
        if self.last.isspace():
            return " "
        if self.last in "([{-":
            return "("
        return "a"

    def set_text(self, text: str) -> str:
        if not _SPECIAL.search(text):
            return text
        # Each step is left out where the text has none of what it looks for; what the others insert has neither.
        has_ampersand, before = "&" in text, self.before()
        text = before + text
        if "-" in text:
            text = _DASH.sub(_EN, _SPACED_DASH.sub(_long_dash, text.replace("---", _EM)))
        text = text.replace("...", _DOTS)
        text = text.replace("``", _OPEN).replace("''", _CLOSE).replace(" (tm)", f" {_TRADEMARK}")
        if '"' in text or "'" in text:
            text = self.curl(text)
        if "x" in text:
            text = _NUMBER.sub(_multiply, text)
        text = text[len(before) :]
        if has_ampersand:
            text = escape_bare_ampersands(text, "&#038;")
        return text

    def curl(self, text: str) -> str:
        pieces, done, last_open = [], 0, -1
        for match in _QUOTE.finditer(text):
            at = match.start()
            opens = (last_open == at - 1 or _may_open(text, at)) and not text[at + 1 : at + 2].isspace()
            sign = self.quote(text, at, opens)
            if sign in (_OPEN, _SINGLE_OPEN):
                last_open = at
            pieces += [text[done:at], sign]
            done = at + 1
        return "".join([*pieces, text[done:]])

    def quote(self, text: str, at: int, opens: bool) -> str:
        if text[at] == '"':
            return self.double_quote(text, at, opens)
        return self.single_quote(text, at, opens)

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


def _has_signs(text: str) -> bool:
    """Tell whether a text may have something to be set; this is faster than to look for all of it at once."""
    return (
        "-" in text
        or "'" in text
        or '"' in text
        or "&" in text
        or "..." in text
        or "``" in text
        or "(tm)" in text
        or _TIMES_HINT.search(text) is not None
    )


def _long_dash(dash: re.Match[str]) -> str:
    if len(dash[0]) == 2:
        return _EM
    return _EN


def _may_open(text: str, at: int) -> bool:
    """Tell whether a quotation may begin at a position: at the start, behind space, a bracket or a dash."""
    if at == 0:
        return True
    before = text[at - 1]
    return before.isspace() or before in "([{-" or text.endswith((_EN, _EM, "&nbsp;"), 0, at)


def _measures(text: str, at: int) -> bool:
    """Tell whether a sign comes right behind a number, as for feet and inches."""
    return at > 0 and text[at - 1].isdecimal() and not text[at + 1 : at + 2].isalnum()


def _multiply(match: re.Match[str]) -> str:
    if _PRODUCT.fullmatch(match[0]):
        return match[0].replace("x", _TIMES)
    return match[0]

"""Splits HTML into text and markup, in one pass and without judging it."""

from __future__ import annotations

import re
from html.entities import html5
from typing import NamedTuple

VOID = frozenset(
    [
        "area",
        "base",
        "br",
        "col",
        "embed",
        "hr",
        "img",
        "input",
        "link",
        "meta",
        "param",
        "source",
        "track",
        "wbr",
    ]
)
#: Elements whose content is text up to their end tag, whatever it looks like.
RAW = frozenset(["iframe", "noembed", "noframes", "script", "style", "textarea", "title", "xmp"])
BLOCKS = frozenset(
    [
        "address",
        "article",
        "aside",
        "blockquote",
        "caption",
        "center",
        "col",
        "colgroup",
        "dd",
        "details",
        "dialog",
        "dir",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figcaption",
        "figure",
        "footer",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "hgroup",
        "hr",
        "legend",
        "li",
        "main",
        "menu",
        "nav",
        "ol",
        "p",
        "pre",
        "section",
        "style",
        "summary",
        "table",
        "tbody",
        "td",
        "tfoot",
        "th",
        "thead",
        "tr",
        "ul",
    ]
)
#: Elements whose text is code, where no character may change.
VERBATIM = frozenset({"pre", "code", "kbd", "tt"})

# A quote counts only behind an equals sign. The second form knows no "<" in a quoted value.
_TAG = re.compile(r"""<(/?)([a-zA-Z][^\s/<>]*+)((?:[^<>=]|=\s*+(?:"[^"]*+"|'[^']*+')?+)*+)>""")
_PLAIN_TAG = re.compile(r"""<(/?)([a-zA-Z][^\s/<>]*+)((?:[^<>=]|=\s*+(?:"[^"<]*+"|'[^'<]*+')?+)*+)>""")
_RAW_END = {name: re.compile(rf"</{name}(?=[\s/>])[^>]*+>?", re.IGNORECASE) for name in RAW}
_AMPERSAND = re.compile(r"&(#[0-9]{1,7};|#[xX][0-9a-fA-F]{1,6};|[a-zA-Z][a-zA-Z0-9]{1,31};)?")
_REVIVED = re.compile(r"<(?=[a-zA-Z/!?])")


class Token(NamedTuple):
    """A piece of HTML: text, an open or close tag, an element that is kept whole (raw), or a comment."""

    kind: str
    html: str
    name: str = ""
    attributes: str = ""

    @property
    def is_block(self) -> bool:
        """Tell whether this is markup of an element that stands outside paragraphs."""
        return self.name in BLOCKS


def read_tokens(html: str) -> list[Token]:
    """Split HTML into tokens, which joined are the same HTML again."""
    tokens: list[Token] = []
    begin = position = 0
    last = html.rfind(">")
    tag = _TAG
    while (at := html.find("<", position)) >= 0 and (at < last or html.startswith("<!--", at)):
        token = _read_markup(html, at, tag)
        if token is None:
            # Long quoted values are looked for until one isn't closed, so that reading stays linear.
            tag = _PLAIN_TAG
            position = at + 1
            continue
        if at > begin:
            tokens.append(Token("text", html[begin:at]))
        tokens.append(token)
        begin = position = at + len(token.html)
    if begin < len(html):
        tokens.append(Token("text", html[begin:]))
    return tokens


def _read_markup(html: str, at: int, tag: re.Pattern[str]) -> Token | None:
    if html.startswith("<!--", at):
        end = html.find("-->", at + 2)
        return Token("comment", html[at : end + 3] if end >= 0 else html[at:])
    if match := tag.match(html, at):
        return _read_tag(html, match)
    following = html[at + 1 : at + 3]
    if following[:1] in ("!", "?") or (
        following[:1] == "/" and following[1:] not in ("", "<") and not following[1:].isalpha()
    ):
        return Token("comment", html[at : html.index(">", at) + 1])
    return None


def _read_tag(html: str, match: re.Match[str]) -> Token:
    slash, name, attributes = match[1], match[2].lower(), match[3]
    if slash:
        return Token("close", match[0], name)
    if name in RAW:
        end = _RAW_END[name].search(html, match.end())
        return Token("raw", html[match.start() : end.end() if end else len(html)], name, attributes)
    return Token("void" if name in VOID else "open", match[0], name, attributes)


def join_tokens(tokens: list[Token]) -> str:
    """Return the HTML of tokens."""
    return "".join([token.html for token in tokens])


def join_text(html: str, by: str = "") -> str:
    """Return the text between the tags as it stands, with `by` where a block or line ends."""
    pieces = []
    for token in read_tokens(html):
        if token.kind == "text":
            pieces.append(token.html)
        elif token.is_block or token.name == "br":
            pieces.append(by)
    return "".join(pieces)


def without_tags(html: str, by: str = "") -> str:
    """Return the text between the tags, in which nothing begins a tag any more."""
    # What is left of a broken tag must not become a tag by losing what stood inside it.
    return _REVIVED.sub("", join_text(html, by))


def escape_bare_ampersands(html: str, by: str = "&amp;") -> str:
    """Write an ampersand that begins no character reference as a reference itself."""
    return _AMPERSAND.sub(lambda match: match[0] if _is_reference(match[1]) else by + match[0][1:], html)


def _is_reference(name: str | None) -> bool:
    return name is not None and (name[0] == "#" or name in html5)

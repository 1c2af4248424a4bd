"""A tokenizer of HTML of any quality, and the functions that turn its tokens into HTML or text."""

from __future__ import annotations

import re
from functools import lru_cache
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
#: Elements that end a line.
LINE_ENDS = BLOCKS | {"br"}
#: How many characters a text may have whose tokens are remembered for the next that asks.
MOST_REMEMBERED = 30_000
#: Elements whose text is code, where no character may change.
VERBATIM = frozenset({"pre", "code", "kbd", "tt"})

# A quote counts only behind an equals sign. The second form knows no "<" in a quoted value.
_TAG = re.compile(r"""<(/?)([a-zA-Z][^\s/<>]*+)((?:[^<>=]|=\s*+(?:"[^"]*+"|'[^']*+')?+)*+)>""")
_PLAIN_TAG = re.compile(r"""<(/?)([a-zA-Z][^\s/<>]*+)((?:[^<>=]|=\s*+(?:"[^"<]*+"|'[^'<]*+')?+)*+)>""")
#: An attribute inside a tag, with its name and its value as it is written, quotes included.
ATTRIBUTE = re.compile(r"""([^\s"'<>/=]++)(?:\s*+=\s*+("[^"]*+"|'[^']*+'|[^\s"'=<>`]++))?""")
_RAW_END = {name: re.compile(rf"</{name}(?=[\s/>])[^>]*+>?", re.IGNORECASE) for name in RAW}
_AMPERSAND = re.compile(r"&(#[0-9]{1,7};|#[xX][0-9a-fA-F]{1,6};|[a-zA-Z][a-zA-Z0-9]{1,31};)?")
_REVIVED = re.compile(r"<(?=[a-zA-Z/!?])")


class Token(NamedTuple):
    """A piece of HTML; `kind` is text, comment, open, close, void, or raw for an element with its content."""

    kind: str
    html: str
    name: str = ""
    attributes: str = ""

    @property
    def is_block(self) -> bool:
        """Tell whether this is a tag of an element that is never inside a paragraph."""
        return self.name in BLOCKS


def tokenize(html: str) -> list[Token]:
    """Return the tokens of HTML; joined they are the same HTML again."""
    if "<" not in html:
        return [Token("text", html)] if html else []
    if len(html) > MOST_REMEMBERED:
        return _tokenize(html)
    return list(_remember(html))


@lru_cache(maxsize=8)
def _remember(html: str) -> tuple[Token, ...]:
    """Return the tokens of HTML; sanitiser, renderer and excerpt ask for those of the same text one after another."""
    return tuple(_tokenize(html))


def _tokenize(html: str) -> list[Token]:
    tokens: list[Token] = []
    begin = position = 0
    last = html.rfind(">")
    tag = _TAG
    known: dict[str, Token] = {}
    while (at := html.find("<", position)) >= 0 and (at < last or html.startswith("<!--", at)):
        token = _read_markup(html, at, tag, known)
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


def _read_markup(html: str, at: int, tag: re.Pattern[str], known: dict[str, Token]) -> Token | None:
    """Return the tag or comment at a position, None where there is neither; `known` has the tags that came before."""
    if match := tag.match(html, at):
        token = known.get(match[0])
        if token is None:
            token = _read_tag(html, match)
            if token.kind != "raw":
                known[token.html] = token
        return token
    if html.startswith("<!--", at):
        end = html.find("-->", at + 2)
        if end < 0:
            return Token("comment", html[at:])
        return Token("comment", html[at : end + 3])
    if _is_bogus_comment(html[at + 1 : at + 3]):
        return Token("comment", html[at : html.index(">", at) + 1])
    return None


def _is_bogus_comment(following: str) -> bool:
    """Tell by the characters behind a `<` whether parsers take it for a comment."""
    if following[:1] in ("!", "?"):
        return True
    return following[:1] == "/" and following[1:] not in ("", "<") and not following[1:].isalpha()


def _read_tag(html: str, match: re.Match[str]) -> Token:
    slash, name, attributes = match[1], match[2].lower(), match[3]
    if slash:
        return Token("close", match[0], name)
    if name in RAW:
        return Token("raw", html[match.start() : _end_of_raw(html, name, match.end())], name, attributes)
    if name in VOID:
        return Token("void", match[0], name, attributes)
    return Token("open", match[0], name, attributes)


def _end_of_raw(html: str, name: str, begin: int) -> int:
    end = _RAW_END[name].search(html, begin)
    if end is None:
        return len(html)
    return end.end()


def join_tokens(tokens: list[Token]) -> str:
    """Return the HTML of tokens."""
    return "".join([token.html for token in tokens])


def extract_text(html: str, separator: str = "") -> str:
    """Return the text between the tags unchanged, with a separator where a block or line ends."""
    pieces = []
    for token in tokenize(html):
        if token.kind == "text":
            pieces.append(token.html)
        elif token.name in LINE_ENDS:
            pieces.append(separator)
    return "".join(pieces)


def strip_tags(html: str, separator: str = "") -> str:
    """Return HTML without tags, comments, scripts and styles; nothing in the result begins a tag."""
    # What is left of a broken tag must not become a tag by losing what stood inside it.
    text = extract_text(html, separator)
    return _REVIVED.sub("", text) if "<" in text else text


def escape_bare_ampersands(html: str, replacement: str = "&amp;") -> str:
    """Return HTML in which an ampersand that begins no character reference is written as one."""
    if "&" not in html:
        return html

    def escape(match: re.Match[str]) -> str:
        if _is_reference(match[1]):
            return match[0]
        return replacement + match[0][1:]

    return _AMPERSAND.sub(escape, html)


def _is_reference(name: str | None) -> bool:
    return name is not None and (name[0] == "#" or name in html5)

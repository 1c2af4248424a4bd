"""Takes out of HTML what its author may not write; nh3 decides, on markup that has been made unambiguous."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import nh3

from cms.rendering.allowed import (
    LINE_ATTRIBUTES,
    LINE_TAGS,
    POST_ATTRIBUTES,
    POST_TAGS,
    SCHEMES,
    STYLES,
    URL_ATTRIBUTES,
)
from cms.rendering.markup import Token, escape_bare_ampersands, join_text, read_tokens

#: Elements may be as deep as this; the parser's time grows with depth, and nobody writes so.
DEEPEST = 256
#: Elements that the next of their kind ends, so that an unclosed one doesn't go deeper.
_SELF_ENDING = frozenset(["dd", "dt", "li", "p", "tbody", "td", "tfoot", "th", "thead", "tr"])

_ATTRIBUTE = re.compile(r"""([^\s"'<>/=]++)(?:\s*+=\s*+("[^"]*+"|'[^']*+'|[^\s"'=<>`]++))?""")
_CLEAR_ATTRIBUTES = re.compile(r"""(?:\s++[a-z][a-z0-9-]*+(?:=(?:"[^"<>]*+"|'[^'<>]*+'))?+)*+\s*+/?""")
_UNCLEAR_COMMENT = re.compile(r"<!-->|<!--->|<!--.*?(?:--!>|<!--)", re.DOTALL)
_TABLE_BODY = re.compile("</?tbody>")
_UNSEEN = re.compile("[\x00-\x20\x7f-\xa0\xad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")
_SCHEMES = re.compile(r"(?:[^/?#:]*+:)++")
_SRCSET_SCHEME = re.compile(r"(?<![\w+.-])(?!https?:)[a-z][\w+.-]*+:", re.IGNORECASE)
_STYLE_RISK = re.compile(
    r"url\s*+\(|image|expression|javascript|behavior|binding|[\\@<>{}]|/\*", re.IGNORECASE
)


@dataclass(frozen=True)
class Allowance:
    """A set of elements and attributes, and whether comments may stay."""

    tags: frozenset[str]
    cleaner: nh3.Cleaner
    comments: bool = False


def _allow(tags: frozenset[str], attributes: Mapping[str, frozenset[str]], in_texts: bool) -> Allowance:
    kept = {tag: set(names) for tag, names in attributes.items()}
    cleaner = nh3.Cleaner(
        tags=set(tags),
        clean_content_tags=set(),
        # Without an entry for all elements there is a default one.
        attributes={"*": set[str]()} | kept,
        strip_comments=not in_texts,
        link_rel=None,
        generic_attribute_prefixes={"data-", "aria-"} if in_texts else set(),
        url_schemes=set(SCHEMES),
        filter_style_properties=set(STYLES),
    )
    return Allowance(tags, cleaner, in_texts)


_POST = _allow(POST_TAGS, POST_ATTRIBUTES, in_texts=True)
_LINE = _allow(LINE_TAGS, LINE_ATTRIBUTES, in_texts=False)


def sanitize_post(html: str) -> str:
    """Keep what may stand in a text or excerpt, comments included: block marks are comments."""
    return _sanitize(html, _POST)


def sanitize_title(html: str) -> str:
    """Keep the inline markup that a title may have."""
    return _sanitize(html, _LINE)


def sanitize_comment(html: str) -> str:
    """Keep the few elements that a comment may have."""
    return _sanitize(html, _LINE)


def sanitize_description(html: str) -> str:
    """Keep the inline markup that the description of a term or person may have."""
    return _sanitize(html, _LINE)


def _sanitize(given: str, allowance: Allowance) -> str:
    tokens = read_tokens(given)
    if len(tokens) == 1 and tokens[0].kind == "text" and "\0" not in given:
        return _tidy(tokens[0])
    if _is_too_deep(tokens, allowance.tags):
        return _as_text(join_text(given))
    cleaned = allowance.cleaner.clean("".join([_rewrite(token, allowance) for token in tokens]))
    # Nothing was taken out, so the author's own notation of the same stays.
    if all(_is_clear(token, allowance) for token in tokens) and _says_the_same(tokens, cleaned):
        return "".join([_tidy(token) for token in tokens])
    return cleaned


def _says_the_same(tokens: list[Token], cleaned: str) -> bool:
    """Tell whether clear tokens, nothing taken out of them, are the cleaned HTML."""
    given = "".join([_restate(token) for token in tokens]).replace("\r\n", "\n")
    return cleaned == given or ("<tbody" not in given and _TABLE_BODY.sub("", cleaned) == given)


def _is_too_deep(tokens: list[Token], tags: frozenset[str]) -> bool:
    """Tell whether unclosed elements pile up; an end tag in the wrong place closes none."""
    stack: list[str] = []
    for token in tokens:
        if token.name not in tags or token.name in _SELF_ENDING:
            continue
        if token.kind == "open":
            stack.append(token.name)
        elif token.kind == "close" and stack and stack[-1] == token.name:
            stack.pop()
        if len(stack) > DEEPEST:
            return True
    return False


def _rewrite(token: Token, allowance: Allowance) -> str:
    """Write a token in the one way that all parsers read alike."""
    if token.kind == "text":
        return _escape(html.unescape(token.html))
    if token.kind == "comment":
        return _rewrite_comment(token, allowance)
    if token.kind == "raw":
        return _escape(_raw_text(token))
    if token.name not in allowance.tags:
        return ""
    if token.kind == "close":
        return f"</{token.name}>"
    attributes = [(name, _clean_value(name, value)) for name, value in _read_attributes(token.attributes)]
    # A parser drops the first line end of a preformatted text.
    behind = "\n" if token.name == "pre" else ""
    return _write_tag(token.name, attributes) + behind


def _rewrite_comment(token: Token, allowance: Allowance) -> str:
    if not token.html.endswith(">"):
        return _escape(token.html)
    return token.html if _is_clear(token, allowance) else ""


def _restate(token: Token) -> str:
    """Write a token as the parser would, with everything that it says."""
    if token.kind == "text":
        return _escape(html.unescape(token.html))
    if token.kind in ("comment", "close"):
        return token.html
    attributes = [
        (name, _space_style(value) if name == "style" else value)
        for name, value in _read_attributes(token.attributes)
    ]
    return _write_tag(token.name, attributes)


def _is_clear(token: Token, allowance: Allowance) -> bool:
    """Tell whether a token's own notation says the same to every parser."""
    if token.kind == "text":
        return True
    if token.kind == "comment":
        return (
            allowance.comments
            and token.html.startswith("<!--")
            and token.html.endswith("-->")
            and "\0" not in token.html
            and not _UNCLEAR_COMMENT.match(token.html)
        )
    if token.kind == "raw" or token.name not in allowance.tags:
        return False
    if token.kind == "close":
        return token.html == f"</{token.name}>"
    return token.html.startswith(f"<{token.name}") and bool(_CLEAR_ATTRIBUTES.fullmatch(token.attributes))


def _raw_text(token: Token) -> str:
    begin = len(token.name) + len(token.attributes) + 2
    end = token.html.rfind("</")
    return token.html[begin : end if end >= begin else None]


def _read_attributes(attributes: str) -> list[tuple[str, str]]:
    found = _ATTRIBUTE.finditer(attributes)
    return [(match[1].lower(), html.unescape(_unquote(match[2] or ""))) for match in found]


def _unquote(value: str) -> str:
    return value[1:-1] if value[:1] in ("'", '"') else value


def _write_tag(name: str, attributes: Sequence[tuple[str, str | None]]) -> str:
    kept = [(key, _escape(value).replace('"', "&quot;")) for key, value in attributes if value is not None]
    written = "".join([f' {key}="{value}"' for key, value in kept])
    return f"<{name}{written}>"


def _clean_value(name: str, value: str) -> str | None:
    if name in URL_ATTRIBUTES:
        return _clean_address(value)
    if name == "srcset" and _SRCSET_SCHEME.search(_UNSEEN.sub(" ", value)):
        return None
    return _clean_style(value) if name == "style" else value


def _clean_address(address: str) -> str:
    """Return an address without the schemes in front of it, should they be none that may be linked."""
    seen = _UNSEEN.sub("", address)
    schemes = _SCHEMES.match(seen)
    if schemes is None or schemes[0].split(":", 1)[0].lower() in SCHEMES:
        return address
    return seen[schemes.end() :]


def _clean_style(style: str) -> str | None:
    if _STYLE_RISK.search(style):
        return None
    kept = [pair for pair in _space_style(style).split(";") if pair.split(":", 1)[0] in STYLES]
    return ";".join(kept) or None


def _space_style(style: str) -> str:
    pairs = [":".join([part.strip() for part in pair.split(":", 1)]) for pair in style.split(";")]
    return ";".join([pair for pair in pairs if pair])


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("\xa0", "&nbsp;").replace("<", "&lt;").replace(">", "&gt;")


def _tidy(token: Token) -> str:
    return _as_text(token.html) if token.kind == "text" else token.html


def _as_text(text: str) -> str:
    return escape_bare_ampersands(text).replace("<", "&lt;").replace(">", "&gt;")

"""The HTML sanitizer: nh3 removes what isn't allowed, after the markup was made unambiguous."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import nh3

from cms.rendering.allowed import (
    LINE_ATTRIBUTES,
    LINE_TAGS,
    POST_ATTRIBUTES,
    POST_TAGS,
    SCHEMES,
    URL_ATTRIBUTES,
)
from cms.rendering.markup import ATTRIBUTE, Token, escape_bare_ampersands, extract_text, tokenize
from cms.rendering.styles import STYLES

#: How deep elements may be nested; the parser's time grows with depth.
MAX_DEPTH = 256
#: Elements that the next of their kind ends, so that an unclosed one doesn't add to the depth.
_SELF_ENDING = frozenset(["dd", "dt", "li", "p", "tbody", "td", "tfoot", "th", "thead", "tr"])

_CLEAR_ATTRIBUTES = re.compile(r"""(?:\s++[a-z][a-z0-9-]*+(?:=(?:"[^"<>]*+"|'[^'<>]*+'))?+)*+\s*+/?""")
_UNCLEAR_COMMENT = re.compile(r"<!-->|<!--->|<!--.*?(?:--!>|<!--)", re.DOTALL)
_TABLE_BODY = re.compile("</?tbody>")
_UNSEEN = re.compile("[\x00-\x20\x7f-\xa0\xad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")
_SCHEMES = re.compile(r"(?:[^/?#:]*+:)++")
_SRCSET_SCHEME = re.compile(r"(?<![\w+.-])(?!https?:)[a-z][\w+.-]*+:", re.IGNORECASE)
_DECLARATION = re.compile(r"""(?:[^;"']++|"[^"\r\n\f]*+"|'[^'\r\n\f]*+'|["'])++""")
_STYLE_COMMENT = re.compile(r"/\*(?:[^*]|\*(?!/))*+(?:\*/)?")
_STYLE_RISK = re.compile(
    r"url\s*+\(|image|expression|javascript|behavior|binding|[\\@<>{}]|/\*", re.IGNORECASE
)


@dataclass(frozen=True)
class Policy:
    """The elements that are allowed, the cleaner that knows their attributes too, and whether comments may stay."""

    tags: frozenset[str]
    cleaner: nh3.Cleaner
    comments: bool = False


def _make_policy(tags: frozenset[str], attributes: Mapping[str, frozenset[str]], in_texts: bool) -> Policy:
    # Without an entry for all elements there is a default one.
    allowed: dict[str, set[str]] = {"*": set()}
    for tag, names in attributes.items():
        allowed[tag] = set(names)
    prefixes: set[str] = set()
    if in_texts:
        prefixes = {"data-", "aria-"}
    cleaner = nh3.Cleaner(
        tags=set(tags),
        clean_content_tags=set(),
        attributes=allowed,
        strip_comments=not in_texts,
        link_rel=None,
        generic_attribute_prefixes=prefixes,
        url_schemes=set(SCHEMES),
        filter_style_properties=set(STYLES),
    )
    return Policy(tags, cleaner, in_texts)


_POST = _make_policy(POST_TAGS, POST_ATTRIBUTES, in_texts=True)
_LINE = _make_policy(LINE_TAGS, LINE_ATTRIBUTES, in_texts=False)


def sanitize_post(html: str) -> str:
    """Return the HTML of a text or excerpt with what is allowed there; comments stay, since block marks are some."""
    return _sanitize(html, _POST)


def sanitize_title(html: str) -> str:
    """Return the HTML of a title with the inline markup that is allowed there."""
    return _sanitize(html, _LINE)


def sanitize_comment(html: str) -> str:
    """Return the HTML of a comment with the few elements that are allowed there."""
    return _sanitize(html, _LINE)


def sanitize_description(html: str) -> str:
    """Return the HTML of a term's or account's description with the inline markup that is allowed there."""
    return _sanitize(html, _LINE)


def _sanitize(source: str, policy: Policy) -> str:
    tokens = tokenize(source)
    if len(tokens) == 1 and tokens[0].kind == "text" and "\0" not in source:
        return _tidy(tokens[0])
    if _is_too_deep(tokens, policy.tags):
        return _as_text(extract_text(source))
    cleaned = policy.cleaner.clean("".join([_rewrite(token, policy) for token in tokens]))
    # Nothing was taken out, so the author's own notation of the same stays.
    if all(_is_clear(token, policy) for token in tokens) and _is_unchanged(tokens, cleaned):
        return "".join(map(_tidy, tokens))
    return cleaned


def _is_unchanged(tokens: list[Token], cleaned: str) -> bool:
    """Tell whether cleaned HTML is that of clear tokens, with nothing taken out of them."""
    restated = "".join(map(_restate, tokens)).replace("\r\n", "\n")
    return cleaned == restated or ("<tbody" not in restated and _TABLE_BODY.sub("", cleaned) == restated)


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
        if len(stack) > MAX_DEPTH:
            return True
    return False


def _rewrite(token: Token, policy: Policy) -> str:
    """Write a token in the one way that all parsers read alike."""
    if token.kind == "text":
        return _escape(html.unescape(token.html))
    if token.kind == "comment":
        return _rewrite_comment(token, policy)
    if token.kind == "raw":
        return _escape(_raw_text(token))
    if token.name not in policy.tags:
        return ""
    if token.kind == "close":
        return f"</{token.name}>"
    attributes = [(name, _clean_value(name, value)) for name, value in _read_attributes(token.attributes)]
    tag = _write_tag(token.name, attributes)
    if token.name == "pre":
        return tag + "\n"  # a parser drops the first line end of a preformatted text
    return tag


def _rewrite_comment(token: Token, policy: Policy) -> str:
    if not token.html.endswith(">"):
        return _escape(token.html)
    if _is_clear(token, policy):
        return token.html
    return ""


def _restate(token: Token) -> str:
    """Write a token as the parser would, with nothing taken out."""
    if token.kind == "text":
        return _escape(html.unescape(token.html))
    if token.kind in ("comment", "close"):
        return token.html
    attributes = []
    for name, value in _read_attributes(token.attributes):
        if name == "style":
            value = _normalize_style(value)
        attributes.append((name, value))
    return _write_tag(token.name, attributes)


def _is_clear(token: Token, policy: Policy) -> bool:
    """Tell whether every parser reads a token's own notation alike."""
    if token.kind == "text":
        return True
    if token.kind == "comment":
        return policy.comments and _is_clear_comment(token.html)
    if token.kind == "raw" or token.name not in policy.tags:
        return False
    if token.kind == "close":
        return token.html == f"</{token.name}>"
    return token.html.startswith(f"<{token.name}") and bool(_CLEAR_ATTRIBUTES.fullmatch(token.attributes))


def _is_clear_comment(comment: str) -> bool:
    is_closed = comment.startswith("<!--") and comment.endswith("-->")
    return is_closed and "\0" not in comment and not _UNCLEAR_COMMENT.match(comment)


def _raw_text(token: Token) -> str:
    begin = len(token.name) + len(token.attributes) + 2
    end = token.html.rfind("</")
    if end < begin:
        return token.html[begin:]
    return token.html[begin:end]


def _read_attributes(attributes: str) -> list[tuple[str, str]]:
    found = ATTRIBUTE.finditer(attributes)
    return [(match[1].lower(), html.unescape(_unquote(match[2] or ""))) for match in found]


def _unquote(value: str) -> str:
    if value[:1] in ("'", '"'):
        return value[1:-1]
    return value


def _write_tag(name: str, attributes: Sequence[tuple[str, str | None]]) -> str:
    """Write an open tag; attributes whose value is None are left out."""
    tag = f"<{name}"
    for key, value in attributes:
        if value is not None:
            escaped = _escape(value).replace('"', "&quot;")
            tag += f' {key}="{escaped}"'
    return f"{tag}>"


def _clean_value(name: str, value: str) -> str | None:
    """Return an attribute's value with what is allowed in it, None where nothing is."""
    if name in URL_ATTRIBUTES:
        return _clean_address(value)
    if name == "srcset" and _SRCSET_SCHEME.search(_UNSEEN.sub(" ", value)):
        return None
    if name == "style":
        return _clean_style(value)
    return value


def _clean_address(address: str) -> str:
    """Return an address, without its schemes where the first isn't allowed."""
    seen = _UNSEEN.sub("", address)
    schemes = _SCHEMES.match(seen)
    if schemes is None or _deciding(schemes[0].lower().split(":")[:-1]) in SCHEMES:
        return address
    return seen[schemes.end() :]


def _deciding(schemes: Sequence[str]) -> str:
    """Return which of the schemes that an address begins with decides: `feed` may stand before another one."""
    return next((scheme for scheme in schemes if scheme != "feed"), "feed")


def _clean_style(style: str) -> str | None:
    """Return a style without the declarations that aren't allowed, None where none is left."""
    allowed = []
    for name, value in _declarations(_STYLE_COMMENT.sub("", style)):
        if name.lower() in STYLES and not _STYLE_RISK.search(value):
            allowed.append(f"{name.lower()}:{value}")
    return ";".join(allowed) or None


def _normalize_style(style: str) -> str:
    """Return a style as the parser writes it: no space around names and values, no empty declarations."""
    return ";".join([f"{name}:{value}" for name, value in _declarations(style)])


def _declarations(style: str) -> Iterator[tuple[str, str]]:
    """Yield names and values; a semicolon in quotes ends none."""
    for declaration in _DECLARATION.findall(style):
        name, _colon, value = declaration.partition(":")
        if name.strip():
            yield name.strip(), value.strip()


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("\xa0", "&nbsp;").replace("<", "&lt;").replace(">", "&gt;")


def _tidy(token: Token) -> str:
    if token.kind == "text":
        return _as_text(token.html)
    return token.html


def _as_text(text: str) -> str:
    return escape_bare_ampersands(text).replace("<", "&lt;").replace(">", "&gt;")

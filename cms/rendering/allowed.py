"""The HTML that is allowed to people without the capability `unfiltered_html`, as data."""

from __future__ import annotations

_INLINE_TAGS = (
    "a abbr acronym b bdi bdo big cite code del dfn em font i ins kbd label mark q ruby rb rp rt rtc s "
    "samp small span strike strong sub sup time tt u var wbr br"
)
_BLOCK_TAGS = (
    "address article aside blockquote caption center col colgroup dd details dir div dl dt "
    "fieldset figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup hr legend li main menu nav ol p pre "
    "section summary table tbody td tfoot th thead tr ul"
)
_MEDIA_TAGS = "area audio button img map picture source track video"
_LINE_TAGS = "a abbr acronym b blockquote cite code del em i q s strike strong"

POST_TAGS = frozenset(f"{_INLINE_TAGS} {_BLOCK_TAGS} {_MEDIA_TAGS}".split())
LINE_TAGS = frozenset(_LINE_TAGS.split())

#: Attributes of every element in a text, besides data-* and aria-*.
_GLOBAL = frozenset(["class", "dir", "hidden", "id", "lang", "role", "style", "title", "translate"])
_CELL = frozenset(
    [
        "abbr",
        "align",
        "bgcolor",
        "colspan",
        "headers",
        "height",
        "nowrap",
        "rowspan",
        "scope",
        "valign",
        "width",
    ]
)

POST_ATTRIBUTES = {
    "*": _GLOBAL,
    "a": frozenset(["download", "href", "hreflang", "name", "rel", "rev", "target", "type"]),
    "area": frozenset(["alt", "coords", "href", "nohref", "shape", "target"]),
    "audio": frozenset(["autoplay", "controls", "loop", "muted", "preload", "src"]),
    "blockquote": frozenset({"cite"}),
    "button": frozenset(["disabled", "name", "type", "value"]),
    "col": frozenset(["align", "span", "valign", "width"]),
    "colgroup": frozenset(["align", "span", "valign", "width"]),
    "del": frozenset(["cite", "datetime"]),
    "details": frozenset({"open"}),
    "div": frozenset({"align"}),
    "font": frozenset(["color", "face", "size"]),
    **{f"h{level}": frozenset({"align"}) for level in range(1, 7)},
    "hr": frozenset(["align", "noshade", "size", "width"]),
    "img": frozenset(
        [
            "align",
            "alt",
            "border",
            "decoding",
            "fetchpriority",
            "height",
            "hspace",
            "loading",
            "sizes",
            "src",
            "srcset",
            "usemap",
            "vspace",
            "width",
        ]
    ),
    "ins": frozenset(["cite", "datetime"]),
    "label": frozenset({"for"}),
    "li": frozenset(["align", "value"]),
    "map": frozenset({"name"}),
    "ol": frozenset(["reversed", "start", "type"]),
    "p": frozenset({"align"}),
    "q": frozenset({"cite"}),
    "source": frozenset(["media", "sizes", "src", "srcset", "type"]),
    "table": frozenset(
        [
            "align",
            "bgcolor",
            "border",
            "cellpadding",
            "cellspacing",
            "rules",
            "summary",
            "width",
        ]
    ),
    "td": _CELL,
    "th": _CELL,
    "time": frozenset({"datetime"}),
    "track": frozenset(["default", "kind", "label", "src", "srclang"]),
    "ul": frozenset({"type"}),
    "video": frozenset(
        [
            "autoplay",
            "controls",
            "height",
            "loop",
            "muted",
            "playsinline",
            "poster",
            "preload",
            "src",
            "width",
        ]
    ),
}
LINE_ATTRIBUTES = {
    "a": frozenset(["href", "title"]),
    "abbr": frozenset({"title"}),
    "acronym": frozenset({"title"}),
    "blockquote": frozenset({"cite"}),
    "del": frozenset({"datetime"}),
    "q": frozenset({"cite"}),
}

URL_ATTRIBUTES = frozenset(["cite", "href", "poster", "src"])
SCHEMES = frozenset(
    [
        "feed",
        "ftp",
        "ftps",
        "geo",
        "http",
        "https",
        "irc",
        "ircs",
        "mailto",
        "news",
        "sip",
        "sips",
        "sms",
        "tel",
        "webcal",
        "xmpp",
    ]
)

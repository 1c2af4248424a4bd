"""The shortcodes that every site has: captions, players, links, galleries, in the markup of WordPress."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape, unescape

from cms.rendering.addresses import clean_address
from cms.rendering.file_lists import gallery, playlist
from cms.rendering.markup import strip_tags
from cms.rendering.shortcodes import Shortcode

_PICTURE = re.compile(r"((?:<a\s[^<>]*+>\s*+)?<img\s[^<>]*+>(?:\s*+</a>)?)(.*)", re.IGNORECASE | re.DOTALL)
_CLASS = re.compile(r"[^A-Za-z0-9_ -]")
_NUMBER = re.compile(r"\d{1,5}")
_ADDRESS = re.compile(r"(?:https?:)?//[^\s]|/|(?![a-z][a-z0-9+.-]*:)[^\s]", re.IGNORECASE)
AUDIO_TYPES = {
    "mp3": "audio/mpeg",
    "ogg": "audio/ogg",
    "flac": "audio/flac",
    "m4a": "audio/mpeg",
    "wav": "audio/wav",
}
VIDEO_TYPES = {
    "mp4": "video/mp4",
    "m4v": "video/mp4",
    "webm": "video/webm",
    "ogv": "video/ogg",
    "flv": "video/x-flv",
}


def caption(attributes: Mapping[str, str], content: str) -> str:
    """Return a figure of a picture with what is written below it; the picture alone where either is missing."""
    picture, text = content, escape(attributes.get("caption", "").strip(), quote=False)
    if match := _PICTURE.search(content):
        picture, text = match[1], match[2].strip() or text
    width = _number(attributes.get("width", ""))
    if not width or not text:
        return content
    names = f"wp-caption {attributes.get('align', 'alignnone')} {attributes.get('class', '')}"
    id = _clean(attributes.get("id", "")).strip()
    marked = f'id="{id}" ' if id else ""
    return (
        f'<figure {marked}style="width: {width}px" class="{" ".join(_clean(names).split())}">{picture}'
        f'<figcaption class="wp-caption-text">{text}</figcaption></figure>'
    )


def audio(attributes: Mapping[str, str], content: str) -> str:
    """Return a player of sound, a link where the file isn't of a type that browsers play."""
    address, type = _source(attributes, AUDIO_TYPES)
    if not type:
        return _link(address, "wp-embedded-audio")
    switches = _switches(attributes, "loop", "autoplay")
    preload = escape(attributes.get("preload", "none"))
    return (
        f'<div class="wp-audio"><audio class="wp-audio-shortcode"{switches} preload="{preload}" style="width: 100%;" '
        f'controls="controls"><source type="{type}" src="{address}" /><a href="{address}">{address}</a></audio></div>'
    )


def video(attributes: Mapping[str, str], content: str) -> str:
    """Return a player of moving pictures, a link where the file isn't of a type that browsers play."""
    address, type = _source(attributes, VIDEO_TYPES)
    if not type:
        return _link(address, "wp-embedded-video")
    width, height = (_number(attributes.get(*each)) for each in (("width", "640"), ("height", "360")))
    poster = _address(attributes.get("poster", ""))
    if poster:
        poster = f' poster="{poster}"'
    switches = _switches(attributes, "loop", "autoplay", "muted")
    preload = escape(attributes.get("preload", "metadata"))
    return (
        f'<div style="width: {width}px;" class="wp-video"><video class="wp-video-shortcode" width="{width}" '
        f'height="{height}"{poster}{switches} preload="{preload}" controls="controls">'
        f'<source type="{type}" src="{address}" /><a href="{address}">{address}</a></video></div>'
    )


def embed(attributes: Mapping[str, str], content: str) -> str:
    """Return a link to what a front end may show in its place."""
    return _link(_address(attributes.get("src", "") or _text(content)))


#: By the name of the mark.
CORE: dict[str, Shortcode] = {
    "caption": caption,
    "wp_caption": caption,
    "audio": audio,
    "video": video,
    "embed": embed,
    "gallery": gallery,
    "playlist": playlist,
}


def _source(attributes: Mapping[str, str], types: Mapping[str, str]) -> tuple[str, str]:
    """Return the address of a player's file, from `src` or the name of a type, and its type; empty for another."""
    for name in ("src", *types):
        address = _address(attributes.get(name, ""))
        if address:
            ending = address.partition("?")[0].rpartition(".")[2].lower()
            return address, types.get(ending, "")
    return "", ""


def _link(address: str, name: str = "") -> str:
    if not address:
        return ""
    marked = f' class="{name}"' if name else ""
    return f'<a{marked} href="{address}">{address}</a>'


def _switches(attributes: Mapping[str, str], *names: str) -> str:
    on = [name for name in names if attributes.get(name, "").lower() in ("1", "on", "true", "yes", name)]
    return "".join([f' {name}="1"' for name in on])


def _address(sent: str) -> str:
    """Return an address as it stands in an attribute, empty where it leads anywhere but to the web or the site."""
    address = sent.strip()
    # Browsers pass over tabs and the like in a scheme.
    if not _ADDRESS.match(clean_address(address)):
        return ""
    return escape(address)


def _text(content: str) -> str:
    return unescape(strip_tags(content))


def _clean(names: str) -> str:
    return _CLASS.sub("", names)


def _number(text: str) -> int:
    match = _NUMBER.match(text.strip())
    return int(match[0]) if match else 0

"""The HTML of galleries and playlists, in the markup of WordPress."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from cms.rendering import render_title
from cms.rendering.file_lists import FileList
from cms.rendering.markup import strip_tags
from cms.rendering.plain import as_attribute


@dataclass(frozen=True)
class ShownFile:
    """A file as a gallery or playlist shows it: `title` and `caption` as they were written, `alt` is a line of text.

    `shown` has address and measures of the rendition of a picture, `details` those of the picture itself.
    """

    id: int
    title: str
    caption: str
    alt: str
    source: str
    link: str
    shown: Mapping[str, Any]
    details: Mapping[str, Any]


def file_list_html(wanted: FileList, number: int, item: int, files: Sequence[ShownFile]) -> str:
    """Return the HTML of the gallery or playlist of a number in the text of an item; none without files."""
    if not files:
        return ""
    if wanted.kind == "image":
        return _gallery_html(wanted, number, item, files)
    return _playlist_html(wanted, files)


def picture_html(shown: Mapping[str, Any], size: str, alt: str, more: str = "") -> str:
    """Return the element of a picture in one of its sizes."""
    measures = "".join(f' {name}="{shown[name]}"' for name in ("width", "height") if name in shown)
    address = escape(shown["source_url"])
    names = f"attachment-{size} size-{size}"
    return f'<img{measures} src="{address}" class="{names}" alt="{as_attribute(alt)}"{more} />'


def _gallery_html(wanted: FileList, number: int, item: int, files: Sequence[ShownFile]) -> str:
    selector = f"gallery-{number}"
    names = f"gallery galleryid-{item} gallery-columns-{wanted.columns} gallery-size-{wanted.size}"
    items = "".join([_item_html(wanted, selector, file) for file in files])
    return f"<div id='{selector}' class='{names}'>{items}\n\t\t</div>"


def _item_html(wanted: FileList, selector: str, file: ShownFile) -> str:
    described = f"{selector}-{file.id}"
    caption = render_title(file.caption.strip())
    more = f' aria-describedby="{described}"' if caption else ""
    picture = picture_html(file.shown, wanted.size, file.alt, more)
    if wanted.link != "none":
        target = file.source if wanted.link == "file" else file.link
        picture = f"<a href='{escape(target)}'>{picture}</a>"
    icon = f"\n\t\t\t<div class='gallery-icon {_orientation(file.details)}'>\n\t\t\t\t{picture}\n\t\t\t</div>"
    return f"<figure class='gallery-item'>{icon}{_caption_html(caption, described)}</figure>"


def _caption_html(caption: str, id: str) -> str:
    if not caption:
        return ""
    opened = f"<figcaption class='wp-caption-text gallery-caption' id='{id}'>"
    return f"\n\t\t\t\t{opened}\n\t\t\t\t{caption}\n\t\t\t\t</figcaption>"


def _orientation(details: Mapping[str, Any]) -> str:
    if not details.get("width") or not details.get("height"):
        return ""
    if details["height"] > details["width"]:
        return "portrait"
    return "landscape"


def _playlist_html(wanted: FileList, files: Sequence[ShownFile]) -> str:
    tracks = "".join([_track_html(wanted.kind, file) for file in files])
    names = f"wp-playlist wp-{wanted.kind}-playlist wp-playlist-{wanted.style}"
    return f'<div class="{names}"><div class="wp-playlist-tracks">{tracks}</div></div>'


def _track_html(kind: str, file: ShownFile) -> str:
    source = escape(file.source)
    title = f'<span class="wp-playlist-item-title">{strip_tags(render_title(file.title))}</span>'
    player = f'<{kind} controls="controls" preload="none" src="{source}"></{kind}>'
    link = f'<a class="wp-playlist-caption" href="{source}">{title}</a>'
    return f'<div class="wp-playlist-item">{link}{player}</div>'

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
    tag = wanted.icon_tag
    icon = f"\n\t\t\t<{tag} class='gallery-icon {_orientation(file.details)}'>\n\t\t\t\t{picture}\n\t\t\t</{tag}>"
    below = _caption_html(wanted.caption_tag, caption, described)
    return f"<{wanted.item_tag} class='gallery-item'>{icon}{below}</{wanted.item_tag}>"


def _caption_html(tag: str, caption: str, id: str) -> str:
    if not caption:
        return ""
    opened = f"<{tag} class='wp-caption-text gallery-caption' id='{id}'>"
    return f"\n\t\t\t\t{opened}\n\t\t\t\t{caption}\n\t\t\t\t</{tag}>"


def _orientation(details: Mapping[str, Any]) -> str:
    if not details.get("width") or not details.get("height"):
        return ""
    if details["height"] > details["width"]:
        return "portrait"
    return "landscape"


def _playlist_html(wanted: FileList, files: Sequence[ShownFile]) -> str:
    tracks = "".join([_track_html(wanted, number, file) for number, file in enumerate(files, 1)])
    names = f"wp-playlist wp-{wanted.kind}-playlist wp-playlist-{wanted.style}"
    return f'<div class="{names}"><div class="wp-playlist-tracks">{tracks}</div></div>'


def _track_html(wanted: FileList, number: int, file: ShownFile) -> str:
    """Return a player with its title: as a line of a list of tracks, or as the track that is being played."""
    source, kind = escape(file.source), wanted.kind
    title = strip_tags(render_title(file.title))
    player = f'<{kind} controls="controls" preload="none" src="{source}"></{kind}>'
    if not wanted.has_track_list:
        shown = f'<span class="wp-playlist-item-meta wp-playlist-item-title">{title}</span>'
        return f'<div class="wp-playlist-current-item"><div class="wp-playlist-caption">{shown}</div>{player}</div>'
    count = f"{number}. " if wanted.has_numbers else ""
    shown = f'{count}<span class="wp-playlist-item-title">{title}</span>'
    return f'<div class="wp-playlist-item"><a class="wp-playlist-caption" href="{source}">{shown}</a>{player}</div>'

"""What search engines and shared links show of posts, pages and terms: the example of fields without storage."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from marshmallow import ValidationError
from werkzeug.urls import iri_to_uri

from cms.plugin import VIEW_EDIT, Boolean, ContentRegistry, Field, Integer, String, _, hookimpl, plain_line

__version__ = "1.0"
cms_api = 1

#: How many characters each text may have; search engines show less.
LONGEST = {"seo_title": 200, "seo_description": 500, "seo_canonical": 2_000}


class Line(String):
    """A text of limited length in one line."""

    longest = 0

    def shape(self) -> dict[str, Any]:
        """Return type, format and length."""
        return {**super().shape(), "maxLength": self.longest}

    def _deserialize(self, value: object, attr: str | None, data: object, **kwargs: object) -> str:
        return _read_line(super()._deserialize(value, attr, data, **kwargs), self.longest)


class WebAddress(String):
    """An address of limited length that begins with http:// or https://, or nothing."""

    longest = 0

    def shape(self) -> dict[str, Any]:
        """Return type, format and length."""
        return {**super().shape(), "maxLength": self.longest}

    def _deserialize(self, value: object, attr: str | None, data: object, **kwargs: object) -> str:
        if not isinstance(value, str):
            raise self.wrong_type()
        address = _read_line(value, self.longest)
        if address and not _is_web_address(address):
            raise ValidationError([_("This must be an address that begins with http:// or https://.")])
        return iri_to_uri(address)


class Picture(Integer):
    """The id of a media item."""

    def item_shape(self) -> dict[str, object]:
        """Return what the id is of, so that a form can let people choose a picture."""
        return {"relation": ["attachment"]}


def _read_line(text: str, longest: int) -> str:
    line = plain_line(text)
    if len(line) > longest:
        raise ValidationError([_("This may have %(most)s characters at most.", most=longest)])
    return line


def _is_web_address(address: str) -> bool:
    try:
        parts = urlsplit(iri_to_uri(address))
        return parts.scheme in ("http", "https") and bool(parts.hostname) and " " not in address
    except ValueError:  # of brackets that hold no IPv6 address
        return False


def fields() -> dict[str, Field]:
    """Return the fields, made anew for each resource."""
    found: dict[str, Field] = {**_texts(), **_others()}
    for name, longest in LONGEST.items():
        found[name] = found[name].copy(longest=longest)
    return found


def _texts() -> dict[str, Field]:
    return {
        "seo_title": Line(
            _("Title for search engines; without one the item's own stands."),
            VIEW_EDIT,
            label=_("Title for search engines"),
            default="",
            filterable=True,
        ),
        "seo_description": Line(
            _("Description for search engines and shared links."),
            VIEW_EDIT,
            label=_("Description for search engines"),
            default="",
        ),
        "seo_canonical": WebAddress(
            _("Address of the original, where this is a copy of it."),
            VIEW_EDIT,
            label=_("Address of the original"),
            default="",
            format="uri",
        ),
    }


def _others() -> dict[str, Field]:
    return {
        "seo_image": Picture(
            _("Id of the picture for shared links; 0 for none."),
            VIEW_EDIT,
            label=_("Picture for shared links"),
            default=0,
            minimum=0,
        ),
        "seo_noindex": Boolean(
            _("Whether search engines are asked to leave this out."),
            VIEW_EDIT,
            label=_("Hidden from search engines"),
            default=False,
            filterable=True,
        ),
    }


@hookimpl
def register_fields(content_registry: ContentRegistry) -> Mapping[str, Mapping[str, Field]]:
    """Add the fields to the items of all types that front ends show, and to all terms."""
    types = [
        kind.name
        for kind in content_registry.types.values()
        if kind.public and kind.served and "title" in kind.supports
    ]
    return {name: fields() for name in (*types, *content_registry.taxonomies)}


@hookimpl
def register_translations() -> Path:
    """Bring the texts of these fields in other languages."""
    return Path(__file__).parent / "locales"

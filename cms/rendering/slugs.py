"""Slugs as they are stored: what one may hold, how long it may be, how one is told apart, and the mark of the trash."""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import unquote_to_bytes

from cms.rendering.plain import make_slug

#: How many characters a slug may have, the number of a duplicate included and the mark of the trash apart.
MAX_LENGTH = 200
TRASH_MARK = "__trashed"
#: An escape at the end of which a part is missing.
_CUT_ESCAPE = re.compile(r"%[0-9A-Fa-f]?\Z")
#: What addresses and lists with commas can't hold as it is, and what only turns the direction of others.
_UNFIT = re.compile(r"[^\w.~\-\u0080-\U0010ffff]|[\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_SPACE = re.compile(r"\s+")
_CAPITALS = re.compile("[A-Z]+")
_JOINER = "\u200d"


def clean_slug(sent: str) -> str:
    """Return a sent slug as it is stored: decoded, reduced to what a slug is made of, cut to length."""
    return title_slug(decode_slug(sent))


def title_slug(title: str) -> str:
    """Return the slug of a title, cut to length; it may be empty."""
    return cut_slug(make_slug(title))


def imported_slug(sent: str) -> str:
    """Return a slug of elsewhere as it is stored: as it was, but for what no slug can hold, and cut to length.

    Unlike a clean one it keeps the signs of its script, dots and several hyphens, for addresses hang on them.
    """
    slug = without_trash_mark(decode_slug(sent))
    mark = decode_slug(sent)[len(slug) :]
    fit = _UNFIT.sub("", _SPACE.sub("-", slug))
    return cut_slug(_CAPITALS.sub(_lower, fit)) + mark


def resent_slug(sent: str, stored: str) -> str:
    """Return a sent slug as it is stored: the stored one where it is that, in whatever form, else a clean one."""
    if stored and decode_slug(sent) == stored:
        return stored
    return clean_slug(sent)


def searched_slugs(sent: str) -> list[str]:
    """Return the slugs that a sent one may be stored as."""
    return list(dict.fromkeys((imported_slug(sent), clean_slug(sent))))


def decode_slug(sent: str) -> str:
    """Return a slug without percent-escapes; an escape or a character that was cut off is left out."""
    if "%" not in sent:
        return sent
    plain = _CUT_ESCAPE.sub("", sent)
    return unquote_to_bytes(plain).decode(errors="ignore")


def cut_slug(slug: str, most: int = MAX_LENGTH) -> str:
    """Return at most so many characters of a slug, never a part of what is seen as one character."""
    if len(slug) > most:
        end = most
        while end and (_joins(slug[end]) or slug[end - 1] == _JOINER):
            end -= 1
        slug = slug[: end or most]
    return slug.strip("-")


def numbered_slug(slug: str, number: int, most: int = MAX_LENGTH) -> str:
    """Return a slug with a number behind it, both within the length that a slug may have."""
    ending = f"-{number}"
    return cut_slug(slug, most - len(ending)) + ending


def mark_trashed(slug: str) -> str:
    """Return a slug with the mark of the trash, under which it is free for others."""
    return f"{slug}{TRASH_MARK}"


def without_trash_mark(slug: str) -> str:
    """Return a slug without the mark of the trash."""
    return re.sub(rf"{TRASH_MARK}(-\d+)?$", "", slug)


def _lower(capitals: re.Match[str]) -> str:
    return capitals[0].lower()


def _joins(sign: str) -> bool:
    """Tell whether a sign belongs to the one before it: marks, joiners, variants, skin tones."""
    return (
        sign == _JOINER
        or unicodedata.category(sign) in ("Mn", "Mc", "Me")
        or "\U0001f3fb" <= sign <= "\U0001f3ff"
    )

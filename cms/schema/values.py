"""Reading numbers, texts and objects that were sent, and the refusals of values that a field doesn't take."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from marshmallow import ValidationError

from cms.i18n import Text, _
from cms.rendering.allowed import SCHEMES
from cms.rendering.characters import FORBIDDEN, without_forbidden

#: The largest number that a column of SQLite holds.
LARGEST = 2**63 - 1
#: How many levels of lists and objects a value may have, well below what JSON is written with.
DEEPEST = 32
#: What no text may hold: the database, patterns and other programs take NUL for its end, and halves of a pair of
#: UTF-16 can't be encoded.
UNREADABLE = re.compile("[\x00\ud800-\udfff]")


def whole_number(value: object) -> int | None:
    """Read a whole number of at most 64 bits from a number or a text in ASCII digits, else None."""
    if isinstance(value, str) and re.fullmatch(r"\s*[+-]?\d{1,19}(\.0+)?\s*", value, re.ASCII):
        value = int(value.split(".")[0])
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) > LARGEST:
        return None
    return value


def clean_text(text: str, *, exact: bool = False) -> str:
    """Return a text that was sent without the control characters that no export can hold.

    Raises ValidationError where it holds NUL or half a character; an `exact` one (a secret) for all that would go.
    """
    if text.isprintable():
        return text
    if UNREADABLE.search(text) or (exact and FORBIDDEN.search(text)):
        raise ValidationError([_("This holds characters that no text may have, such as NUL.")])
    return without_forbidden(text)


def clean_json(value: Any, levels: int = DEEPEST) -> Any:
    """Return a JSON value with all its texts cleaned.

    Raises ValidationError as `clean_text` does, for too many levels, and for numbers beyond 64 bits.
    """
    if isinstance(value, str):
        return clean_text(value)
    if isinstance(value, int) and abs(value) > LARGEST:
        raise ValidationError([_("This holds a number beyond 64 bits.")])
    if not isinstance(value, (dict, list)):
        return value
    if not levels:
        raise ValidationError([_("This is nested more than %(most)s levels deep.", most=DEEPEST)])
    if isinstance(value, list):
        return [clean_json(inner, levels - 1) for inner in value]
    return {clean_text(str(name)): clean_json(inner, levels - 1) for name, inner in value.items()}


def length_fault(text: str, name: str, max_length: int | None, max_bytes: int) -> Text | None:
    """Return what is wrong with a text of more characters, or bytes in UTF-8, than it may have; None where it fits."""
    if max_length is not None and len(text) > max_length:
        return _("This is too long: %(name)s. It may have %(most)s characters.", name=name, most=max_length)
    # No character has more than four bytes, so that most texts needn't be encoded.
    if 4 * len(text) > max_bytes and len(text.encode(errors="replace")) > max_bytes:
        return _("This is too long: %(name)s. It may have %(most)s bytes.", name=name, most=max_bytes)
    return None


def require_bounds(minimum: float | None, maximum: float | None) -> None:
    """Raise TypeError where no number lies within the bounds."""
    if minimum is not None and maximum is not None and minimum > maximum:
        raise TypeError(f"no number is at least {minimum} and at most {maximum}")


def bounds_schema(minimum: float | None, maximum: float | None) -> dict[str, float]:
    """Return the bounds as a schema names them."""
    schema = {}
    if minimum is not None:
        schema["minimum"] = minimum
    if maximum is not None:
        schema["maximum"] = maximum
    return schema


def check_bounds(number: float, minimum: float | None, maximum: float | None) -> None:
    """Raise ValidationError for a number beyond its bounds, which are named."""
    is_too_small = minimum is not None and number < minimum
    is_too_large = maximum is not None and number > maximum
    if not is_too_small and not is_too_large:
        return
    if minimum is None:
        raise ValidationError([_("This must be %(most)s or less.", most=maximum)])
    if maximum is None:
        raise ValidationError([_("This must be %(least)s or more.", least=minimum)])
    raise ValidationError([_("This must be from %(least)s to %(most)s.", least=minimum, most=maximum)])


def not_one_of(allowed: Sequence[str]) -> ValidationError:
    """Build the refusal of a value that isn't on the list."""
    return ValidationError([_("This must be one of: %(allowed)s.", allowed=", ".join(allowed))])


def wrong_scheme() -> ValidationError:
    """Build the refusal of an address with a scheme that links may not have."""
    schemes = ", ".join(f"{scheme}:" for scheme in sorted(SCHEMES))
    return ValidationError([_("An address may begin with one of: %(schemes)s.", schemes=schemes)])

"""Reading numbers that were sent, and the refusals of values that a field doesn't take."""

from __future__ import annotations

import re
from collections.abc import Sequence

from marshmallow import ValidationError

from cms.i18n import Text, _
from cms.rendering.allowed import SCHEMES

#: The largest number that a column of SQLite holds.
LARGEST = 2**63 - 1


def whole_number(value: object) -> int | None:
    """Read a whole number of at most 64 bits from a number or a text in ASCII digits, else None."""
    if isinstance(value, str) and re.fullmatch(r"\s*[+-]?\d{1,19}(\.0+)?\s*", value, re.ASCII):
        value = int(value.split(".")[0])
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) > LARGEST:
        return None
    return value


def length_fault(text: str, name: str, max_length: int | None, max_bytes: int) -> Text | None:
    """Return what is wrong with a text of more characters, or bytes in UTF-8, than it may have; None where it fits."""
    if max_length is not None and len(text) > max_length:
        return _("This is too long: %(name)s. It may have %(most)s characters.", name=name, most=max_length)
    # No character has more than four bytes, so that most texts needn't be encoded.
    if 4 * len(text) > max_bytes and len(text.encode(errors="replace")) > max_bytes:
        return _("This is too long: %(name)s. It may have %(most)s bytes.", name=name, most=max_bytes)
    return None


def out_of_range(minimum: int | None, maximum: int | None) -> ValidationError:
    """Build the refusal of a number beyond its bounds."""
    if minimum is None:
        return ValidationError([_("This must be %(most)s or less.", most=maximum)])
    if maximum is None:
        return ValidationError([_("This must be %(least)s or more.", least=minimum)])
    return ValidationError([_("This must be from %(least)s to %(most)s.", least=minimum, most=maximum)])


def not_one_of(allowed: Sequence[str]) -> ValidationError:
    """Build the refusal of a value that isn't on the list."""
    return ValidationError([_("This must be one of: %(allowed)s.", allowed=", ".join(allowed))])


def wrong_scheme() -> ValidationError:
    """Build the refusal of an address with a scheme that links may not have."""
    schemes = ", ".join(f"{scheme}:" for scheme in sorted(SCHEMES))
    return ValidationError([_("An address may begin with one of: %(schemes)s.", schemes=schemes)])

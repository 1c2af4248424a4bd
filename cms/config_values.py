"""What settings may be: readers of their values, whose errors say in words what is taken."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from urllib.parse import urlsplit


def number(least: int) -> Callable[[object], int]:
    """Return a reader of whole numbers from `least` on; it raises ValueError for anything else."""

    def read_number(value: object) -> int:
        """Return the number; raises ValueError where it isn't one, or is too small."""
        is_number = isinstance(value, int) and not isinstance(value, bool)
        if not is_number and not (isinstance(value, str) and re.fullmatch(r"[+-]?\d{1,18}", value.strip())):
            raise ValueError(f"a whole number, {least} or more")
        found = int(str(value))
        if found < least:
            raise ValueError(f"a whole number, {least} or more")
        return found

    return read_number


def path(value: object) -> str:
    """Read the path of a file or folder; raises ValueError for what isn't a text, or empty."""
    if not isinstance(value, str) or not value.strip() or "\0" in value:
        raise ValueError("a path, as a text")
    return value


def names(value: object) -> tuple[str, ...]:
    """Read a list, or a text with commas; empty names are left out. Raises ValueError for anything else."""
    parts = value.split(",") if isinstance(value, str) else value
    if not isinstance(parts, Iterable) or isinstance(parts, (bytes, dict)):
        raise ValueError("a list of texts, or one text with commas")
    found = list(parts)
    if not all(isinstance(part, str) for part in found):
        raise ValueError("a list of texts, or one text with commas")
    return tuple(filter(None, (part.strip() for part in found)))


def address(value: object) -> str:
    """Read the address of a site; raises ValueError for what isn't one."""
    if isinstance(value, str) and is_address(value) and not re.search(r"[?#]", value):
        return value
    raise ValueError("an address with its scheme, such as https://www.example.org")


def origins(value: object) -> tuple[str, ...]:
    """Read origins, which are addresses without a path; raises ValueError for anything else."""
    found = names(value)
    if not all(is_address(name) and not re.search(r"[/?#]", name.partition("://")[2]) for name in found):
        raise ValueError("origins without a path, such as https://example.org")
    return found


def is_address(text: str) -> bool:
    """Tell whether a text is the address of something on the web."""
    try:
        parts = urlsplit(text)
        port = parts.port  # raises ValueError where it is none
    except ValueError:
        return False
    is_clean = not re.search(r"[\s\"'<>\\]", text)
    return parts.scheme in ("http", "https") and bool(parts.hostname) and is_clean and port != 0

"""What settings may be: readers of their values, whose errors say in words what is taken."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable, Iterable, Mapping
from urllib.parse import quote, urlsplit

from cms.media.types import BY_ENDING

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
#: What stands for whoever connects to a socket file, among proxies.
SOCKET_FILE = "unix"
#: Those of what may stand in the pattern of an item's address that tell items apart, and all of it.
NAMING = ("{slug}", "{path}", "{id}")
PLACEHOLDERS = (*NAMING, "{year}", "{month}", "{day}")
#: What may stand in the pattern of a preview's address.
OF_PREVIEWS = ("{type}", "{id}", "{slug}", "{token}")


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


def text(value: object) -> str:
    """Read a text, or an empty one; raises ValueError for anything else."""
    if isinstance(value, str) and "\0" not in value:
        return value.strip()
    raise ValueError("a text, or nothing")


def header_value(value: object) -> str:
    """Read what a header holds, or an empty text; raises ValueError for what a header can't hold."""
    if isinstance(value, str) and re.fullmatch(r"[ -~]*", value):
        return value.strip()
    raise ValueError("what a header may hold: plain letters, digits and signs, or nothing")


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


def address_or_none(value: object) -> str:
    """Read the address of a site, or an empty text; raises ValueError for anything else."""
    if value == "":
        return ""
    try:
        return address(value)
    except ValueError as error:
        raise ValueError(f"{error}, or nothing") from None


def link_patterns(value: object) -> dict[str, str]:
    """Read patterns of addresses by the type of item, from a table or from a text such as `post=/blog/{slug}/`.

    Raises ValueError for anything else, and for a pattern that can't lead to one item.
    """
    pairs = value
    if isinstance(value, str):
        pairs = {
            name.strip(): each.strip() for name, _, each in (part.partition("=") for part in names(value))
        }
    if not isinstance(pairs, Mapping):
        raise ValueError('patterns by type, such as {post = "/blog/{slug}/"}')
    return {name: _link_pattern(name, pattern) for name, pattern in pairs.items()}


def _link_pattern(name: str, pattern: object) -> str:
    if not isinstance(pattern, str) or not pattern.startswith("/"):
        raise ValueError(f"for {name} a path that begins with a slash, such as /blog/{{slug}}/")
    used = re.findall(r"\{[^{}]*\}", pattern)
    unknown = [each for each in used if each not in PLACEHOLDERS]
    rest = re.sub(r"\{[^{}]*\}", "x", pattern)
    if unknown or not re.fullmatch(r"(/([\w.~-]|%[0-9A-Fa-f]{2})*)+", rest) or "//" in rest:
        raise ValueError(f"for {name} a path with the placeholders {' '.join(PLACEHOLDERS)}")
    if not set(used) & set(NAMING):
        raise ValueError(f"for {name} a path that has {', '.join(NAMING[:-1])} or {NAMING[-1]}")
    return quote(pattern, safe="/%~{}")


def preview_pattern(value: object) -> str:
    """Read the pattern of a preview's address, or an empty text; raises ValueError for what can't lead to one item."""
    if value == "":
        return ""
    if isinstance(value, str):
        used, plain = re.findall(r"\{[^{}]*\}", value), re.sub(r"\{[^{}]*\}", "x", value)
        # Its origin stands in a header of the page.
        has_origin = re.match(r"https?://[\w.:\[\]-]+([/?#]|$)", value, re.ASCII) is not None
        has_item = bool({"{id}", "{token}"} & set(used)) and set(used) <= set(OF_PREVIEWS)
        if has_origin and has_item and is_address(plain):
            return value
    raise ValueError(
        "an address with {id} or {token}, such as https://www.example.org/preview?p={id}, or nothing"
    )


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


def boolean(value: object) -> bool:
    """Read true and false in the notations of files and environments.

    Raises ValueError for anything else; its message is what the setting may be, as in all readers here.
    """
    word = str(value).lower()
    if word in ("1", "true", "yes", "on"):
        return True
    if word in ("0", "false", "no", "off"):
        return False
    raise ValueError("true or false")


def endings(value: object) -> tuple[str, ...]:
    """Read endings of file names, in lower case without the dot; raises ValueError for an unknown one."""
    found = tuple(name.lower().lstrip(".") for name in names(value))
    if set(found) - set(BY_ENDING):
        raise ValueError(f"endings among {', '.join(BY_ENDING)}")
    return found


def proxies(value: object) -> tuple[Network | str, ...]:
    """Read addresses and networks of proxies; raises ValueError for anything else."""
    try:
        return tuple(name if name == SOCKET_FILE else ipaddress.ip_network(name) for name in names(value))
    except ValueError as error:
        kinds = "addresses and networks, such as 127.0.0.1 or 10.0.0.0/8, or unix for a socket file"
        raise ValueError(f"{kinds} ({error})") from None


def hosts(value: object) -> tuple[str, ...]:
    """Read names of hosts without port; raises ValueError for anything else."""
    found = tuple(name.lower() for name in names(value))
    if not all(re.fullmatch(r"\.?[\w-]+(\.[\w-]+)*", name) for name in found):
        raise ValueError(
            "names of hosts without port, such as www.example.org, or .example.org for all below it"
        )
    return found


def host_or_none(value: object) -> str:
    """Read the name or address of a host without port, or an empty text; raises ValueError for anything else."""
    if isinstance(value, str) and re.fullmatch(r"[\w.:-]*", value, re.ASCII):
        return value
    raise ValueError("the name of a host without port, such as smtp.example.org, or nothing")


def sender_or_none(value: object) -> str:
    """Read a mail address, with or without a name, or an empty text; raises ValueError for anything else."""
    if isinstance(value, str) and re.fullmatch(
        r"|[^<>\r\n\0]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@,;]+@[^\s<>@,;]+", value
    ):
        return value
    raise ValueError("an address such as site@example.org or The Harbour <site@example.org>, or nothing")


def one_of(*allowed: str) -> Callable[[object], str]:
    """Return a reader of these words alone; it raises ValueError for any other value."""

    def read_word(value: object) -> str:
        """Return the word; raises ValueError for one that isn't allowed."""
        if value not in allowed:
            raise ValueError(" or ".join(allowed))
        return str(value)

    return read_word


def plugin_choice(value: object) -> str | tuple[str, ...]:
    """Read `all`, `none` or a list of names; raises ValueError for anything else."""
    if value == "all" or value == "none":
        return str(value)
    try:
        return names(value)
    except ValueError:
        raise ValueError("all, none, or a list of names") from None

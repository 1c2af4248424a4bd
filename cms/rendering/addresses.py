"""Addresses that people give for links: which schemes they may have, however these are written."""

from __future__ import annotations

import html
import re
from urllib.parse import unquote

from cms.rendering.allowed import SCHEMES

#: What could end an attribute, and what browsers pass over in an address.
_UNSAFE = re.compile(r"[\x00-\x20\x7f-\xa0\u2028\u2029<>\"'`\\\ud800-\udfff]")
#: A scheme and what follows it; `feed:` may stand before an address of another scheme, which counts then.
_BEFORE_COLON = re.compile(r"(?:feed:(?=[^/?#:]*:))*+([^/?#:]*):(.*)", re.DOTALL | re.IGNORECASE)
_HOST_WITH_PORT = re.compile(
    r"(?:[\w-]+\.)+[\w-]+:\d{1,5}(?:[/?#]|\Z)|localhost:\d{1,5}(?:[/?#]|\Z)", re.IGNORECASE
)
#: How often something may be escaped that hides a scheme.
_MOST_ESCAPES = 10


def clean_address(sent: str) -> str:
    """Return an address without signs that could end an attribute; empty where it has a scheme that isn't allowed."""
    address = _UNSAFE.sub("", sent)
    return address if has_allowed_scheme(address) else ""


def clean_web_address(sent: str) -> str:
    """Return an address as `clean_address` does; one without a scheme is taken for a host."""
    address = clean_address(sent)
    if address and not has_scheme(address):
        rest = address.lstrip("/")
        address = f"http://{rest}" if rest else ""
    if re.fullmatch(r"(?:https?|ftps?):/*", address, re.IGNORECASE):
        return ""
    return address


def has_scheme(address: str) -> bool:
    """Tell whether an address begins with a scheme; a host with a port doesn't."""
    return _BEFORE_COLON.match(address) is not None and not _HOST_WITH_PORT.match(address)


def has_allowed_scheme(address: str) -> bool:
    """Tell whether an address has no scheme or an allowed one, also where it is written in character references."""
    decoded = _decode(address)
    match = _BEFORE_COLON.match(decoded)
    if match is None or _HOST_WITH_PORT.match(decoded):
        return True
    return match[1].lower() in SCHEMES and bool(match[2])


def _decode(address: str) -> str:
    for _time in range(_MOST_ESCAPES):
        decoded = _UNSAFE.sub("", html.unescape(unquote(address)))
        if decoded == address:
            return decoded
        address = decoded
    return ":"  # who escapes so often hides something

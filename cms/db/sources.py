"""The address that a site which was imported from is known by."""

from __future__ import annotations

from urllib.parse import urlsplit

#: The ports that an address needn't name.
USUAL_PORTS = (":80", ":443")


def normal_source(address: str) -> str:
    """Return a site's address in the form that all its spellings have in common; empty where it names no host.

    Scheme, `www.` and a slash at the end tell nothing: exports of one site differ in them.
    """
    text = address.strip()
    if any(sign.isspace() for sign in text):
        return ""
    if "//" not in text and "." in text:
        text = f"//{text}"
    try:
        parts = urlsplit(text)
    except ValueError:
        return ""
    host = parts.netloc.rpartition("@")[2].lower().removeprefix("www.")
    for port in USUAL_PORTS:
        host = host.removesuffix(port)
    if not host or (parts.scheme and parts.scheme not in ("http", "https")):
        return ""
    return f"https://{host.rstrip('.')}{parts.path.rstrip('/')}"

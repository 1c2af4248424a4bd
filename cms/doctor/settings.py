"""Checks of settings that are unsafe for a site that others reach."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator
from urllib.parse import urlsplit

from cms.context import SiteContext
from cms.doctor.checks import FAULT, MACHINE, NOTE, WARNING, check

#: What names of machines that nobody outside reaches end with.
PRIVATE_NAMES = ("localhost", "example", "test", "invalid", "local", "internal", "lan", "home.arpa")


@check(
    "url-without-tls",
    WARNING,
    "The site's address begins with http:// and others reach it: passwords and tokens go over the net as they are.",
    "Serve the site over https, and set url to that address.",
    MACHINE,
)
def look_at_url(site: SiteContext) -> Iterator[str]:
    """Find a public address without TLS."""
    parts = urlsplit(site.config["url"])
    if parts.scheme == "http" and is_public(parts.hostname or ""):
        yield f"url is {site.config['url']}."


def is_public(host: str) -> bool:
    """Tell whether a host is one that others may reach."""
    try:
        return ipaddress.ip_address(host).is_global
    except ValueError:
        return "." in host and not host.endswith(tuple(f".{name}" for name in PRIVATE_NAMES))


@check(
    "any-proxy",
    FAULT,
    "Every client is believed to be a proxy: anybody can give himself any address, also to get around limits.",
    "Name the proxies' own addresses in trusted_proxies.",
    MACHINE,
)
def look_at_proxies(site: SiteContext) -> Iterator[str]:
    """Find networks of proxies that the whole net belongs to."""
    for network in site.config["trusted_proxies"]:
        if not isinstance(network, str) and network.prefixlen == 0:
            yield f"trusted_proxies has {network}."


@check(
    "any-host",
    NOTE,
    "The site answers to any host, and others reach it.",
    "Name the site's hosts in allowed_hosts, where no server in front refuses others.",
    MACHINE,
)
def look_at_hosts(site: SiteContext) -> Iterator[str]:
    """Find a public site that answers to all names."""
    if not site.config["allowed_hosts"] and is_public(urlsplit(site.config["url"]).hostname or ""):
        yield "allowed_hosts is empty."


@check(
    "cheap-passwords",
    FAULT,
    "Passwords are hashed so cheaply that whoever gets the database finds them out.",
    "Take password_cost out of the settings; then have passwords that were set meanwhile set again.",
    MACHINE,
)
def look_at_password_cost(site: SiteContext) -> Iterator[str]:
    """Find hashes for tests."""
    if site.config["password_cost"] == "low":  # noqa: S105 (a word of the setting)
        yield "password_cost is low."


@check(
    "unsafe-writes",
    NOTE,
    "A power cut may lose the last acknowledged writes.",
    "Set synchronous to full, where that matters.",
    MACHINE,
)
def look_at_synchronous(site: SiteContext) -> Iterator[str]:
    """Find writes that aren't waited for."""
    if site.config["synchronous"] != "full":
        yield f"synchronous is {site.config['synchronous']}."

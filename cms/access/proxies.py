"""Whose word counts about where a request comes from: proxies that a site trusts, and what they tell of the client."""

from __future__ import annotations

import ipaddress
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from cms.config import SOCKET_FILE, Network

FORWARDED_FOR, FORWARDED_PROTO = "HTTP_X_FORWARDED_FOR", "HTTP_X_FORWARDED_PROTO"
Address = ipaddress.IPv4Address | ipaddress.IPv6Address


@dataclass(frozen=True)
class Origin:
    """Where a request comes from: the client's address and the scheme that it speaks."""

    address: str
    scheme: str


class TrustedProxies:
    """The proxies of a site, by address, network or as whoever connects to its socket file."""

    def __init__(self, trusted: Collection[Network | str]) -> None:
        self._networks = [each for each in trusted if not isinstance(each, str)]
        self._has_socket_file = SOCKET_FILE in trusted

    def __bool__(self) -> bool:
        return bool(self._networks) or self._has_socket_file

    def origin(self, peer: str, scheme: str, headers: Mapping[str, str]) -> Origin:
        """Return where a request comes from; `headers` are those of WSGI, which a stranger's word doesn't change.

        The client is the last hop of X-Forwarded-For that isn't a trusted proxy. Where an entry is no address, it is
        the hop that wrote it.
        """
        if not self or not self.trusts(peer):
            return Origin(peer, scheme)
        forwarded = headers.get(FORWARDED_PROTO, "").rpartition(",")[2].strip().lower()
        if forwarded not in ("http", "https"):
            forwarded = scheme
        return Origin(self._client(peer, headers.get(FORWARDED_FOR, "")), forwarded)

    def trusts(self, hop: str) -> bool:
        """Tell whether an address, or whoever connects to a socket file (""), is a trusted proxy."""
        if hop in ("", "unix:"):
            return self._has_socket_file
        address = _parse(hop)
        return address is not None and any(address in network for network in self._networks)

    def _client(self, peer: str, forwarded_for: str) -> str:
        client, rest = peer, forwarded_for
        while rest and self.trusts(client):
            rest, _comma, hop = rest.rpartition(",")
            address = _parse(hop)
            if address is None:
                break
            client = str(address)
        return client


def _parse(hop: str) -> Address | None:
    """Return the address of a hop, with or without a port; None for what is no address."""
    text = hop.strip().strip('"')
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address

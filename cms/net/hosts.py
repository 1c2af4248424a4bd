"""Which addresses of the internet the site may connect to, and the names that lead to them."""

from __future__ import annotations

import re
import socket
from collections.abc import Callable, Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network
#: Returns the addresses of a name as texts; raises OSError where there are none.
Resolver = Callable[[str], Sequence[str]]

_NAME = re.compile(
    r"[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?(\.[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?)*\.?"
)
#: The end of a name that some resolvers take for a number: 2130706433, 0x7f.1, 0177.0.0.1.
_NUMERIC_END = re.compile(r"(^|\.)([0-9]+|0[xX][0-9A-Fa-f]*)\.?$")
#: All of IPv6 that is assigned to networks; what isn't in it, such as mapped and translated IPv4, is refused.
_GLOBAL_V6 = IPv6Network("2000::/3")
#: Special ranges that the library counts as global in some of its versions, or in all.
_SPECIAL: tuple[Network, ...] = (
    IPv4Network("192.0.0.0/24"),  # protocol assignments
    IPv4Network("192.88.99.0/24"),  # relays of 6to4
    IPv6Network("2001::/23"),  # Teredo among others
    IPv6Network("2002::/16"),  # 6to4
    IPv6Network("2001:db8::/32"),  # documentation
    IPv6Network("3fff::/20"),  # documentation
)


class Refused(Exception):
    """The reason why no connection to an address is allowed."""


def is_public(address: Address) -> bool:
    """Tell whether an address is on the open internet, whatever it may be translated to."""
    if isinstance(address, IPv6Address) and address not in _GLOBAL_V6:
        return False
    if _is_within(address, _SPECIAL):
        return False
    return address.is_global and not (address.is_multicast or address.is_reserved)


def _is_within(address: Address, networks: Sequence[Network]) -> bool:
    return any(address in network for network in networks)


def clean_host(host: str) -> str:
    """Return a host in its normal form: a name in lower-case ASCII, or an address in its usual notation.

    Raises Refused where it is neither.
    """
    try:
        if "%" not in host:  # a zone names an interface of this very machine
            return str(ip_address(host))
    except ValueError:
        pass
    try:
        name = host.encode("idna").decode("ascii")
    except UnicodeError:
        name = ""
    if not _NAME.fullmatch(name) or _NUMERIC_END.search(name):
        raise Refused(f'"{host[:100]}" isn\'t the name of a host')
    return name.lower()


def resolve(name: str) -> list[str]:
    """Return the addresses that the system has for a name, none twice; raises OSError where there are none."""
    found: dict[str, None] = {}
    for _family, _type, _protocol, _name, address in socket.getaddrinfo(name, None, type=socket.SOCK_STREAM):
        found[str(address[0])] = None
    return list(found)


def public_addresses(host: str, resolver: Resolver, exempt: Sequence[Network] = ()) -> list[str]:
    """Return the addresses of a host that are public or in an `exempt` network, and leave out its others.

    Raises Refused where it has others only, and the resolver's OSError.
    """
    found = _addresses_of(host, resolver)
    allowed = [str(address) for address in found if is_public(address) or _is_within(address, exempt)]
    if not allowed:
        others = ", ".join(map(str, found)) or "it has no address"
        raise Refused(f'"{host}" isn\'t on the open internet: {others}')
    return allowed


def _addresses_of(host: str, resolver: Resolver) -> list[Address]:
    try:
        return [ip_address(host)]
    except ValueError:
        return [ip_address(text.partition("%")[0]) for text in resolver(host)]

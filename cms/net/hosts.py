"""Which addresses of the internet the site may connect to, and the names that lead to them."""

from __future__ import annotations

import re
import socket
from collections.abc import Callable, Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network
#: Gives the addresses of a name as texts; raises OSError where there are none.
Resolver = Callable[[str], Sequence[str]]

_NAME = re.compile(
    r"[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?(\.[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?)*\.?"
)
#: How a name ends that some resolvers take for a number: 2130706433, 0x7f.1, 0177.0.0.1.
_NUMERIC_END = re.compile(r"(^|\.)([0-9]+|0[xX][0-9A-Fa-f]*)\.?$")
#: All of IPv6 that is given to networks; what isn't in it, such as mapped and translated IPv4, is refused.
_GLOBAL_V6 = IPv6Network("2000::/3")
#: Special ranges that the library counts as global in some of its versions, or in all.
_SPECIAL: tuple[Network, ...] = tuple(
    map(
        ip_network,
        (
            "192.0.0.0/24",
            "192.88.99.0/24",  # protocol assignments; relays of 6to4
            "2001::/23",
            "2002::/16",
            "2001:db8::/32",
            "3fff::/20",  # Teredo among others; 6to4; documentation
        ),
    )
)


class Refused(Exception):
    """Say why an address isn't visited."""


def is_public(address: Address) -> bool:
    """Tell whether an address is one of the open internet, by itself and not by what it may be translated to."""
    if isinstance(address, IPv6Address) and address not in _GLOBAL_V6:
        return False
    if any(address in network for network in _SPECIAL):
        return False
    return address.is_global and not (address.is_multicast or address.is_reserved)


def clean_host(host: str) -> str:
    """Return a host as it is asked for: a name in ASCII, or an address in its usual notation; raises Refused."""
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
    """Ask the system for the addresses of a name."""
    found = socket.getaddrinfo(name, None, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


def public_addresses(host: str, resolver: Resolver, exempt: Sequence[Network] = ()) -> list[str]:
    """Return the addresses of a host that may be connected to; raises Refused where it has others only.

    A host with addresses of both kinds is reached by the public ones alone.
    """
    try:
        found = [ip_address(host)]
    except ValueError:
        found = [ip_address(text.partition("%")[0]) for text in resolver(host)]
    open_ones = [each for each in found if is_public(each) or any(each in network for network in exempt)]
    if not open_ones:
        raise Refused(
            f'"{host}" isn\'t on the open internet: {", ".join(map(str, found)) or "it has no address"}'
        )
    return [str(each) for each in open_ones]

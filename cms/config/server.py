"""The settings of a database on a server: how soon a broken connection is noticed, and how many there are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from cms.config.setting import Setting
from cms.config.values import number

#: How the address of a database on a server begins.
SERVERS = ("postgresql://", "postgres://")
#: Seconds between two probes of a connection on which nothing comes.
PROBE = 1
#: Connections of timed work and of commands, besides those of the threads that answer.
BESIDES = 4

SERVER_SETTINGS = (
    Setting(
        "database_connect_seconds",
        number(2),
        5,
        "Seconds that connecting to a server of PostgreSQL may take.",
    ),
    Setting(
        "database_lost_seconds",
        number(3),
        10,
        "Seconds after which a connection counts as lost whose server says nothing, on both sides: the server frees "
        "the locks of a host that is gone.",
    ),
    Setting(
        "database_connections",
        number(0),
        0,
        "How many connections the threads of a process have to a server of PostgreSQL at most; 0 for four more than "
        "threads. A process has up to three besides.",
    ),
)


def timed_address(values: Mapping[str, Any]) -> str:
    """Return the address of the server with what the settings say of time, as far as it doesn't say so itself."""
    address = str(values["database"])
    seconds = values["database_lost_seconds"]
    wanted = {
        "connect_timeout": values["database_connect_seconds"],
        "tcp_user_timeout": seconds * 1_000,
        "keepalives_idle": max(1, seconds // 2),
        "keepalives_interval": PROBE,
        "keepalives_count": max(1, seconds - seconds // 2),
        "application_name": "cms",
    }
    query = urlsplit(address).query
    known = {name for name, _value in parse_qsl(query)}
    added = {name: value for name, value in wanted.items() if name not in known}
    if not added:
        return address
    return f"{address}{'&' if query else '?'}{urlencode(added, quote_via=quote)}"


def most_connections(values: Mapping[str, Any]) -> int:
    """Return how many connections the threads of a process may have."""
    return int(values["database_connections"] or values["threads"] + BESIDES)

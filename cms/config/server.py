"""The settings of a database on a server: how soon a broken connection is noticed, and how many there are."""

from __future__ import annotations

import re
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


def servers(value: object) -> tuple[str, ...]:
    """Read a list of addresses of servers, or a text with commas between them; raises ValueError for anything else."""
    parts = re.split(r",\s*(?=postgres)", value) if isinstance(value, str) else value
    if not isinstance(parts, list | tuple) or not all(isinstance(part, str) for part in parts):
        raise ValueError("a list of texts, or one text with commas")
    found = tuple(filter(None, (part.strip() for part in parts)))
    if not all(address.startswith(SERVERS) and "\0" not in address for address in found):
        raise ValueError("addresses of servers, such as postgresql://cms:secret@replica.example/cms")
    return found


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
    Setting(
        "database_replicas",
        servers,
        (),
        "Addresses of servers that follow the one of the setting database, for what visitors read.",
    ),
    Setting(
        "replica_staleness_seconds",
        number(0),
        0,
        "Seconds for which a replica may answer without what was written meanwhile; with 0 only one that has all of it "
        "answers.",
    ),
)


def timed_address(values: Mapping[str, Any], address: str) -> str:
    """Return the address of a server with what the settings say of time, as far as it doesn't say so itself."""
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

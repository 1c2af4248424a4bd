"""The parts of a site with replicas, put together."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from functools import lru_cache
from typing import Any, cast

from cms.db.connection import Database
from cms.db.postgres.connections import PostgresConnections
from cms.db.postgres.cursors import open_connection
from cms.db.postgres.replica import Replica, identity_of
from cms.db.postgres.replica_cache import ReplicaCache
from cms.db.postgres.replicas import Replicas
from cms.db.postgres.seen_numbers import SeenNumbers
from cms.db.postgres.version import RowVersion


def open_replicas(
    servers: Sequence[str], database: Database, made_of: tuple[Any, ...], most: int, seconds: int
) -> tuple[ReplicaCache, Replicas]:
    """Return the cache of a site, made of what any is made of, and its replicas, none of which is asked yet.

    A process has so many connections to each at most; what they answer may be so many seconds old.
    """
    connections = cast(PostgresConnections, database.peewee)
    version: RowVersion = made_of[0]
    seen = version.seen = SeenNumbers(seconds)
    cache = ReplicaCache(*made_of)

    @lru_cache(maxsize=1)
    def identity() -> tuple[str, ...]:
        with closing(open_connection(database.server)) as connection:
            return identity_of(connection)

    replicas = [Replica(server, most, connections.limits, connections.slow, identity) for server in servers]
    return cache, Replicas(replicas, seen, cache, connections)

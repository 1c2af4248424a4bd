"""The parts of a site's database where it is one of PostgreSQL."""

from __future__ import annotations

from cms.db.limits import Limits
from cms.db.postgres.connections import PostgresConnections
from cms.db.postgres.runtime import ServerRuntime
from cms.db.postgres.sequences import Sequences
from cms.db.postgres.version import RowVersion
from cms.db.reader import Reader


def connections(server: str, limits: Limits, most: int, slow: float) -> PostgresConnections:
    """Return the connections of threads to a database, so many at most; statements of `slow` seconds are logged."""
    return PostgresConnections(server, limits, most, slow)


def sequences(database: Reader) -> Sequences:
    """Return the sequences of a database."""
    return Sequences(database)


def version(server: str) -> RowVersion:
    """Return what tells whether the data has changed."""
    return RowVersion(server)


def runtime(server: str) -> ServerRuntime:
    """Return the store of what the site needs while it runs."""
    return ServerRuntime(server)

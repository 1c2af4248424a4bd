"""Reads of visitors from replicas that have what a reader has to see; otherwise from the primary server."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from typing import Any

import peewee

from cms.db.postgres.connections import PostgresConnections
from cms.db.postgres.cursors import Connection
from cms.db.postgres.prepared import Rows
from cms.db.postgres.replica import FAILED, Replica
from cms.db.postgres.replica_cache import ReplicaCache
from cms.db.postgres.seen_numbers import SeenNumbers
from cms.db.postgres.translate import translate


class ReplicaReader:
    """Stands for a thread's connection while it reads from a replica: until it writes, or the replica fails."""

    closed = False
    #: No connection has changed so few rows: whoever compares sees when another one took this one's place.
    total_changes = -1

    def __init__(self, connection: Connection, replica: Replica, go_back: Callable[[], Connection]) -> None:
        """Prepare; `go_back` ends the reading from the replica, and returns the thread's own connection."""
        self._connection, self._replica, self._go_back = connection, replica, go_back

    def execute(self, sql: str, values: Any = None) -> Rows:
        """Run a statement; one that writes or fails here goes to the primary server, and so do all that follow."""
        if translate(sql).is_reading:
            try:
                return self._connection.execute(sql, values)
            except peewee.OperationalError as error:
                self._replica.leave(FAILED, str(error) if self._connection.closed else "")
            except peewee.DatabaseError:
                pass  # of the statement's own, or beyond what a replica can: the primary server tells
        return self._go_back().execute(sql, values)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._go_back(), name)


class Replicas:
    """The replicas of a site, asked in turn."""

    def __init__(
        self,
        replicas: Sequence[Replica],
        seen: SeenNumbers,
        cache: ReplicaCache,
        connections: PostgresConnections,
    ) -> None:
        self._replicas, self._seen, self._cache, self._connections = replicas, seen, cache, connections
        self._turns = count()
        #: How many requests replicas were asked for, and how many went to the primary server alone.
        self.hits, self.misses = 0, 0

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Let what this thread reads inside come from a replica where one may answer.

        Raises ServerUnavailable where that can't be told, since the primary server isn't there.
        """
        chosen = self._choose()
        if chosen is None:
            self.misses += 1
            yield
            return
        self.hits += 1
        replica, connection, number = chosen
        place = self._connections.place
        place.reader = ReplicaReader(connection, replica, self._connections.leave_replica)
        try:
            with self._cache.at(number, number < self._seen.newest()):
                yield
        finally:
            place.reader = None
            replica.give_back(connection)

    def close(self) -> None:
        """Close the connections that no thread uses; they are opened again when they are needed."""
        for replica in self._replicas:
            replica.close()

    def _choose(self) -> tuple[Replica, Connection, int] | None:
        """Return a replica that may answer now, with a connection of this thread's and the version of its data."""
        first = next(self._turns) % len(self._replicas)
        for replica in (*self._replicas[first:], *self._replicas[:first]):
            connection = replica.take()
            if connection is None:
                continue
            number, is_chosen = replica.number_of(connection), False
            try:
                is_chosen = number is not None and self._may_answer(number)
            finally:
                if not is_chosen:
                    replica.give_back(connection)
            if number is None:
                continue
            replica.note(is_behind=not is_chosen)
            if is_chosen:
                return replica, connection, number
        return None

    def _may_answer(self, number: int) -> bool:
        """Tell whether a state of the data is new enough: that of the primary server now, or within the bound."""
        return self._seen.holds(number) or number >= self._cache.version()

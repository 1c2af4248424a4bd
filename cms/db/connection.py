"""Statements on the site's database, by a connection per thread, and transactions that lock at their start."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

from cms import forks
from cms.db.limits import Limits, TimeLimit, never
from cms.db.reader import Cursor, Reader, Values
from cms.db.sqlite.sequences import Sequences
from cms.db.sqlite.thread_connections import ThreadConnections

log = logging.getLogger("cms")


class Waiting(threading.local):
    """What this thread does once its present transaction is committed; nothing of it while it is `held`."""

    def __init__(self) -> None:
        self.calls: list[Callable[[], None]] = []
        self.held = False


class Database(Reader):
    """Run statements on the site's file; models never hold a database of their own."""

    def __init__(
        self, path: Path, synchronous: str = "full", slow: float = 0.0, server: str = "", most: int = 0
    ) -> None:
        """Prepare; statements that take `slow` seconds are logged, none where it is 0.

        With the address of a server the database is there, asked by so many connections of threads at most, and nothing
        but locks at the path.
        """
        super().__init__()
        self.path, self.server = path, server
        self._waiting = Waiting()
        if server:
            self.peewee, self.sequences = _on_server(self, server, self._limits, most, slow)
        else:
            self.peewee = ThreadConnections(path, synchronous, self._limits, slow)
            self.sequences = Sequences(self)
        self._inherited: list[Any] = []
        forks.register_connected(self)

    def run(self, query: Any) -> Any:
        """Run a peewee query: a new row's id for inserts, the number of rows for updates and deletes."""
        with forks.inside():
            return query.execute(self.peewee)

    def execute(self, sql: str, values: Values = ()) -> int:
        """Run a writing statement and return how many rows it changed."""
        with forks.inside():
            return int(self.peewee.execute_sql(sql, values).rowcount)

    def insert(self, table: str, values: Mapping[str, object]) -> int:
        """Add a row and return its id; the statement's text is the same for all rows of these columns."""
        with forks.inside():
            return self.peewee.insert(insert_text(table, tuple(values)), tuple(values.values()))

    def update(self, table: str, id: int, values: Mapping[str, object]) -> None:
        """Change columns of the row with an id; the statement's text is the same for all these columns."""
        if values:
            self.execute(update_text(table, tuple(values)), (*values.values(), id))

    def reserve_id(self, table: str) -> int:
        """Take the next id of a table that has rows already, for a row elsewhere; to be called inside a write."""
        return self.sequences.take_next(table)

    @contextmanager
    def write(self, how: Callable[[], AbstractContextManager[None]] | None = None) -> Iterator[None]:
        """Open a transaction that has the write lock from its start, or as `how` does; inside one it is a savepoint."""
        known = len(self._waiting.calls)
        if self.peewee.is_writable_again():
            forks.close_all()
        with forks.inside():
            nested = self.peewee.in_transaction()
            try:
                with self.peewee.atomic() if nested else (how or self.peewee.writing)():
                    yield
            except BaseException:
                del self._waiting.calls[known:]
                raise
        if not nested:
            self._run_waiting()

    def require_files(self) -> None:
        """Raise sqlite3.OperationalError where what is written wouldn't be found by others: the files were removed."""
        with forks.inside(), self.peewee.rescuing():
            self.peewee.require_files()

    @contextmanager
    def using_copy(self, path: Path) -> Iterator[None]:
        """Let all statements of this thread run on a copy of the file inside; to be opened outside of a transaction.

        What waits for a commit there waits for that of this thread's next write here, which is to bring what changed.
        """
        known = len(self._waiting.calls)
        self._waiting.held = True
        try:
            with forks.inside(), self.peewee.using_copy(path):
                yield
        except BaseException:
            del self._waiting.calls[known:]
            raise
        finally:
            self._waiting.held = False

    def forget_waiting(self) -> None:
        """Forget what waits for the commit of this thread's next write."""
        self._waiting.calls.clear()

    def after_commit(self, call: Callable[[], None]) -> None:
        """Call something once the transaction is committed, at once outside of one, never where it is undone.

        What it raises is logged: the write is done.
        """
        self._waiting.calls.append(call)
        if not self.peewee.in_transaction():
            self._run_waiting()

    def _run_waiting(self) -> None:
        if self._waiting.held:
            return
        calls, self._waiting.calls = self._waiting.calls, []
        for call in calls:
            try:
                call()
            except Exception as error:
                log.error("what follows a write failed: %s", error, exc_info=error)

    def time_limit(self, seconds: float, is_cancelled: Callable[[], bool] = never) -> TimeLimit:
        """Let no reading statement of this thread take longer inside, 0 for any time, or go on once it is cancelled.

        Such a statement raises ApiError with the status 503.
        """
        return TimeLimit(self._limits, seconds, is_cancelled)

    def changes(self) -> int:
        """Return how many rows this thread's present connection has changed."""
        with forks.inside():
            return self.peewee.changes()

    def restored(self) -> int:
        """Return the number of the restore that the present content comes from, 0 where there was none."""
        return self.peewee.restored()

    def close(self) -> None:
        """Close this thread's connection."""
        with forks.inside():
            if not self.peewee.is_closed():
                self.peewee.close()

    def close_before_fork(self) -> None:
        """Close the connections of all threads, for this process and its child to open their own."""
        self.peewee.close_all()
        self.peewee.queue.close()

    def leave_to_parent(self) -> None:
        """Forget the parent's connections and lock in a forked child; closing them there would harm the parent's."""
        self._inherited += self.peewee.connections()
        self.peewee.forget_all()
        self.peewee.queue.forget_threads()

    def _execute(self, sql: str, values: Values) -> Cursor:
        return self.peewee.connection().execute(sql, values)  # type: ignore[no-any-return]  # peewee says Any


def _on_server(
    database: Database, server: str, limits: Limits, most: int, slow: float
) -> tuple[ThreadConnections, Sequences]:
    """Return connections to a server, and its sequences, which have the same methods."""
    from cms.db.postgres import opening

    connections = cast(ThreadConnections, opening.connections(server, limits, most, slow))
    return connections, cast(Sequences, opening.sequences(database))


@lru_cache(maxsize=1_000)
def insert_text(table: str, columns: tuple[str, ...]) -> str:
    """Return the statement that adds a row with these columns."""
    places = ", ".join("?" * len(columns))
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({places})"  # noqa: S608 (names of our tables)


@lru_cache(maxsize=1_000)
def update_text(table: str, columns: tuple[str, ...]) -> str:
    """Return the statement that changes these columns of the row with an id."""
    changes = ", ".join(f"{column} = ?" for column in columns)
    return f"UPDATE {table} SET {changes} WHERE id = ?"  # noqa: S608 (names of our tables)

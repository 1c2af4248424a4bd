"""A new database that takes the rows of a whole site in one transaction, which nobody sees before its end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import cast

import psycopg

from cms.db.connection import Database
from cms.db.indexes import bring_indexes
from cms.db.migrate import migrate
from cms.db.postgres.cursors import Connection
from cms.db.postgres.folded_texts import COLUMNS, NAMES
from cms.db.postgres.snapshot import ServerSnapshot
from cms.db.postgres.unfinished import finish_parts, take_parts
from cms.db.postgres.whole_tables import server_last_ids, server_tables
from cms.db.whole_tables import Advance, CopyRefused, SiteSchema, Source, Values, WholeTable, quoted
from cms.rendering.folding import fold

HAS_TABLES = (
    "SELECT 1 FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = current_schema()::regnamespace"
)
SELECT_OTHERS = """
SELECT pid FROM pg_stat_activity
WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid() ORDER BY pid
"""


class ServerReceiver:
    """The database inside the transaction that fills it."""

    def __init__(self, database: Database, schema: SiteSchema) -> None:
        self._database, self._schema = database, schema
        self._connection = cast(Connection, database.peewee.connection())
        migrate(database, schema.migrations, {}, schema.search_mode)
        self._reader = ServerSnapshot(self._connection)
        self.tables = server_tables(self._reader)
        self._parts = take_parts(self._connection)
        self._connection.run_own(f"TRUNCATE {', '.join(map(quoted, self.tables))}")

    def fit(self, row: Values) -> Values:
        """Return a row without characters of the number 0, which no text can have here."""
        for value in row:
            if isinstance(value, str) and "\0" in value:
                return tuple(each.replace("\0", "") if isinstance(each, str) else each for each in row)
        return row

    def write(self, table: WholeTable, rows: Iterable[Values]) -> None:
        """Add rows to a table; raises CopyRefused for one that the database doesn't take."""
        statement = f"COPY {quoted(table.name)} ({table.listed}) FROM STDIN"
        try:
            with psycopg.ClientCursor(self._connection).copy(statement.encode()) as copy:
                for row in rows:
                    _write_row(copy, table, row)
        except psycopg.Error as error:
            raise CopyRefused(f"table {table.name}: {error}") from error

    def finish(self, source: Source, advance: Advance | None) -> None:
        """Make indexes, triggers and what searches look at, once all rows are there; raises CopyRefused."""
        for table in COLUMNS:
            self._fill_search(table, source, advance)
        finish_parts(self._connection, self._parts, advance)
        for name, last in server_last_ids(self._reader).items():
            highest = self._reader.scalar(f"SELECT MAX(id) FROM {quoted(name)}") or 0  # noqa: S608 (our tables)
            self._database.sequences.move(name, max(last, highest, source.last_ids.get(name, 0)))
        bring_indexes(self._database, self._schema.indexes)
        self._connection.run_own("ANALYZE")

    def read(self, table: WholeTable) -> Iterator[Values]:
        """Yield the rows of a table as they are now."""
        for row in self._reader.each(table.select()):
            yield tuple(row.values())

    def _fill_search(self, table: str, source: Source, advance: Advance | None) -> None:
        """Add the folded texts that searches look at."""
        searched = WholeTable(NAMES[table], ("id", "is_new", *COLUMNS[table]), ("id",))
        texts = WholeTable(table, ("id", *COLUMNS[table]), ("id",))
        total = source.reader.scalar(texts.count())

        def rows() -> Iterator[Values]:
            for number, row in enumerate(source.reader.each(texts.select()), start=1):
                id, *found = row.values()
                fitting = cast(tuple[str, ...], self.fit(tuple(found)))
                yield (id, False, *map(fold, fitting))
                if advance and not number % 500:
                    advance(f"indexing {table}", number, total)

        self.write(searched, rows())


def _write_row(copy: psycopg.Copy, table: WholeTable, row: Values) -> None:
    try:
        copy.write_row(row)
    except psycopg.DataError as error:
        raise CopyRefused(f"{table.place_of(row)}: {error}") from error


@contextmanager
def receiving_server(database: Database, schema: SiteSchema) -> Iterator[ServerReceiver]:
    """Open the transaction for the rows of a site; where it fails, the database is as empty as before.

    Raises CopyRefused for a database that has tables, or that others have open.
    """
    others = database.column(SELECT_OTHERS)
    if others:
        raise CopyRefused(
            f"others have the database open (processes {', '.join(map(str, others))} of the server). End them first"
        )
    with database.write():
        if database.exists(HAS_TABLES):
            raise CopyRefused("the database has tables already. Make an empty one: createdb")
        yield ServerReceiver(database, schema)

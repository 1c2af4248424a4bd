"""Copying all rows of a site into a new database of either kind, and comparing the two."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cms.db.connection import Database
from cms.db.errors import DATABASE_ERRORS
from cms.db.snapshots import snapshot_of
from cms.db.sqlite.receiving import FileReceiver, receiving_file
from cms.db.sqlite.whole_tables import file_source
from cms.db.whole_tables import (
    Advance,
    CopyRefused,
    Receiver,
    RowSum,
    SiteSchema,
    Source,
    Values,
    WholeTable,
    is_copied,
)

if TYPE_CHECKING:
    from cms.db.postgres.receiving import ServerReceiver

#: After how many rows progress is told.
BATCH = 500


@dataclass
class CopiedTables:
    """Rows and their sums by table.

    `left_out` are tables of the source that nothing of the installed version has, `shortened` the places of rows whose
    texts have lost characters that the new database can't store.
    """

    sums: dict[str, RowSum] = field(default_factory=dict)
    left_out: list[str] = field(default_factory=list)
    shortened: list[str] = field(default_factory=list)

    @property
    def rows(self) -> int:
        """How many rows all tables have."""
        return sum(each.rows for each in self.sums.values())


@contextmanager
def source_of(database: Database) -> Iterator[Source]:
    """Hold one state of a site's database to be copied; writers don't wait for it."""
    with snapshot_of(database) as reader:
        if database.server:
            from cms.db.postgres.whole_tables import server_source  # nothing of it is imported for a file

            yield server_source(reader)
        else:
            yield file_source(reader)


@contextmanager
def receiving(database: Database, schema: SiteSchema) -> Iterator[Receiver]:
    """Open a new database for the rows of a site, which others find when all went well; raises CopyRefused."""
    with closing(database), _receiving(database, schema) as receiver:
        yield receiver


def _receiving(
    database: Database, schema: SiteSchema
) -> AbstractContextManager[FileReceiver | ServerReceiver]:
    if not database.server:
        return receiving_file(database.path, schema)
    from cms.db.postgres.receiving import receiving_server  # nothing of it is imported for a file

    return receiving_server(database, schema)


def copy_tables(source: Source, receiver: Receiver, advance: Advance | None = None) -> CopiedTables:
    """Copy the rows of all tables, make what belongs to them, and compare; raises CopyRefused where they differ."""
    _require_same_columns(source, receiver)
    copied = CopiedTables()
    copied.left_out = sorted(
        name for name in source.tables.keys() - receiver.tables.keys() if is_copied(name)
    )
    counted = _Counted("copying", source, receiver, advance)
    for name, table in receiver.tables.items():
        copied.sums[name] = RowSum()
        try:
            rows = _fitting(_rows(source, table), table, receiver, copied.shortened)
            receiver.write(table, counted.through(rows, copied.sums[name]))
        except DATABASE_ERRORS as error:
            raise CopyRefused(f"table {name}: {error}") from error
    receiver.finish(source, advance)
    _compare(receiver, copied, _Counted("comparing", source, receiver, advance))
    return copied


def _require_same_columns(source: Source, receiver: Receiver) -> None:
    for name, table in receiver.tables.items():
        found = source.tables.get(name)
        if found is None or set(found.columns) != set(table.columns):
            raise CopyRefused(f"table {name} isn't as the installed version and its plugins make it")


def _rows(source: Source, table: WholeTable) -> Iterator[Values]:
    for row in source.reader.each(table.select()):
        yield tuple(row.values())


def _fitting(
    rows: Iterator[Values], table: WholeTable, receiver: Receiver, shortened: list[str]
) -> Iterator[Values]:
    """Yield rows as the new database can store them, and note the places of those that aren't as they were."""
    for row in rows:
        fitting = receiver.fit(row)
        if fitting is not row:
            shortened.append(table.place_of(fitting))
        yield fitting


def _compare(receiver: Receiver, copied: CopiedTables, counted: _Counted) -> None:
    for name, table in receiver.tables.items():
        found, wanted = RowSum(), copied.sums[name]
        for _row in counted.through(receiver.read(table), found):
            pass
        if (found.rows, found.hash) != (wanted.rows, wanted.hash):
            raise CopyRefused(f"table {name}: the rows of the copy aren't those of the site")


class _Counted:
    """Adds rows to sums while they pass, and tells how far it is with all tables."""

    def __init__(self, stage: str, source: Source, receiver: Receiver, advance: Advance | None) -> None:
        self._stage, self._advance = stage, advance
        self._done = self._total = 0
        if advance:
            for table in receiver.tables.values():
                self._total += source.reader.scalar(table.count())

    def through(self, rows: Iterator[Values], sums: RowSum) -> Iterator[Values]:
        """Yield rows, each of which has been added."""
        for row in rows:
            sums.add(row)
            self._done += 1
            if self._advance and not self._done % BATCH:
                self._advance(self._stage, self._done, self._total)
            yield row

"""The tables of a site's file whose rows are copied, and the ids that they have used."""

from __future__ import annotations

from cms.db.reader import Reader
from cms.db.sqlite.working_copy import SELECT_TABLES
from cms.db.whole_tables import Source, WholeTable, tables_of

SELECT_COLUMNS = f"""
SELECT t.name, c.name, c.pk > 0 FROM ({SELECT_TABLES}) t, pragma_table_info(t.name) c ORDER BY t.name, c.cid
"""  # noqa: S608 (our own text)
SELECT_LAST_IDS = "SELECT name, seq FROM sqlite_sequence"


def file_tables(reader: Reader) -> dict[str, WholeTable]:
    """Return the tables that are copied, by name."""
    return tables_of(reader.tuples(SELECT_COLUMNS))


def file_source(reader: Reader) -> Source:
    """Return what is copied of one state of a file."""
    return Source(reader, file_tables(reader), dict(reader.tuples(SELECT_LAST_IDS)))

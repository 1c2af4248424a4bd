"""The tables of a site's database whose rows are copied, and the ids that they have used."""

from __future__ import annotations

from cms.db.reader import Reader
from cms.db.whole_tables import Source, WholeTable, tables_of

#: Unlogged tables hold what may be lost.
SELECT_COLUMNS = """
SELECT c.relname, a.attname, coalesce(a.attnum = ANY(i.indkey), false) FROM pg_class c
JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
LEFT JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary
WHERE c.relkind = 'r' AND c.relpersistence = 'p' AND c.relnamespace = current_schema()::regnamespace
ORDER BY c.relname, a.attnum
"""
SEQUENCE = "_id_seq"
SELECT_LAST_IDS = "SELECT sequencename, last_value FROM pg_sequences WHERE schemaname = current_schema()"


def server_tables(reader: Reader) -> dict[str, WholeTable]:
    """Return the tables that are copied, by name."""
    return tables_of(reader.tuples(SELECT_COLUMNS))


def server_last_ids(reader: Reader) -> dict[str, int]:
    """Return the ids that tables have used last, 0 for none."""
    found = {}
    for name, last in reader.tuples(SELECT_LAST_IDS):
        found[name.removesuffix(SEQUENCE)] = last or 0
    return found


def server_source(reader: Reader) -> Source:
    """Return what is copied of one state of a database."""
    return Source(reader, server_tables(reader), server_last_ids(reader))

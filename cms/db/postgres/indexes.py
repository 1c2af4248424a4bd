"""Indexes with the statement that each was made by, which stands in its comment."""

from __future__ import annotations

import re

from cms.db.index_names import fitting_name
from cms.db.reader import Reader

SELECT_INDEXES = """
SELECT c.relname, obj_description(c.oid, 'pg_class') FROM pg_class c
WHERE c.relkind = 'i' AND c.relnamespace = current_schema()::regnamespace AND starts_with(c.relname::text, ?)
"""
NAME = re.compile(r"CREATE (?:UNIQUE )?INDEX (\S+) ")
#: An index that texts of fields would be ordered by: it can't have all their letters, so no list could be read from it.
ORDER_OF_TEXTS = re.compile(r"json_extract\(.* COLLATE NOCASE, id\)", re.DOTALL)
NOTE = "COMMENT ON INDEX {name} IS '{sql}'"


def present_indexes(database: Reader, prefix: str) -> dict[str, str]:
    """Return the statements of the indexes whose names begin alike, by the names that these give them."""
    found = {}
    for name, sql in database.tuples(SELECT_INDEXES, (prefix,)):
        noted = NAME.match(sql or "")
        is_noted = noted is not None and fitting_name(noted[1]) == name
        found[noted[1] if noted and is_noted else name] = sql or ""
    return found


def is_of_use(sql: str) -> bool:
    """Tell whether an index that is wanted would be read here."""
    return ORDER_OF_TEXTS.search(sql) is None


def note_text(name: str, sql: str) -> str:
    """Return the statement that notes by which one an index was made."""
    return NOTE.format(name=fitting_name(name), sql=sql.replace("'", "''"))

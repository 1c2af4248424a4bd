"""What stands in the indexes for search, against what the texts make when they are indexed again aside."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path

from cms.db.sqlite.copies import connect
from cms.db.sqlite.search_index import INDEXES, SearchIndex

#: By row: how many runs or words it has, with two sums of their characters, which hardly ever fit those of others.
MARKS = """
SELECT doc, COUNT(*), SUM(unicode(term) * length(term)),
    SUM(unicode(substr(term, -1)) * unicode(substr(term, 2) || 'x'))
FROM {parts} WHERE doc NOT IN (SELECT id FROM indexed_ahead WHERE table_name = '{table}') GROUP BY doc
"""
WRONG = """
SELECT COUNT(DISTINCT doc) FROM (
    SELECT doc FROM (SELECT * FROM ({there}) EXCEPT SELECT * FROM ({wanted}))
    UNION SELECT doc FROM (SELECT * FROM ({wanted}) EXCEPT SELECT * FROM ({there}))
)
"""


def wrongly_indexed(path: Path, mode: str) -> dict[str, int]:
    """Return of how many rows the index has something else than their texts, by table; those without any are left out.

    It indexes all texts in temporary tables of a connection of its own, which takes as long as making the indexes
    anew and holds no lock that a writer would wait for.
    """
    found: dict[str, int] = {}
    with connect(path) as file:
        for index in INDEXES:
            file.execute("BEGIN")
            number = _count_wrong(file, index, index.mode or mode)
            file.execute("ROLLBACK")
            if number:
                found[index.table] = number
    return found


def _count_wrong(file: sqlite3.Connection, index: SearchIndex, mode: str) -> int:
    aside = replace(index, name=f"aside_{index.name}")
    statements = aside.definitions(mode)
    for name in (aside.name, aside.parts):
        file.execute(statements[name].replace("TABLE ", "TABLE temp.", 1))
    last = file.execute(f"SELECT COALESCE(MAX(id), 0) FROM {index.table}").fetchone()[0]  # noqa: S608 (our tables)
    file.execute(aside.fill(), (-1, last))
    there = MARKS.format(parts=index.parts, table=index.table)
    wanted = MARKS.format(parts=f"temp.{aside.parts}", table=index.table)
    return int(file.execute(WRONG.format(there=there, wanted=wanted)).fetchone()[0])

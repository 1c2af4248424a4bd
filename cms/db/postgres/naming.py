"""Names that PostgreSQL wants where SQLite does without: of selects in a FROM, of the table's columns in an upsert."""

from __future__ import annotations

import re
from itertools import count

#: A select or a join in a place of tables.
SELECT_THERE = re.compile(r"\b(?:FROM|JOIN) \(|(?<=\)), \((?=\s*SELECT\b)")
#: What may follow it without being its name.
NO_NAME = re.compile(
    r"\s*(?:$|[);,]|(?:WHERE|GROUP|ORDER|LIMIT|JOIN|LEFT|CROSS|INNER|UNION|ON|HAVING|EXCEPT|INTERSECT|WINDOW)\b)",
    re.IGNORECASE,
)
UPSERT = re.compile(r"(\s*INSERT INTO (\w+)\s*\(([\w,\s]+)\).*\bDO UPDATE SET )(.*)", re.DOTALL)
CHANGE = re.compile(r"(\w+)(\s*=\s)|(?<![\w.])([a-z_]+)(?![\w.(])")


def name_selects(text: str) -> str:
    """Give a name to each select in the place of a table that has none; the statement's literals were taken out."""
    numbers = count(1)
    place = 0
    while found := SELECT_THERE.search(text, place):
        place = found.end()
        end = _closing(text, place)
        if NO_NAME.match(text, end) and text[place:end].lstrip().startswith(("SELECT", "VALUES", "WITH")):
            text = f"{text[:end]} AS unnamed_{next(numbers)}{text[end:]}"
    return text


def _closing(text: str, place: int) -> int:
    """Return the place behind the bracket that closes what is open."""
    depth = 1
    while depth and place < len(text):
        depth += {"(": 1, ")": -1}.get(text[place], 0)
        place += 1
    return place


def name_columns(text: str) -> str:
    """Write the table before those of its columns that an upsert computes with."""
    found = UPSERT.fullmatch(text)
    if found is None:
        return text
    begin, table, listed, changes = found.groups()
    columns = {column.strip() for column in listed.split(",")}

    def name(match: re.Match[str]) -> str:
        return f"{table}.{match[3]}" if match[3] in columns else match[0]

    return begin + CHANGE.sub(name, changes)

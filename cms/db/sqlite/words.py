"""Pieces of statements in SQLite's own words; those who write statements take them from here."""

from __future__ import annotations

from typing import Any

from peewee import SQL, NodeList, fn

#: The type of an id that is never given out twice, and what makes a table that lies by its own key.
OWN_ID = "INTEGER PRIMARY KEY AUTOINCREMENT"
BY_KEY = "WITHOUT ROWID"
#: How a transaction begins that has the write lock from its start.
BEGIN_WRITING = "BEGIN IMMEDIATE"
#: A join whose left side is read first.
JOIN_IN_ORDER = "CROSS JOIN"
#: What stands behind a table whose rows are found by nothing but their ids.
BY_ID = "NOT INDEXED"
#: A change that leaves out the rows which a constraint keeps as they are.
UPDATE_IF_ALLOWED = "UPDATE OR IGNORE"


# Lists, bound as JSON in one place.


def listed(place: str = "?") -> str:
    """Return the query of the values of a list, for `IN`."""
    return f"(SELECT value FROM {elements(place)})"  # noqa: S608


def elements(json: str) -> str:
    """Return the table of what a list or an object holds, for `FROM`: `key` and `value` of each."""
    return f"json_each({json})"


def places(place: str, name: str) -> str:
    """Return a table of a list for `FROM`: each value with the `place` where it stands first."""
    return f"(SELECT value, MIN(key) AS place FROM {elements(place)} GROUP BY value) AS {name}"  # noqa: S608


def element(json: str, place: int) -> str:
    """Return the value at a place of a list."""
    return f"{json} ->> {place}"


#: The query of the values of a list that is bound.
LISTED = listed()


# JSON in a column.


def json_value(json: str, name: str) -> str:
    """Return the value that an object has by a name, NULL where it has none."""
    return f"json_extract({json}, '$.{name}')"


def json_value_or(json: str, name: str, literal: str) -> str:
    """Return the value that an object has by a name, or another one that is written out."""
    return f"ifnull({json_value(json, name)}, {literal})"


def json_sorted(json: str, name: str, literal: str | None = None) -> str:
    """Return the value that an object has by a name, or another one that is written out, for rows to be ordered by.

    It is written otherwise than the value, which makes no difference here; where it does, this is known by it.
    """
    value = f"json_extract({json},'$.{name}')"
    return value if literal is None else f"ifnull({value},{literal})"


def members(json: str) -> str:
    """Return the table of what an object holds, for `FROM`: `key` and `value` of each; it is known by its brackets."""
    return elements(f"({json})")


def json_with(json: str, path: str, value: str) -> str:
    """Return an object with a value put in at a path."""
    return f"json_set({json}, {path}, {value})"


def json_without(json: str, path: str) -> str:
    """Return an object without what it has at a path."""
    return f"json_remove({json}, {path})"


def json_has(json: str, path: str) -> str:
    """Return the condition that an object has something at a path."""
    return f"json_type({json}, {path}) IS NOT NULL"


def json_object(*pairs: str) -> str:
    """Return an object of names and values, by turns."""
    return f"json_object({', '.join(pairs)})"


def json_list_of(column: str) -> str:
    """Return all values of a column as one list."""
    return f"json_group_array({column})"


def json_node(column: Any, path: str) -> Any:
    """Build the value that an object in a column has at a path."""
    return fn.json_extract(column, path)


def elements_node(column: Any) -> Any:
    """Build the table of what a list or an object in a column holds, for `FROM`."""
    return NodeList((SQL("json_each("), column, SQL(")")), glue="")


# Texts and dates.

IGNORING_CASE = "COLLATE NOCASE"


def ignoring_case(text: str) -> str:
    """Return a text as one whose case doesn't count where it is compared."""
    return f"{text} {IGNORING_CASE}"


def ignoring_case_node(column: Any) -> Any:
    """Build a text whose case doesn't count where it is compared."""
    return column.collate("NOCASE")


def fits(text: str, pattern: str) -> str:
    """Return the condition that a text fits a pattern, in which `*` is any text."""
    return f"{text} GLOB {pattern}"


def has_sign_but(column: Any, signs: str) -> Any:
    """Build the condition that a text has a sign that isn't one of a class of signs."""
    return NodeList((column, SQL(f"GLOB '*[^{signs}]*'")))


def place_of(column: Any, sign: str) -> Any:
    """Build the place of a sign in a text, counted from 1; 0 where it isn't there."""
    return fn.instr(column, SQL(f"'{sign}'"))


def moved(date: str, by: str) -> str:
    """Return a date with an interval added to it, such as `-5 seconds`."""
    return f"strftime('%Y-%m-%dT%H:%M:%S', {date}, {by})"


def first_of(column: Any, other: Any) -> Any:
    """Build a column's value, or that of another where it has none."""
    return fn.ifnull(column, other)


# What says how a statement is to be run, and nothing of what it finds.


def by_index(table: str, index: str) -> str:
    """Return a table that is read by one of its indexes."""
    return f"{table} INDEXED BY {index}"


def by_no_index(column: str) -> str:
    """Return a column whose comparison leads to no index."""
    return f"+{column}"


def mostly(condition: Any) -> Any:
    """Build a condition that nearly all rows fulfil."""
    return fn.likely(condition)

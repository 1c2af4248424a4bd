"""Comparisons of values of JSON, which are texts here, and of conditions with numbers, as SQLite compares."""

from __future__ import annotations

from collections.abc import Iterator

SIGNS = {"=": "eq", "<>": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}
FUNCTION = """
CREATE FUNCTION text_{name}(one text, other numeric) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
SELECT CASE WHEN one ~ '^-?[0-9.]+(e[-+]?[0-9]+)?$' THEN one::numeric {sign} other ELSE {otherwise} END
$$
"""
#: A text that is no number comes behind all numbers.
OTHERWISE = {"=": "false", "<>": "true", "<": "false", "<=": "false", ">": "true", ">=": "true"}


SAME_AS_TEXT = """
CREATE FUNCTION number_is(one bigint, other text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
SELECT one::text = other
$$;
CREATE OPERATOR = (LEFTARG = bigint, RIGHTARG = text, FUNCTION = number_is)
"""
#: Conditions are numbers in SQLite, and compared with some: peewee writes `(a LIKE b) = 0` for one that is denied.
FLAG = """
CREATE FUNCTION flag_{name}(one boolean, other bigint) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
SELECT one::int {sign} other
$$;
CREATE OPERATOR {sign} (LEFTARG = boolean, RIGHTARG = bigint, FUNCTION = flag_{name})
"""


def operator_statements() -> Iterator[str]:
    """Yield what defines the comparisons."""
    yield SAME_AS_TEXT
    for sign in ("=", "<>"):
        yield FLAG.format(name=SIGNS[sign], sign=sign)
    for sign, name in SIGNS.items():
        otherwise = f"CASE WHEN one IS NULL THEN NULL ELSE {OTHERWISE[sign]} END"
        yield FUNCTION.format(name=name, sign=sign, otherwise=otherwise)
        yield f"CREATE OPERATOR {sign} (LEFTARG = text, RIGHTARG = numeric, FUNCTION = text_{name})"

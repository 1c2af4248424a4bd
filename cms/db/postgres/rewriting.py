"""Words of SQLite in statements, rewritten in those of PostgreSQL."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cms.db.postgres.naming import name_columns, name_selects
from cms.db.postgres.planning import look_up_for_each_row, order_parts

#: What is left as it is: texts, quoted names and comments.
LITERAL = re.compile(r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|--[^\n]*")
#: What stands for a literal while the rest is rewritten; no statement has such a sign.
MARK = re.compile("\ue000(\\d+)\ue001")
NAME = "\ue000\\d+\ue001"
#: A list in one place, for IN: bound as an array.
LISTED = re.compile(r"\b(NOT )?IN \(SELECT value FROM json_each\((\?|:\w+)\)\)")
VALUES = re.compile(r"\(SELECT value FROM json_each\((\?|:\w+)\)\)(?! (?:AS )?\w)")
ARRAY = "\ue002"
#: The place before once more, for a second comparison with the same value.
SAME = "\ue003"
ARGUMENTS = r"(?:[^()]|\([^()]*\))*"

#: A value of an object in a column, or another one where it has none, and what `json_key` takes for that.
VALUES_OF_JSON = (
    (
        rf"\bifnull\(json_extract\((?P<at>[^(),]+, {NAME})\), (?P<usual>{NAME})\)",
        r"json_usual(\g<usual>::text)",
    ),
    (rf"\bifnull\(json_extract\((?P<at>[^(),]+, {NAME})\), (?P<usual>[^(),]+)\)", r"json_usual(\g<usual>)"),
    (rf"\bjson_extract\((?P<at>[^(),]+, {NAME})\)", "NULL"),
)

#: What is rewritten where it stands, in this order.
RULES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (rf" INDEXED BY (?:\w+|{NAME})| NOT INDEXED\b", ""),
        (r"\bCROSS JOIN\b", "JOIN"),
        (rf"((?:\b(?:AND|OR|WHERE|ON|BY|NOT|SET)|[(,=]) ?)\+(?=[a-zA-Z]|{NAME})", r"\1"),
        (rf"(\bSELECT |[(] ?)\+(?={NAME})", r"\1"),
        # As an index has it: the text that stands there is compared so where both sides are.
        (r"\b([\w.]+) = (\?|:\w+) COLLATE NOCASE\b", r'(\1::citext COLLATE "C") = \2::citext'),
        (rf" COLLATE (?:NOCASE|{NAME}\b)", '::citext COLLATE "C"'),
        (r"\bIS NOT (?=\?|:|\d|[a-z]+\.|\()", "IS DISTINCT FROM "),
        (r"\bIS (?=\?|:|\d|[a-z]+\.|\()", "IS NOT DISTINCT FROM "),
        (rf"\bGLOB (\?|:?[\w.]+|{NAME})", r"~ glob_pattern(\1)"),
        (r"\bLIKE\b", "ILIKE"),
        (r"\bAS INTEGER\)", "AS bigint)"),
        (r"\bAS integer\)", "AS bigint)"),
        # Texts are ordered by all their letters, all else by what indexes have of it.
        (
            rf"\bifnull\(json_extract\(([^(),]+),({NAME})\),({NAME})\)",
            r"json_sorted(\1, \2, json_usual(\3::text))",
        ),
        (
            rf"\bifnull\(json_extract\(([^(),]+),({NAME})\),([^(),]+)\)",
            r"json_sorted(\1, \2, json_usual(\3))",
        ),
        (rf"\bjson_extract\(([^(),]+),({NAME})\)", r"json_sorted(\1, \2, NULL)"),
        # Neither is ever NULL, which says so to those who look for an index.
        (rf"\bjson_sorted(\({ARGUMENTS}\))(?!::citext)", r"json_key\1"),
        (rf"(\bjson_key\({ARGUMENTS}\) (?:ASC|DESC)) NULLS (?:FIRST|LAST)\b", r"\1"),
        (r"\bjson_each\(\(", "json_members(("),
        (r"\bj\.value(?=\s+FROM declared_relations)", "CAST(j.value AS bigint)"),
        (r"\bMAX\(([\w.]+), (\?|[\w.]+)\)", r"GREATEST(\1, \2)"),
        (r"\bMIN\(([\w.]+), (\?|[\w.]+)\)", r"LEAST(\1, \2)"),
        # A column beside a MIN is that of the row which has it.
        (
            r"\bSELECT (\w+\.)(\w+), MIN\(([\w.]+)\) FROM",
            r"SELECT (array_agg(\1\2 ORDER BY \3))[1] AS \2, MIN(\3) FROM",
        ),
        (r"\bjson_object\(", "jsonb_build_object("),
        (  # the due_gmt of the row with the least id
            r"SELECT d\.due_gmt, MIN\(d\.id\) FROM ([^()]*)GROUP BY d\.resource, d\.item_id",
            r"SELECT DISTINCT ON (d.resource, d.item_id) d.due_gmt, d.id FROM \1"
            r"ORDER BY d.resource, d.item_id, d.id",
        ),
        # In the order of the key that SQLite reads by, so that equal rows make equal lists.
        (r"\bjson_group_array\(([\w.]+)\)", r"json_list_text(array_agg(\1 ORDER BY \1))"),
        (r"\b(\w+(?:\.\w+)?) ->> (\d+)", r"json_element(\1, \2)"),
        (r"\bUPDATE OR IGNORE\b", "UPDATE"),
        (r"\bBEGIN IMMEDIATE\b", "BEGIN"),
    )
)


def _comparisons() -> Iterator[tuple[re.Pattern[str], str]]:
    """Yield what finds such values by what indexes have of them, and then compares all of them: numbers by number."""
    for value, usual in VALUES_OF_JSON:
        key = rf"json_key(\g<at>, {usual})"
        for place, again in ((r"\?|:\w+", SAME), (r"\d+(?![\w.])", r"\g<place>")):
            yield (
                re.compile(rf"(?P<value>{value}) = (?P<place>{place})"),
                rf"({key} = key_of(\g<place>) AND \g<value> = {again})",
            )
        yield (
            re.compile(rf"{value} IN \(SELECT value FROM json_each\((?P<place>\?|:\w+)\)\)"),  # noqa: S608 (a pattern)
            rf"({key} = ANY(keys_among(\g<place>)) AND json_is_among(\g<at>, {usual}, {SAME}))",
        )


COMPARISONS = tuple(_comparisons())


def rewrite(text: str) -> str:
    """Rewrite the words of a statement whose literals were taken out."""

    def listed(match: re.Match[str]) -> str:
        return f"<> ALL({ARRAY}{match[2]})" if match[1] else f"= ANY({ARRAY}{match[2]})"

    for pattern, replacement in COMPARISONS:
        text = pattern.sub(replacement, text)
    text = LISTED.sub(listed, text)
    for pattern, replacement in RULES:
        text = pattern.sub(replacement, text)
    return order_parts(look_up_for_each_row(name_columns(name_selects(text))))


def take_literals(text: str) -> tuple[str, list[str]]:
    """Return a statement with marks in place of its literals, and these."""
    literals: list[str] = []

    def take(match: re.Match[str]) -> str:
        literals.append(match[0])
        return f"\ue000{len(literals) - 1}\ue001"

    return LITERAL.sub(take, text), literals


def give_literals(text: str, literals: list[str]) -> str:
    """Return a statement with its literals in place of the marks."""
    return MARK.sub(lambda match: literals[int(match[1])], text)

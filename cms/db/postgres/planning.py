"""Statements that PostgreSQL plans as SQLite does by itself: by indexes, and no further than is asked for."""

from __future__ import annotations

import re

#: To compile a statement takes the server longer than to run any of ours. They are written for loops over indexes, as
#: SQLite has nothing else; other ways look cheap where statistics mislead or a site is small, and read whole tables.
#: What is looked for lies in memory, or on disks without arms.
OTHER_WAYS = ("enable_seqscan", "enable_hashjoin", "enable_mergejoin", "enable_material")
#: A prepared statement is planned once, whatever its values, as planning takes longer than running it; but for those
#: that choose rows, of which each run is planned for what it asks for.
ONCE, BY_VALUES = "force_generic_plan", "force_custom_plan"
SETTINGS = dict.fromkeys(("jit", *OTHER_WAYS), "off") | {"random_page_cost": "1.1", "plan_cache_mode": ONCE}
#: For those who read whole tables, until the transaction ends; and the usual settings again.
ALL_WAYS = "".join(f"SET LOCAL {name} = DEFAULT; " for name in OTHER_WAYS)
BY_INDEX = "".join(f"SET LOCAL {name} = off; " for name in OTHER_WAYS)
#: Most comments answer none, while answers are looked for by what they answer: by its own statistics the server expects
#: all comments for each, and reads them by any index. So it takes each value to be that of two rows.
EXPECT_FEW_ANSWERS = "ALTER TABLE comments ALTER COLUMN parent_id SET (n_distinct = -0.5)"
#: What lists and counts are chosen by: how many rows have a value is known of the value alone.
CHOOSING = re.compile(r"\b(?:LIMIT|COUNT)\b")
#: But a list in order of date is read from one index, as far as it goes, if it is chosen by no more than a status.
IN_ORDER = re.compile(r'FROM "content" AS "t1" WHERE .*? ORDER BY "t1"\."date_gmt" \w+, "t1"\."id" \w+ LIMIT')
BY_MORE = re.compile(r'\b(?:EXISTS|IN|ANY|ALL|COUNT) ?\(|json_|LIKE|~|@@|<>|!=|_id" = \$| (?:OR|UNION) ')
#: And one slug leads to few rows, unless a pattern or the like leads elsewhere.
BY_SLUG = re.compile(r"\bslug IN \(\$\d+\)")
BY_PATTERN = re.compile(r"\b(?:ANY|ALL) ?\(|json_|LIKE|~|@@|term_items")
EXISTS = re.compile(r"\bEXISTS ?\(")
BRACKETS = re.compile(r"[()]")
#: What a list is ordered by that is put together of parts (see `cms.db.lists`).
ORDER_OF_PARTS = re.compile(r" (ORDER BY key_0 .*?) LIMIT ")
NEXT_PART = " UNION ALL "
#: Texts of any length, of which an index takes the beginning: its entries have room for no more.
LONG_TEXTS = "sort_title|url"
BEGINNING = 600
ORDER_OF_LONG_TEXTS = re.compile(rf'(?<=ORDER BY )("\w+"\."(?:{LONG_TEXTS})") (ASC|DESC)')


def depends_on_values(text: str) -> bool:
    """Tell whether the best plan of a statement is another one for other values."""
    if CHOOSING.search(text) is None:
        return False
    if BY_SLUG.search(text):
        return BY_PATTERN.search(text) is not None
    return IN_ORDER.search(text) is None or BY_MORE.search(text) is not None


def look_up_for_each_row(text: str) -> str:
    """Keep the server from running what stands behind EXISTS for all rows at once, which reads whole tables."""
    for match in reversed(list(EXISTS.finditer(text))):
        end = _closing(text, match.end())
        text = f"{text[:end]} OFFSET 0{text[end:]}"
    return text


def order_parts(text: str) -> str:
    """Have each part of a list that is put together in its order: none is read further than the list goes."""
    order = ORDER_OF_PARTS.search(text)
    if order is None:
        return text
    begin = _opening(text, order.start())
    parts = _split(text[begin : order.start()])
    ordered = NEXT_PART.join(f"({part} {order[1]})" for part in parts)
    return text[:begin] + ordered + text[order.start() :]


def order_by_beginnings(text: str) -> str:
    """Have lists ordered by what an index has of long texts first, and by all their letters where that is the same."""
    return ORDER_OF_LONG_TEXTS.sub(rf"left(\1, {BEGINNING}) \2, \1 \2", text)


def _closing(text: str, begin: int) -> int:
    """Return where the bracket is closed that is open at a place, the end where it isn't."""
    depth = 1
    for bracket in BRACKETS.finditer(text, begin):
        depth += 1 if bracket[0] == "(" else -1
        if depth == 0:
            return bracket.start()
    return len(text)  # which is no statement, as the server will say


def _opening(text: str, end: int) -> int:
    """Return what follows the bracket that is open at a place, 0 where none is."""
    depth = 0
    for bracket in reversed(list(BRACKETS.finditer(text, 0, end))):
        depth += 1 if bracket[0] == ")" else -1
        if depth < 0:
            return bracket.end()
    return 0


def _split(text: str) -> list[str]:
    """Return the parts of a union, whatever unions stand in brackets in them."""
    parts = [""]
    for piece in text.split(NEXT_PART):
        is_whole = parts[-1].count("(") == parts[-1].count(")")
        if parts[-1] and is_whole:
            parts.append(piece)
        else:
            parts[-1] += NEXT_PART * bool(parts[-1]) + piece
    return parts

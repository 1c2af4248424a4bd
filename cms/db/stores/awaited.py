"""References of imported rows to what isn't here yet, tied when a later import of the same source brings it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypedDict, cast

import orjson

from cms.db.connection import Database
from cms.db.expressions import UNKNOWN_PARENT
from cms.db.models import AwaitedRow
from cms.db.sqlite.words import LISTED, element, elements

ADD = f"""
INSERT INTO awaited (holder, holder_id, field, source_site, kind, name)
SELECT {element("value", 0)}, CAST({element("value", 1)} AS INTEGER), {element("value", 2)}, {element("value", 3)},
    {element("value", 4)}, CAST({element("value", 5)} AS TEXT) FROM {elements("?")} WHERE true
ON CONFLICT DO NOTHING
"""  # noqa: S608
DELETE_SOME = f"DELETE FROM awaited WHERE id IN {LISTED}"  # noqa: S608
HAS_ANY = "SELECT 1 FROM awaited WHERE source_site = ?"
SELECT_OF_ROW = "SELECT * FROM awaited WHERE holder = ? AND holder_id = ? ORDER BY id"
ITEM = "JOIN content c ON c.source_site = a.source_site AND c.source_id = a.name"
#: What a file is attached to; one that is attached to a file is attached to what that is.
TIE_FILES = f"""
UPDATE content SET parent_id = found.parent, version = version + 1 FROM (
    SELECT a.holder_id, CASE WHEN c.type = 'attachment' THEN c.parent_id ELSE c.id END AS parent FROM awaited a {ITEM}
    WHERE a.source_site = ? AND a.kind = 'item' AND a.holder = 'content' AND a.field = 'parent') found
WHERE content.id = found.holder_id AND content.type = 'attachment' AND content.parent_id = {UNKNOWN_PARENT}
AND found.parent <> {UNKNOWN_PARENT}
"""  # noqa: S608 (our own texts)
TIE_FEATURED = f"""
UPDATE content SET featured_id = found.id, version = version + 1 FROM (
    SELECT a.holder_id, c.id FROM awaited a {ITEM}
    WHERE a.source_site = ? AND a.kind = 'item' AND a.field = 'featured' AND c.type = 'attachment') found
WHERE content.id = found.holder_id AND content.featured_id = 0
"""  # noqa: S608 (our own text)
TIE_REPLIES = """
UPDATE comments SET parent_id = found.id, version = version + 1 FROM (
    SELECT a.holder_id, c.id FROM awaited a JOIN comments h ON h.id = a.holder_id
    JOIN comments c ON c.post_id = h.post_id AND c.source_site = a.source_site AND c.source_id = a.name
    WHERE a.source_site = ? AND a.kind = 'comment' AND c.id <> h.id) found
WHERE comments.id = found.holder_id AND comments.parent_id = 0
"""
TIE_COMMENTERS = """
UPDATE comments SET author_id = found.id, version = version + 1 FROM (
    SELECT a.holder_id, u.id FROM awaited a JOIN users u
    ON u.source_site = a.source_site AND u.source_mark = a.name AND u.source_id IS NOT NULL
    WHERE a.source_site = ? AND a.kind = 'user') found
WHERE comments.id = found.holder_id AND comments.author_id = 0
"""
#: What has come and is tied one by one: parents and values of items, parents of terms, ids in texts and values.
SELECT_FOUND = f"""
SELECT a.*, c.id AS found_id, c.type AS found_type FROM awaited a {ITEM}
WHERE a.source_site = :source AND a.kind = 'item' AND a.field <> 'featured' AND a.id > :last
UNION ALL
SELECT a.*, t.id, t.taxonomy FROM awaited a
JOIN terms t ON t.taxonomy = substr(a.kind, 6) AND t.source_site = a.source_site AND t.source_id = a.name
WHERE a.source_site = :source AND a.kind >= 'term:' AND a.kind < 'term;' AND a.id > :last
UNION ALL
SELECT a.*, t.id, t.taxonomy FROM awaited a JOIN terms t ON t.taxonomy = substr(a.kind, 6) AND t.slug = a.name
WHERE a.source_site = :source AND a.kind >= 'slug:' AND a.kind < 'slug;' AND a.id > :last
ORDER BY 1 LIMIT 200
"""  # noqa: S608 (our own text)
FORGET = (
    f"DELETE FROM awaited WHERE id IN (SELECT a.id FROM awaited a {ITEM} WHERE a.source_site = ? AND a.kind = 'item')",  # noqa: S608
    """
DELETE FROM awaited WHERE id IN (
    SELECT a.id FROM awaited a JOIN comments h ON h.id = a.holder_id
    JOIN comments c ON c.post_id = h.post_id AND c.source_site = a.source_site AND c.source_id = a.name
    WHERE a.source_site = ? AND a.kind = 'comment')
""",
    """
DELETE FROM awaited WHERE id IN (
    SELECT a.id FROM awaited a JOIN users u
    ON u.source_site = a.source_site AND u.source_mark = a.name AND u.source_id IS NOT NULL
    WHERE a.source_site = ? AND a.kind = 'user')
""",
)


class NewReference(TypedDict):
    """A reference that waits; see the model `Awaited`."""

    holder: str
    holder_id: int
    field: str
    source_site: str
    kind: str
    name: str


class FoundReference(AwaitedRow):
    """A reference whose target has come."""

    found_id: int
    found_type: str


class AwaitedStore:
    """Keep references that wait, and tie them."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, references: Iterable[NewReference]) -> None:
        """Keep references, all with one statement."""
        rows = []
        for reference in references:
            rows.append(list(reference.values()))
        if rows:
            self._database.execute(ADD, (orjson.dumps(rows).decode(),))

    def has_any(self, source: str) -> bool:
        """Tell whether anything waits for what a source has."""
        return self._database.exists(HAS_ANY, (source,))

    def tie(self, source: str) -> None:
        """Tie what can be tied at once: files, featured pictures, replies, authors of comments."""
        for statement in (TIE_FILES, TIE_FEATURED, TIE_REPLIES, TIE_COMMENTERS):
            self._database.execute(statement, (source,))

    def found(self, source: str) -> Iterator[FoundReference]:
        """Yield the other references whose targets have come."""
        last = 0
        while rows := self._database.rows(SELECT_FOUND, {"source": source, "last": last}):
            yield from cast(list[FoundReference], rows)
            last = rows[-1]["id"]

    def of_row(self, holder: str, id: int) -> list[AwaitedRow]:
        """Return what a row of a table waits for."""
        return cast(list[AwaitedRow], self._database.rows(SELECT_OF_ROW, (holder, id)))

    def set_field(self, id: int, field: str) -> None:
        """Note another place where a reference stands."""
        self._database.update("awaited", id, {"field": field})

    def forget(self, ids: Iterable[int], source: str) -> None:
        """Forget references that are tied: these, and all that were tied at once."""
        wanted = orjson.dumps(list(ids)).decode()
        self._database.execute(DELETE_SOME, (wanted,))
        for statement in FORGET:
            self._database.execute(statement, (source,))

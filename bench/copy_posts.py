"""Copies of posts by the thousand, written past the operations; what triggers keep is kept for many rows at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any

from cms.db.connection import Database
from cms.rendering.folding import fold

#: How many posts a transaction holds.
BATCH = 10_000
#: Posts that hold the rare word aren't copied, so that as many hold it whatever the size.
SOURCES = "SELECT * FROM content WHERE type = 'post' AND title NOT LIKE '%zephyrine%' ORDER BY id"
TRIGGERS = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
#: What triggers keep, made anew from what is there.
KEPT = (
    "DELETE FROM term_items",
    """INSERT INTO term_items (term_id, type, status, date_gmt, content_id)
    SELECT l.term_id, c.type, c.status, c.date_gmt, c.id FROM content_terms l JOIN content c ON c.id = l.content_id
    ORDER BY 1, 2, 3, 4, 5""",
    "DELETE FROM content_counts",
    """INSERT INTO content_counts (holder, holder_id, type, status, number)
    SELECT 'type', 0, type, status, COUNT(*) FROM content GROUP BY type, status""",
    """INSERT INTO content_counts (holder, holder_id, type, status, number)
    SELECT 'author', author_id, type, status, COUNT(*) FROM content GROUP BY author_id, type, status""",
    """INSERT INTO content_counts (holder, holder_id, type, status, number)
    SELECT 'term', term_id, type, status, COUNT(*) FROM term_items GROUP BY term_id, type, status""",
    """UPDATE terms SET count = (SELECT COALESCE(SUM(number), 0) FROM content_counts
        WHERE holder = 'term' AND holder_id = terms.id AND status = 'publish')""",
)
TERMS_A_ROUND, TAGS = 1_000, 50
COLUMNS_OF_TAG = "taxonomy, name, sort_name, slug, description"
ADD_TAG = f"""
INSERT INTO terms ({COLUMNS_OF_TAG})
SELECT taxonomy, name || :round, sort_name || :round, slug || :round, description FROM terms WHERE id = :id RETURNING id
"""
ADD_READER = """
INSERT INTO users (login, email, password_hash, name, sort_name, nickname, slug, registered_gmt)
SELECT 'reader' || :round, '', 'x', 'Reader' || :round, 'reader' || :round, 'r', 'reader' || :round, registered_gmt
FROM users LIMIT 1
"""


class Copier:
    """Copies the posts of one database."""

    def __init__(self, database: Database, tell: Callable[[str], None]) -> None:
        self._database, self._tell = database, tell
        self._posts = database.rows(SOURCES)
        self._folded = {row["id"]: tuple(fold(row[name]) for name in ("title", "excerpt", "content"))
                        for row in self._posts}
        self._terms = self._grouped("SELECT content_id, term_id FROM content_terms")
        self._comments = self._grouped("SELECT post_id, id FROM comments ORDER BY id")
        self._comment_rows = {row["id"]: row for row in database.rows("SELECT * FROM comments")}
        tags = database.column("SELECT id FROM terms WHERE taxonomy = 'post_tag' ORDER BY id")
        self._own_tags = dict(zip(tags, tags, strict=True))
        self._next_comment = max(self._comment_rows, default=0)

    def _grouped(self, sql: str) -> dict[int, list[int]]:
        found: dict[int, list[int]] = {}
        for holder, held in self._database.tuples(sql):
            found.setdefault(holder, []).append(held)
        return found

    def copy(self, count: int) -> None:
        """Add so many copies; what triggers keep is made for all of them at the end."""
        database, first = self._database, self._database.scalar("SELECT MAX(id) FROM content") + 1
        triggers = database.rows(TRIGGERS)
        for trigger in triggers:
            database.execute(f"DROP TRIGGER {trigger['name']}")
        for begin in range(0, count, BATCH):
            numbers = range(begin, min(begin + BATCH, count))
            with database.write():
                self._add_batch(first, numbers)
            self._tell(f"{numbers.stop} of {count} copies")
        with database.write():
            self._keep_up()
            for trigger in triggers:
                database.execute(trigger["sql"])

    def _keep_up(self) -> None:
        self._tell("what is kept by author and term")
        for statement in KEPT:
            self._database.execute(statement)

    def _add_batch(self, first: int, numbers: range) -> None:
        posts, texts, links, comments = [], [], [], []
        for number in numbers:
            if number % TERMS_A_ROUND == 0:
                self._begin_round(number // TERMS_A_ROUND)
            row, id = self._posts[number % len(self._posts)], first + number
            posts.append(tuple(self._copied(row, id, number).values()))
            texts.append((id, *self._folded[row["id"]]))
            links += [(id, self._own_tags.get(term, term)) for term in self._terms.get(row["id"], ())]
            comments += self._copied_comments(row["id"], id)
        self._many(insert("content", self._posts[0]), posts)
        self._many("INSERT INTO content_search (rowid, title, excerpt, content) VALUES (?, ?, ?, ?)", texts)
        self._many("INSERT INTO content_terms (content_id, term_id) VALUES (?, ?)", sorted(links))
        if comments:
            self._many(insert("comments", comments[0]), [tuple(row.values()) for row in comments])

    def _many(self, sql: str, rows: list[tuple[Any, ...]]) -> None:
        self._database.peewee.connection().executemany(sql, rows)

    def _begin_round(self, number: int) -> None:
        """Add tags for the copies that follow, and an account."""
        values = {"round": f"-{number}"}
        self._own_tags = {tag: self._database.scalar(ADD_TAG, {**values, "id": tag}) for tag in self._own_tags}
        self._database.execute(ADD_READER, values)

    def _copied(self, row: dict[str, Any], id: int, number: int) -> dict[str, Any]:
        older = datetime.fromisoformat(row["date_gmt"]) - timedelta(minutes=3 * (number + 1_000))
        return {**row, "id": id, "slug": f"copy-{number}-{row['slug']}", "date_gmt": older.isoformat()}

    def _copied_comments(self, post: int, id: int) -> Iterator[dict[str, Any]]:
        for comment in self._comments.get(post, ()):
            self._next_comment += 1
            yield {**self._comment_rows[comment], "id": self._next_comment, "post_id": id}


def insert(table: str, row: dict[str, Any]) -> str:
    """Return the statement that adds a row with all columns."""
    return f"INSERT INTO {table} ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})"

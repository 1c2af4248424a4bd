"""Add copies of its posts to a site on PostgreSQL, past the operations, as make_site.py does in a file.

    python bench/grow_postgres.py postgresql://… COUNT [MEMORY]

The site is one of make_site.py of 1,000 posts that `cms copy` brought there; nobody may serve it. Nothing leaves the
server, whose indexes are made again at the end, each in so much memory (4GB): the one of parts of words takes several
times as long where its entries don't fit. `bench/growth.py` compares the site with others.
"""

from __future__ import annotations

import sys
from contextlib import closing

import psycopg
from copy_posts import KEPT, TAGS, TERMS_A_ROUND
from make_site import tell

from cms.db.postgres.cursors import Connection, open_connection
from cms.db.postgres.planning import ALL_WAYS
from cms.db.postgres.unfinished import take_parts

#: Posts that hold the rare word aren't copied, so that as many hold it whatever the size.
PREPARE = """
CREATE TEMP TABLE sources AS SELECT row_number() OVER (ORDER BY id) - 1 AS place, id FROM content
    WHERE type = 'post' AND title NOT LIKE '%%zephyrine%%';
CREATE TEMP TABLE tags AS SELECT row_number() OVER (ORDER BY id) AS place, id FROM terms WHERE taxonomy = 'post_tag';
CREATE TEMP TABLE asked AS SELECT (SELECT MAX(id) FROM content) + 1 AS first_post,
    (SELECT MAX(id) FROM terms) AS last_term, (SELECT MAX(id) FROM users) AS last_user,
    (SELECT MAX(id) FROM comments) AS last_comment, (SELECT COUNT(*) FROM sources) AS number
"""
#: A copy's number and its source.
COPIES = """generate_series(%(begin)s, %(end)s - 1) n CROSS JOIN asked JOIN sources s ON s.place = n %% number
JOIN content c ON c.id = s.id"""
#: A round's number, with each of the tags that a round brings.
ROUNDS_OF_TAGS = """generate_series(0, %(end)s - 1) n CROSS JOIN asked
CROSS JOIN (SELECT g.place, m.* FROM tags g JOIN terms m ON m.id = g.id) t"""
#: A round's number, with the account that is copied.
ROUNDS_OF_READERS = "generate_series(0, %(end)s - 1) n CROSS JOIN asked CROSS JOIN (SELECT * FROM users LIMIT 1) u"
SELECT_COLUMNS = """
SELECT column_name FROM information_schema.columns WHERE table_name = %s AND table_schema = current_schema()
AND is_generated = 'NEVER' ORDER BY ordinal_position
"""
#: What a copy has of its own, by table and column.
OWN = {
    "content": {
        "id": "first_post + n",
        "slug": "'copy-' || n || '-' || c.slug",
        "date_gmt": "to_char(c.date_gmt::timestamp - interval '3 minutes' * (n + 1000), 'YYYY-MM-DD\"T\"HH24:MI:SS')",
    },
    "content_search": {"id": "first_post + n"},
    "comments": {"id": "last_comment + row_number() OVER (ORDER BY n, m.id)", "post_id": "first_post + n"},
    "comment_search": {},
    "terms": {"id": f"last_term + n * {TAGS} + t.place", "name": "t.name || '-' || n",
              "sort_name": "t.sort_name || '-' || n", "slug": "t.slug || '-' || n"},
    "users": {"id": "last_user + n + 1", **dict.fromkeys(("login", "slug", "sort_name", "nickname"), "'reader-' || n"),
              "name": "'Reader-' || n", "email": "''"},
}
ADD_LINKS = f"""
INSERT INTO content_terms (content_id, term_id)
SELECT first_post + n, COALESCE(last_term + n / {TERMS_A_ROUND} * {TAGS} + g.place, l.term_id)
FROM {COPIES} JOIN content_terms l ON l.content_id = c.id LEFT JOIN tags g ON g.id = l.term_id
"""
#: Comments of copies in their order, as they were numbered, with what is searched of their sources.
ADD_FOLDED_COMMENTS = """
INSERT INTO comment_search ({columns})
SELECT {values} FROM (SELECT last_comment + row_number() OVER (ORDER BY n, m.id) AS new_id, m.id AS source_id
    FROM {copies} JOIN comments m ON m.post_id = c.id) made JOIN comment_search f ON f.id = made.source_id
"""


class Grower:
    """Adds copies to the site of one connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._run = psycopg.ClientCursor(connection).execute

    def grow(self, count: int, memory: str) -> None:
        """Add so many copies, in one transaction, with so much memory for each index."""
        self._connection.run_own(ALL_WAYS)
        self._run("SELECT set_config('maintenance_work_mem', %(memory)s, true)", {"memory": memory})
        self._run("SET LOCAL work_mem = '256MB'")
        parts = take_parts(self._connection)
        self._run(PREPARE)
        rounds = -(-count // TERMS_A_ROUND)
        self._add("terms", ROUNDS_OF_TAGS, "t", rounds)
        self._add("users", ROUNDS_OF_READERS, "u", rounds)
        self._add("content", COPIES, "c", count)
        self._add("content_search", f"{COPIES} JOIN content_search f ON f.id = c.id", "f", count)
        self._run(ADD_LINKS, {"begin": 0, "end": count})
        tell("links to terms")
        self._add_comments(count)
        for table in ("content", "comments", "terms", "users"):
            self._run(f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), (SELECT MAX(id) FROM {table}))")
        for statement in KEPT:
            self._run(statement)
        tell("what is kept by author and term")
        for statement in (*parts.indexes, *parts.rest):
            self._run(statement)
            tell(statement[:70])

    def _add(self, table: str, source: str, alias: str, count: int) -> None:
        columns = self._columns(table)
        values = [OWN[table].get(column, f"{alias}.{column}") for column in columns]
        bounds = {"begin": 0, "end": count}
        self._run(f"INSERT INTO {table} ({', '.join(columns)}) SELECT {', '.join(values)} FROM {source}", bounds)
        tell(f"{table}")

    def _add_comments(self, count: int) -> None:
        # Those of the copies would be taken for sources, and their numbers for ids.
        columns = self._columns("comment_search")
        values = ", ".join("new_id" if column == "id" else f"f.{column}" for column in columns)
        add = ADD_FOLDED_COMMENTS.format(columns=", ".join(columns), values=values, copies=COPIES)
        self._run(add, {"begin": 0, "end": count})
        self._add("comments", f"{COPIES} JOIN comments m ON m.post_id = c.id", "m", count)

    def _columns(self, table: str) -> list[str]:
        return [row[0] for row in self._run(SELECT_COLUMNS, (table,)).fetchall()]


def main() -> None:
    """Grow the site that is asked for."""
    address, count = sys.argv[1], int(sys.argv[2])
    memory = sys.argv[3] if len(sys.argv) > 3 else "4GB"
    with closing(open_connection(address)) as connection:
        with connection.transaction():
            Grower(connection).grow(count, memory)
        connection.run_own("VACUUM ANALYZE")
    tell(f"{count} copies")


if __name__ == "__main__":
    main()

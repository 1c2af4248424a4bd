"""A site that grows under a test: much of what is usual, little of what is rare, and what its requests cost the database."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable
from typing import Any

from servers import SERVER
from sites import Client

from cms.db.whole_copy import source_of
from cms.db.whole_tables import WholeTable

#: Columns that copies have values of their own in; `n` counts them.
OWN = {
    "content": {"id": None, "slug": "slug || '-copy-' || n", "source_id": None, "source_site": None,
                "date_gmt": "strftime('%Y-%m-%dT%H:%M:%S', date_gmt, '-' || n || ' minutes')"},
    "comments": {"id": None, "source_id": None, "source_site": None},
    "terms": {"id": None, "slug": "slug || '-copy-' || n", "source_id": None, "source_site": None, "count": "0"},
    "users": {"id": None, "slug": "slug || '-copy-' || n", "login": "login || n", "email": "n || email",
              "source_id": None, "source_site": None},
}
COPY = "INSERT INTO {table} ({columns}) SELECT {values} FROM {table} JOIN (WITH RECURSIVE c (n) AS (SELECT {first} UNION ALL SELECT n + 1 FROM c WHERE n < {last}) SELECT n FROM c) AS numbers ON id IN ({ids})"
STEPS = 10
#: What a server has read so far: entries of indexes, and rows of tables that it read without one. The version of the data
#: is one row, looked up by a connection of its own, whose reads of the last second are told at any moment.
SELECT_READ = """
SELECT CAST((SELECT SUM(idx_tup_read) FROM pg_stat_user_indexes WHERE relname <> 'site_version')
    + (SELECT SUM(seq_tup_read) FROM pg_stat_user_tables WHERE relname <> 'site_version') AS bigint)
"""
#: What a cost may differ by on a larger site: an index that is a level deeper, entries of rows that are gone since.
SLACK = 250 if SERVER else 700
#: How often a request was sent before: a server may plan a statement for any values from the eighth time on.
BEFORE = 9 if SERVER else 1


class Growing:
    """The site of a client, with ids of what is usual on it and what is rare."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.names: dict[str, Any] = {}
        self._copies = 0
        self._usual: dict[str, list[int]] = {"content": [], "comments": [], "terms": [], "users": []}
        self._posts: list[int] = []
        self._fill()

    def _fill(self) -> None:
        self._add_accounts_and_terms()
        self._add_posts()
        self._add_pages_and_files()

    def _add_accounts_and_terms(self) -> None:
        new, names = self.client.new, self.names
        names["usual_author"], names["rare_author"] = self.client.id_of("author"), self.client.id_of("author2")
        names["other"] = self.client.id_of("author3")
        self._usual["users"].append(self.client.id_of("subscriber"))
        for base in ("categories", "tags"):
            for kind in ("usual", "rare"):
                names[f"{kind}_{base}"] = new(f"/{base}", name=f"{kind} {base}")["id"]
            more = [new(f"/{base}", name=f"More {base} {number}")["id"] for number in range(15)]
            self._usual["terms"] += more
        above = names["usual_categories"]
        names["below"] = new("/categories", name="Below", parent=names["rare_categories"])["id"]
        self._usual["terms"].append(new("/categories", name="Below the usual", parent=above)["id"])

    def _add_posts(self) -> None:
        names = self.names
        fields = {"status": "publish", "categories": [names["usual_categories"]], "tags": [names["usual_tags"]]}
        for number in range(15):
            post = self.client.new("/posts", "author", title=f"Usual {number}", content=f"Plain words {number}",
                                   date=f"2020-02-01T00:{number:02}:00", **fields)["id"]
            self._usual["content"].append(post)
            self._posts.append(post)
            self._add_comments(post)
        rare = {**fields, "categories": [names["rare_categories"]], "tags": [names["rare_tags"]], "sticky": True}
        for number in range(3):
            names["rare_post"] = self.client.new("/posts", "author2", title=f"Rare {number}", content="Zephyrine",
                                                 slug=f"rare-{number}", date=f"2010-02-01T00:{number:02}:00", **rare)["id"]
            self._add_comments(names["rare_post"])
        for status in ("draft", "pending", "private", "future"):
            date = "2998-01-01T00:00:00" if status == "future" else "2010-01-01T00:00:00"
            names[status] = self.client.new("/posts", title=f"A {status}", **{**fields, "status": status, "date": date})["id"]
        self.client.delete(f"/posts/{self.client.new('/posts', title='Trashed')['id']}")

    def _add_comments(self, post: int) -> None:
        for number in range(3):
            said = f"Words {number} on {post}"
            self.names["comment"] = self.client.new("/comments", "administrator", post=post, content=said)["id"]

    def _add_pages_and_files(self) -> None:
        new, names = self.client.new, self.names
        names["rare_parent"] = new("/pages", title="Above", status="publish", menu_order=7)["id"]
        usual = new("/pages", title="Usual above", status="publish")["id"]
        for number in range(12):
            page = new("/pages", title=f"Page {number}", status="publish", parent=usual, date="2020-02-01T00:00:00")["id"]
            self._usual["content"].append(page)
        new("/pages", title="Rare", status="publish", parent=names["rare_parent"], menu_order=7, date="2010-01-01T00:00:00")
        for number in range(13):
            is_rare = number == 0
            parent, mime = (names["rare_post"], "video/mp4") if is_rare else (self._usual["content"][0], "image/png")
            file = self.client.site.database.insert("content", {
                "type": "attachment", "status": "inherit", "slug": f"file-{number}", "title": f"File {number}",
                "author_id": 1, "parent_id": parent, "mime_type": mime, "date_gmt": f"20{11 if is_rare else 20}-01-01T00:00:00",
                "modified_gmt": "2020-01-01T00:00:00"})
            if is_rare:
                names["rare_file"] = file
            else:
                self._usual["content"].append(file)

    def grow(self, times: int, posts_alone: bool = False) -> None:
        """Add so many copies of all that is usual, or of the posts with their terms and comments."""
        database = self.client.site.database
        with source_of(database) as source:
            tables = source.tables
        with database.write():
            for table, ids in ({"content": self._posts} if posts_alone else self._usual).items():
                before = database.scalar(f"SELECT MAX(id) FROM {table}")
                self._copy(tables[table], ids, times)
                if table == "content":
                    copied = "SELECT id, row_number() OVER (ORDER BY id) - 1 AS place FROM content WHERE id > ? AND type = 'post'"
                    for term in (self.names["usual_categories"], self.names["usual_tags"]):
                        database.execute(f"INSERT INTO content_terms (content_id, term_id) SELECT id, {term} FROM ({copied})", (before,))
                    database.execute(
                        "INSERT INTO comments (post_id, author_id, author_name, author_email, content, date_gmt, status)"
                        f" SELECT id, 1, 'A', 'a@example.org', 'Words', '2020-02-02T00:00:00', 'approved' FROM ({copied})", (before,))

        self._copies += times  # the counting goes on, for slugs of their own

    def _copy(self, table: WholeTable, ids: Iterable[int], times: int) -> None:
        columns: dict[str, Any] = {name: name for name in table.columns} | OWN[table.name]
        kept = {name: value for name, value in columns.items() if value is not None}
        copy = COPY.format(table=table.name, columns=", ".join(kept), values=", ".join(kept.values()), first=self._copies + 1,
                           last=self._copies + times, ids=", ".join(map(str, ids)) or "0")
        self.client.site.database.execute(copy)

    def cost(self, path: str, as_: str | None = None, after_writing: bool = True) -> int:
        """Return what a request that was sent before costs: SQLite's steps, or what a server reads.

        After a write totals are looked up too.
        """
        for _before in range(BEFORE):
            self.client.get(path, as_)
        if after_writing:
            self._write()
        return self._steps("GET", path, as_)

    def deletion_cost(self, path: str) -> int:
        """Return what it costs to delete something."""
        return self._steps("DELETE", path, "administrator")

    def _steps(self, method: str, path: str, as_: str | None) -> int:
        if SERVER:
            before = self._read_so_far()
            answer = self.client.send(method, path, as_)
            assert answer.status_code == 200, (path, answer.text)
            return self._read_so_far() - before
        steps = 0

        def count() -> int:
            nonlocal steps
            steps += STEPS
            return 0

        connection = self.client.site.database.peewee.connection()
        connection.set_progress_handler(count, STEPS)
        answer = self.client.send(method, path, as_)
        connection.set_progress_handler(None, 0)
        assert answer.status_code == 200, (path, answer.text)
        return steps

    def _read_so_far(self) -> int:
        database = self.client.site.database
        database.peewee.connection().run_own("SELECT pg_stat_force_next_flush()")
        return int(database.scalar(SELECT_READ))

    def plans(self, path: str, as_: str | None = None, after_writing: bool = True) -> list[str]:
        """Return the lines of the plans of all statements of a request that was sent before."""
        self.client.get(path, as_)
        if after_writing:
            self._write()
        database, lines = self.client.site.database, []
        for sql in self.client.statements(lambda: self.client.get(path, as_)):
            if re.match(r"\s*(SELECT|WITH)", sql):
                lines += [row["detail"] for row in database.rows(f"EXPLAIN QUERY PLAN {sql}")]
        return lines

    def _write(self) -> None:
        """Change the database as another process would, so that nothing that is kept in memory holds."""
        if SERVER:
            self.client.site.database.execute("UPDATE site_version SET number = number + 1")
            return
        other = sqlite3.connect(self.client.site.database.path)
        other.execute("UPDATE users SET version = version + 1 WHERE id = 1")
        other.commit()
        other.close()

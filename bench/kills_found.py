"""What `kills.py` finds in the database after a kill, held against the ledger."""

from __future__ import annotations

import hashlib
import sqlite3
from pathlib import Path

from kills_ledger import ITEMS_OF_AN_IMPORT, File, Ledger, Post

TERMS = 2


class Findings:
    """Everything that was lost or damaged, a sentence each."""

    def __init__(self, folder: Path) -> None:
        self.wrong: list[str] = []
        self._folder = folder
        self._seen = 0

    def look(self, ledger: Ledger, when: str) -> None:
        """Check the file's integrity and what was acknowledged since the last look."""
        with sqlite3.connect(self._folder / "site.db", timeout=60) as database:
            result = database.execute("PRAGMA integrity_check").fetchone()[0]
            if result != "ok":
                self.wrong.append(f"{when}: {result}")
            self._look_at(database, ledger, self._seen, when)
        database.close()
        self._seen = max([self._seen - 100, *ledger.posts, *ledger.files])
        self.wrong += [f"{when}: refused with {each}" for each in ledger.refused]

    def look_at_all(self, ledger: Ledger, told: dict[str, set[int]]) -> None:
        """Check everything that was acknowledged, and that timed work has done its part."""
        with sqlite3.connect(self._folder / "site.db", timeout=60) as database:
            self._look_at(database, ledger, 0, "at the end")
            late = database.execute("SELECT id FROM content WHERE status = 'future'").fetchall()
        database.close()
        self.wrong += [f"at the end: {id} isn't published" for (id,) in late]
        untold = self.untold(ledger, told)
        self.wrong += [f"at the end: nobody was told of the publication of {id}" for id in sorted(untold)]

    def untold(self, ledger: Ledger, told: dict[str, set[int]]) -> set[int]:
        """Return the acknowledged posts of whose publication the receiver hasn't heard."""
        return set(ledger.posts) - told.get("post.published", set())

    def _look_at(self, database: sqlite3.Connection, ledger: Ledger, since: int, when: str) -> None:
        found = [self._post(database, post) for post in ledger.posts.values() if post.id > since]
        found += [self._file(database, file) for file in ledger.files.values() if file.id > since]
        self.wrong += [f"{when}: {each}" for each in found if each]
        self.wrong += [f"{when}: {each}" for each in self._imports(database, ledger)]

    def _post(self, database: sqlite3.Connection, post: Post) -> str:
        """Return what is wrong with a post: it may be a change further than what was acknowledged, never behind."""
        row = database.execute("SELECT content FROM content WHERE id = ?", (post.id,)).fetchone()
        if row is None:
            return f"post {post.id} is lost"
        begin, _dot, _rest = row[0].partition(".")
        if not begin.startswith(post.content) or int(begin.removeprefix(post.content)) < post.number:
            return f"post {post.id} has {begin!r}, number {post.number} was acknowledged"
        counts = {
            "terms": ("SELECT count(*) FROM content_terms WHERE content_id = ?", TERMS),
            "entries of terms": ("SELECT count(*) FROM term_items WHERE content_id = ?", TERMS),
            "revisions": ("SELECT count(*) FROM revisions WHERE parent_id = ?", post.revisions),
        }
        for name, (sql, least) in counts.items():
            (number,) = database.execute(sql, (post.id,)).fetchone()
            if number < least:
                return f"post {post.id} has {number} {name} of {least}"
        return ""

    def _file(self, database: sqlite3.Connection, file: File) -> str:
        row = database.execute("SELECT file FROM media WHERE content_id = ?", (file.id,)).fetchone()
        path = self._folder / "uploads" / file.path
        if row is None or not path.is_file():
            return f"upload {file.id} is lost"
        if hashlib.sha256(path.read_bytes()).hexdigest() != file.digest:
            return f"the file of upload {file.id} is damaged"
        return ""

    def _imports(self, database: sqlite3.Connection, ledger: Ledger) -> list[str]:
        """Return which imports aren't there whole, and which are there in part."""
        sql = "SELECT content, count(*) FROM content WHERE content LIKE 'imported %' GROUP BY content"
        found = {int(text.split()[1]): number for text, number in database.execute(sql)}
        lost = [f"import {each} is lost" for each in ledger.imported - set(found)]
        return lost + [f"import {each} has {number} items of {ITEMS_OF_AN_IMPORT}"
                       for each, number in found.items() if number != ITEMS_OF_AN_IMPORT]

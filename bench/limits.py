"""Two limits that a site is measured against: what its requests cost without a framework, and bytes made beforehand.

`raw` (WSGI) runs the SQL that an answer needs by the standard library's sqlite3 and writes JSON by orjson; `ready`
(ASGI) gives the site's own bytes from the event loop. There are no routes, accounts or checks. LIMIT_DATABASE names
the file of the one, which `make_database` makes of a site's, LIMIT_ANSWERS that of the other: texts by their addresses.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import orjson

TABLES = """
ATTACH ? AS site;
CREATE TABLE posts (id INTEGER PRIMARY KEY, slug TEXT UNIQUE, title TEXT, text TEXT, html TEXT, excerpt TEXT, date TEXT,
    status TEXT, author INTEGER, name TEXT, terms TEXT);
INSERT INTO posts SELECT p.id, slug, title, content, content_html, excerpt_html, date_gmt, status, author_id,
    (SELECT name FROM site.users WHERE id = author_id),
    (SELECT json_group_array(term_id) FROM site.content_terms WHERE content_id = p.id)
    FROM site.content p WHERE type = 'post';
CREATE INDEX newest ON posts (status, date);
CREATE TABLE categories AS SELECT id, name, slug, description, count FROM site.terms WHERE taxonomy = 'category';
CREATE TABLE filed AS SELECT content_id, term_id FROM site.content_terms;
CREATE INDEX filed_by_term ON filed (term_id, content_id);
CREATE TABLE comments AS SELECT id, post_id, author_name, content_html, date_gmt FROM site.comments;
CREATE INDEX comments_of_post ON comments (post_id);
CREATE VIRTUAL TABLE words USING fts5 (title, text, content='posts', content_rowid='id');
INSERT INTO words (words) VALUES ('rebuild')
"""
COLUMNS = "id, slug, title, html, excerpt, date, status, author, name, terms"
VISIBLE = "FROM posts WHERE status = 'publish'"
NEWEST = "ORDER BY date DESC LIMIT :per_page OFFSET :start"
FILED = "(SELECT content_id FROM filed WHERE term_id = :categories)"
LISTS = {
    "": f"SELECT {COLUMNS} {VISIBLE} {NEWEST}",
    "slug": f"SELECT {COLUMNS} {VISIBLE} AND slug = :slug",
    "categories": f"SELECT {COLUMNS} {VISIBLE} AND id IN {FILED} {NEWEST}",
    "search": f"SELECT {COLUMNS} {VISIBLE} AND id IN (SELECT rowid FROM words WHERE words MATCH :search) {NEWEST}",
    "_fields": f"SELECT id, title {VISIBLE} {NEWEST}",
    "context": f"SELECT {COLUMNS}, text {VISIBLE} {NEWEST}",
}
CATEGORIES = "SELECT * FROM categories ORDER BY name LIMIT 10"
COMMENTS = "SELECT * FROM comments WHERE post_id = ? ORDER BY date_gmt DESC LIMIT 10"
ITEM = f"SELECT {COLUMNS} FROM posts WHERE id = ?"
INSERT = """INSERT INTO posts (title, text, html, slug, excerpt, date, status, author, name, terms)
    VALUES (:title, :content, :content, :slug, '', '2024-06-01 12:00:00', 'publish', 1, '', '[1]')"""
INDEX = "INSERT INTO words (rowid, title, text) VALUES (?, ?, ?)"
UNINDEX = "INSERT INTO words (words, rowid, title, text) SELECT 'delete', id, title, text FROM posts WHERE id = ?"
INDEX_AGAIN = "INSERT INTO words (rowid, title, text) SELECT id, title, text FROM posts WHERE id = ?"
_own = threading.local()
_ready: dict[tuple[str, bytes], bytes] = {}


def make_database(site: Path, file: Path) -> None:
    """Copy what the limits need of a site's database into a file of theirs."""
    database = sqlite3.connect(file, isolation_level=None)
    database.execute("PRAGMA journal_mode = wal")
    attach, *statements = TABLES.split(";")
    database.execute(attach, (str(site),))
    for statement in statements:
        database.execute(statement)
    database.close()


def connection() -> sqlite3.Connection:
    """Return this thread's connection."""
    if not hasattr(_own, "connection"):
        found = sqlite3.connect(os.environ["LIMIT_DATABASE"], isolation_level=None, timeout=10)
        found.row_factory = sqlite3.Row
        for pragma in ("synchronous = normal", "mmap_size = 268435456"):
            found.execute(f"PRAGMA {pragma}")
        _own.connection = found
    return _own.connection


def item(row: sqlite3.Row) -> dict[str, Any]:
    """Return a row as it is shown."""
    shown = dict(row)
    if "terms" in shown:
        shown["terms"] = orjson.loads(shown["terms"])
    return shown


def read(path: str, query: str) -> bytes:
    """Return the answer to a read."""
    last = path.rsplit("/", 1)[1]
    given = dict(parse_qsl(query, keep_blank_values=True))
    database = connection()
    if last == "posts":
        kind = next((name for name in LISTS if name in given), "")
        size = int(given.get("per_page", 10))
        values = {**given, "per_page": size, "start": size * (int(given.get("page", 1)) - 1)}
        return orjson.dumps([item(row) for row in database.execute(LISTS[kind], values)])
    if last == "categories":
        return orjson.dumps([dict(row) for row in database.execute(CATEGORIES)])
    if last == "comments":
        return orjson.dumps([dict(row) for row in database.execute(COMMENTS, (given["post"],))])
    if last.isdigit():
        return orjson.dumps(item(database.execute(ITEM, (last,)).fetchone()))
    return orjson.dumps({"name": "limit", "routes": {}})


def write(path: str, body: bytes) -> bytes:
    """Store a post, a change of one, or a file, and return the answer."""
    last, database = path.rsplit("/", 1)[1], connection()
    if last == "media":
        number = os.urandom(8).hex()
        Path(os.environ["LIMIT_DATABASE"]).with_name(f"{number}.upload").write_bytes(body)
        return orjson.dumps({"id": number})
    given = orjson.loads(body)
    database.execute("BEGIN IMMEDIATE")
    if last.isdigit():
        database.execute(UNINDEX, (last,))
        database.execute("UPDATE posts SET title = ? WHERE id = ?", (given["title"], last))
        database.execute(INDEX_AGAIN, (last,))
    else:
        slug = os.urandom(8).hex()
        last = database.execute(INSERT, {**given, "slug": slug}).lastrowid
        database.execute(INDEX, (last, given["title"], given["content"]))
    database.execute("COMMIT")
    return orjson.dumps(item(database.execute(ITEM, (last,)).fetchone()))


def raw(environ: dict[str, Any], start_response: Any) -> list[bytes]:
    """Answer each request anew."""
    path, status = environ["PATH_INFO"], "200 OK"
    if environ["REQUEST_METHOD"] == "POST":
        answer = write(path, environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"])))
        status = "200 OK" if path[-1].isdigit() else "201 Created"
    else:
        answer = read(path, environ["QUERY_STRING"])
    start_response(status, [("Content-Type", "application/json"), ("Content-Length", str(len(answer)))])
    return [answer]


def load_answers() -> None:
    """Read the answers that are there."""
    for address, text in orjson.loads(Path(os.environ["LIMIT_ANSWERS"]).read_bytes()).items():
        path, _mark, query = address.partition("?")
        _ready[path, query.encode()] = text.encode()


async def ready(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Answer reads by bytes that are there."""
    if scope["type"] != "http":
        return
    if not _ready:
        load_answers()
    answer = _ready[scope["path"], scope["query_string"]]
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(answer))]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": answer})

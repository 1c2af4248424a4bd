"""The files of an import: which attachment wants which, where it lies now, which item it belongs to.

All of it lies in a table of its own in a file that nobody else sees, so that memory doesn't grow with the export.
"""

from __future__ import annotations

import re
import sqlite3
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote, urlsplit

import orjson

from cms.resources.media.files import StoredFile, all_keys
from cms.transfer.wxr.records import ItemRecord

TABLES = """
CREATE TABLE claimed (name TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE files (
    number INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,           -- what the item is recognised by
    line INTEGER NOT NULL DEFAULT 0,     -- 0 for one that is here and isn't in the export
    item INTEGER,
    address TEXT NOT NULL DEFAULT '',
    place TEXT NOT NULL DEFAULT '',      -- the address without what varies
    base TEXT NOT NULL DEFAULT '',       -- the last part of the place
    attached TEXT NOT NULL DEFAULT '',   -- the path below the uploads of the old site
    month TEXT NOT NULL DEFAULT '',
    content_id INTEGER,
    known INTEGER NOT NULL DEFAULT 0,    -- whether the site has the item
    other INTEGER NOT NULL DEFAULT 0,    -- whether the site has something else of that name
    key TEXT NOT NULL DEFAULT '',
    fresh INTEGER NOT NULL DEFAULT 0,    -- whether this import brought the file
    mime TEXT NOT NULL DEFAULT '',
    size INTEGER NOT NULL DEFAULT 0,
    details TEXT NOT NULL DEFAULT '{}',
    reason TEXT NOT NULL DEFAULT ''
);
CREATE INDEX files_place ON files (place);
CREATE INDEX files_base ON files (base);
"""
WANTED = """
SELECT number, name, line, item, address, attached, month,
    (SELECT COUNT(*) FROM (
        SELECT 1 FROM files other WHERE other.base = files.base AND other.line > 0 LIMIT 2)) > 1 AS shares_name
FROM files WHERE number > ? AND line > 0 AND key = '' AND other = 0 ORDER BY number LIMIT 200
"""
RECOGNISE = """
INSERT INTO files (name, content_id, known, address, place, base, key, mime, details)
VALUES (:name, :id, 1, :address, :place, :base, :key, :mime, :details)
ON CONFLICT (name) DO UPDATE SET content_id = excluded.content_id, known = 1, key = iif(fresh, key, excluded.key),
    mime = iif(fresh, mime, excluded.mime), details = iif(fresh, details, excluded.details)
"""
NUMBER = """
UPDATE files SET content_id = given.id FROM (
    SELECT number, ? + row_number() OVER (ORDER BY number) AS id FROM files WHERE line > 0 AND NOT known AND NOT other
) given WHERE files.number = given.number
"""
#: What a place is looked up by: itself first, then what it may be a smaller picture of.
FIND = "SELECT key, mime, details, fresh FROM files WHERE place = ? AND key <> '' ORDER BY number LIMIT 1"

#: The path of a file below the uploads of its site.
ATTACHED = "_wp_attached_file"
_MONTH = re.compile(r"/([0-9]{4}/(?:0[1-9]|1[0-2]))/[^/]*$")


@dataclass(frozen=True, slots=True)
class Wanted:
    """A file that an attachment of the export wants: its address there, and the month that it is kept under.

    `attached` is its path below the old site's uploads; `shares_name` tells whether another file has the same name.
    """

    number: int
    name: str
    line: int
    item: int | None
    address: str
    attached: str
    month: str
    shares_name: bool


class Files:
    """Keep account of the files of one import; for one thread alone."""

    def __init__(self) -> None:
        self._db = sqlite3.connect("", isolation_level=None)  # a file without a name, gone when it is closed
        self._db.row_factory = sqlite3.Row
        self._db.executescript(f"PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; {TABLES}")

    def close(self) -> None:
        """Forget everything."""
        self._db.close()

    def claim(self, name: str) -> bool:
        """Tell whether a name occurs for the first time in the export."""
        return self._db.execute("INSERT OR IGNORE INTO claimed VALUES (?)", (name,)).rowcount > 0

    def start_over(self) -> None:
        """Forget which names have occurred: the export is read a second time."""
        self._db.execute("DELETE FROM claimed")

    def add(self, name: str, item: ItemRecord, home: str) -> None:
        """Take note of an attachment; `home` is the address of the old site."""
        address = file_url(item, home)
        place = place_of(address)
        attached = dict(item.meta).get(ATTACHED, "").strip()
        self._db.execute(
            "INSERT INTO files (name, line, item, address, place, base, attached, month) VALUES (?,?,?,?,?,?,?,?)",
            (
                name,
                item.line,
                item.source_id,
                address,
                place,
                place.rpartition("/")[2],
                attached,
                _month(place, item),
            ),
        )

    def recognise(self, rows: Iterable[Any]) -> None:
        """Take note of what the site has of the same source: rows of content with `file`, `details` and `origin`."""
        self._db.execute("UPDATE files SET content_id = NULL, known = 0, other = 0")
        for row in rows:
            if row["type"] != "attachment":
                self._db.execute("UPDATE files SET other = 1 WHERE name = ?", (row["source_id"],))
                continue
            place = place_of(row["origin"])
            self._db.execute(
                RECOGNISE,
                {
                    "name": row["source_id"],
                    "id": row["id"],
                    "address": row["origin"],
                    "place": place,
                    "base": place.rpartition("/")[2],
                    "key": row["file"],
                    "mime": row["mime_type"],
                    "details": row["details"],
                },
            )

    def number(self, last: int) -> int:
        """Give the new items ids, from the one after `last` on; return how many there are."""
        return self._db.execute(NUMBER, (last,)).rowcount

    def wanted(self) -> Iterator[Wanted]:
        """Yield the files of the export that aren't here, some at a time."""
        last = 0
        while rows := self._db.execute(WANTED, (last,)).fetchall():
            yield from (Wanted(*row) for row in rows)
            last = rows[-1]["number"]

    def count_wanted(self) -> int:
        """Return how many files aren't here."""
        sql = "SELECT COUNT(*) FROM files WHERE line > 0 AND key = '' AND other = 0"
        return int(self._db.execute(sql).fetchone()[0])

    def arrived(self, wanted: Wanted, kept: StoredFile) -> None:
        """Note where a file lies now."""
        self._db.execute(
            "UPDATE files SET key = ?, fresh = 1, mime = ?, size = ?, details = ? WHERE number = ?",
            (kept.key, kept.kind.mime, kept.size, orjson.dumps(kept.details).decode(), wanted.number),
        )

    def missed(self, wanted: Wanted, reason: str) -> None:
        """Note why a file isn't here."""
        self._db.execute("UPDATE files SET reason = ? WHERE number = ?", (reason, wanted.number))

    def named(self, name: str) -> Any:
        """Return what is known of an attachment, or None."""
        return self._db.execute("SELECT * FROM files WHERE name = ?", (name,)).fetchone()

    def id_of(self, source_id: int) -> int | None:
        """Return the id that an attachment of the export has here."""
        row = self._db.execute("SELECT content_id FROM files WHERE name = ?", (str(source_id),)).fetchone()
        return row["content_id"] if row else None

    def at(self, place: str) -> Any:
        """Return a file that is here and lay at a place of the old site, or None."""
        return self._db.execute(FIND, (place,)).fetchone()

    def hosts(self) -> set[str]:
        """Return the hosts that files which are here came from."""
        sql = "SELECT DISTINCT substr(place, 1, instr(place, '/') - 1) FROM files WHERE key <> ''"
        return {row[0] for row in self._db.execute(sql)}

    def has_fresh(self) -> bool:
        """Tell whether this import brought any file."""
        return self._db.execute("SELECT 1 FROM files WHERE fresh LIMIT 1").fetchone() is not None

    def fresh_keys(self) -> Iterator[str]:
        """Yield the keys of all files that this import brought, renditions too."""
        for row in self._db.execute("SELECT key, details FROM files WHERE fresh"):
            yield from all_keys(row["key"], orjson.loads(row["details"]))


def file_url(item: ItemRecord, home: str) -> str:
    """Return the full address of an attachment's file, as far as the export tells one."""
    address = item.attachment_url or (item.guid if "://" in item.guid else "")
    if address.startswith("//"):
        return f"https:{address}"
    return home.rstrip("/") + address if address.startswith("/") else address


def place_of(address: str) -> str:
    """Return what is the same in all spellings of an address: host without `www.`, path decoded."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return ""
    host = parts.netloc.rpartition("@")[2].lower().removeprefix("www.")
    return unicodedata.normalize("NFC", host + unquote(parts.path)) if host else ""


def _month(place: str, item: ItemRecord) -> str:
    """Return year and month of the address, so that it keeps its form, else those of the item."""
    if found := _MONTH.search(place):
        return found[1]
    date = item.date_local or item.date_gmt
    return f"{date.year:04}/{date.month:02}" if date else ""

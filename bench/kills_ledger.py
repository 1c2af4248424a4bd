"""Who writes while `kills.py` kills, and the ledger of what was acknowledged to them."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from http.client import HTTPException
from pathlib import Path

from served import Answer, Connection, environment

ITEMS_OF_AN_IMPORT = 30
FILLER = "<p>Words that fill a page of the database and more. </p>\n" * 100


@dataclass(frozen=True)
class Post:
    """A post as it was acknowledged last: its number rises with each change."""

    id: int
    writer: int
    number: int
    revisions: int
    planned: bool = False

    @property
    def content(self) -> str:
        """What its content begins with."""
        return f"<p>{self.writer} wrote number "


@dataclass(frozen=True)
class File:
    """An upload that was acknowledged."""

    id: int
    path: str
    digest: str


@dataclass
class Ledger:
    """What was acknowledged, by all threads."""

    posts: dict[int, Post] = field(default_factory=dict)
    files: dict[int, File] = field(default_factory=dict)
    imported: set[int] = field(default_factory=set)
    begun: set[int] = field(default_factory=set)
    imports: int = 0
    broken: int = 0
    refused: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)
    stop: threading.Event = field(default_factory=threading.Event)

    def __len__(self) -> int:
        changes = sum(post.revisions for post in list(self.posts.values()))
        return len(self.posts) + changes + len(self.files)

    def snapshot(self) -> Ledger:
        """Return what was acknowledged up to now."""
        with self.lock:
            return Ledger(dict(self.posts), dict(self.files), set(self.imported), set(self.begun),
                          refused=list(self.refused))

    def note(self, post: Post) -> None:
        """Note a post that was created or changed."""
        with self.lock:
            self.posts[post.id] = post


class Writer(threading.Thread):
    """Creates, changes, plans and uploads, one after another."""

    def __init__(self, port: int, number: int, terms: list[int], ledger: Ledger) -> None:
        super().__init__(daemon=True)
        self._connection = Connection(port)
        self._number, self._terms, self._ledger = number, terms, ledger
        self._count = 0

    def run(self) -> None:
        """Write until told to stop; what is cut off isn't sent again."""
        while not self._ledger.stop.is_set():
            try:
                self._write()
            except (OSError, HTTPException):
                with self._ledger.lock:
                    self._ledger.broken += 1
                time.sleep(0.05)

    def _write(self) -> None:
        post = self._create(planned=False)
        for number in (1, 2):
            if post is not None:
                post = self._change(post, number)
        self._create(planned=True)
        self._upload()

    def _create(self, planned: bool) -> Post | None:
        category, tag = self._terms
        fields = {"title": "New", "content": self._content(0), "categories": [category], "tags": [tag]}
        if planned:
            due = datetime.now(UTC) + timedelta(seconds=2)
            fields |= {"status": "future", "date_gmt": due.isoformat(timespec="seconds")[:19]}
        else:
            fields["status"] = "publish"
        answer = self._connection.send("POST", "/posts", fields)
        if not self._is_done(answer):
            return None
        post = Post(answer.json["id"], self._number, 0, 0, planned)
        self._ledger.note(post)
        return post

    def _change(self, post: Post, number: int) -> Post | None:
        answer = self._connection.send("POST", f"/posts/{post.id}", {"content": self._content(number)})
        if not self._is_done(answer):
            return None
        changed = replace(post, number=number, revisions=post.revisions + 1)
        self._ledger.note(changed)
        return changed

    def _upload(self) -> None:
        self._count += 1
        data = f"file {self._count} of writer {self._number}\n".encode() * 2_000
        answer = self._connection.send("POST", "/media", data, Content_Type="text/plain",
                                       Content_Disposition=f'attachment; filename="{self._number}.txt"')
        if self._is_done(answer):
            path = answer.json["source_url"].partition("/uploads/")[2]
            with self._ledger.lock:
                id = answer.json["id"]
                self._ledger.files[id] = File(id, path, hashlib.sha256(data).hexdigest())

    def _content(self, number: int) -> str:
        return f"<p>{self._number} wrote number {number}.</p>\n{FILLER}"

    def _is_done(self, answer: Answer) -> bool:
        if answer.status in (200, 201):
            return True
        if answer.status != 503:
            with self._ledger.lock:
                self._ledger.refused.append(f"{answer.status} {answer.body[:300]!r}")
        return False


class Importer(threading.Thread):
    """Imports one export after another, each with items of its own."""

    def __init__(self, folder: Path, ledger: Ledger) -> None:
        super().__init__(daemon=True)
        self._folder, self._ledger = folder, ledger
        self._process: subprocess.Popen[bytes] | None = None

    def run(self) -> None:
        """Import until told to stop."""
        number = 0
        while not self._ledger.stop.is_set():
            number += 1
            with self._ledger.lock:
                self._ledger.begun.add(number)
            if self._import(number):
                with self._ledger.lock:
                    self._ledger.imported.add(number)
                    self._ledger.imports += 1

    def kill(self) -> None:
        """Kill the import that runs."""
        if self._process is not None:
            self._process.kill()

    def _import(self, number: int) -> bool:
        path = self._folder.parent / f"{self._folder.name}-export.xml"
        path.write_text(export(number), encoding="utf-8")
        self._process = subprocess.Popen([sys.executable, "-m", "cms.cli", "import", str(path)],
                                         env=environment(self._folder), stdout=subprocess.DEVNULL,
                                         stderr=subprocess.DEVNULL)
        return self._process.wait() == 0


def export(number: int) -> str:
    """Return an export of a site of its own, whose items name the number."""
    items = "".join(
        f"<item><title>Item {place}</title><content:encoded><![CDATA[imported {number}]]></content:encoded>"
        f"<wp:post_id>{place}</wp:post_id><wp:post_date_gmt>2020-01-01 00:00:00</wp:post_date_gmt>"
        "<wp:status>publish</wp:status><wp:post_type>post</wp:post_type></item>\n"
        for place in range(1, ITEMS_OF_AN_IMPORT + 1)
    )
    return ('<?xml version="1.0" encoding="UTF-8"?><rss version="2.0" '
            'xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:wp="http://wordpress.org/export/1.2/">'
            f"<channel><title>Other</title><link>https://other-{number}.example</link>"
            f"<wp:wxr_version>1.2</wp:wxr_version>{items}</channel></rss>\n")

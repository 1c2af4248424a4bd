"""A site with an item of every kind by every writer, and all that hangs on each: comments, files, revisions, menus."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from fuzzing.running import PLUGINS

from cms.testing import make_client
from visibility.facts import ABOUT, ADDRESS, REMARK, Account, Item, Remark, mark
from visibility.oracle import may_see_account

#: Hides through the documented hooks what has the word in its name.
HIDING = """
from cms.plugin import Content, hookimpl


@hookimpl
def check_permission(principal, action, resource, row):
    if "hidden" in ((row or {}).get("title") or "") and not principal.may("manage_options"):
        return False


@hookimpl
def filter_query(resource, plan, principal):
    if resource in ("post", "page", "event", "attachment", "nav_menu_item") and not principal.may("manage_options"):
        plan.where("hiding", lambda: Content.title.contains("hidden") == False)
"""
ASKERS = (None, "subscriber", "contributor", "author", "editor", "administrator")
OTHER, WITNESS = "author9", "administrator2"
#: Who comments, and what has become of the comment.
REMARKS = (("approve", OTHER), ("hold", "subscriber"), ("spam", "contributor"), ("trash", "author"))


class Kind(NamedTuple):
    """How an item is: its status, the one before the trash, whether it has a password, whether a plugin hides it."""

    status: str
    was: str = ""
    is_locked: bool = False
    is_hidden: bool = False


KINDS = [Kind("publish"), Kind("publish", is_locked=True), Kind("publish", is_hidden=True), Kind("future"), Kind("future", is_locked=True),
         Kind("draft"), Kind("draft", is_locked=True), Kind("draft", is_hidden=True), Kind("pending"), Kind("private"),
         Kind("private", is_hidden=True), Kind("trash", "publish"), Kind("trash", "draft"), Kind("trash", "publish", is_locked=True)]


class Size(NamedTuple):
    """Who has written what, how many comments are on each item, and whether there is an account for each kind of item."""

    writers: dict[str, tuple[str, ...]]
    remarks: int
    has_accounts: bool = True


SIZES = {
    "small": Size({"posts": ("author", OTHER), "pages": ("author",), "events": ("author",)}, 2, has_accounts=False),
    "middle": Size({"posts": ("contributor", "author", OTHER), "pages": ("author",), "events": ("author",)}, 2),
    "large": Size({"posts": ("subscriber", "contributor", "author", "editor", "administrator", OTHER), "pages": ("author", "editor", OTHER),
                   "events": ("subscriber", "contributor", "author", OTHER)}, 4),
}


class World:
    """The site with its facts, written through its interface by an administrator."""

    def __init__(self, folder: Path, size: Size) -> None:
        (folder / "plugins").mkdir(parents=True)
        (folder / "plugins" / "hiding.py").write_text(HIDING, encoding="utf-8")
        self.client = make_client(folder, plugins=PLUGINS, item_password_failures=10**6)
        self._numbers, self._remarks = count(1), size.remarks
        self.items: list[Item] = []
        #: What has no marks of its own, but an author and a status.
        self.others: list[Item] = []
        self.remarks: list[Remark] = []
        self.accounts: list[Account] = []
        self._account(WITNESS)
        for collection, writers in size.writers.items():
            for kind in KINDS:
                for writer in writers:
                    self._add(collection, writer, kind)
        for number, kind in enumerate(KINDS if size.has_accounts else ()):
            self._add("posts", f"author{20 + number}", kind)  # seen for this alone
        for kind in (Kind("inherit"), Kind("inherit", is_hidden=True), Kind("private")):
            for writer in size.writers["posts"]:
                self._file(writer, kind, None)
        for asker in ASKERS[1:]:
            self._account(str(asker))
        self.holders: dict[int, str] = {item.id: self._holder(item) for item in self.of("pages", "media")}
        self.galleries = [(self._gallery(files), files) for files in chunks(self.of("media"), 50)]

    def of(self, *collections: str) -> list[Item]:
        return [item for item in self.items if item.collection in collections]

    def sees(self, asker: str | None, account: Account) -> bool:
        """Tell whether the oracle lets the asker see an account."""
        return may_see_account(asker, account, self.everything)

    @property
    def everything(self) -> list[Item]:
        return [*self.others, *self.items]

    def on(self, item: Item) -> list[Remark]:
        return [remark for remark in self.remarks if remark.on == item]

    def about(self, name: str) -> Account:
        return next(account for account in self.accounts if account.name == name)

    def versions(self, item: Item, kind: str) -> list[int]:
        """Return the ids of an item's revisions or autosaves."""
        return [each["id"] for each in self.client.get(f"{item.path}/{kind}", "administrator").json]

    def _holder(self, item: Item) -> str:
        """Return the path of a published item that leads to another, a page below it or a post with it as its picture."""
        collection, field = ("pages", "parent") if item.collection == "pages" else ("posts", "featured_media")
        id = self.client.new(f"/{collection}", "administrator", title="Holder", status="publish", **{field: item.id})["id"]
        return self._other(collection, id)

    def _other(self, collection: str, id: int) -> str:
        item = Item(0, collection, id, "administrator", "publish")
        self.others.append(item)
        return item.path

    def _gallery(self, files: Sequence[Item]) -> str:
        text = f'[gallery ids="{",".join(str(file.id) for file in files)}"]'
        return self._other("posts", self.client.new("/posts", "administrator", title="Gallery", content=text, status="publish")["id"])

    def _account(self, name: str) -> int:
        id = self.client.id_of(name)
        if all(account.name != name for account in self.accounts):
            number = next(self._numbers)
            self._send(f"/users/{id}", description=mark(number, ABOUT))
            self.accounts.append(Account(number, id, name))
        return id

    def _send(self, path: str, as_: str = "administrator", **fields: Any) -> dict[str, Any]:
        answer = self.client.post(path, fields, as_)
        assert answer.status_code < 300, (path, fields, answer.text)
        return dict(answer.get_json())

    def _add(self, collection: str, writer: str, kind: Kind) -> None:
        number = next(self._numbers)
        fields, tag = self._fields(number, kind), 0
        if collection == "posts":
            tag = self.client.new("/tags", "administrator", name=f"Tag {number}")["id"]
            fields["tags"] = [tag]
        # Comments are made and old slugs are kept while everybody may see it.
        id = self.client.new(f"/{collection}", "administrator", author=self._account(writer), slug=mark(number, "k"), **fields)["id"]
        password = fields["password"]
        item = Item(number, collection, id, writer, kind.status, kind.was, password, kind.is_hidden, tag=tag)
        self.items.append(item)
        if collection != "events":
            self.remarks += self._comments(item)
        self._finish(item, kind)
        self._file(writer, Kind("inherit"), item)
        menu_item = self.client.new("/menu-items", "administrator", type="post_type", object_id=id)["id"]
        self.items.append(Item(number, "menu-items", menu_item, "admin", "publish", on=item))
        if kind.status == "trash":
            assert self.client.delete(item.path, "administrator").status_code == 200

    def _fields(self, number: int, kind: Kind) -> dict[str, Any]:
        tomorrow = (datetime.now(UTC) + timedelta(days=1)).strftime("%Y-%m-%dT%H:%M:%S")
        hidden = " hidden" if kind.is_hidden else ""
        return {"title": mark(number, "n") + hidden, "content": mark(number, "r"), "excerpt": mark(number, "x"), "status": "publish",
                "password": mark(number, "p") if kind.is_locked else "", "seo_title": mark(number, "s"), "place": mark(number, "w"),
                "start": tomorrow, "comment_status": "open"}

    def _finish(self, item: Item, kind: Kind) -> None:
        """Give an item its slug, an earlier text, the present one and an autosave, and its status."""
        status = kind.was or kind.status
        fields = {"status": "publish", "date": "2099-01-01T00:00:00"} if status == "future" else {"status": status}
        self._send(item.path, slug=mark(item.number, "g"))
        self._send(item.path, content=mark(item.number, "t"), **fields)
        self._send(f"{item.path}/autosaves", WITNESS, content=mark(item.number, "v"))

    def _comments(self, item: Item) -> Iterator[Remark]:
        for status, writer in REMARKS[:self._remarks]:
            number = next(self._numbers)
            fields = {"author": self._account(writer), "author_email": f"{mark(number, ADDRESS)}@example.org"}
            id = self.client.new("/comments", "administrator", post=item.id, content=mark(number, REMARK), **fields)["id"]
            self._send(f"/comments/{id}", status=status)
            yield Remark(number, id, item, writer, status)

    def _file(self, writer: str, kind: Kind, on: Item | None) -> None:
        number = next(self._numbers)
        hidden = "%20hidden" if kind.is_hidden else ""
        texts = f"title={mark(number, 'n')}{hidden}&caption={mark(number, 'x')}&description={mark(number, 't')}&alt_text={mark(number, 't')}"
        query = f"?author={self._account(writer)}&slug={mark(number, 'g')}&{texts}" + (f"&post={on.id}" if on else "")
        headers = {"Content-Type": "image/png", "Content-Disposition": f'attachment; filename="{mark(number, "f")}.png"'}
        id = self.client.send("POST", f"/media{query}", "administrator", data=PICTURE, headers=headers).json["id"]
        if kind.status != "inherit":
            self._send(f"/media/{id}", status=kind.status)
        self.items.append(Item(number, "media", id, writer, kind.status, is_hidden=kind.is_hidden, on=on))


def chunks(values: Sequence[Item], size: int) -> list[Sequence[Item]]:
    return [values[start:start + size] for start in range(0, len(values), size)]


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


#: A picture of one pixel.
PICTURE = (b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)) + _chunk(b"IDAT", zlib.compress(b"\0\0"))
           + _chunk(b"IEND", b""))

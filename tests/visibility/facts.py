"""What the oracle knows of a site: items, comments and accounts, each with marks that stand in its texts."""

from __future__ import annotations

import re
from typing import NamedTuple

#: A mark is a number that is the fact's own, and a letter for the part of it that it stands in.
MARK = re.compile(r"zq\d{4}[a-z]")
#: Parts of items, by letter: what shows that there is one, its texts, and what is for those who edit it alone.
NAME, SLUG, OLD_SLUG, TITLE_FOR_ENGINES, TEXT, EXCERPT, PLACE, FILE = "n", "g", "k", "s", "t", "x", "w", "f"
PASSWORD, REVISION, AUTOSAVE = "p", "r", "v"
#: Of comments and of accounts.
REMARK, ADDRESS, ABOUT = "c", "l", "u"


def mark(number: int, part: str) -> str:
    return f"zq{number:04d}{part}"


class Item(NamedTuple):
    """An item of content, a file or a menu item."""

    number: int
    collection: str
    id: int
    author: str
    status: str
    #: Of what is in the trash: the status that it had.
    was: str = ""
    password: str = ""
    #: By a plugin, from all but administrators.
    is_hidden: bool = False
    #: What a file is attached to, or a menu item leads to.
    on: Item | None = None
    #: Id of a tag that no other item has.
    tag: int = 0

    def marks(self, parts: str) -> frozenset[str]:
        return frozenset(mark(self.number, part) for part in parts)

    @property
    def path(self) -> str:
        return f"/{self.collection}/{self.id}"


class Remark(NamedTuple):
    """A comment of an account."""

    number: int
    id: int
    on: Item
    author: str
    status: str

    def marks(self, parts: str) -> frozenset[str]:
        return frozenset(mark(self.number, part) for part in parts)


class Account(NamedTuple):
    """An account with what it says about itself."""

    number: int
    id: int
    name: str

    @property
    def about(self) -> frozenset[str]:
        return frozenset({mark(self.number, ABOUT)})

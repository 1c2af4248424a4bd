"""What a menu item points at and how, as its meta holds it: in the form that WordPress has it in exports."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import orjson

from cms.plugin import Row

PREFIX = "_menu_item_"
OBJECT_ID, PARENT_ID = f"{PREFIX}object_id", f"{PREFIX}menu_item_parent"
CUSTOM, POST_TYPE, TAXONOMY, ARCHIVE = "custom", "post_type", "taxonomy", "post_type_archive"
#: The types of what may still be awaited.
AWAITING = (POST_TYPE, TAXONOMY)
TYPES = (TAXONOMY, POST_TYPE, ARCHIVE, CUSTOM)
PHP_STRING = re.compile(r's:\d+:"(.*?)";')


@dataclass(frozen=True)
class Entry:
    """A menu item's own part: `object` names a type or taxonomy, `object_id` an item of content or a term."""

    type: str = CUSTOM
    object: str = ""
    object_id: int = 0
    parent: int = 0
    url: str = ""
    target: str = ""
    classes: tuple[str, ...] = ()
    xfn: tuple[str, ...] = ()

    @classmethod
    def from_meta(cls, meta: Mapping[str, Any]) -> Entry:
        """Read an entry from pairs of names and texts."""
        type = _text(meta, "type")
        return cls(
            type if type in TYPES else CUSTOM,
            _text(meta, "object"),
            parse_id(_text(meta, "object_id")),
            parse_id(_text(meta, "menu_item_parent")),
            _text(meta, "url"),
            _text(meta, "target"),
            _parse_list(_text(meta, "classes")),
            tuple(_text(meta, "xfn").split()),
        )

    @property
    def is_awaiting(self) -> bool:
        """Whether what it points at isn't here yet: an import knows it, and none has brought it."""
        return self.type in AWAITING and not self.object_id

    def to_meta(self) -> dict[str, str]:
        """Return the entry as pairs of names and texts."""
        texts = {
            "type": self.type,
            "object": self.object,
            "object_id": str(self.object_id),
            "menu_item_parent": str(self.parent),
            "url": self.url,
            "target": self.target,
            "classes": _format_list(self.classes),
            "xfn": " ".join(self.xfn),
        }
        return {PREFIX + name: value for name, value in texts.items()}

    def changed(self, sent: Mapping[str, Any]) -> Entry:
        """Return the entry with what a request sends of it."""
        names = ("type", "object", "object_id", "parent", "url", "target")
        changes = {name: sent[name] for name in names if name in sent}
        for name in ("classes", "xfn"):
            if name in sent:
                changes[name] = tuple(sent[name])
        return replace(self, **changes)


def entry_of(row: Row) -> Entry:
    """Return the own part of a menu item, given as its row."""
    return Entry.from_meta(orjson.loads(row["meta"]))


def parse_id(text: str) -> int:
    """Return the id that a text is, 0 where it is none."""
    if re.fullmatch(r"[0-9]{1,18}", text, re.ASCII):
        return int(text)
    return 0


def _text(meta: Mapping[str, Any], name: str) -> str:
    value = meta.get(PREFIX + name)
    return value if isinstance(value, str) else ""


def _parse_list(text: str) -> tuple[str, ...]:
    return tuple(word for word in PHP_STRING.findall(text) if word)


def _format_list(words: tuple[str, ...]) -> str:
    # The notation of PHP, which exports have for lists.
    inner = "".join(f'i:{index};s:{len(word.encode())}:"{word}";' for index, word in enumerate(words))
    return f"a:{len(words)}:{{{inner}}}"

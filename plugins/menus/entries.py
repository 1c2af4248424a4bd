"""What a menu item points at and how, as it is kept beside the item: in the form that WordPress has it in exports."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

PREFIX = "_menu_item_"
CUSTOM, POST_TYPE, TAXONOMY, ARCHIVE = "custom", "post_type", "taxonomy", "post_type_archive"
TYPES = (TAXONOMY, POST_TYPE, ARCHIVE, CUSTOM)
_TEXT = re.compile(r's:\d+:"(.*?)";')


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
    def read(cls, meta: Mapping[str, Any]) -> Entry:
        """Read an entry from pairs of names and texts."""

        def text(name: str) -> str:
            value = meta.get(PREFIX + name)
            return value if isinstance(value, str) else ""

        type = text("type") if text("type") in TYPES else CUSTOM
        return cls(
            type,
            text("object"),
            number(text("object_id")),
            number(text("menu_item_parent")),
            text("url"),
            text("target"),
            _read_list(text("classes")),
            tuple(text("xfn").split()),
        )

    def written(self) -> dict[str, str]:
        """Return the entry as pairs of names and texts."""
        texts = {
            "type": self.type,
            "object": self.object,
            "object_id": str(self.object_id),
            "menu_item_parent": str(self.parent),
            "url": self.url,
            "target": self.target,
            "classes": _write_list(self.classes),
            "xfn": " ".join(self.xfn),
        }
        return {PREFIX + name: value for name, value in texts.items()}

    def changed(self, sent: Mapping[str, Any]) -> Entry:
        """Return the entry with what a request sends of it."""
        names = ("type", "object", "object_id", "parent", "url", "target")
        changes = {name: sent[name] for name in names if name in sent}
        changes |= {name: tuple(sent[name]) for name in ("classes", "xfn") if name in sent}
        return replace(self, **changes)


def number(text: str) -> int:
    """Return the id that a text is, 0 where it is none."""
    return int(text) if re.fullmatch(r"[0-9]{1,18}", text, re.ASCII) else 0


def _read_list(text: str) -> tuple[str, ...]:
    return tuple(word for word in _TEXT.findall(text) if word)


def _write_list(words: tuple[str, ...]) -> str:
    # The notation of PHP, which exports have for lists.
    inner = "".join(f'i:{index};s:{len(word.encode())}:"{word}";' for index, word in enumerate(words))
    return f"a:{len(words)}:{{{inner}}}"

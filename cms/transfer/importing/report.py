"""What an import did and what it didn't, by kind, with everything that somebody should look at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from cms.transfer.wxr.records import Notice

MOST_NOTICES = 1_000
#: How many names of values of one type are counted.
MOST_NAMES = 200


@dataclass(frozen=True, slots=True)
class MissingFile:
    """Tell of a file that stayed at its address, and why; `item` is the attachment's identifier in the export."""

    line: int
    item: int | None
    address: str
    reason: str


@dataclass
class Report:
    """Count what was imported, what was here already and what was left out, and why."""

    imported: dict[str, int] = field(default_factory=dict)
    known: dict[str, int] = field(default_factory=dict)
    left_out: dict[tuple[str, str], int] = field(default_factory=dict)
    #: Values beside items that weren't imported, by the type of the item and their names.
    left_out_meta: dict[str, dict[str, int]] = field(default_factory=dict)
    #: Comments of types that nobody but moderators sees.
    hidden_comments: dict[str, int] = field(default_factory=dict)
    #: Settings that the site had none of.
    settings: dict[str, str] = field(default_factory=dict)
    notices: list[Notice] = field(default_factory=list)
    further_notices: int = 0
    missing_files: list[MissingFile] = field(default_factory=list)
    further_missing_files: int = 0
    #: How many texts lost markup that not everybody may write.
    cleaned: int = 0
    #: How many addresses in texts were led to files that are here.
    addresses: int = 0

    def count(self, kind: str) -> None:
        """Count a thing that was imported."""
        self.imported[kind] = self.imported.get(kind, 0) + 1

    def recognise(self, kind: str, number: int = 1) -> None:
        """Count things that were here already."""
        if number:
            self.known[kind] = self.known.get(kind, 0) + number

    def leave_out(self, kind: str, reason: str, number: int = 1) -> None:
        """Count things of one kind that weren't imported, with the reason."""
        if number:
            self.left_out[kind, reason] = self.left_out.get((kind, reason), 0) + number

    def leave_out_meta(self, type: str, names: Sequence[str], reason: str) -> None:
        """Count values beside an item that weren't imported, each by its name too."""
        self.leave_out("meta", reason, len(names))
        for name in names:
            found = self.left_out_meta.setdefault(type, {})
            if name in found or len(found) < MOST_NAMES:
                found[name] = found.get(name, 0) + 1

    def hide(self, type: str) -> None:
        """Count a comment of a type that nobody but moderators sees."""
        self.hidden_comments[type] = self.hidden_comments.get(type, 0) + 1

    def notify(self, notice: Notice) -> None:
        """Keep a notice; beyond a thousand they are only counted, so that a bad file can't fill the memory."""
        if len(self.notices) < MOST_NOTICES:
            self.notices.append(notice)
        else:
            self.further_notices += 1

    def miss(self, line: int, item: int | None, address: str, reason: str) -> None:
        """Keep a file that isn't here; beyond a thousand they are only counted, as notices are."""
        if len(self.missing_files) < MOST_NOTICES:
            self.missing_files.append(MissingFile(line, item, address, reason))
        else:
            self.further_missing_files += 1

    def as_dict(self) -> dict[str, Any]:
        """Return the report as it is written to JSON."""
        return {
            "imported": dict(self.imported),
            "known": dict(self.known),
            "left_out": {f"{kind}: {reason}": number for (kind, reason), number in self.left_out.items()},
            "left_out_meta": {type: dict(names) for type, names in self.left_out_meta.items()},
            "hidden_comments": dict(self.hidden_comments),
            "settings": dict(self.settings),
            "notices": [_write(notice) for notice in self.notices],
            "further_notices": self.further_notices,
            "missing_files": [asdict(file) for file in self.missing_files],
            "further_missing_files": self.further_missing_files,
            "addresses": self.addresses,
            "cleaned": self.cleaned,
        }


def _write(notice: Notice) -> str:
    place = f"line {notice.line}" if notice.item is None else f"line {notice.line}, item {notice.item}"
    return f"{place}: {notice.text}"

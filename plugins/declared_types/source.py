"""A file of declarations as it was read: its values, the line of each, and the faults that were found in it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path

HEADER = re.compile(r"\s*(\[\[?)\s*([\w.\"'-]+)\s*\]\]?")
KEY = re.compile(r"\s*([\w-]+|\"[^\"]+\")\s*=")
AT_LINE = re.compile(r"(.*?) \(at line (\d+), column \d+\)")
AT_END = re.compile(r"(.*?) \(at end of document\)")

#: The largest number that JSON's readers everywhere take exactly.
LARGEST = 2**53 - 1
#: The way to a value: names of tables, and places in lists of tables.
Place = tuple[str | int, ...]


@dataclass(frozen=True, order=True)
class Fault:
    """What is wrong in a file, with the line, and what to write instead."""

    path: Path
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.path}, line {self.line}: {self.text}"


@dataclass
class SourceFile:
    """One file: its values, and where each stands."""

    path: Path
    values: Mapping[str, object] = field(default_factory=dict)
    text: str = ""
    faults: list[Fault] = field(default_factory=list)

    @cached_property
    def lines(self) -> dict[Place, int]:
        """The lines of all tables and keys, which are looked for where there is a fault, or something to change."""
        return _lines(self.text)

    def line_of(self, place: Place) -> int:
        """Return the line of a value, else that of the table which it would stand in."""
        while place and place not in self.lines:
            place = place[:-1]
        return self.lines.get(place, 1)

    def refuse(self, place: Place, text: str) -> None:
        """Take note of a fault."""
        self.faults.append(Fault(self.path, self.line_of(place), text))


def read_file(path: Path) -> SourceFile:
    """Read a file; one that isn't TOML has that as its only fault."""
    source = SourceFile(path)
    try:
        text = path.read_text(encoding="utf-8")
        source.values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = AT_LINE.fullmatch(str(error))
        line, reason = (int(found[2]), found[1]) if found else (1, str(error))
        if AT_END.fullmatch(str(error)):
            line, reason = text.count("\n") + 1, str(error)
        source.faults.append(Fault(path, line, f"this isn't TOML: {reason}. See https://toml.io"))
    except UnicodeDecodeError as error:
        source.faults.append(Fault(path, 1, f"byte {error.start} isn't UTF-8. Save the file as UTF-8"))
    except OSError as error:
        source.faults.append(Fault(path, 1, f"it can't be read: {error.strerror}"))
    else:
        source.text = text
    return source


def _lines(text: str) -> dict[Place, int]:
    """Return the lines of all tables and keys; the text is known to be TOML."""
    lines: dict[Place, int] = {}
    counts: dict[Place, int] = {}
    table: Place = ()
    for number, line in enumerate(text.splitlines(), 1):
        header = HEADER.match(line)
        if header is not None:
            table = _table(header[2], counts, is_list=header[1] == "[[")
            for end in range(1, len(table) + 1):
                lines.setdefault(table[:end], number)
            continue
        key = KEY.match(line)
        if key is not None:
            lines.setdefault((*table, key[1].strip('"')), number)
    return lines


def _table(name: str, counts: dict[Place, int], *, is_list: bool) -> Place:
    """Return the place of a table by its header; `counts` has how many of each list of tables came before."""
    place: Place = ()
    parts = [part.strip("\"' ") for part in name.split(".")]
    for index, part in enumerate(parts):
        place = (*place, part)
        if index < len(parts) - 1:
            if place in counts:
                place = (*place, counts[place])
        elif is_list:
            counts[place] = counts.get(place, -1) + 1
            place = (*place, counts[place])
    return place


@dataclass
class Table:
    """A table of a file, whose values are taken by name; what is wrong with them is noted in the file."""

    source: SourceFile
    values: Mapping[str, object]
    place: Place
    known: dict[str, str] = field(default_factory=dict)

    def refuse(self, name: str, text: str) -> None:
        """Note a fault of a value by its name; of the table as a whole where the name is empty."""
        self.source.refuse((*self.place, name) if name else self.place, text)

    def has(self, name: str) -> bool:
        """Tell whether a value is there."""
        return name in self.values

    def text(
        self, name: str, default: str = "", pattern: re.Pattern[str] | None = None, takes: str = ""
    ) -> str:
        """Take a text; `takes` says what it has to be, for those that don't fit the pattern."""
        self.known[name] = "text"
        value = self.values.get(name, default)
        if isinstance(value, str) and (pattern is None or value == default or pattern.fullmatch(value)):
            return value
        self.refuse(name, f"{name} = {_shown(value)} can't be. Write {takes or 'a text in quotes'}")
        return default

    def flag(self, name: str, *, default: bool = False) -> bool:
        """Take yes or no."""
        self.known[name] = "flag"
        value = self.values.get(name, default)
        if isinstance(value, bool):
            return value
        self.refuse(name, f"{name} = {_shown(value)} can't be. Write true or false, without quotes")
        return default

    def number(self, name: str, *, whole: bool = True, least: int | None = None) -> int | float | None:
        """Take a number, None where there is none."""
        self.known[name] = "number"
        value = self.values.get(name)
        if value is None:
            return None
        kinds, low = (int,) if whole else (int, float), -LARGEST if least is None else least
        if isinstance(value, kinds) and not isinstance(value, bool) and low <= value <= LARGEST:
            return value
        what = "a whole number" if whole else "a number"
        bound = f" from {low} to {LARGEST}" if isinstance(value, (int, float)) else ""
        self.refuse(name, f"{name} = {_shown(value)} can't be. Write {what}{bound}, without quotes")
        return None

    def texts(self, name: str, default: tuple[str, ...] = (), allowed: Iterable[str] = ()) -> tuple[str, ...]:
        """Take a list of texts, of which only some may be `allowed`."""
        self.known[name] = "texts"
        value = self.values.get(name)
        if value is None:
            return default
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            self.refuse(
                name, f'{name} = {_shown(value)} can\'t be. Write a list of texts, such as ["one", "two"]'
            )
            return default
        for each in value:
            if allowed and each not in allowed:
                self.refuse(
                    name,
                    f'{name} has "{each}", which isn\'t one of {", ".join(allowed)}{near(each, allowed)}',
                )
                return default
        return tuple(value)

    def label(self, name: str, default: str = "") -> tuple[str, dict[str, str]]:
        """Take a text for people: one for all languages, or one for each; returns the usual one and all by language."""
        self.known[name] = "label"
        value = self.values.get(name, default)
        if isinstance(value, str):
            return value, {}
        if isinstance(value, dict) and value and all(isinstance(each, str) for each in value.values()):
            return value.get("en") or next(iter(value.values())), value
        takes = 'a text, or one for each language: { en = "Recipes", de = "Rezepte" }'
        self.refuse(name, f"{name} = {_shown(value)} can't be. Write {takes}")
        return default, {}

    def table(self, name: str) -> Table | None:
        """Take a table, None where there is none."""
        self.known[name] = "table"
        value = self.values.get(name)
        if isinstance(value, dict):
            return Table(self.source, value, (*self.place, name))
        if value is not None:
            self.refuse(name, f"{name} = {_shown(value)} can't be. Write it as a table: [{name}]")
        return None

    def tables(self, name: str) -> list[Table]:
        """Take a list of tables."""
        self.known[name] = "tables"
        value = self.values.get(name, [])
        if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
            self.refuse(name, f"{name} must be a list of tables. Write [[{name}]] above each")
            return []
        found = []
        for index, each in enumerate(value):
            found.append(Table(self.source, each, (*self.place, name, index)))
        return found

    def finish(self) -> None:
        """Note the names that nothing has asked for."""
        for name in self.values:
            if name not in self.known:
                known = sorted(self.known)
                self.refuse(name, f"{name} isn't known here{near(name, known)} Known: {', '.join(known)}")


def near(name: str, known: Iterable[str]) -> str:
    """Return the end of a sentence: a question for the nearest of some names, a full stop where none is near."""
    found = get_close_matches(name, list(known), 1)
    return f'. Did you mean "{found[0]}"?' if found else "."


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else f"{value}"

"""The files of types as texts: what the database remembers of them, how they differ, and changing one in place."""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import unified_diff
from pathlib import Path

from .reading import FOLDER
from .source import SourceFile


def read_texts(instance: Path) -> dict[str, str]:
    """Return the texts of an instance's files by their names."""
    found = {}
    for path in sorted((instance / FOLDER).glob("*.toml")):
        found[path.name] = path.read_text(encoding="utf-8")
    return found


def differences(remembered: Mapping[str, str], texts: Mapping[str, str]) -> dict[str, list[str]]:
    """Return the lines in which files differ from what is remembered, by their names."""
    found = {}
    for name in sorted({*remembered, *texts}):
        before, after = remembered.get(name, ""), texts.get(name, "")
        lines = unified_diff(before.splitlines(), after.splitlines(), "database", name, lineterm="")
        if before != after:
            found[name] = list(lines)
    return found


def rename_field(source: SourceFile, index: int, key: str, new_name: str) -> None:
    """Give a field of a file another name and keep its key, in place: all else of the text stays as it is.

    `index` is the field's place among the fields of the file.
    """
    lines = source.path.read_text(encoding="utf-8").splitlines(keepends=True)
    place = source.lines["field", index, "name"] - 1
    lines[place] = re.sub(r'(name\s*=\s*)("[^"]*"|\'[^\']*\')', rf'\g<1>"{new_name}"', lines[place], count=1)
    if ("field", index, "key") not in source.lines:
        indent = lines[place][: len(lines[place]) - len(lines[place].lstrip())]
        lines.insert(place + 1, f'{indent}key = "{key}"\n')
    source.path.write_text("".join(lines), encoding="utf-8")

"""Types and taxonomies that get another name: in their files and those that name them, and in what is stored."""

from __future__ import annotations

import logging
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

from cms.plugin import Database

from .declarations import Declarations, TaxonomyDeclaration, TypeDeclaration
from .reading import FOLDER
from .source import SourceFile, read_file
from .store import has_rows, remembered_files, rename_rows

TYPE, TAXONOMY = "type", "taxonomy"
#: The options of files that name types, and those that name taxonomies.
NAMING = {TYPE: ("to", "types", "extends"), TAXONOMY: ("taxonomy", "taxonomies", "extends")}
Kind = tuple[str, str]

log = logging.getLogger("cms")


def move_renamed(database: Database, declarations: Declarations, texts: Mapping[str, str]) -> None:
    """Have all items and terms be of the names that files give them now, whatever their names were before.

    `texts` are those of the files. What was stored under a key, or under the name of the last start, is moved.
    """
    remembered = remembered_files(database)
    before = _names_in(remembered) if remembered != texts else {}
    for (kind, key), name in _names(declarations).items():
        for old in sorted({key, before.get((kind, key), key)} - {name}):
            if not has_rows(database, kind == TAXONOMY, old):
                continue
            log.info("The %s %s is called %s now", kind, old, name)
            if not rename_rows(database, kind == TAXONOMY, old, name):
                log.warning("Some of %s stay there, since %s has their slugs. Give these others.", old, name)


def _names(declarations: Declarations) -> dict[Kind, str]:
    found = {(TYPE, each.key): each.name for each in declarations.own_types()}
    for each in declarations.taxonomies:
        found[TAXONOMY, each.key] = each.name
    return found


def _names_in(texts: Mapping[str, str]) -> dict[Kind, str]:
    """Return the names of what texts of files declare, by kind and key."""
    found: dict[Kind, str] = {}
    for text in texts.values():
        values = tomllib.loads(text)
        for kind in (TYPE, TAXONOMY):
            table = values.get(kind, {})
            if "name" in table:
                found[kind, table.get("key", table["name"])] = table["name"]
    return found


def rename_in_files(instance: Path, declared: TypeDeclaration | TaxonomyDeclaration, name: str) -> list[Path]:
    """Give a type or taxonomy another name in its file and in those that name it; return the files that changed.

    Its key and its address stay; all else of the texts stays as it is.
    """
    kind = TYPE if isinstance(declared, TypeDeclaration) else TAXONOMY
    changed = []
    for path in sorted((instance / FOLDER).glob("*.toml")):
        source = read_file(path)
        text = path.read_text(encoding="utf-8")
        lines = text.splitlines(keepends=True)
        for number in _naming_lines(source, lines, NAMING[kind]):
            lines[number] = _swap(lines[number], declared.name, name)
        if path == declared.path:
            _rename_own(source, lines, kind, declared, name)
        if "".join(lines) != text:
            path.write_text("".join(lines), encoding="utf-8")
            changed.append(path)
    return changed


def _rename_own(
    source: SourceFile,
    lines: list[str],
    kind: str,
    declared: TypeDeclaration | TaxonomyDeclaration,
    name: str,
) -> None:
    place = source.lines[kind, "name"] - 1
    indent = lines[place][: len(lines[place]) - len(lines[place].lstrip())]
    lines[place] = _swap(lines[place], declared.name, name)
    for option, value in (("base", declared.base), ("key", declared.key)):
        if (kind, option) not in source.lines:
            lines.insert(place + 1, f'{indent}{option} = "{value}"\n')


def _naming_lines(source: SourceFile, lines: list[str], options: tuple[str, ...]) -> Iterator[int]:
    """Yield the places of the lines with the values of some options, all lines of lists."""
    for place, line in source.lines.items():
        if not place or place[-1] not in options or lines[line - 1].lstrip().startswith("["):
            continue
        number, depth = line - 1, 0
        while True:
            yield number
            depth += lines[number].count("[") - lines[number].count("]")
            number += 1
            if depth <= 0 or number == len(lines):
                break


def _swap(line: str, old: str, new: str) -> str:
    return re.sub(rf"""(["']){re.escape(old)}\1""", rf"\g<1>{new}\g<1>", line)

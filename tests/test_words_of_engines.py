"""What only SQLite understands is written in cms/db/sqlite alone; stores take it from there.

Migrations are left out: they are texts for SQLite as a whole, and never change.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
#: SQLite's own package, and that which carries its words over.
OWNERS = (ROOT / "cms" / "db" / "sqlite", ROOT / "cms" / "db" / "postgres")
FILES = [
    path
    for folder in ("cms", "plugins")
    for path in sorted((ROOT / folder).rglob("*.py"))
    if not any(map(path.is_relative_to, OWNERS)) and path.parent.name != "migrations"
]
#: Words in the texts of statements.
WORDS = re.compile(
    r"\bjson_(each|extract|set|insert|replace|remove|type|object|array|group_array|group_object|patch|valid)\b"
    r"|->>|\bGLOB\b|\bNOCASE\b|\b(INSERT|UPDATE) OR\b|\bREPLACE INTO\b|\bsqlite_\w+|\bPRAGMA\b|\bWITHOUT ROWID\b"
    r"|\browid\b|\bfts5\b|\bMATCH\b|\bINDEXED\b|\blikely\(|\biif\(|\bifnull\(|\bAUTOINCREMENT\b|\bBEGIN IMMEDIATE\b"
    r"|\bCROSS JOIN\b|\brandomblob\b|\bbm25\b|\bgroup_concat\b|\bstrftime\('|\b(AND|WHERE|,|=|\() \+\w"
)
#: Functions and operators of peewee, by the name of the attribute.
ATTRIBUTES = re.compile(r"json_\w+|likely|unlikely|ifnull|instr|iif|printf|unixepoch|julianday|lastrowid|total_changes")


def docstrings(tree: ast.AST) -> set[int]:
    found = set()
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list) and body and isinstance(body[0], ast.Expr):
            found.add(id(body[0].value))
    return found


def words_of(path: Path) -> Iterator[tuple[int, str]]:
    """Yield what a file says that only SQLite understands, with its line."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    described = docstrings(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in described:
            for match in WORDS.finditer(node.value):
                yield node.lineno, match[0]
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "fn":
            if ATTRIBUTES.fullmatch(node.attr):
                yield node.lineno, node.attr
        elif isinstance(node, ast.Attribute) and node.attr in ("lastrowid", "total_changes"):
            yield node.lineno, node.attr
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names = [getattr(node, "module", "") or "", *(alias.name for alias in node.names)]
            yield from ((node.lineno, name) for name in names if name in ("sqlite3", "SqliteDatabase"))


def test_only_one_package_knows_the_words_of_sqlite() -> None:
    found = []
    for path in FILES:
        for line, word in words_of(path):
            found.append(f"{path.relative_to(ROOT)}:{line}: {word}")
    assert found == []


@pytest.mark.parametrize(
    "text",
    [
        "SELECT value FROM json_each(?)",
        "SELECT 1 FROM a WHERE +type = ?",
        "INSERT OR IGNORE INTO a (b) VALUES (1)",
        "PRAGMA data_version",
        "a.name COLLATE NOCASE",
        "SELECT seq FROM sqlite_sequence",
        "SELECT 1 FROM a INDEXED BY b",
    ],
)
def test_words_of_sqlite_are_noticed(text: str, tmp_path: Path) -> None:
    path = tmp_path / "store.py"
    path.write_text(f'"""PRAGMA is not meant here."""\n\nSELECT = {text!r}\n')
    assert [line for line, _word in words_of(path)] == [3]

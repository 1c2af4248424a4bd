"""What plugins may import is pinned: each name with its signature, and that nothing else is used."""

from __future__ import annotations

import ast
import importlib
import re
from pathlib import Path
from string import Template

import pytest
from plugin_api import COMMAND, MODULES, PAGE, ROOT, SNAPSHOT, entries, page, snapshot

DOCUMENTS = [*sorted((ROOT / "docs" / "plugins").glob("*.md")), ROOT / "docs" / "embedding.md"]
SCAFFOLD = sorted((ROOT / "cms" / "cli" / "scaffold").glob("*.py.txt"))
BUNDLED = sorted((ROOT / "plugins").rglob("*.py"))
REGENERATE = f"The plugin interface has changed. If it may, run: {COMMAND}"
#: The group of entry points, and the files of catalogues.
NAMES_OF_OTHER_THINGS = {"cms.plugins", "cms.po", "cms.mo"}
WORDS = {"name": "example", "title": "Example", "dashed": "example", "api": "1", "version": "1"}


def imported(source: str) -> set[str]:
    """Return the modules of ours that some code imports."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and not node.level:
            found.add(str(node.module))
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return {name for name in found if name.split(".")[0] == "cms"}


def examples(path: Path) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```$", path.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def test_names_and_signatures_are_those_of_the_snapshot() -> None:
    assert snapshot() == SNAPSHOT.read_text(encoding="utf-8"), REGENERATE


def test_the_page_is_made_from_the_code() -> None:
    assert page() == PAGE.read_text(encoding="utf-8"), REGENERATE


@pytest.mark.parametrize("module", MODULES)
def test_every_name_has_its_sentence(module: str) -> None:
    found = entries(module)

    assert sorted(entry.name for entry in found) == sorted(importlib.import_module(module).__all__)
    assert not [entry.name for entry in found if not entry.sentence.endswith(".")]


@pytest.mark.parametrize("path", BUNDLED, ids=lambda path: str(path.relative_to(ROOT)))
def test_bundled_plugins_import_what_plugins_may(path: Path) -> None:
    assert imported(path.read_text(encoding="utf-8")) <= set(MODULES)


@pytest.mark.parametrize("path", SCAFFOLD, ids=lambda path: path.name)
def test_the_scaffold_imports_what_plugins_may(path: Path) -> None:
    assert imported(Template(path.read_text(encoding="utf-8")).substitute(WORDS)) <= set(MODULES)


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_documents_import_what_plugins_may(path: Path) -> None:
    assert not [name for source in examples(path) for name in imported(source) if name not in MODULES]


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_documents_name_what_plugins_may_import(path: Path) -> None:
    known = {f"{module}.{name}" for module in MODULES for name in importlib.import_module(module).__all__}
    named = set(re.findall(r"`(cms\.[\w.]+)", path.read_text(encoding="utf-8")))

    assert named <= {*known, *MODULES, *NAMES_OF_OTHER_THINGS}

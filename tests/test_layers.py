"""Imports go downwards only, and HTTP stays in its own package."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent / "cms"
FILES = sorted(path for path in ROOT.rglob("*.py"))

#: From the top: a module imports from its own layer or from those below it.
LAYERS = [
    {"cli", "testing", "app"},
    {"api", "install", "assembly"},
    {"plugin"},
    {"transfer"},
    {"site"},
    {"site_api"},
    {"resources"},
    {"background"},
    {"operations", "hooks"},
    {"schema"},
    {"access"},
    {"config", "media", "rendering", "net", "db"},
    {"errors", "i18n", "dates", "version"},
]
LAYER_OF = {name: depth for depth, names in enumerate(LAYERS) for name in names}


def imports(path: Path) -> set[str]:
    """Return what a module imports when it runs; imports for types alone don't count."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {f"{node.module}.{alias.name}" if node.module == "cms" else node.module for alias in node.names}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return found


def part(path: Path) -> str:
    relative = path.relative_to(ROOT)
    return relative.parts[0].removesuffix(".py")


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_imports_from_below(path: Path) -> None:
    own = part(path)
    if own == "__init__":
        return
    for name in imports(path):
        if name.startswith("cms.") and "__" not in name:
            other = name.split(".")[1]
            assert LAYER_OF[own] <= LAYER_OF[other], f"{own} imports {name}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_flask_stays_in_its_place(path: Path) -> None:
    if part(path) not in ("api", "app", "cli", "testing"):
        assert not [name for name in imports(path) if name.split(".")[0] in ("flask", "werkzeug")]


def test_models_and_schemas_do_not_know_each_other() -> None:
    for path in (ROOT / "db" / "models").glob("*.py"):
        assert not [name for name in imports(path) if "schema" in name or "fields" in name]
    assert not [name for name in imports(ROOT / "schema" / "schemas.py") if "models" in name]

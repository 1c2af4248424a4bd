"""Packages import from packages below them only, and no two import each other, whatever the imports are for.

Imports for types alone and imports inside functions count too. The table of layers in docs/architecture.md is made
from LAYERS: `python tests/test_layers.py` writes it.
"""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
CORE = ROOT / "cms"
DOCUMENT = ROOT / "docs" / "architecture.md"
FILES = sorted(CORE.rglob("*.py"))

#: From the top: what each layer is for, and the packages and modules that make it up. One imports from those below.
LAYERS = [
    ("entry points", ("asgi", "cli", "testing")),
    ("the Flask application", ("app",)),
    ("the editing page", ("admin",)),
    ("HTTP, and making new sites", ("api", "install")),
    ("putting a site together", ("assembly",)),
    ("what plugin authors use", ("plugin",)),
    ("import and export", ("transfer",)),
    ("what the core serves", ("resources",)),
    ("a request to an endpoint", ("call",)),
    ("a site with all its services", ("site",)),
    ("a resource as Python calls", ("site_api",)),
    ("the engine", ("operations",)),
    ("what can be wrong with a site", ("doctor",)),
    ("backups, restoring, upgrades", ("backup",)),
    ("what happens later or by the clock", ("background",)),
    ("where plugins are asked", ("hooks",)),
    ("the ground services of a site", ("context",)),
    ("declarations", ("schema",)),
    ("who asks and what they may", ("access",)),
    ("ground", ("config", "db", "media", "net", "rendering")),
    ("language, errors, dates, forks", ("dates", "errors", "forks", "i18n", "version")),
]
LAYER_OF = {name: depth for depth, (_title, names) in enumerate(LAYERS) for name in names}


@cache
def imported_modules(path: Path) -> tuple[str, ...]:
    """Return the modules of ours that a file imports anywhere, with the names that it takes from packages."""
    found: list[str] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path} has a relative import"
            found += [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
    return tuple(found)


def package_of(path: Path) -> str:
    return path.relative_to(CORE).parts[0].removesuffix(".py")


def targets(path: Path) -> set[str]:
    """Return the packages and modules right below `cms` that a file imports, but for its own."""
    found = {name.split(".")[1] for name in imported_modules(path) if name.startswith("cms.") and "__" not in name}
    return (found & LAYER_OF.keys()) - {package_of(path)}


def module_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def table() -> str:
    """Return the layers as the documentation shows them."""
    rows = [f"| {title} | {', '.join(f'`{name}`' for name in names)} |" for title, names in LAYERS]
    return "\n".join(["| Layer | Packages and modules |", "| --- | --- |", *rows])


def test_every_package_has_a_layer() -> None:
    assert {package_of(path) for path in FILES} - {"__init__"} == LAYER_OF.keys()


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(CORE)))
def test_a_package_imports_from_below(path: Path) -> None:
    own = package_of(path)
    if own != "__init__":
        above = {name for name in targets(path) if LAYER_OF[name] < LAYER_OF[own]}
        assert not above


def test_no_two_packages_import_each_other() -> None:
    graph: dict[str, set[str]] = {}
    for path in FILES:
        graph.setdefault(package_of(path), set()).update(targets(path))

    assert not [(one, other) for one, found in graph.items() for other in found if one in graph.get(other, ())]


def test_no_modules_import_each_other_in_a_circle() -> None:
    modules = {module_of(path): path for path in FILES}
    graph = {}
    for name, path in modules.items():
        found = {each if each in modules else each.rpartition(".")[0] for each in imported_modules(path)}
        graph[name] = (found & modules.keys()) - {name, "cms"}
    while free := [name for name, found in graph.items() if not found & graph.keys()]:
        for name in free:
            del graph[name]

    assert not graph


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(CORE)))
def test_flask_stays_in_its_place(path: Path) -> None:
    if package_of(path) not in ("admin", "api", "app", "asgi", "cli", "testing"):
        assert not [name for name in imported_modules(path) if name.split(".")[0] in ("flask", "werkzeug")]


def test_models_and_schemas_do_not_know_each_other() -> None:
    assert not [path for path in (CORE / "db").rglob("*.py") if "schema" in targets(path)]
    schemas = set(imported_modules(CORE / "schema" / "schemas.py"))
    assert not [name for name in schemas if name.startswith("cms.db")]


def test_the_documentation_shows_the_layers() -> None:
    assert table() in DOCUMENT.read_text(encoding="utf-8")


if __name__ == "__main__":
    text = DOCUMENT.read_text(encoding="utf-8")
    start = text.index("| Layer |")
    end = text.index("\n\n", start)
    DOCUMENT.write_text(text[:start] + table() + text[end:], encoding="utf-8")

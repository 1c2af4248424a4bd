"""The programs of the guide to the API run as they stand, and print what it says."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from played_docs import DOCUMENTS, read_blocks
from served import HERE, Served, prepare_demo, run_script, serve_copy

ADDRESS = "http://127.0.0.1:8000"
SCRIPTED = [document for document in DOCUMENTS if read_blocks(document, "js")]
#: Those of openapi.md need types that are made of a served site: test_openapi_typescript.py compiles them.
TYPED = [document for document in DOCUMENTS if read_blocks(document, "ts") and document.stem != "openapi"]


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory, clients: None) -> Iterator[Served]:
    """A served site as `make serve` makes it."""
    prepared = prepare_demo(tmp_path_factory.mktemp("demo"))
    with serve_copy(prepared, tmp_path_factory.mktemp("served")) as site:
        yield site


def test_the_guide_has_programs() -> None:
    assert SCRIPTED
    assert TYPED


@pytest.mark.parametrize("document", SCRIPTED, ids=lambda path: path.stem)
def test_scripts_print_what_the_guide_says(demo: Served, document: Path, tmp_path: Path) -> None:
    script = tmp_path / "guide.mjs"
    script.write_text("\n".join(read_blocks(document, "js")).replace(ADDRESS, demo.home), encoding="utf-8")

    assert run_script(script) == "".join(read_blocks(document, "text"))


@pytest.mark.parametrize("document", TYPED, ids=lambda path: path.stem)
def test_typed_programs_compile(clients: None, document: Path) -> None:
    program = "\n".join(read_blocks(document, "ts"))

    assert _complaints(program) == []
    assert _complaints(program + "\nposts.title;\n") != []


def _complaints(program: str) -> list[str]:
    printed = run_script(HERE / "wp_types" / "guide.mjs", PROGRAM=program, HERE=str(HERE))
    return list(json.loads(printed))

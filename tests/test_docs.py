"""The documents say what the code says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from error_codes import CODES, PAGE, read_advice, write_codes, write_page

from cms.config import SETTINGS

ROOT = Path(__file__).parent.parent
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def test_every_setting_is_documented_with_its_sentence() -> None:
    text = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")

    assert re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE) == [setting.name for setting in SETTINGS]
    assert not [setting.name for setting in SETTINGS if setting.help not in text]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_what_a_document_points_at_is_there(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    targets = [link for link in re.findall(r"\]\(([^)#]+)\)", text) if "://" not in link]
    files = re.findall(r"`((?:cms|tests|bench|docs)/[\w./-]+\.(?:py|md|json))`", text)

    assert not [link for link in targets if not (document.parent / link).exists()]
    assert not [name for name in files if not (ROOT / name).exists()]


def test_the_glossary_of_errors_says_what_the_code_says() -> None:
    assert PAGE.read_text(encoding="utf-8") == write_page(), "run: python tests/error_codes.py"
    assert CODES.read_text(encoding="utf-8") == write_codes(), "run: python tests/error_codes.py"
    assert not [code for code, advice in read_advice().items() if not advice.strip()]


def test_the_index_leads_to_every_document() -> None:
    index = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    linked = set(re.findall(r"\]\(([^)#]+)\)", index))
    chapters = {path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")} - {"README.md"}
    indexed = linked | {f"{link.rsplit('/', 1)[0]}/*" for link in linked if link.endswith("/README.md")}

    assert not [name for name in chapters if name not in linked and f"{name.rsplit('/', 1)[0]}/*" not in indexed]

"""Every text of a bundled plugin is said in Indonesian by the plugin's own catalogue."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

PLUGINS = Path(__file__).parents[2] / "plugins"
PLACE = re.compile(r"%\(\w+\)\w")
WITH_TEXTS = sorted(path.name for path in PLUGINS.iterdir() if (path / "locales" / "id_ID").is_dir())


@pytest.mark.parametrize("name", WITH_TEXTS)
def test_every_text_is_translated_and_no_other(name: str) -> None:
    found = extract_from_dir(PLUGINS / name, method_map=[("**.py", "python")])
    texts = {str(msgid) for _file, _line, msgid, _comments, _context in found}
    with (PLUGINS / name / "locales" / "id_ID" / "LC_MESSAGES" / "cms.po").open("rb") as file:
        said = {message.id: str(message.string) for message in read_po(file, locale="id_ID") if message.id}

    assert {text for text, translated in said.items() if translated} == texts
    for text, translated in said.items():
        assert sorted(PLACE.findall(str(text))) == sorted(PLACE.findall(translated)), text
        assert translated != text

"""What the reference site made of the same texts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cms.rendering import render_comment, render_content, render_excerpt, render_title

ROWS = json.loads((Path(__file__).parent / "recorded.json").read_text("utf-8"))


def _render(kind: str, raw: str | list[str], smilies: bool) -> str:
    if isinstance(raw, list):
        return render_excerpt(raw[0], raw[1], smilies)
    if kind == "title":
        return render_title(raw)
    return render_comment(raw, smilies) if kind == "comment" else render_content(raw, smilies)


def test_every_kind_of_text_was_recorded() -> None:
    assert {row[0] for row in ROWS} == {"title", "content", "excerpt", "comment"}
    assert len(ROWS) > 200


@pytest.mark.parametrize(("kind", "raw", "smilies", "rendered"), ROWS)
def test_renders_as_recorded(kind: str, raw: str | list[str], smilies: bool, rendered: str) -> None:
    assert _render(kind, raw, smilies) == rendered

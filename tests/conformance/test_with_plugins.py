"""A good part of the recorded conversations once more, on a site that has bundled plugins on.

`.ci/run` plays all of them so.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from test_recordings import CASES, is_added, play

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]
BUNDLED = "menus,seo,events,editorial,webhooks,wp_compat,application_passwords,redirects,locale_de,audit"
#: Not among them: search, which adds a namespace to what was recorded, and declared_types, which is on where files are.
OTHERS = {"search", "declared_types"}
#: Each seventh conversation: of every suite some.
SOME = CASES[::7]


@pytest.mark.parametrize(("suite", "scenario"), SOME, ids=[f"{s}-{c['name']}" for s, c in SOME])
def test_conversation_goes_as_recorded_with_all_plugins(
        suite: str, scenario: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CMS_PLUGINS", BUNDLED)

    play(suite, scenario)


def test_all_bundled_plugins_are_on() -> None:
    there = {path.stem for path in (ROOT / "plugins").iterdir() if not path.name.startswith(("_", "."))}

    assert set(BUNDLED.split(",")) | OTHERS == there
    assert f"CMS_PLUGINS={BUNDLED}" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


@pytest.mark.parametrize(("fault", "added"), [
    ("body.seo_title: not expected, got \"\"", True),
    ("body[3].seo_title: not expected, got \"\"", True),
    ("body.title: not expected, got \"\"", False),
    ("body.seo_title: missing, expected \"\"", False),
    ("body.seo_title: expected 1, got 2", False),
])
def test_fields_of_plugins_alone_are_passed_over(fault: str, added: bool) -> None:
    assert is_added(fault, {"seo_title"}) is added

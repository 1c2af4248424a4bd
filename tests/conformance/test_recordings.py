"""Every recorded conversation, played on a pristine site and compared step by step."""

from __future__ import annotations

import json
from collections.abc import Collection
from pathlib import Path
from typing import Any

import pytest
import yaml
from adapter import fresh
from conform import Missing, Player, differences, overlay

HERE = Path(__file__).parent
#: The loader in C takes a tenth of the time; not every build of the library has it.
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def read(path: Path) -> Any:
    return yaml.load(path.read_text(encoding="utf-8"), LOADER)


SUITES = {path.stem: read(path) for path in (HERE / "scenarios").glob("*.yaml")}
EXPECTED = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in (HERE / "expected").glob("*.json")}
OWN = read(HERE / "differences.yaml")

CASES = [(suite, scenario) for suite, scenarios in sorted(SUITES.items()) for scenario in scenarios]


def faults(suite: str, scenario: dict[str, Any], index: int, outcome: dict[str, Any],
           added: Collection[str] = ()) -> list[str]:
    """Return where a step's outcome differs from what it should be, but for fields that plugins have added."""
    return [fault for fault in all_faults(suite, scenario, index, outcome) if not is_added(fault, added)]


def is_added(fault: str, added: Collection[str]) -> bool:
    """Tell whether a difference is a field that plugins have added."""
    place, _colon, told = fault.partition(": ")
    return told.startswith("not expected, ") and place.rpartition(".")[2] in added


def all_faults(suite: str, scenario: dict[str, Any], index: int, outcome: dict[str, Any]) -> list[str]:
    """Return where a step's outcome differs from what it should be."""
    step, wanted = scenario["steps"][index], EXPECTED[suite][scenario["name"]][index]
    if step.get("unchecked"):
        return []
    if "differs" in step:
        wanted = overlay(wanted, step["differs"].get("expect", {}))
    if scenario.get("unchecked"):
        return differences({"status": wanted.get("status")}, {"status": outcome.get("status")})
    own = OWN.get(f"{suite}/{scenario['name']}#{index + 1}")
    return differences(overlay(wanted, own["expect"]) if own else wanted, outcome)


@pytest.mark.parametrize(("suite", "scenario"), CASES,
                         ids=[f"{s}-{c['name']}" for s, c in CASES])
def test_conversation_goes_as_recorded(suite: str, scenario: dict[str, Any]) -> None:
    play(suite, scenario)


def play(suite: str, scenario: dict[str, Any]) -> None:
    """Play a conversation on a site of its own and compare each step."""
    site = fresh()
    try:
        player = Player(site)
        for index, step in enumerate(scenario["steps"]):
            try:
                outcome = player.step(step)
            except Missing as name:
                outcome = {"not played": f"no earlier step saved {name}"}
            assert faults(suite, scenario, index, outcome, site.added) == [], f"step {index + 1}: {step['do']}"
    finally:
        site.close()


def test_differences_name_steps_that_exist() -> None:
    steps = {f"{suite}/{c['name']}#{i + 1}" for suite, c in CASES for i in range(len(c["steps"]))}

    assert set(OWN) <= steps
    assert all(row["why"] for row in OWN.values())

"""Every route that can show content × item × asker × alias: what the oracle says is shown, and nothing else."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from visibility import routes
from visibility.asks import REFUSED, Ask, answered
from visibility.checking import Checks, all_asks
from visibility.world import SIZES, World


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    world = World(tmp_path_factory.mktemp("visibility") / "site", SIZES["small"])
    yield world
    world.client.close()


def test_what_is_shown_is_what_the_oracle_says(world: World) -> None:
    checks = Checks(world)
    checks.run(step=331, ways=1)
    checks.sweep(step=463)
    print(checks.cells, "cells,", checks.requests, "requests")
    assert checks.cells > 1_000
    assert checks.wrong == []


@pytest.mark.long
def test_what_is_shown_is_what_the_oracle_says_of_everything(tmp_path: Path) -> None:
    checks = Checks(World(tmp_path / "site", SIZES["middle"]))
    checks.run(step=24, ways=1)
    checks.sweep(step=24)
    checks.world.client.close()
    print(checks.cells, "cells,", checks.requests, "requests")
    assert checks.cells > 10_000
    assert checks.wrong == []


def test_each_route_is_judged_or_named_with_a_reason(world: World) -> None:
    judged = {ask.route for ask in all_asks(world)}
    found = set(routes.reading_routes(world.client))

    assert found - judged - routes.NAMED.keys() == set()
    assert (judged | routes.NAMED.keys()) - found == set(), "is judged or named, and isn't there"
    assert judged & routes.NAMED.keys() == set()
    assert routes.served_beside(world.client) == routes.BESIDE.keys()


def test_what_is_shown_too_much_or_too_little_is_noticed(world: World) -> None:
    item = next(item for item in world.of("posts") if item.status == "publish" and not item.is_hidden)
    for judge in (lambda asker: REFUSED, lambda asker: answered([]), lambda asker: answered([(item.marks("p"), item.marks("ngsktxw"))])):
        checks = Checks(world)
        checks._check(Ask("/posts/{id}", item.path, 1, judge), None, "//api/cms/v2")
        assert len(checks.wrong) == 1


def test_the_oracle_asks_nothing_of_the_product() -> None:
    program = "import sys, visibility.oracle; sys.exit(any(name.split('.')[0] == 'cms' for name in sys.modules))"
    assert subprocess.run([sys.executable, "-c", program], cwd=Path(__file__).parents[1]).returncode == 0

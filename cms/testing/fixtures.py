"""Fixtures for pytest, which imports this in every project of the environment: what they need comes when used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from cms import testing

if TYPE_CHECKING:
    from cms.background.events import Event
    from cms.site import Site
    from cms.testing import Client

#: The plugin that hears of events in tests.
RECORDER = "cms.testing.recorder"


@pytest.fixture
def cms_config() -> dict[str, Any]:
    """The settings of the site that a test gets; override it to name plugins or to set more."""
    return {}


@pytest.fixture
def cms_client(
    cms_config: dict[str, Any], tmp_path: Path, request: pytest.FixtureRequest
) -> Iterator[Client]:
    """A client of a new site with the installed plugins and those that `cms_config` names."""
    folder = tmp_path / "cms-site"
    folder.mkdir()
    config = dict(cms_config)
    if "cms_events" in request.fixturenames:
        config["plugins"] = [*config.get("plugins", ()), RECORDER]
    client = testing.make_client(folder, **config)
    yield client
    client.close()


@pytest.fixture
def cms_site(cms_client: Client) -> Site:
    """The site itself."""
    return cms_client.site


@pytest.fixture
def cms_statements(cms_client: Client) -> Callable[[Callable[[], object]], list[str]]:
    """Tell which SQL statements are run while something is done."""
    return cms_client.statements


@pytest.fixture
def cms_as(cms_client: Client) -> Callable[[str], dict[str, str]]:
    """Give the headers with which a request comes from an account of a role, such as `editor`."""
    return lambda role: {"Authorization": testing.basic(*cms_client.account(role))}


@pytest.fixture
def cms_events(cms_client: Client) -> Callable[[Callable[[], object]], dict[str, int]]:
    """Tell which events something causes, by name with their exact number: `{"post.created": 1}`."""

    def count(act: Callable[[], object]) -> dict[str, int]:
        cms_client.site.outbox.deliver()  # what was before doesn't count
        names: list[str] = []

        def hear(event: Event) -> None:
            names.append(event.name)

        stop = import_module(RECORDER).listen(hear)
        try:
            act()
            cms_client.site.outbox.deliver()
        finally:
            stop()
        return dict(Counter(names))

    return count

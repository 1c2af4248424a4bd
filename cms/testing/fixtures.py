"""Fixtures for pytest."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from cms.site import Site
from cms.testing import Client, make_client


@pytest.fixture
def cms_config() -> dict[str, Any]:
    """The settings of the site that a test gets; override it to name plugins or to set more."""
    return {}


@pytest.fixture
def cms_client(cms_config: dict[str, Any], tmp_path: Path) -> Iterator[Client]:
    """A client of a new site with the installed plugins and those that `cms_config` names."""
    folder = tmp_path / "cms-site"
    folder.mkdir()
    client = make_client(folder, **cms_config)
    yield client
    client.close()


@pytest.fixture
def cms_site(cms_client: Client) -> Site:
    """The site itself."""
    return cms_client.site


@pytest.fixture
def cms_statements(cms_client: Client) -> Callable[[Callable[[], Any]], list[str]]:
    """Tell which SQL statements are run while something is done."""
    return cms_client.statements

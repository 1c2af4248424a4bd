"""A served site for each module of tests, and a way to run scripts of clients against it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from served import HERE, Prepared, Served, install_clients, prepare_export, run_client, serve_copy


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the modules that need the clients of the npm registry, which `make test` leaves to `make test-clients`."""
    modules = {item.path for item in items if "clients" in getattr(item, "fixturenames", ()) and item.path.parent == HERE}
    for item in items:
        if item.path in modules:
            item.add_marker("npm")


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    """A site with the content of a real export, which isn't served itself."""
    return prepare_export(tmp_path_factory.mktemp("prepared"))


@pytest.fixture(scope="module")
def served(prepared: Prepared, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A served copy of that site."""
    with serve_copy(prepared, tmp_path_factory.mktemp("served")) as site:
        yield site


@pytest.fixture(scope="module")
def served_as_wordpress(prepared: Prepared, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A served copy that answers under the addresses of WordPress too."""
    with serve_copy(prepared, tmp_path_factory.mktemp("served"), CMS_PLUGINS="wp_compat") as site:
        yield site


@pytest.fixture(scope="session")
def clients() -> None:
    """The clients of the npm registry; without Node.js their tests are skipped, or fail where they are required."""
    if shutil.which("node") and shutil.which("npm"):
        install_clients()
    elif os.environ.get("CMS_REQUIRE_CLIENTS") == "1":
        pytest.fail("node and npm are needed to run the clients")
    else:
        pytest.skip("node and npm are needed to run the clients")


@pytest.fixture(scope="module")
def run(served: Served, clients: None) -> Callable[[str], Any]:
    """Run a script against the module's site and return what it printed."""
    return lambda script: run_client(script, served)

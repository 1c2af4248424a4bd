"""Sites to test against: copies of a ready database file, reached through the HTTP client."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from servers import SERVER, drop_database
from shared_work import share_work
from sites import Client

#: The files that take longest, in their order: they are begun first, so that no processor waits for one of them at the end.
LONGEST = (
    "backup/test_many_restores.py", "fuzzing/test_generated.py", "test_cursors.py", "fuzzing/test_hidden_values.py",
    "test_trust.py", "backup/test_upgrade.py", "transfer/test_export_command.py", "test_containerfile.py",
    "test_process_memory.py", "serving/test_trouble.py", "backup/test_restore.py", "test_extremes.py", "test_work.py",
    "backup/test_killed.py", "serving/test_asgi.py", "visibility/test_oracle.py", "media/test_memory.py",
    "plugins/test_wheels.py", "plugins/test_scaffold.py", "backup/test_litestream.py", "test_stale_answers.py",
    "transfer/test_export.py", "test_growth.py", "test_openapi.py", "plugins/test_packaging.py", "fuzzing/test_requests.py",
)
PLACES = {f"tests/{name}": place for place, name in enumerate(LONGEST)}

# It makes a grammar for seconds, wherever JSON Schema is checked, for a format that no description of ours has.
sys.modules.setdefault("rfc3987_syntax", None)  # as if it weren't installed
# Timed work is done where a test asks for it.
os.environ["CMS_BACKGROUND"] = "false"
share_work()


def pytest_collection_finish() -> None:
    """Have the garbage collector go through the sites of a few dozen tests at once, and never through what stays."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


def pytest_configure(config: pytest.Config) -> None:
    """Declare the mark of tests that are about the database being a file: its copies, logs, locks and damage."""
    config.addinivalue_line("markers", "files_only: not run where the tests' databases are on a server")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what takes longest; leave out what is about files where there are none."""
    items.sort(key=place_in_order)
    if not SERVER:
        return
    for item in items:
        if item.get_closest_marker("files_only"):
            item.add_marker(pytest.mark.skip(reason="it is about a database in a file"))


def place_in_order(item: pytest.Item) -> int:
    return PLACES.get(item.nodeid.partition("::")[0], len(PLACES))


@pytest.fixture(autouse=True)
def same_environment() -> Iterator[None]:
    """Give back the settings in the process' environment: `cms serve` writes those that it was called with into it."""
    before = settings_in_environment()
    yield
    for name in settings_in_environment().keys() - before.keys():
        del os.environ[name]
    os.environ.update(before)


def settings_in_environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name.startswith("CMS_")}


@pytest.fixture
def heeding_interrupts() -> Iterator[None]:
    """Let processes be interrupted, also where a shell began the tests in the background, for which it ignores this."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def make_client(tmp_path: Path) -> Iterator[Callable[..., Client]]:
    """Make clients of sites of their own."""
    made: list[Client] = []

    def make(**config: Any) -> Client:
        folder = tmp_path / f"site-{len(made)}"
        folder.mkdir()
        made.append(Client(folder, **config))
        return made[-1]

    yield make
    for client in made:
        client.site.close()
        if client.site.config.server:
            drop_database(client.site.config.server)


@pytest.fixture
def client(make_client: Callable[..., Client]) -> Client:
    """A client of a pristine site."""
    return make_client()


@pytest.fixture
def quiet(make_client: Callable[..., Client]) -> Client:
    """A client of a site without a pause between comments."""
    return make_client(comment_interval=0)


@pytest.fixture
def post(quiet: Client) -> int:
    """A published post of an author on the site without a pause."""
    return int(quiet.new("/posts", "author", title="Item", status="publish")["id"])


@pytest.fixture
def statements(client: Client) -> Callable[[Callable[[], Any]], list[str]]:
    """Tell which SQL statements the site's connection runs while something is done."""
    return client.statements


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str, str], str]]:
    """Write importable modules."""
    folder = tmp_path / "modules"
    folder.mkdir()
    monkeypatch.syspath_prepend(folder)
    made: list[str] = []

    def write(name: str, text: str) -> str:
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
        made.append(name)
        return name

    yield write
    for name in made:
        sys.modules.pop(name, None)


@pytest.fixture
def extended(make_client: Callable[..., Client], module: Callable[[str, str], str]) -> Callable[..., Client]:
    """Make clients of sites with plugins of these texts, called one, two, …; their imports are there already."""

    def make(*texts: str, **config: Any) -> Client:
        names = [module(name, PLUGIN_HEAD + text) for name, text in zip(NUMBERS, texts, strict=False)]
        return make_client(plugins=names, comment_interval=0, **config)

    return make


NUMBERS = ("plugin_one", "plugin_two", "plugin_three")
PLUGIN_HEAD = """
from cms import _, hookimpl
from cms.errors import ApiError, InvalidParams
from cms.access.capabilities import Principal

seen = []

"""


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Run one process more than there are processors, since many tests wait for a server; browsers need theirs."""
    processors = os.cpu_count() or 1
    return processors if config.getoption("markexpr") == "browser" else processors + 1

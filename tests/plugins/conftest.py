"""Sites whose plugins lie in their own folder, reached by HTTP and by command."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from adapter import address_in, copy_ready_site, copy_site
from click.testing import CliRunner, Result
from servers import drop_database
from sites import Client

from cms.cli import main

HEAD = '''
from cms import _, hookimpl
from cms.plugin import (ALWAYS, CHECKED_BY_HANDLER, EDIT_ONLY, GET, PUBLIC, VIEW_EDIT, Answer, Boolean, Content, DateTime,
                        Endpoint, Ids, Integer, Link, List, Object, Route, String)
'''


class Plugged:
    """A site in a folder with plugins in it."""

    def __init__(self, folder: Path, config: dict[str, Any]) -> None:
        self.folder, self.config = folder, config
        self.folder.mkdir()
        copy_ready_site(folder)
        self.opened: list[Client] = []

    def write(self, **files: str) -> Plugged:
        """Write plugins: a module by its name, a file of a package by its path with `__` for the slash."""
        for name, text in files.items():
            path = self.folder / "plugins" / f"{name.replace('__', '/', 1)}.py"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(HEAD + text, encoding="utf-8")
        return self

    def client(self, **config: Any) -> Client:
        """Serve the site."""
        client = Client(self.folder, **{**self.config, **config})
        for other in self.opened:
            client.accounts |= other.accounts
        self.opened.append(client)
        return client

    def run(self, *arguments: str, code: int = 0, **environ: str) -> Result:
        """Run a command on the site."""
        environment = {"CMS_PASSWORD_COST": "low", "CMS_INSTANCE": None, **environ}
        result = CliRunner().invoke(main, ["--instance", str(self.folder), *arguments], env=environment)
        assert result.exit_code == code, result.output
        return result

    def json(self, *arguments: str, **environ: str) -> Any:
        """Run a command and read what it prints as JSON."""
        return json.loads(self.run(*arguments, "--json", **environ).stdout)


@pytest.fixture
def plugged(tmp_path: Path) -> Iterator[Callable[..., Plugged]]:
    """Make sites with plugins: `plugged(name=source, …)`; settings are given under `config`."""
    made: list[Plugged] = []

    def make(config: dict[str, Any] | None = None, **files: str) -> Plugged:
        made.append(Plugged(tmp_path / f"plugged-{len(made)}", config or {}).write(**files))
        return made[-1]

    yield make
    for each in made:
        for client in each.opened:
            client.site.close()
        drop_database(address_in(each.folder))


@pytest.fixture(scope="session")
def lasting(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Plugged]:
    """Make sites with plugins, as `plugged` does, which are there for all tests to copy."""

    def make(config: dict[str, Any] | None = None, **files: str) -> Plugged:
        return Plugged(tmp_path_factory.mktemp("lasting") / "site", config or {}).write(**files)

    return make


@pytest.fixture(scope="session")
def migrated(lasting: Callable[..., Plugged]) -> Callable[..., Path]:
    """Return the folder of a pristine site with the migrations of these bundled plugins, which is made once."""
    ready: dict[tuple[str, ...], Path] = {}

    def folder(*names: str) -> Path:
        if names not in ready:
            site = lasting()
            site.run("migrate", CMS_PLUGINS=",".join(names))
            ready[names] = site.folder
            assert not (site.folder / "site.db-wal").exists()  # all of it is in the one file
        return ready[names]

    return folder


@pytest.fixture
def bundled(plugged: Callable[..., Plugged], migrated: Callable[..., Path]) -> Callable[..., Client]:
    """Make clients of sites with bundled plugins, migrated: `bundled("menus", setting=value)`."""

    def make(*names: str, **config: Any) -> Client:
        site = plugged({**config, "plugins": list(names)})
        copy_site(migrated(*names), site.folder)
        return site.client()

    return make

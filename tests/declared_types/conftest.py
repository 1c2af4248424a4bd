"""Sites whose types are declared in files, reached by HTTP and by command."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from adapter import address_in, copy_ready_site
from click.testing import CliRunner, Result
from servers import drop_database
from sites import Client
from type_files import FILES

from cms.cli import main


class Declared:
    """A site in a folder with files of types."""

    def __init__(self, folder: Path, config: dict[str, Any]) -> None:
        self.folder, self.config = folder, config
        self.folder.mkdir()
        copy_ready_site(folder)
        self.opened: list[Client] = []

    def write(self, **files: str) -> Declared:
        """Write files of types by their names."""
        (self.folder / "types").mkdir(exist_ok=True)
        for name, text in files.items():
            (self.folder / "types" / f"{name}.toml").write_text(text, encoding="utf-8")
        return self

    def read(self, name: str) -> str:
        """Read a file of types."""
        return (self.folder / "types" / f"{name}.toml").read_text(encoding="utf-8")

    def client(self, **config: Any) -> Client:
        """Migrate and serve the site."""
        self.run("migrate")
        client = Client(self.folder, **{"comment_interval": 0, **self.config, **config})
        for other in self.opened:
            client.accounts |= other.accounts
        self.opened.append(client)
        return client

    def run(self, *arguments: str, code: int = 0, input: str | None = None) -> Result:
        """Run a command on the site."""
        environment = {"CMS_PASSWORD_COST": "low", "CMS_INSTANCE": None,
                       "CMS_PLUGINS": ",".join(self.config.get("plugins", ()))}
        result = CliRunner().invoke(main, ["--instance", str(self.folder), *arguments], env=environment, input=input)
        assert result.exit_code == code, result.output
        return result

    def json(self, *arguments: str, code: int = 0) -> Any:
        """Run a command and read what it prints as JSON."""
        return json.loads(self.run(*arguments, "--json", code=code).stdout)


@pytest.fixture
def declared(tmp_path: Path) -> Iterator[Callable[..., Declared]]:
    """Make sites with files of types."""
    made: list[Declared] = []

    def make(config: dict[str, Any] | None = None, **files: str) -> Declared:
        made.append(Declared(tmp_path / f"declared-{len(made)}", config or {}))
        return made[-1].write(**files) if files else made[-1]

    yield make
    for each in made:
        for client in each.opened:
            client.site.close()
        drop_database(address_in(each.folder))


@pytest.fixture
def site(declared: Callable[..., Declared]) -> Declared:
    """A site with recipes, chefs, cuisines, and a field of posts."""
    return declared(**FILES)


@pytest.fixture
def client(site: Declared) -> Client:
    """A client of that site."""
    return site.client()

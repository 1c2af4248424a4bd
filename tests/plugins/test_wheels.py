"""Our wheel and that of a new plugin, installed into an empty environment: a site is made, served, and the plugin used."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
import sysconfig
import urllib.request
import venv
from pathlib import Path
from typing import Any

import pytest
from clients.served import await_answer, free_port
from test_packaging import wheel  # noqa: F401 (a fixture)

pytestmark = pytest.mark.long

MORE = '''

import click
from cms import pass_site


@hookimpl
def register_migrations() -> Path:
    """Bring a table."""
    return Path(__file__).parent / "migrations"


@click.command("count-notes")
@pass_site
def count_notes(site):
    """Count the notes."""
    click.echo(f"{site.database.scalar('SELECT count(*) FROM acme_notes')} notes")


@hookimpl
def register_commands():
    """Bring a command."""
    return [count_notes]
'''
MIGRATION = '''
def up(migrator, db):
    db.execute_sql("CREATE TABLE acme_notes (id INTEGER PRIMARY KEY)")
    db.execute_sql("INSERT INTO acme_notes (id) VALUES (1), (2)")
'''


class Environment:
    """An environment that has the libraries, and nothing of ours but what is installed into it."""

    def __init__(self, folder: Path) -> None:
        self.bin, self.folder = folder / "env" / "bin", folder
        venv.create(folder / "env", with_pip=False)
        packages = next((folder / "env").glob("lib/python*/site-packages"))
        # As a line in a file of paths, the folder brings its packages, but none that are installed by reference.
        (packages / "libraries.pth").write_text(sysconfig.get_path("purelib"))

    def run(self, *command: object, cwd: Path | None = None) -> str:
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False,
                              cwd=cwd or self.folder, env=self.environ)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    @property
    def environ(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("CMS_", "PYTHONPATH"))}
        return {**kept, "CMS_PASSWORD_COST": "low", "WEB_CONCURRENCY": "1"}

    def install(self, *wheels: Path) -> None:
        self.run(sys.executable, "-m", "pip", "--python", self.bin / "python", "install", "-q", "--no-deps",
                 "--disable-pip-version-check", *wheels)


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:  # noqa: F811
    made = Environment(tmp_path_factory.mktemp("empty"))
    made.install(wheel)
    made.run(made.bin / "cms", "plugin", "new", "acme")
    package = made.folder / "cms-acme" / "cms_acme"
    (package / "__init__.py").write_text((package / "__init__.py").read_text() + MORE)
    (package / "migrations").mkdir()
    (package / "migrations" / "0001_notes.py").write_text(MIGRATION)
    made.run(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "--disable-pip-version-check",
             "-w", made.folder / "wheels", package.parent)
    made.install(next((made.folder / "wheels").glob("*.whl")))
    return made


def fetch(address: str, password: str, body: Any = None) -> Any:
    headers = {"Authorization": "Basic " + base64.b64encode(f"admin:{password}".encode()).decode(),
               "Content-Type": "application/json"}
    request = urllib.request.Request(address, headers=headers, data=json.dumps(body).encode() if body else None)
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


def test_a_site_is_made_and_served_with_a_plugin(environment: Environment) -> None:
    cms = environment.bin / "cms"
    place = environment.run(environment.bin / "python", "-c", "import cms; print(cms.__file__)")
    assert place.startswith(str(environment.folder))
    password = json.loads(environment.run(cms, "init", "--json"))["password"]
    plugin = json.loads(environment.run(cms, "plugins", "--json"))[1]
    assert (plugin["name"], plugin["source"], plugin["registered"]["migrations"]) == ("acme", "installed", ["0001_notes"])
    assert environment.run(cms, "count-notes") == "2 notes\n"

    port = free_port()
    with subprocess.Popen([cms, "serve", "--bind", f"127.0.0.1:{port}"], cwd=environment.folder, env=environment.environ,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as running:
        try:
            home = f"http://127.0.0.1:{port}"
            await_answer(f"{home}/api/", running)
            made = fetch(f"{home}/api/cms/v2/posts", password, {"title": "One", "status": "publish", "acme_note": "read me"})
            assert made["acme_note"] == "read me"
            assert fetch(f"{home}/api/acme/v1/hello?name=Ada", password) == {"hello": "Ada", "account": "admin"}
            described = fetch(f"{home}/id/api/", password)["routes"]["/cms/v2/posts"]["endpoints"][1]["args"]["acme_note"]
            assert described["description"] == "Catatan tentang pos."
        finally:
            running.terminate()

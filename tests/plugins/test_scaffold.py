"""`cms plugin new`: a plugin that works as it is, from its wheel to its removal."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from cms.cli import main

#: Looks at a site as clients do, in a process that has what PYTHONPATH names.
LOOK = """
import json, sys
from cms.testing import Client, SETTINGS, PASSWORD
client = Client(__import__("pathlib").Path(sys.argv[1]), {**SETTINGS, "background": False})
found = {}
for prefix in ("", "/id"):
    answer = client.get(f"/{prefix}/api/")
    routes = answer.json["routes"] if answer.status_code == 200 else {}
    found[prefix] = {
        "status": answer.status_code,
        "route": "/reading-time/v1/hello" in routes,
        "field": routes["/cms/v2/posts"]["endpoints"][1]["args"].get("reading_time_note", {}) if routes else {},
        "filter": "reading_time_longer_than" in routes["/cms/v2/posts"]["endpoints"][0]["args"] if routes else False,
        "options": "reading_time_note" in str(client.send("OPTIONS", f"/{prefix}/api/cms/v2/posts").json),
    }
if "write" in sys.argv:
    for length in (5, 50, 500):
        client.new("/posts", title=str(length), content="x" * length, status="publish")
narrowed = client.get("/posts?reading_time_longer_than=50")
found["list"] = [narrowed.status_code, len(narrowed.json), narrowed.headers["X-WP-Total"]]
found["greeting"] = client.get("//api/reading-time/v1/hello").status_code
client.close()
print(json.dumps(found))
"""


def run(*command: str, path: Path | None = None, cwd: Path | None = None) -> str:
    environ = {name: value for name, value in os.environ.items() if not name.startswith("CMS_")}
    root = str(Path(__file__).parents[2])
    environ["PYTHONPATH"] = os.pathsep.join([*([str(path)] if path else []), root])
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environ, cwd=cwd, timeout=240)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a new plugin."""
    folder = tmp_path_factory.mktemp("new")
    done = CliRunner().invoke(main, ["plugin", "new", "reading_time", "--into", str(folder), "--json"])
    assert done.exit_code == 0, done.output
    return Path(json.loads(done.output)["folder"])


@pytest.fixture(scope="module")
def installed(package: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which pip has installed the plugin's wheel."""
    wheels, folder = tmp_path_factory.mktemp("wheels"), tmp_path_factory.mktemp("installed")
    quiet = ("-q", "--no-deps", "--disable-pip-version-check")
    run(sys.executable, "-m", "pip", "wheel", *quiet, "--no-build-isolation", "-w", str(wheels), str(package))
    wheel = next(wheels.glob("*.whl"))
    run(sys.executable, "-m", "pip", "install", *quiet, "--target", str(folder), str(wheel))
    return folder


def look(site: Path, path: Path | None, *more: str) -> Any:
    return json.loads(run(sys.executable, "-c", LOOK, str(site), *more, path=path))


@pytest.mark.long
def test_a_wheel_shows_all_it_brings_and_leaves_nothing_behind(installed: Path, tmp_path: Path) -> None:
    run(sys.executable, "-m", "cms.cli", "--instance", str(tmp_path), "init", path=installed)

    found = look(tmp_path, installed, "write")

    assert {prefix: found[prefix]["field"]["description"] for prefix in ("", "/id")} == {
        "": "A note about the post.", "/id": "Catatan tentang pos."}
    for prefix in ("", "/id"):
        assert [found[prefix][name] for name in ("status", "route", "filter", "options")] == [200, True, True, True]
    assert (found["list"], found["greeting"]) == ([200, 2, "2"], 200)

    gone = look(tmp_path, None)

    for prefix in ("", "/id"):
        told = gone[prefix]
        assert told == {"status": 200, "route": False, "field": {}, "filter": False, "options": False}
    assert (gone["list"], gone["greeting"]) == ([200, 3, "3"], 404)


@pytest.mark.long
def test_its_own_tests_pass(package: Path, installed: Path) -> None:
    told = run(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", str(package),
               path=installed, cwd=package)

    assert "9 passed" in told


def test_it_is_as_tidy_as_the_cms(package: Path) -> None:
    config = str(Path(__file__).parents[2] / "pyproject.toml")
    run(sys.executable, "-m", "ruff", "check", "--no-cache", "--config", config, "--ignore", "S101,I001", str(package))


@pytest.mark.parametrize("name", ["Reading", "reading-time", "1st", "_own", "a__b", "", "a" * 41, "../up", "x/y"])
def test_a_name_that_cant_be_one_is_refused(name: str, tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["plugin", "new", name, "--into", str(tmp_path)])

    assert done.exit_code == 1
    assert "can't be a plugin's name" in done.output
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["core", "seo", "events", "wp_compat", "plugins"])
def test_a_name_that_something_has_is_refused(name: str, tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["plugin", "new", name, "--into", str(tmp_path)])

    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr == f"Error: There is a plugin or package called {name} already. Choose another name.\n"
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_overwritten(package: Path) -> None:
    done = CliRunner().invoke(main, ["plugin", "new", "reading_time", "--into", str(package.parent)])

    assert (done.exit_code, "is there already" in done.output) == (1, True)

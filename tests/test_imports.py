"""What is imported when nothing is used yet: `import cms`, `cms --help` and any pytest of the environment stay quick."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import click
import pytest

from cms.cli import main
from cms.cli.extension import SiteCommands

ROOT = Path(__file__).parent.parent
TOLD = """
import json, sys, time
print(json.dumps([sorted(name for name in sys.modules if name.split(".")[0] in {names}), time.process_time()]), file=sys.stderr)
"""
#: What takes long to import.
LIBRARIES = {"flask", "werkzeug", "peewee", "marshmallow", "PIL", "babel", "rich", "orjson", "argon2", "urllib3", "nh3", "pluggy"}

#: What writes, uploads, imports and deliveries need: it is imported when the first of them comes.
NOT_FOR_READING = {"PIL", "puremagic", "pyrate_limiter", "asyncio", "multiprocessing", "urllib3", "defusedxml", "cms.net.client",
                   "cms.transfer", "cms.asgi", "cms.doctor", "cms.media.pictures", "cms.testing"}

CASES = {
    "import cms": ("import cms", {"cms"}),
    "cms --help": ("from cms.cli import main\nmain(['--instance', 'nowhere', '--help'], standalone_mode=False)",
                   {"cms", "cms.cli", "cms.cli.extension", "cms.cli.faults", "cms.version"}),
    "pytest": ("import cms.testing.fixtures", {"cms", "cms.testing", "cms.testing.fixtures"}),
}


@pytest.mark.parametrize("case", CASES)
def test_nothing_is_imported_until_it_is_used(tmp_path: Path, case: str) -> None:
    source, allowed = CASES[case]
    names = {"cms", *LIBRARIES} - ({"pluggy"} if case == "pytest" else set())
    environ = {name: value for name, value in os.environ.items() if not name.startswith("CMS_")}
    environ["PYTHONPATH"] = os.environ.get("PYTHONPATH") or str(ROOT)

    done = subprocess.run([sys.executable, "-c", source + TOLD.replace("{names}", repr(names))], capture_output=True, text=True,
                          check=False, cwd=tmp_path, env=environ)

    assert done.returncode == 0, done.stderr
    imported, seconds = json.loads(done.stderr.splitlines()[-1])
    assert set(imported) == allowed
    assert seconds < 0.4


def test_serving_imports_nothing_that_the_first_answer_does_not_need(tmp_path: Path) -> None:
    source = """
import sys
sys.modules["psycopg"] = None  # peewee imports it wherever the extra is installed
import cms, cms.cli.serve
config = {"password_cost": "low", "background": False}
cms.create_site(config, "site", password="correct-horse-battery")
assert cms.create_app(config, "site").test_client().get("/api/cms/v2/posts").status_code == 200
print(*sys.modules)
"""
    environ = {name: value for name, value in os.environ.items() if not name.startswith("CMS_")}
    environ["PYTHONPATH"] = os.environ.get("PYTHONPATH") or str(ROOT)

    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=False, cwd=tmp_path, env=environ)

    assert done.returncode == 0, done.stderr
    assert NOT_FOR_READING.intersection(done.stdout.split()) == set()


def test_every_command_of_the_list_is_there() -> None:
    for name, own in SiteCommands.own.items():
        command = own.load()
        assert isinstance(command, click.Command)
        assert command.name == name
        # The list has the beginning of what the command says itself, or less.
        assert own.help.split()[0] == command.get_short_help_str(300).split()[0]
        assert len(own.help) < 90


def test_names_of_the_package_are_there_and_no_others() -> None:
    import cms

    for name in cms.__all__:
        assert getattr(cms, name) is not None
    assert set(cms.MODULES) == set(cms.__all__)
    with pytest.raises(AttributeError, match="module 'cms' has no attribute 'create_ap'"):
        cms.create_ap  # noqa: B018
    assert main.name == "main"

"""The wheel holds the bundled plugins as the package `cms_plugins`, and works on its own."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]
PARTS = ("cms", "plugins", "setup.py", "pyproject.toml", "README.md", "LICENSE")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel from a copy, so that nothing is left in the checkout."""
    source, built = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("built")
    for name in PARTS:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, source / name)
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", built, source]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return next(built.glob("*.whl"))


def wanted(folder: str, package: str) -> set[str]:
    """Return the files of a folder that must be in the wheel, as they are called there."""
    return {f"{package}/{path.relative_to(ROOT / folder)}" for path in (ROOT / folder).rglob("*")
            if path.suffix in (".py", ".mo", ".po", ".html", ".json", ".typed")}


def test_a_wheel_holds_every_module_and_catalogue(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        names = set(archive.namelist())

    assert wanted("cms", "cms") | wanted("plugins", "cms_plugins") <= names
    assert "cms_plugins/seo/locales/id_ID/LC_MESSAGES/cms.po" in names
    assert not [name for name in names if name.startswith(("plugins/", "tests/", "build/"))]


def test_a_bundled_plugin_works_from_the_wheel_alone(wheel: Path, tmp_path: Path) -> None:
    with ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "installed")
    environ = {**os.environ, "PYTHONPATH": str(tmp_path / "installed"), "CMS_PASSWORD_COST": "low",
               "CMS_INSTANCE": str(tmp_path / "instance"), "CMS_PLUGINS": "seo"}

    def run(*arguments: str) -> str:
        done = subprocess.run([sys.executable, *arguments], cwd=tmp_path, env=environ, capture_output=True, text=True,
                              check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    run("-m", "cms.cli", "init")
    seo = json.loads(run("-m", "cms.cli", "plugins", "--json"))[1]
    place = run("-c", "import cms_plugins.seo; print(cms_plugins.seo.__file__)").strip()

    assert (seo["name"], seo["source"], seo["location"]) == ("seo", "bundled", "cms_plugins.seo")
    assert "post.seo_noindex" in seo["registered"]["fields"]
    assert place == str(tmp_path / "installed" / "cms_plugins" / "seo" / "__init__.py")

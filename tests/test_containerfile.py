"""What docs/deploy/Containerfile does, done in folders of this host: the image's site can be made, served and looked after."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from clients.served import ROOT, await_answer, free_port

pytestmark = pytest.mark.long

FILE = ROOT / "docs" / "deploy" / "Containerfile"
#: The folders of the image, which are made elsewhere here.
FOLDERS = ("/src", "/opt/cms", "/data")
ENVIRON = {name: value for name, value in os.environ.items() if not name.startswith(("CMS_", "PYTHON"))}


def steps() -> Iterator[tuple[str, str]]:
    """Yield each instruction with what stands behind it, on one line."""
    text = re.sub(r"^#.*\n", "", FILE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    for line in re.sub(r"\\\n\s*", "", text).splitlines():
        if line:
            name, _space, rest = line.partition(" ")
            yield name, rest


class Image:
    """The folders of an image, below a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.last: dict[str, str] = {}
        self.arguments: dict[str, str] = {}

    def here(self, text: str) -> str:
        """Lead what names a folder of the image to where it is made."""
        for place in FOLDERS:
            text = re.sub(rf"(?<![\w/.]){place}(?![\w.])", f"{self.folder}{place}", text)
        return text

    def copy(self, words: str) -> None:
        *sources, target = words.split()
        place = Path(self.here(target))
        for source in sources:
            if (ROOT / source).is_dir():
                shutil.copytree(ROOT / source, place, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                place.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / source, place)

    def run(self, command: str) -> None:
        if os.geteuid() != 0:
            command = re.sub(r" -[og] \d+", "", command)
        (self.folder / "opt").mkdir(exist_ok=True)
        subprocess.run(["sh", "-ec", self.here(command)], check=True, env={**ENVIRON, **self.arguments}, cwd=self.folder)

    def command(self, *words: str) -> list[str]:
        """Return how the image is called with words, none for its own."""
        return list(map(self.here, [*json.loads(self.last["ENTRYPOINT"]), *(words or json.loads(self.last["CMD"]))]))


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Image:
    built = Image(tmp_path_factory.mktemp("image"))
    for name, rest in steps():
        if name == "COPY":
            built.copy(rest)
        elif name == "RUN":
            built.run(rest)
        elif name == "ARG":
            built.arguments |= [rest.split("=")]
        else:
            built.last[name] = rest
    return built


def test_its_site_is_made_served_and_looked_after(image: Image) -> None:
    name, value = image.here(image.last["ENV"]).split("=")
    port = str(free_port())
    environ = {**ENVIRON, name: value, "WEB_CONCURRENCY": "1"}
    subprocess.run(image.command("init", "--login", "admin"), env=environ, check=True, capture_output=True, cwd=image.folder)
    served = [word.replace("0.0.0.0:8000", f"127.0.0.1:{port}") for word in image.command()]
    check = image.here(image.last["HEALTHCHECK"].partition("CMD ")[2]).replace(":8000/", f":{port}/")
    with subprocess.Popen(served, env=environ, stdout=subprocess.DEVNULL, cwd=image.folder) as running:
        await_answer(f"http://127.0.0.1:{port}/", running)
        healthy = subprocess.run(["sh", "-c", check], env=ENVIRON)
        running.terminate()
        assert running.wait(60) == 0

    assert healthy.returncode == 0
    assert subprocess.run(["sh", "-c", check], env=ENVIRON, stderr=subprocess.DEVNULL).returncode != 0
    assert not Path(image.here("/src")).exists()
    assert (Path(image.here("/data")) / "site.db").exists()


def test_it_runs_as_nobody_and_keeps_its_data() -> None:
    found = dict(steps())

    assert re.fullmatch(r"[1-9]\d*:[1-9]\d*", found["USER"])
    assert found["VOLUME"] == "/data"

"""Try what is about to be released, as somebody who installs it: `make release-check`.

An sdist is built, a wheel from it, and the wheel installed with its libraries into an empty environment. With that a site is
made, served, asked, written to, backed up, and the backup restored while it is served.

    python tests/release_check.py [--keep FOLDER]
"""

from __future__ import annotations

import argparse
import base64
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import urllib.request
import venv
from pathlib import Path
from typing import Any

from clients.served import await_answer, free_port

from cms.version import __version__

ROOT = Path(__file__).parents[1]
#: What an sdist is made of; it is built from a copy, so that nothing is left in the checkout.
PARTS = ("cms", "plugins", "setup.py", "pyproject.toml", "README.md", "CHANGELOG.md", "LICENSE")
BUILD = "import sys; from setuptools import build_meta; print(build_meta.build_{kind}(sys.argv[1]))"


def run(*command: object, cwd: Path, **environ: str) -> str:
    """Run a program and return what it printed; ends with what went wrong where it fails."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("CMS_", "PYTHON"))}
    done = subprocess.run([str(part) for part in command], cwd=cwd, env={**inherited, **environ}, capture_output=True,
                          text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, command))} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def build(folder: Path) -> tuple[Path, Path]:
    """Build an sdist, and a wheel from what the sdist holds; return where both are."""
    source, built, unpacked = folder / "source", folder / "dist", folder / "unpacked"
    source.mkdir()
    for name in PARTS:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, source / name)
    sdist = built / run(sys.executable, "-c", BUILD.format(kind="sdist"), built, cwd=source).split()[-1]
    with tarfile.open(sdist) as archive:
        archive.extractall(unpacked, filter="data")
    inside = next(unpacked.iterdir())
    wheel = built / run(sys.executable, "-c", BUILD.format(kind="wheel"), built, cwd=inside).split()[-1]
    for path in (sdist, wheel):
        assert f"-{__version__}" in path.name, f"{path.name} isn't of version {__version__}"
    return sdist, wheel


class Installed:
    """An environment with the wheel, and a site made with it."""

    def __init__(self, folder: Path, wheel: Path) -> None:
        self.folder, self.site = folder, folder / "site"
        self.bin = folder / "env" / "bin"
        venv.create(folder / "env", with_pip=True)
        run(self.bin / "python", "-m", "pip", "install", "-q", "--disable-pip-version-check", wheel, cwd=folder)

    def cms(self, *arguments: object) -> str:
        return run(self.bin / "cms", "--instance", self.site, *arguments, cwd=self.folder)

    def told(self, *arguments: object) -> Any:
        return json.loads(self.cms(*arguments, "--json"))


def ask(address: str, credentials: str = "", body: Any = None) -> Any:
    """Send a request and return its JSON."""
    data = json.dumps(body).encode() if body is not None else None
    headers = {"Content-Type": "application/json"}
    if credentials:
        headers["Authorization"] = "Basic " + base64.b64encode(credentials.encode()).decode()
    with urllib.request.urlopen(urllib.request.Request(address, data, headers), timeout=30) as answer:
        return json.load(answer)


def try_site(installed: Installed) -> None:
    """Make a site, serve it, write to it, back it up and restore it."""
    made = installed.told("init", "--demo")
    credentials = f"{made['login']}:{made['password']}"
    home = f"http://127.0.0.1:{free_port()}"
    command = [installed.bin / "cms", "--instance", installed.site, "serve", "--bind", home.removeprefix("http://")]
    with subprocess.Popen([str(part) for part in command], cwd=installed.folder, stdout=subprocess.DEVNULL) as server:
        try:
            await_answer(f"{home}/api/", server)
            posts = f"{home}/api/cms/v2/posts"
            ask(posts, credentials, {"title": "Before the backup", "status": "publish"})
            archive = installed.told("backup", installed.folder / "archives")["file"]
            ask(posts, credentials, {"title": "After the backup", "status": "publish"})
            kept = installed.told("restore", archive)["kept"]
            titles = [post["title"]["rendered"] for post in ask(posts)]
            assert "Before the backup" in titles, titles
            assert "After the backup" not in titles, titles
            installed.cms("restore", "--check", kept)
            installed.cms("upgrade")
        finally:
            server.terminate()


def main() -> None:
    """Check a release; ends with exit code 1 and what is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--keep", type=Path, help="copy sdist and wheel into this folder when all is well")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sdist, wheel = build(folder)
        installed = Installed(folder, wheel)
        said = installed.cms("--version").strip()
        assert said.endswith(__version__), said
        try_site(installed)
        if arguments.keep:
            arguments.keep.mkdir(parents=True, exist_ok=True)
            for path in (sdist, wheel):
                shutil.copy(path, arguments.keep)
        print(f"{sdist.name} and {wheel.name} work.")


if __name__ == "__main__":
    main()

"""A site served for real, and the clients of the npm registry that talk to it."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from served import Served

HERE = Path(__file__).parent
EXPORT = HERE.parent / "data" / "wxr" / "theme-unit-test.wxr.xml"
CMS = [sys.executable, "-m", "cms.cli"]


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Serve a new site that holds the content of a real export."""
    folder = tmp_path_factory.mktemp("served")
    environ = {**os.environ, "CMS_INSTANCE": str(folder), "PYTHONPATH": str(HERE.parent.parent)}
    made = json.loads(_cms(environ, "init", "--json"))
    _cms(environ, "import", str(EXPORT))
    bind = f"127.0.0.1:{_free_port()}"
    with subprocess.Popen([*CMS, "serve", "--bind", bind], env=environ, stdout=subprocess.DEVNULL) as server:
        try:
            _await(f"http://{bind}/", server)
            yield Served(f"http://{bind}", made["login"], made["password"])
        finally:
            server.terminate()


@pytest.fixture(scope="session")
def node_modules() -> Path:
    """Install the clients as the lock file says, once for each version of it."""
    if not (shutil.which("node") and shutil.which("npm")):
        message = "node and npm are needed to run the clients"
        if os.environ.get("CMS_REQUIRE_CLIENTS") == "1":
            pytest.fail(message)
        pytest.skip(message)
    installed = HERE / "node_modules"
    stamp, lock = installed / ".package-lock.json", HERE / "package-lock.json"
    if not stamp.exists() or stamp.stat().st_mtime < lock.stat().st_mtime:
        subprocess.run(["npm", "ci", "--no-audit", "--no-fund", "--loglevel=error"], cwd=HERE, check=True, timeout=240)
        stamp.touch()
    return installed


def _cms(environ: dict[str, str], *arguments: str) -> str:
    done = subprocess.run([*CMS, *arguments], env=environ, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _await(address: str, server: subprocess.Popen[bytes]) -> None:
    for _attempt in range(200):
        assert server.poll() is None, "the server ended"
        try:
            with urllib.request.urlopen(address, timeout=5):
                return
        except OSError:
            time.sleep(0.05)
    pytest.fail(f"{address} doesn't answer")

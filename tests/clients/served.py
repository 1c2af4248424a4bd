"""A site served for real, and the clients of the npm registry that talk to it."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from servers import SERVER, address_in, drop_database, put_on_server

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
EXPORT = HERE.parent / "data" / "wxr" / "theme-unit-test.wxr.xml"
FILES = HERE.parent / "media" / "files"
CMS = (sys.executable, "-m", "cms.cli")


@dataclass(frozen=True)
class Served:
    """The address of a site and its administrator."""

    home: str
    login: str
    password: str


@dataclass(frozen=True)
class Prepared:
    """The instance folder of a site that holds the content of a real export, and its administrator."""

    folder: Path
    login: str
    password: str


def prepare_export(folder: Path) -> Prepared:
    """Make a site and import a real export into it."""
    environ = _prepared_environ(folder)
    made = json.loads(_run([*CMS, "init", "--json"], env=environ))
    _run([*CMS, "import", "--no-media", str(EXPORT)], env=environ)
    return Prepared(folder, made["login"], made["password"])


def prepare_demo(folder: Path) -> Prepared:
    """Make a site with the demo content."""
    made = json.loads(_run([*CMS, "init", "--demo", "--json"], env=_prepared_environ(folder)))
    return Prepared(folder, made["login"], made["password"])


def run_script(script: Path, **environ: str) -> str:
    """Run a script of one's own in Node.js and return what it printed."""
    return _run(["node", str(script)], env={**os.environ, **environ})


@contextmanager
def serve_copy(prepared: Prepared, folder: Path, **settings: str) -> Iterator[Served]:
    """Serve a copy of a prepared site; settings are given as they stand in the environment."""
    shutil.copytree(prepared.folder, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("site.server"))
    if SERVER:
        put_on_server(folder, address_in(prepared.folder))
    bind = f"127.0.0.1:{free_port()}"
    environ = {**_environ(folder), **settings}
    if "CMS_PLUGINS" in settings:
        _run([*CMS, "migrate"], env=environ)
    with subprocess.Popen([*CMS, "serve", "--bind", bind], env=environ, stdout=subprocess.DEVNULL) as server:
        try:
            await_answer(f"http://{bind}/", server)
            yield Served(f"http://{bind}", prepared.login, prepared.password)
        finally:
            server.terminate()
            server.wait()
            drop_database(address_in(folder))


def install_clients() -> None:
    """Install the clients as the lock file says, once for each version of it, whoever else is about to."""
    stamp, lock = HERE / "node_modules" / ".package-lock.json", HERE / "package-lock.json"
    with lock.open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        if not stamp.exists() or stamp.stat().st_mtime < lock.stat().st_mtime:
            _run(["npm", "ci", "--no-audit", "--no-fund", "--loglevel=error"], cwd=HERE)
            stamp.touch()


def run_client(script: str, served: Served) -> Any:
    """Run a script of this folder against the site and return what it printed as JSON."""
    environ = {**os.environ, "SITE_HOME": served.home, "SITE_LOGIN": served.login, "SITE_PASSWORD": served.password,
               "FILES": str(FILES), "HERE": str(HERE)}
    return json.loads(_run(["node", str(HERE / script)], env=environ))


def _prepared_environ(folder: Path) -> dict[str, str]:
    """Return the environment of the commands that make a site, whose database there is where it lies on a server."""
    if SERVER:
        put_on_server(folder)
    return _environ(folder)


def _environ(folder: Path) -> dict[str, str]:
    return {**os.environ, "CMS_INSTANCE": str(folder), "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])}


def _run(command: list[str], **options: Any) -> str:
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, **options)
    if done.returncode:
        raise AssertionError(f"{command} ended with {done.returncode}: {done.stderr}")
    return done.stdout


def free_port() -> int:
    """Return a port that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def await_answer(address: str, server: subprocess.Popen[bytes]) -> None:
    """Wait until a server answers."""
    for _attempt in range(1200):
        if server.poll() is not None:
            raise AssertionError(f"the server ended with {server.returncode}")
        try:
            with urllib.request.urlopen(address, timeout=5):
                return
        except OSError:
            time.sleep(0.05)
    raise AssertionError(f"{address} doesn't answer")

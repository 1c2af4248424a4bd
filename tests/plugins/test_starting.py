"""`startup` runs once in each process that serves, however the server makes its processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import urllib.request
from typing import Any

import pytest
from clients.served import ROOT, await_answer, free_port

STARTS = '''
import os
starts = []

@hookimpl
def startup(site):
    starts.append(os.getpid())

@hookimpl
def register_routes():
    told = Endpoint(GET, lambda call: Answer({"pid": os.getpid(), "starts": starts}), PUBLIC)
    return [Route("/starts", (told,), "acme/v1")]
'''
PLAIN = "import cms; app = cms.create_app()"
ASGI = "from cms.asgi.entry import app"
EMBEDDED = "import cms, flask; app = flask.Flask('host'); cms.init_app(app)"
SERVERS = {
    "cms serve": (PLAIN, ["-c", "python:cms.cli.serving"]),
    "gunicorn, preloading": (PLAIN, ["--preload", "--workers", "2"]),
    "gunicorn": (PLAIN, ["--workers", "2"]),
    "gunicorn, threads": (PLAIN, ["--workers", "2", "--threads", "4"]),
    "cms serve, asgi": (ASGI, ["-c", "python:cms.cli.serving", "-k", "asgi"]),
    "gunicorn, asgi": (ASGI, ["--workers", "2", "-k", "asgi"]),
    "embedded, asgi": (EMBEDDED + "; from cms.asgi.bridge import Bridge; app = Bridge(app)", ["--workers", "2", "-k", "asgi"]),
    "embedded": (EMBEDDED, ["--workers", "2", "--preload"]),
}
RARE = [name for name in (*SERVERS, "flask run") if name not in ("cms serve", "gunicorn, preloading")]


@pytest.mark.parametrize("server", [
    "cms serve", "gunicorn, preloading", *(pytest.param(name, marks=pytest.mark.long) for name in RARE)])
def test_plugins_start_once_in_each_process(plugged: Any, server: str) -> None:
    site = plugged(acme=STARTS)
    source, options = SERVERS.get(server, (PLAIN, []))
    (site.folder / "served.py").write_text(source)
    port = free_port()
    # A worker that is told to end while it begins may not hear it.
    quick_end = ["--graceful-timeout", "2"]
    command = [sys.executable, "-m", "gunicorn", *options, *quick_end, "--bind", f"127.0.0.1:{port}", "served:app"]
    if server == "flask run":
        command = [sys.executable, "-m", "flask", "--app", "served", "run", "--port", str(port)]
    environ = {**os.environ, "CMS_INSTANCE": str(site.folder), "PYTHONPATH": os.pathsep.join([str(ROOT), str(site.folder), os.environ.get("PYTHONPATH", "")])}
    address = f"http://127.0.0.1:{port}/api/acme/v1/starts"
    with subprocess.Popen(command, cwd=site.folder, env=environ, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as running:
        try:
            await_answer(address, running)
            told = [json.load(urllib.request.urlopen(address, timeout=60)) for _ in range(40)]
        finally:
            running.terminate()

    assert {tuple(each["starts"]) for each in told} == {(each["pid"],) for each in told}


def test_what_is_set_for_a_plugin_is_its_own_table(plugged: Any) -> None:
    site = plugged(acme="")
    with (site.folder / "config.toml").open("a") as file:
        file.write('revisions = 3\n[acme]\nlevel = 7\n')
    config = site.client().site.config

    assert (config["revisions"], config.of("acme"), config.of("other")) == (3, {"level": 7}, {})
    assert site.client(acme={"level": 8}).site.config.of("acme") == {"level": 8}

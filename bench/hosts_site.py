"""One site on two hosts: PostgreSQL, an object storage, a gunicorn and its instance folder on each, nginx in front."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any

import psycopg
from hosts_network import BACK, FRONT, HOSTS, PLACES, Network
from processes import seconds_of
from served import LOGIN, Answer

from cms.testing import basic

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))
from media import object_store  # noqa: E402
from nginx_program import find_nginx  # noqa: E402
from postgres_server import PostgresServer  # noqa: E402

PORT, STORE_PORT, DATABASE = 8000, 9000, "cms"
#: Variables of the caller that say what this sets, or would lead requests out of the network.
NOT_OURS = re.compile(r"CMS_|AWS_|\w+_proxy$", re.IGNORECASE)
#: The block of docs/scaling.md, with temporary folders of its own.
NGINX = """
daemon off;
error_log {folder}/nginx.log warn;
pid {folder}/nginx.pid;
events {{ worker_connections 256; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    {servers}
}}
"""
CMS = [sys.executable, "-m", "cms.cli"]


def block_of_docs() -> str:
    """Return nginx's block in docs/scaling.md, with the addresses of this network."""
    text = (ROOT / "docs" / "scaling.md").read_text(encoding="utf-8")
    block = text.partition("```nginx\n")[2].partition("```")[0]
    for name, host in zip(HOSTS, ("10.0.0.11", "10.0.0.12"), strict=True):
        assert host in block, "the block names the hosts"
        block = block.replace(host, f"{FRONT}.{PLACES[name]}")
    return block.replace("listen 80;", f"listen {FRONT}.1:80;")


class Host:
    """An application host: its address and its gunicorn, all of whose processes can be killed at once."""

    def __init__(self, name: str, network: Network, folder: Path, environ: dict[str, str]) -> None:
        self.name, self.address = name, f"{FRONT}.{PLACES[name]}"
        self._prefix = network.within(name)
        self._environ = {**environ, "CMS_INSTANCE": str(folder / name)}
        self.log = folder / f"{name}.log"
        self._process: subprocess.Popen[bytes] | None = None

    def initialise(self) -> None:
        """Make the site, or find that it is there."""
        subprocess.run([*self._prefix, *CMS, "init", "--password-stdin"], input=LOGIN[1].encode(), check=True,
                       stdout=subprocess.DEVNULL, env=self._environ, cwd=ROOT)

    def start(self) -> None:
        """Start, and wait for the first answer."""
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [*self._prefix, *CMS, "serve", "--bind", f"{self.address}:{PORT}"],
                env=self._environ, start_new_session=True, stdout=log, stderr=log, cwd=ROOT)
        self.wait(lambda: ask(self.address, "GET", "/healthz").status == 200)

    def kill(self) -> None:
        """Kill all processes in one moment."""
        assert self._process is not None
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait(60)

    def stop(self) -> None:
        """Let it end."""
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(30)
            except subprocess.TimeoutExpired:
                self.kill()

    def seconds(self) -> float:
        """Return the processor time that the host's processes have taken."""
        return seconds_of(self._process.pid) if self._process else 0.0

    def wait(self, is_done: Any, seconds: float = 60) -> float:
        """Wait until something is true, and return for how long; raises SystemExit where it never is."""
        begun = time.monotonic()
        while time.monotonic() < begun + seconds:
            with suppress(OSError, HTTPException):
                if is_done():
                    return time.monotonic() - begun
            time.sleep(0.1)
        raise SystemExit(f"{self.name}: nothing within {seconds} seconds\n{self.log.read_text()[-3000:]}")


def ask(address: str, method: str, path: str, body: Any = None, port: int = PORT, file: str = "") -> Answer:
    """Send one request as the administrator, or as a visitor where it reads; the bytes of a file with its name."""
    connection = HTTPConnection(address, port, timeout=60)
    headers = {} if method == "GET" else {"Authorization": basic(*LOGIN), "Content-Type": "application/json"}
    if file:
        headers |= {"Content-Type": "text/plain", "Content-Disposition": f'attachment; filename="{file}"'}
    try:
        connection.request(method, path, body if file or body is None else json.dumps(body), headers)
        response = connection.getresponse()
        found = {name.lower(): value for name, value in response.getheaders()}
        return Answer(response.status, found, response.read())
    finally:
        connection.close()


class Site:
    """The site with all that it runs on; made in the namespace of the clients."""

    def __init__(self, network: Network, folder: Path, **settings: str) -> None:
        self.network, self.folder = network, folder
        self.postgres = PostgresServer(f"{BACK}.{PLACES['database']}", 5432, prefix=network.within("database"))
        environ = {name: value for name, value in os.environ.items() if not NOT_OURS.match(name)}
        paths = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
        self.environ = {
            **environ, "PYTHONPATH": paths, "WEB_CONCURRENCY": "2", "CMS_PASSWORD_COST": "low",
            "CMS_REQUEST_LOG": "off", "CMS_URL": f"http://{FRONT}.1",
            "CMS_DATABASE": f"{self.postgres.address}/{DATABASE}",
            "CMS_UPLOADS": "s3://uploads/site", "CMS_UPLOADS_ENDPOINT": f"http://{FRONT}.1:{STORE_PORT}",
            "AWS_ACCESS_KEY_ID": object_store.KEY, "AWS_SECRET_ACCESS_KEY": object_store.SECRET,
            "NANIO_ACCESS_KEY": object_store.KEY, "NANIO_SECRET_KEY": object_store.SECRET,
            "NANIO_DATA_DIR": str(folder / "buckets"), **settings}
        self.hosts = [Host(name, network, folder, self.environ) for name in HOSTS]

    def make_database(self) -> None:
        """Start the server and make an empty database."""
        self.postgres.start()
        with self.connect("postgres") as connection:
            kind = "ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'"
            connection.execute(f"CREATE DATABASE {DATABASE} TEMPLATE template0 {kind}")

    def connect(self, database: str = DATABASE) -> psycopg.Connection[Any]:
        """Open a connection that needs no network."""
        return psycopg.connect(host=str(self.postgres.folder), port=self.postgres.port, user="postgres",
                               dbname=database, autocommit=True)

    def configure(self, plugins: str) -> None:
        """Write the settings of both hosts that stand in a file."""
        for host in self.hosts:
            (self.folder / host.name).mkdir(exist_ok=True)
            (self.folder / host.name / "config.toml").write_text(plugins, encoding="utf-8")

    @contextmanager
    def serving(self, plugins: str = "") -> Iterator[Site]:
        """Have the site run inside."""
        running: list[subprocess.Popen[bytes]] = []
        (self.folder / "buckets" / "uploads").mkdir(parents=True)
        try:
            self.make_database()
            self.configure(plugins)
            buckets = str(self.folder / "buckets")
            store = [sys.executable, object_store.__file__, str(STORE_PORT), buckets, f"{FRONT}.1"]
            with (self.folder / "store.log").open("wb") as log:
                environ = {**self.environ, "WEB_CONCURRENCY": "1"}
                running.append(subprocess.Popen(store, env=environ, stdout=log, stderr=log))
            for host in self.hosts:
                host.initialise()
            for host in self.hosts:
                host.start()
            running.append(self._start_nginx())
            yield self
        finally:
            for host in self.hosts:
                host.stop()
            for process in running:
                process.terminate()
                process.wait(20)
            self.postgres.remove()

    def _start_nginx(self) -> subprocess.Popen[bytes]:
        config = self.folder / "nginx.conf"
        config.write_text(NGINX.format(folder=self.folder, servers=block_of_docs()), encoding="utf-8")
        process = subprocess.Popen([find_nginx() or "nginx", "-p", str(self.folder), "-c", str(config), "-e", "stderr"])
        self.hosts[0].wait(lambda: ask(f"{FRONT}.1", "GET", "/api/", port=80).status == 200)
        return process

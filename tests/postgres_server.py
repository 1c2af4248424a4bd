"""A server of PostgreSQL of one's own, in a temporary data folder on a free port, which ends with whoever started it.

    python tests/postgres_server.py [--durable] -- COMMAND…

runs a command with the server's address in CMS_TEST_DATABASE, and exits with its code.
"""

from __future__ import annotations

import argparse
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

#: Where Debian puts what isn't in PATH.
INSTALLED = Path("/usr/lib/postgresql")
PROGRAMS = ("initdb", "postgres", "pg_isready", "pg_basebackup")
#: Whom a server belongs to that root starts, which PostgreSQL refuses to run as.
OWNERS = ("postgres", "nobody")
#: Where a server keeps what may be lost, and how many bytes have to be free there: copying a database takes the disk
#: ten times as long, as it is about a thousand files.
MEMORY = Path("/dev/shm")
NEEDED_MEMORY = 4 << 30
#: How a server is asked to end: with its sessions cut off, or at once, as in a fall.
SIGNALS = {"fast": signal.SIGINT, "immediate": signal.SIGQUIT}
#: What nobody needs whose data may be lost with the machine.
CARELESS = ("fsync=off", "synchronous_commit=off", "full_page_writes=off")
NEEDED = "PostgreSQL's programs are needed: apt-get install postgresql"


def find_programs() -> Path | None:
    """Return the folder of the PostgreSQL in PATH, or of the newest one that is installed, None without one."""
    installed = sorted(INSTALLED.glob("*/bin"), key=lambda path: [int(part) for part in path.parent.name.split(".")])
    folders = [Path(folder) for folder in os.environ.get("PATH", "").split(os.pathsep) if folder]
    for folder in (*folders, *reversed(installed)):
        if all((folder / name).exists() for name in PROGRAMS):
            return folder
    return None


class PostgresServer:
    """A server on an address of this machine, which can be stopped and started again."""

    def __init__(self, host: str = "127.0.0.1", port: int = 0, options: Sequence[str] = (),
                 prefix: Sequence[str] = (), primary: str = "") -> None:
        """Make the data folder, of a replica where the address of a primary server is given; raises FileNotFoundError where the programs aren't installed.

        Options are settings of the server as `name=value`, the prefix a command that runs the rest of its arguments,
        as root.
        """
        programs = find_programs()
        if programs is None:
            raise FileNotFoundError(NEEDED)
        self.host, self.port = host, port or free_port(host)
        self._programs, self._prefix, self._options = programs, list(prefix), list(options)
        self._process: subprocess.Popen[bytes] | None = None
        self.folder = Path(tempfile.mkdtemp(prefix="cms-postgres-", dir=data_place(options)))
        self._owner = owner()
        if self._owner:
            shutil.chown(self.folder, self._owner)
        if primary:
            self._run("pg_basebackup", "--pgdata", str(self.folder / "data"), "--dbname", primary, "--write-recovery-conf",
                      "--checkpoint=fast", "--no-sync")
            return
        self._run("initdb", "--pgdata", str(self.folder / "data"), "--auth=trust", "--username=postgres",
                  "--encoding=UTF8", "--locale=C", "--no-sync")
        with (self.folder / "data" / "pg_hba.conf").open("a") as rules:
            rules.write("host all all samenet trust\n")

    @property
    def address(self) -> str:
        """The server as an address, to which the name of a database is added."""
        return f"postgresql://postgres@{self.host}:{self.port}"

    @property
    def process(self) -> int:
        """The id of the server's first process."""
        assert self._process is not None
        return self._process.pid

    @property
    def log(self) -> Path:
        """The file that the server writes to."""
        return self.folder / "log"

    def start(self) -> None:
        """Start, and wait until connections are taken; raises RuntimeError with the log's end where none are."""
        settings = ["max_connections=200", f"listen_addresses={self.host}", f"unix_socket_directories={self.folder}",
                    *self._options]
        options = [part for setting in settings for part in ("-c", setting)]
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [*self._prefix, *self._owner_prefix(), self._programs / "postgres", "-D", self.folder / "data",
                 "-p", str(self.port), *options],
                stdout=log, stderr=log, stdin=subprocess.DEVNULL, cwd="/", start_new_session=True,
                **({} if self._prefix else self._as_owner()))
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and self._process.poll() is None:
            if self._answers():
                return
            time.sleep(0.05)
        raise RuntimeError(f"PostgreSQL doesn't start: {self.log.read_text()[-2000:]}")

    def stop(self, how: str = "fast") -> None:
        """End the server in one of the ways of SIGNALS, and wait until it has."""
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(SIGNALS[how])
            self._process.wait(60)

    def remove(self) -> None:
        """End the server and remove its data."""
        self.stop("immediate")
        shutil.rmtree(self.folder, ignore_errors=True)

    def _answers(self) -> bool:
        command = [self._programs / "pg_isready", "-q", "-h", self.folder, "-p", str(self.port)]
        return subprocess.run(command, check=False, cwd="/").returncode == 0

    def _run(self, program: str, *arguments: str) -> None:
        subprocess.run([self._programs / program, *arguments], check=True, stdout=subprocess.DEVNULL, cwd="/",
                       **self._as_owner())

    def _owner_prefix(self) -> list[str]:
        if not self._owner or not self._prefix:
            return []
        account = pwd.getpwnam(self._owner)
        return ["setpriv", f"--reuid={account.pw_uid}", f"--regid={account.pw_gid}", "--clear-groups"]

    def _as_owner(self) -> dict[str, object]:
        if not self._owner:
            return {}
        account = pwd.getpwnam(self._owner)
        return {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}


def owner() -> str:
    """Return the account that a server of root's is to run as; empty where we aren't root, and it runs as oneself."""
    if os.geteuid() != 0:
        return ""
    names = {account.pw_name for account in pwd.getpwall()}
    return next(name for name in OWNERS if name in names)


def free_port(host: str = "127.0.0.1") -> int:
    """Return a port that nothing listens on."""
    with socket.socket() as probe:
        probe.bind((host, 0))
        return int(probe.getsockname()[1])


def data_place(options: Sequence[str]) -> Path | None:
    """Return where a server with such options is to have its data; None for where temporary files lie."""
    may_be_lost = "fsync=off" in options
    if may_be_lost and MEMORY.is_dir() and shutil.disk_usage(MEMORY).free >= NEEDED_MEMORY:
        return MEMORY
    return None


@contextmanager
def running(options: Sequence[str] = CARELESS, primary: str = "") -> Iterator[PostgresServer]:
    """Have a server while something is done, one that follows another where its address is given."""
    server = PostgresServer(options=options, primary=primary)
    try:
        server.start()
        yield server
    finally:
        server.remove()


def main() -> int:
    """Run the command of the command line with a server, and return its code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--durable", action="store_true", help="write to the disk as a server in use does")
    parser.add_argument("command", nargs="+")
    arguments = parser.parse_args()
    if find_programs() is None:
        parser.error(NEEDED)
    signal.signal(signal.SIGTERM, _end)
    with running(() if arguments.durable else CARELESS) as server:
        environ = {**os.environ, "CMS_TEST_DATABASE": server.address}
        return subprocess.run(arguments.command, env=environ, check=False).returncode


def _end(number: int, _frame: FrameType | None) -> None:
    sys.exit(128 + number)


if __name__ == "__main__":
    sys.exit(main())

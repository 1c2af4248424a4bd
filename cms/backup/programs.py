"""The programs of PostgreSQL that write and read dumps: where they are, whether they are new enough, what they say."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import BinaryIO, cast

from cms.backup.errors import BackupError

#: What stands in an address and in no list of arguments, which other accounts of the machine can read.
SECRETS = ("password", "sslpassword")
NUMBER = re.compile(r"\) (\d+)")


def find_program(name: str, server: int = 0) -> str:
    """Return the path of a program; raises BackupError where it isn't there, or is older than a server's version."""
    path = shutil.which(name)
    package = f"postgresql-client{f'-{server}' if server else ''}"
    if path is None:
        raise BackupError(
            f"The program {name} isn't there. Install it: on Debian the package {package} has it."
        )
    output = _output([path, "--version"]).stdout
    found = NUMBER.search(output)
    if found and int(found[1]) < server:
        raise BackupError(
            f"{path} is of version {found[1]}, and the server of version {server}, which it can't read. Install a "
            f"newer one: on Debian the package {package} has it."
        )
    return path


def dump(address: Mapping[str, str], schema: str, snapshot: str, server: int, target: Path) -> None:
    """Write what a snapshot of a database holds into a file; raises BackupError."""
    # Imported only for a database on a server.
    from psycopg.conninfo import make_conninfo

    open_parts = {name: value for name, value in address.items() if name not in SECRETS}
    command = [
        find_program("pg_dump", server),
        "--format=custom",
        "--no-owner",
        "--no-privileges",
        "--no-unlogged-table-data",
        f'--schema="{schema}"',
        f"--snapshot={snapshot}",
        f"--file={target}",
        f"--dbname={make_conninfo('', **open_parts)}",
    ]
    _run(command, {"PGPASSWORD": address["password"]} if "password" in address else {})


def check_dump(path: Path) -> str:
    """Read a dump to its end and return what is wrong with it, an empty text where nothing is; raises BackupError."""
    try:
        _run([find_program("pg_restore"), f"--file={os.devnull}", str(path)])
    except FailedProgram as error:
        return str(error)
    return ""


@contextmanager
def statements_of(path: Path, schema: str) -> Iterator[BinaryIO]:
    """Give the statements, and the rows between them, that make again what a dump has of a schema.

    Raises BackupError where they can't be read to their end.
    """
    command = [
        find_program("pg_restore"),
        "--no-owner",
        "--no-privileges",
        f"--schema={schema}",
        "--file=-",
        str(path),
    ]
    with (
        TemporaryFile() as errors,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors) as process,  # noqa: S603 (our own words)
    ):
        try:
            yield cast(BinaryIO, process.stdout)
        except BaseException:
            process.kill()
            raise
        if process.wait() != 0:
            errors.seek(0)
            raise FailedProgram(f"pg_restore: {_sentence(errors.read().decode(errors='replace'))}")


class FailedProgram(BackupError):
    """Say what a program has said of its failure."""


def _run(command: Sequence[str], environ: Mapping[str, str] | None = None) -> None:
    done = _output(command, environ)
    if done.returncode != 0:
        raise FailedProgram(f"{Path(command[0]).name}: {_sentence(done.stderr)}")


def _output(
    command: Sequence[str], environ: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603 (our own words)
        command, env={**os.environ, **(environ or {})}, capture_output=True, text=True, check=False
    )


def _sentence(output: str) -> str:
    return " ".join(output.split()) or "it ended without a word"

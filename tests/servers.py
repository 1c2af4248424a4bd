"""Databases on a server of PostgreSQL, for the tests that are run on one.

The environment variable CMS_TEST_DATABASE has the address of a server that may make databases, such as
postgresql://postgres@localhost:5432; without it each site lies in a file.
"""

from __future__ import annotations

import atexit
import os
from itertools import count
from pathlib import Path

SERVER = os.environ.get("CMS_TEST_DATABASE", "").rstrip("/")
_numbers = count(1)
_made: list[str] = []


def new_database(template: str = "") -> str:
    """Make a database, as a copy of another one that nobody has open, and return its address."""
    name = f"cms_test_{os.getpid()}_{next(_numbers)}"
    source = template.rpartition("/")[2] if template else "template0"
    _run(f"CREATE DATABASE {name} TEMPLATE {source} ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C' STRATEGY FILE_COPY")
    _made.append(name)
    return f"{SERVER}/{name}"


def drop_database(address: str) -> None:
    """Remove a database, whoever has it open."""
    name = address.rpartition("/")[2]
    if name in _made:
        _made.remove(name)
        _run(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")


def put_on_server(folder: Path, template: str = "") -> None:
    """Give a site in a folder a new database on the server, or a copy of one, and the setting that names it."""
    drop_database(address_in(folder))
    address = new_database(template)
    (folder / "site.server").write_text(address)
    (folder / "config.toml").write_text(f'database = "{address}"\n')


def address_in(folder: Path) -> str:
    """Return the address of a site's database on a server, empty for one in a file."""
    file = folder / "site.server"
    return file.read_text() if SERVER and file.exists() else ""


@atexit.register
def drop_all() -> None:
    """Remove all databases that this process has made."""
    for name in list(_made):
        drop_database(name)


def _run(statement: str) -> None:
    import psycopg

    with psycopg.connect(f"{SERVER}/postgres", autocommit=True) as connection:
        connection.execute(statement)

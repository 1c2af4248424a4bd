"""Databases beside that of a site, which are made to look at something and removed again."""

from __future__ import annotations

from contextlib import closing
from urllib.parse import urlsplit

from cms.db.postgres.cursors import open_connection

SELECT_LOCALE = "SELECT datcollate, datctype FROM pg_database WHERE datname = current_database()"
MAKE = """
CREATE DATABASE {name} TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE '{collate}' LC_CTYPE '{letters}'
"""


def make(server: str, name: str) -> str:
    """Make an empty database with the locale of another one, and return its address; raises what peewee raises."""
    with closing(open_connection(server)) as connection:
        collate, letters = connection.rows_of_own(SELECT_LOCALE)[0]
        connection.run_own(MAKE.format(name=name, collate=collate, letters=letters))
    return urlsplit(server)._replace(path=f"/{name}").geturl()


def remove(server: str, name: str) -> None:
    """Remove a database, whoever has it open."""
    with closing(open_connection(server)) as connection:
        connection.run_own(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")

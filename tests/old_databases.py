"""Databases as earlier versions left them: with a folder's migrations up to one of them."""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from peewee import SqliteDatabase
from playhouse.migrations import Runner

from cms.db.migrate import CORE


def migrate_to(database: Path, last: str, folder: Path = CORE, table: str = "schema_migration") -> None:
    """Apply the migrations of a folder up to the one whose number is `last`."""
    file = SqliteDatabase(str(database))
    with TemporaryDirectory() as some:
        for script in folder.glob("0*.py"):
            if script.name[:4] <= last:
                shutil.copy(script, some)
        Runner(file, some, table_name=table).up()
    file.close()

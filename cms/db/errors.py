"""What is raised where the database can't do what it is asked for: by its driver, or by peewee in place of that."""

from __future__ import annotations

import peewee

from cms.db.sqlite import errors as sqlite

DATABASE_ERRORS: tuple[type[Exception], ...] = (peewee.DatabaseError, sqlite.DATABASE_ERROR)
#: Those of files, connections and locks, and of statements that were ended.
OPERATIONAL_ERRORS: tuple[type[Exception], ...] = (peewee.OperationalError, sqlite.OPERATIONAL_ERROR)

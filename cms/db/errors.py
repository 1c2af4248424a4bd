"""What is raised where the database can't do what it is asked for: by its driver, or by peewee in place of that."""

from __future__ import annotations

import peewee

from cms.db.sqlite import errors as sqlite

DATABASE_ERRORS: tuple[type[Exception], ...] = (peewee.DatabaseError, sqlite.DATABASE_ERROR)
#: Those of files, connections and locks, and of statements that were ended.
OPERATIONAL_ERRORS: tuple[type[Exception], ...] = (peewee.OperationalError, sqlite.OPERATIONAL_ERROR)


class ServerError(peewee.OperationalError):
    """What a server can't do now; peewee would make its own error of one that is made of its own immediately."""


class ServerUnavailable(ServerError):
    """A server that can't be reached or doesn't do its work now; it comes back without anybody doing anything here."""


class ServerBusy(ServerError):
    """A lock or a connection that wasn't to be had in time; the next try may get it."""


class MergeConflict(Exception):
    """What was written aside doesn't fit the site any more: somebody has changed what it depends on."""

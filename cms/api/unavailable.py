"""Failures of the database and its disk, which pass when their cause is gone: which answer they get."""

from __future__ import annotations

import errno
import logging

from cms.db.errors import DATABASE_ERRORS, ServerBusy, ServerUnavailable
from cms.db.sqlite.presence import GONE, LOG_GONE
from cms.errors import ApiError
from cms.i18n import _
from cms.media.storage import StorageUnavailable

log = logging.getLogger("cms")

#: What SQLite says of a disk or a file that can't be used; anything else it says is a fault of a statement.
SIGNS = (
    "disk is full",
    "disk I/O error",
    "readonly database",
    "unable to open database",
    "malformed",
    "not a database",
    GONE,
    LOG_GONE,
)
#: What the system says of a disk that is full or can't be written.
NUMBERS = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EFBIG, errno.EIO)
#: Seconds after which it may be tried again: until then a person has to see to it.
RETRY_AFTER = 30
#: The same where it passes by itself: a server starts again, a link is mended.
RETRY_SERVER_AFTER = 5


def find_refusal(error: Exception) -> ApiError | None:
    """Return what is answered for an error that has its cause outside of the program, None for any other one."""
    error = _cause(error)
    if isinstance(error, ServerUnavailable):
        return refuse_without_server(error)
    if isinstance(error, DATABASE_ERRORS):
        text = str(error)
        if isinstance(error, ServerBusy) or "locked" in text or "busy" in text:
            return ApiError("rest_busy", _("Another write takes long. Try again."), 503, retry_after=1)
        if any(sign in text for sign in SIGNS):
            return _refuse(error)
    if isinstance(error, StorageUnavailable):
        return refuse_without_storage(error)
    if isinstance(error, OSError) and error.errno in NUMBERS:
        return _refuse(error)
    return None


def _cause(error: Exception) -> Exception:
    """Return what went wrong first: SQLite ends a transaction on a full disk itself, so that undoing it fails too."""
    while "no transaction is active" in str(error) and isinstance(error.__context__, Exception):
        error = error.__context__
    return error


def _refuse(error: Exception) -> ApiError:
    log.error("the database or its disk can't be used: %s. Run: cms doctor", error)
    return _unavailable()


def refuse_without_storage(error: Exception) -> ApiError:
    """Log that the storage of uploaded files failed, and return what is answered then."""
    log.error("the storage of uploaded files can't be used: %s. Run: cms doctor", error)
    return _unavailable()


def refuse_without_server(error: Exception) -> ApiError:
    """Log that the server of the database failed, and return what is answered then."""
    log.error("the database's server can't be used: %s", error)
    return _unavailable(RETRY_SERVER_AFTER)


def _unavailable(retry_after: int = RETRY_AFTER) -> ApiError:
    message = _("The site can't store or read this at the moment. Try again later.")
    return ApiError("rest_unavailable", message, 503, retry_after=retry_after)

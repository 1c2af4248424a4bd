"""What a command can expect to go wrong, told in one line instead of a traceback."""

from __future__ import annotations

from cms.backup.errors import BackupError
from cms.config import ConfigError
from cms.db.errors import DATABASE_ERRORS
from cms.db.migrate import FailedMigration, PendingMigrations
from cms.db.whole_tables import CopyRefused
from cms.errors import ApiError
from cms.hooks import NoSuchPlugin, PluginError
from cms.transfer.wxr.records import ImportRefused

EXPECTED = (
    ApiError,
    BackupError,
    CopyRefused,
    ConfigError,
    PluginError,
    PendingMigrations,
    FailedMigration,
    ImportRefused,
)


def explain(error: Exception) -> str:
    """Return one line that says what is wrong."""
    text = str(error)
    if isinstance(error, DATABASE_ERRORS):
        text = f"the database can't be used: {error}"
    elif isinstance(error, OSError) and error.filename and error.strerror:
        text = f"{error.filename}: {error.strerror}"
    elif isinstance(error, OSError) and error.strerror:
        text = error.strerror
    return " ".join(text.split())


def is_wrong_use(error: Exception) -> bool:
    """Tell whether somebody has written what can't be meant, so that running it again would change nothing."""
    return isinstance(error, (ConfigError, NoSuchPlugin)) or isinstance(error.__cause__, ConfigError)


def is_expected(error: Exception) -> bool:
    """Tell whether something can be expected to go wrong, so that a line says enough of it."""
    return isinstance(error, (*EXPECTED, *DATABASE_ERRORS, OSError))

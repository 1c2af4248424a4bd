"""What a command can expect to go wrong, told in one line instead of a traceback."""

from __future__ import annotations

import sqlite3
from traceback import print_exception
from typing import IO, Any

import click
import peewee

from cms.config import ConfigError
from cms.db.migrate import FailedMigration, PendingMigrations
from cms.errors import ApiError
from cms.hooks import PluginError
from cms.transfer.wxr.records import ImportRefused

EXPECTED = (ApiError, ConfigError, PluginError, PendingMigrations, FailedMigration, ImportRefused)
DATABASE = (sqlite3.OperationalError, sqlite3.DatabaseError, peewee.OperationalError, peewee.DatabaseError)


def explain(error: Exception) -> str:
    """Return one line that says what is wrong."""
    text = str(error)
    if isinstance(error, ApiError):
        faults = error.data.get("params")
        text = str(error.message)
        if isinstance(faults, dict):
            text = "; ".join(f"{name}: {fault}" for name, fault in faults.items())
    elif isinstance(error, DATABASE):
        text = f"the database can't be used: {error}"
    elif isinstance(error, OSError) and error.strerror:
        text = f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return " ".join(text.split())


class WrongUse(click.ClickException):
    """A command that can't be meant as it was typed: told in one line, with the exit code of usage errors."""

    exit_code = 2


class Interrupted(click.ClickException):
    """Ctrl-C, which ends a command with the exit code that shells know it by."""

    exit_code = 130

    def show(self, file: IO[Any] | None = None) -> None:
        """Say so, without calling it an error."""
        click.echo(self.format_message(), file=file, err=True)


class Commands(click.Group):
    """A group of commands that ends with exit code 1 and one line when something expected goes wrong.

    Ctrl-C ends it with 130, and a wrong use with 2.
    """

    def invoke(self, ctx: click.Context) -> Any:
        """Run the chosen command; raises click.ClickException for what is expected to go wrong."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise
        except (KeyboardInterrupt, click.Abort) as error:
            raise Interrupted("Stopped.") from error
        except (*EXPECTED, *DATABASE, OSError) as error:
            if ctx.find_root().params.get("debug"):
                print_exception(error)
            raise click.ClickException(explain(error)) from error

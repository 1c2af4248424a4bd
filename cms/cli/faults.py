"""How commands end where they are used wrongly, are stopped, or something expected goes wrong: with one line."""

from __future__ import annotations

from traceback import print_exception
from typing import IO, Any

import click


class WrongUse(click.ClickException):
    """A command or setting that can't be meant as it was written: told in one line, with exit code 2."""

    exit_code = 2


class Interrupted(click.ClickException):
    """Ctrl-C, which ends a command with the exit code that shells know it by."""

    exit_code = 130

    def show(self, file: IO[Any] | None = None) -> None:
        """Say so, without calling it an error."""
        click.echo(self.format_message(), file=file, err=True)


class Commands(click.Group):
    """A group of commands that ends with exit code 1 and one line when something expected goes wrong.

    Ctrl-C ends it with 130, a wrong use or a wrong setting with 2.
    """

    def invoke(self, ctx: click.Context) -> Any:
        """Run the chosen command; raises click.ClickException for what is expected to go wrong."""
        try:
            return super().invoke(ctx)
        except (BrokenPipeError, click.ClickException, click.exceptions.Exit):
            raise
        except (KeyboardInterrupt, click.Abort) as error:
            raise Interrupted("Stopped.") from error
        except Exception as error:
            from cms.cli.expected import explain, is_expected, is_wrong_use

            if not is_expected(error):
                raise
            if ctx.find_root().params.get("debug"):
                print_exception(error)
            if is_wrong_use(error):
                raise WrongUse(explain(error)) from error
            raise click.ClickException(explain(error)) from error

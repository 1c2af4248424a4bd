"""Passwords that a command needs: made up, asked for without an echo, or read from standard input."""

from __future__ import annotations

import secrets
import sys
import warnings
from getpass import GetPassWarning

import click

from cms.cli.faults import WrongUse

stdin_option = click.option(
    "--password-stdin",
    "from_stdin",
    is_flag=True,
    help="Read the password from the first line of standard input.",
)


generate_option = click.option(
    "--generate", is_flag=True, help="Make a password up and show it once, instead of asking for one."
)


def make_password() -> str:
    """Return a new password that nobody can guess."""
    return secrets.token_urlsafe(12)


def read_password() -> str:
    """Return the first line of standard input; refuses an empty one."""
    line = sys.stdin.readline().rstrip("\r\n")
    if not line:
        raise click.ClickException("Standard input holds no password.")
    return line


def ask_password() -> str:
    """Ask twice for a password without showing it; refuses where nobody can be asked."""
    with warnings.catch_warnings():
        # Where there is no terminal, Python would read the password from what is there, and show it.
        warnings.simplefilter("error", GetPassWarning)
        try:
            answer: str = click.prompt("New password", hide_input=True, confirmation_prompt=True, err=True)
        except GetPassWarning:
            message = (
                "There is no terminal to ask for the password. Send it in the first line of standard input: "
            )
            raise WrongUse(f"{message}--password-stdin") from None
    return answer

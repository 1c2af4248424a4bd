"""`cms token`: tokens that programs sign in with."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import click

from cms.access.capabilities import OPERATOR
from cms.access.tokens import READ, SCOPES, ListedToken, Tokens
from cms.cli.faults import Commands
from cms.cli.instance import Instance, find_account, pass_instance
from cms.dates import to_gmt
from cms.plugin.output import json_option, print_json, print_table

SOURCE = "command"
NEVER = "-"
#: Days after which a token expires unless the command says otherwise.
DAYS = 90
#: What a scope means, in the words of the command.
MEANINGS = {"read": "changes nothing; --scope all makes one that may", "all": "may do what the account may"}


@click.group(cls=Commands)
def token() -> None:
    """Make, list and revoke tokens, which programs sign in with instead of a password.

    A token goes into the header "Authorization: Bearer TOKEN", or where a client asks for the account's password.
    """


@token.command()
@click.argument("login")
@click.option("--name", required=True, help="What the token is for, to know it by later.")
@click.option(
    "--scope",
    type=click.Choice(SCOPES),
    default=READ,
    show_default=True,
    help='"read" can change nothing; "all" may do what the account may.',
)
@click.option(
    "--days",
    type=click.IntRange(0, 36_500),
    default=DAYS,
    show_default=True,
    help="Days after which it expires; 0 for never.",
)
@json_option
@pass_instance
def create(instance: Instance, login: str, name: str, scope: str, days: int, as_json: bool) -> None:
    """Make a token for the account that signs in as LOGIN. It reads for 90 days, unless you ask for more.

    It is shown once, here; only a digest of it is stored. It works until it expires, is revoked or the account is
    deleted, also after the account's password has been changed.
    """
    expires, until = None, "never"
    if days:
        expires = to_gmt(datetime.now(UTC) + timedelta(days=days), UTC)
        until = f"{expires} GMT"
    with instance.ready() as site:
        id, made = site.tokens.create(find_account(site, login), name, scope, expires, SOURCE, OPERATOR)
    if as_json:
        print_json({"id": id, "token": made, "scope": scope, "expires_gmt": expires})
        return
    click.echo(f"Made token {id} for {login}.")
    click.echo(f"Scope:   {scope} ({MEANINGS[scope]})")
    click.echo(f"Expires: {until}")
    click.echo(f"The token, shown only now: {made}")


@token.command("list")
@click.argument("login", required=False)
@json_option
@pass_instance
def list_made(instance: Instance, login: str | None, as_json: bool) -> None:
    """List all tokens, or those of the account that signs in as LOGIN. Dates are in GMT."""
    with instance.ready() as site:
        account = None
        if login:
            account = find_account(site, login)
        tokens = site.tokens.list(account)
    if as_json:
        print_json(tokens)
        return
    print_table(
        ("Id", "Login", "Name", "Begins with", "Scope", "Made", "Expires", "Last used"), map(_row, tokens)
    )


@token.command()
@click.argument("id", type=int)
@pass_instance
def revoke(instance: Instance, id: int) -> None:
    """Revoke the token with the number ID; it stops working at once."""
    with instance.ready() as site:
        _revoke(site.tokens, id)
    click.echo(f"Token {id} has been revoked.")


def _revoke(tokens: Tokens, id: int) -> None:
    if not tokens.revoke(id, by=OPERATOR):
        raise click.ClickException(f'There is no token {id}. "cms token list" shows all of them.')


def _row(made: ListedToken) -> tuple[object, ...]:
    return (
        made["id"],
        made["login"],
        made["name"],
        made["prefix"],
        made["scope"],
        made["created_gmt"],
        made["expires_gmt"] or NEVER,
        made["used_gmt"] or NEVER,
    )

"""`cms user`: accounts, their passwords and roles."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from cms.access.capabilities import OPERATOR, ROLES
from cms.cli.faults import Commands
from cms.cli.instance import Instance, account_row, find_account, pass_instance
from cms.cli.passwords import ask_password, generate_option, make_password, read_password, stdin_option
from cms.install.bootstrap import add_account
from cms.plugin.output import json_option, print_json, print_table
from cms.site import Site

FIELDS = ("id", "username", "name", "email", "roles", "registered_date")


@click.group(cls=Commands)
def user() -> None:
    """Add and list accounts, set their passwords and roles."""


@user.command()
@click.argument("login")
@click.option("--email", required=True, help="The account's e-mail address.")
@click.option("--name", help="Name that is shown. Default: the login.")
@click.option(
    "--role",
    "roles",
    multiple=True,
    default=("subscriber",),
    show_default=True,
    metavar="ROLE",
    help=f"What the account may do: {', '.join(ROLES)}. May be given more than once.",
)
@stdin_option
@json_option
@pass_instance
def add(
    instance: Instance,
    login: str,
    email: str,
    name: str | None,
    roles: tuple[str, ...],
    from_stdin: bool,
    as_json: bool,
) -> None:
    """Add an account that signs in as LOGIN.

    Without --password-stdin a password is made up and shown once, here.
    """
    values: dict[str, Any] = {"username": login, "email": email, "roles": list(roles)}
    if name:
        values["name"] = name
    made: dict[str, str] = {}
    if from_stdin:
        values["password"] = read_password()
    else:
        values["password"] = made["password"] = make_password()
    with instance.ready() as site:
        account = add_account(site, **values)
    if as_json:
        print_json({**_fields_of(account), **made})
        return
    click.echo(f"Added the account {login} ({', '.join(account['roles'])}).")
    if made:
        click.echo(f"Its password, shown only now: {made['password']}")


@user.command("list")
@json_option
@pass_instance
def list_accounts(instance: Instance, as_json: bool) -> None:
    """List all accounts with their roles."""
    with instance.ready() as site:
        accounts = list(map(_fields_of, _accounts(site)))
    if as_json:
        print_json(accounts)
        return
    lines: list[tuple[object, ...]] = []
    for a in accounts:
        roles, since = ", ".join(a["roles"]), a["registered_date"][:10]
        lines.append((a["id"], a["username"], a["name"], a["email"], roles, since))
    print_table(("Id", "Login", "Name", "E-mail", "Roles", "Since"), lines)


@user.command()
@click.argument("login")
@stdin_option
@generate_option
@pass_instance
def password(instance: Instance, login: str, from_stdin: bool, generate: bool) -> None:
    """Set the password of the account that signs in as LOGIN.

    It is asked for without being shown, or made up with --generate. The old one stops working at once.
    """
    _check_options(from_stdin, generate)
    with instance.ready() as site:
        id = find_account(site, login)
        if generate:
            new = make_password()
        elif from_stdin:
            new = read_password()
        else:
            new = ask_password()
        _update(site, id, password=new)
    click.echo(f"The password of {login} has been changed.")
    if generate:
        click.echo(f"Its password, shown only now: {new}")


@user.command()
@click.argument("login")
@click.option("--two-factor", "turns_off", is_flag=True, help="Turn the account's second factor off too.")
@pass_instance
def reset(instance: Instance, login: str, turns_off: bool) -> None:
    """Print a link by which the owner of the account LOGIN sets a new password on the editing page.

    It is good for an hour and for once. Whoever has lost the second factor too needs --two-factor.
    """
    with instance.ready() as site:
        _require_page(site)
        row = account_row(site, login)
        if turns_off:
            site.authentication.factors.remove(row, OPERATOR)
        token = site.authentication.links.make(row)
    click.echo(f"{site.url}{site.base}/admin/#/reset/{token}")


@user.command()
@click.argument("login")
@click.argument("roles", nargs=-1, required=True, metavar="ROLE...")
@json_option
@pass_instance
def role(instance: Instance, login: str, roles: tuple[str, ...], as_json: bool) -> None:
    """Give the account that signs in as LOGIN these roles instead of those it has.

    Roles, the most powerful first: administrator, editor, author, contributor, subscriber.
    """
    with instance.ready() as site:
        account = _update(site, find_account(site, login), roles=list(roles))
    if as_json:
        print_json(_fields_of(account))
        return
    click.echo(f"{login} is now: {', '.join(account['roles'])}.")


def _accounts(site: Site) -> Iterator[dict[str, Any]]:
    operations = site.operations["user"]
    page, has_next = 1, True
    while has_next:
        args = {"context": "edit", "orderby": "id", "per_page": 100, "page": page}
        listing = operations.list(operations.list_loader.load(args), OPERATOR)
        yield from listing.items
        page, has_next = page + 1, listing.has_next


def _update(site: Site, id: int, **values: Any) -> dict[str, Any]:
    operations = site.operations["user"]
    return operations.update(id, operations.update_loader.load(values), OPERATOR).data


def _fields_of(account: dict[str, Any]) -> dict[str, Any]:
    return {name: account[name] for name in FIELDS}


def _require_page(site: Site) -> None:
    if not site.config["admin"]:
        raise click.ClickException(
            "This site has no editing page. Set admin = true, or run: cms user password"
        )


def _check_options(from_stdin: bool, generate: bool) -> None:
    if from_stdin and generate:
        raise click.UsageError("Give either --password-stdin or --generate.")

"""`cms init`: makes a site's database with an administrator."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from cms.cli.instance import Instance, pass_instance
from cms.cli.passwords import read_password, stdin_option
from cms.config import FILE
from cms.install.bootstrap import set_up
from cms.install.demo import add_demo
from cms.plugin.output import json_option, print_json


@click.command()
@click.option(
    "--login", default="admin", show_default=True, help="Name that the administrator signs in with."
)
@click.option(
    "--email", default="admin@example.org", show_default=True, help="The administrator's e-mail address."
)
@click.option("--title", help="Title of the site.")
@click.option("--demo/--no-demo", default=False, help="Add a few posts to look at. Default: --no-demo.")
@stdin_option
@json_option
@pass_instance
def init(
    instance: Instance, login: str, email: str, title: str | None, demo: bool, from_stdin: bool, as_json: bool
) -> None:
    """Make a new site: its folder, its database, a file of its settings and an administrator.

    The administrator's password is made up and shown once, here; only a hash of it is stored. Run again on a
    site that is there, this changes nothing but what "cms migrate" would.
    """
    sent = read_password() if from_stdin else None
    with instance.new_or_old() as site:
        made = set_up(site, login, email, sent, title)
        report: dict[str, Any] = {"database": str(site.config.database), "created": made is not None}
        settings = site.config.instance / FILE
        if made is not None:
            report["login"] = login
        if made is not None and not from_stdin:
            report["password"] = made
        # Before anything else can fail: the password is known only here.
        if as_json:
            print_json(report)
        else:
            _print_report(report, settings)
        if made is not None and demo:
            add_demo(site)


def _print_report(report: dict[str, Any], settings: Path) -> None:
    if not report["created"]:
        click.echo(f"The site at {report['database']} is there already.")
        return
    click.echo(f"Made a site at {report['database']}.\n")
    click.echo(f"  Administrator:  {report['login']}")
    if "password" in report:
        click.echo(f"  Password:       {report['password']}    (shown only now; keep it)")
    if settings.exists():
        click.echo(f"  Settings:       {settings}")
    click.echo()

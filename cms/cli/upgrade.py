"""`cms upgrade`: brings a site to the installed version, or leaves it as it was."""

from __future__ import annotations

import click

from cms.backup.upgrading import upgrade as upgrade_site
from cms.cli.instance import Instance, pass_instance
from cms.cli.processes import others_of, unit_of
from cms.plugin.output import json_option, print_json, progress_bar


@click.command()
@json_option
@pass_instance
def upgrade(instance: Instance, as_json: bool) -> None:
    """Bring the site to the installed version and its plugins: run it after an update, then start the site anew.

    It makes a backup, migrates a copy of the database, tries whether the site works with it, and only then lets the
    copy take the place of the database. Where anything fails the site is as it was, and what serves it goes on.
    """

    def try_site(database: str) -> str:
        return _first_fault(instance, database)

    with instance.existing() as site, progress_bar() as progress:
        done = upgrade_site(site.context, try_site, progress)
    if as_json:
        serving = others_of(instance.config().database)
        print_json({"applied": done.migrated, "kept": done.kept, "serving": serving})
        return
    for name in done.migrated:
        click.echo(f"Applied {name}")
    if not done.kept:
        click.echo("The site is up to date.")
        return
    click.echo(f"The site works with this version. What it held before is in {done.kept}")
    click.echo(_what_to_start(instance))


def _what_to_start(instance: Instance) -> str:
    """Say how the site comes to be served by this version: what serves it now is the old one until it ends."""
    if instance.config().server:
        return "Start it anew on all hosts now: what serves it goes on as the old version until it ends."
    serving = others_of(instance.config().database)
    if not serving:
        return f"Serve it now. Run: {instance.command} serve"
    numbers = ", ".join(map(str, serving))
    told = f"The old version serves it still (processes {numbers}), and goes on until it ends."
    units = {unit_of(process) for process in serving} - {""}
    if len(units) == 1:
        return f"{told} Start it anew now. Run: systemctl restart {units.pop()}"
    return f"{told} End it now, and start it anew. Run: {instance.command} serve"


def _first_fault(instance: Instance, database: str) -> str:
    """Serve a site with another database to ourselves, and return what doesn't work."""
    from cms.app import create_app

    application = create_app({"database": database, "background": False}, instance.folder)
    try:
        client = application.test_client()
        for path in ("/api/", "/api/cms/v2/posts", "/api/cms/v2/categories", "/api/cms/v2/media"):
            answer = client.get(path, base_url=application.extensions["cms"].url)
            if answer.status_code != 200:
                return f"{path} answers with {answer.status_code}"
    finally:
        application.extensions["cms"].close()
    return ""

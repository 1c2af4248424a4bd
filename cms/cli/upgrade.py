"""`cms upgrade`: brings a site to the installed version, or leaves it as it was."""

from __future__ import annotations

from pathlib import Path

import click

from cms.backup.upgrading import upgrade as upgrade_site
from cms.cli.instance import Instance, pass_instance
from cms.plugin.output import json_option, print_json, progress_bar


@click.command()
@json_option
@pass_instance
def upgrade(instance: Instance, as_json: bool) -> None:
    """Bring the site to the installed version and its plugins: run it after an update, then start the site anew.

    It makes a backup, migrates a copy of the database, tries whether the site works with it, and only then lets the
    copy take the place of the database. Where anything fails the site is as it was, and what serves it goes on.
    """

    def try_site(database: Path) -> str:
        return _first_fault(instance, database)

    with instance.existing() as site, progress_bar() as progress:
        done = upgrade_site(site.context, try_site, progress)
    if as_json:
        print_json({"applied": done.migrated, "kept": done.kept})
        return
    for name in done.migrated:
        click.echo(f"Applied {name}")
    if not done.kept:
        click.echo("The site is up to date.")
        return
    click.echo(f"The site works with this version. What it held before is in {done.kept}")
    click.echo(f"Start it anew now. Run: {instance.command} serve")


def _first_fault(instance: Instance, database: Path) -> str:
    """Serve a site with another database to ourselves, and return what doesn't work."""
    from cms.app import create_app

    application = create_app({"database": str(database), "background": False}, instance.folder)
    try:
        client = application.test_client()
        for path in ("/api/", "/api/cms/v2/posts", "/api/cms/v2/categories", "/api/cms/v2/media"):
            answer = client.get(path, base_url=application.extensions["cms"].url)
            if answer.status_code != 200:
                return f"{path} answers with {answer.status_code}"
    finally:
        application.extensions["cms"].close()
    return ""

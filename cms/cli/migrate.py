"""`cms migrate`: brings the database to this version."""

from __future__ import annotations

import click

from cms.cli.instance import Instance, pass_instance
from cms.db.migrate import migrate as apply_migrations
from cms.plugin.output import json_option, print_json, progress_bar


@click.command()
@json_option
@pass_instance
def migrate(instance: Instance, as_json: bool) -> None:
    """Bring the database up to date with the installed version and its plugins.

    Run it after every update, before the site is served again. Where there is nothing to do it does nothing.
    """
    with instance.existing() as site, progress_bar() as advance:
        registry, mode = site.registry, site.config["search_mode"]
        applied = apply_migrations(site.database, registry.migrations, registry.indexes, mode, advance)
    if as_json:
        print_json({"applied": applied})
        return
    for name in applied:
        click.echo(f"Applied {name}")
    if not applied:
        click.echo("The database is up to date.")

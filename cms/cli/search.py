"""`cms search`: looks after the indexes for search."""

from __future__ import annotations

import click

from cms.cli.faults import Commands
from cms.cli.instance import Instance, pass_instance
from cms.db.migrate import require_migrated
from cms.db.search_making import make_indexes
from cms.plugin.output import json_option, print_json, progress_bar


@click.group(cls=Commands)
def search() -> None:
    """Make the indexes for search anew."""


@search.command()
@json_option
@pass_instance
def reindex(instance: Instance, as_json: bool) -> None:
    """Make the indexes for search anew, as search_mode says.

    Run it after a change of that setting, before the site is served again. While it works the site can be read, but not
    written.
    """
    with instance.existing() as site, progress_bar() as advance:
        require_migrated(site.database, site.registry.migrations, None)
        mode = site.config["search_mode"]
        made = make_indexes(site.database, mode, advance)
    if as_json:
        print_json({"mode": mode, "indexes": made})
        return
    click.echo(f"Made the indexes for search anew, in the mode {mode}.")

"""The commands that a site's plugins add to those of the core."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from cms.cli.faults import EXPECTED, Commands, WrongUse, explain
from cms.cli.instance import Instance

KEPT = "cms.plugin.commands"


class SiteCommands(Commands):
    """The commands of the core; then, known once the site's plugins are loaded, those that these bring."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return all names; plugins that can't be loaded don't keep the core's commands from being listed."""
        try:
            found = sorted(self._of_plugins(ctx))
        except WrongUse:
            found = []  # a folder that isn't there has no plugins
        except EXPECTED as error:
            click.echo(f"The commands of plugins are left out: {explain(error)}", err=True)
            found = []
        return [*super().list_commands(ctx), *found]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command by its name."""
        return super().get_command(ctx, cmd_name) or self._of_plugins(ctx).get(cmd_name)

    def _of_plugins(self, ctx: click.Context) -> dict[str, Any]:
        if KEPT not in ctx.meta:
            folder = ctx.params.get("instance") or Path("instance")
            instance = Instance(folder.absolute())
            instance.require_folder()
            with instance.new_or_old() as site:
                ctx.meta[KEPT] = {command.name: command for _plugin, command in site.registry.commands}
        found: dict[str, Any] = ctx.meta[KEPT]
        return found

"""The commands of the core, each imported when it is run, and those that a site's plugins add to them."""

from __future__ import annotations

import gc
import os
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, NamedTuple

import click

from cms.cli.faults import Commands

LOADED = "cms.plugin.commands"


class Own(NamedTuple):
    """A command of the core: the module below `cms.cli` and the name that it has there, and what it does."""

    module: str
    attribute: str
    help: str

    def load(self) -> click.Command:
        """Import the command, with no look for garbage meanwhile: modules leave next to none."""
        gc.disable()
        try:
            found: click.Command = getattr(import_module(f"cms.cli.{self.module}"), self.attribute)
        finally:
            gc.enable()
        return found


class SiteCommands(Commands):
    """The commands of the core; then, known once the site's plugins are loaded, those that these bring.

    For their list alone no command of the core is imported, and no site put together.
    """

    own: dict[str, Own] = {}

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return all names; plugins that can't be loaded don't keep the core's commands from being listed."""
        return [*self.own, *sorted(self._listed(ctx))]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of all commands with what they do."""
        brought = self._listed(ctx)
        rows = []
        for name, command in self.own.items():
            rows.append((name, command.help))
        for name in sorted(brought):
            rows.append((name, brought[name].get_short_help_str(formatter.width)))
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command by its name."""
        if cmd_name in self.own:
            return self.own[cmd_name].load()
        return commands_of_plugins(ctx).get(cmd_name)

    def _listed(self, ctx: click.Context) -> dict[str, Any]:
        found: dict[str, Any] = {}
        folder = _folder(ctx)
        if not folder.exists() or not _may_have_plugins(folder):
            return found
        from cms.cli.expected import explain

        try:
            from cms.assembly import list_commands
            from cms.cli.instance import Instance

            for command in list_commands(Instance(folder).config()):
                if isinstance(command, Exception):
                    _print_left_out(explain(command))
                elif command.name not in self.own:
                    found[command.name or ""] = command
        except Exception as error:  # whatever it is: the list is what helps to find out
            _print_left_out(explain(error) or type(error).__name__)
        return found


def commands_of_plugins(ctx: click.Context) -> dict[str, Any]:
    """Return the commands of the site's plugins by name; the site is put together once for them."""
    if LOADED not in ctx.meta:
        from cms.cli.instance import Instance

        instance = Instance(_folder(ctx))
        instance.require_folder()
        with instance.new_or_old() as site:
            ctx.meta[LOADED] = {}
            for _plugin, command in site.registry.commands:
                ctx.meta[LOADED][command.name] = command
    found: dict[str, Any] = ctx.meta[LOADED]
    return found


def _print_left_out(reason: str) -> None:
    click.echo(f"Commands of plugins are left out: {reason}", err=True)


def _folder(ctx: click.Context) -> Path:
    return Path(ctx.params.get("instance") or "instance").absolute()


def _may_have_plugins(folder: Path) -> bool:
    """Tell, without looking closer, whether a site may have plugins: some are named, installed or lie there."""
    config = folder / "config.toml"
    is_configured = config.exists() and b"plugins" in config.read_bytes()
    is_named = bool(os.environ.get("CMS_PLUGINS"))
    return (
        is_named or is_configured or (folder / "plugins").is_dir() or bool(entry_points(group="cms.plugins"))
    )

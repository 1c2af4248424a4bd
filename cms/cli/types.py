"""`cms types`: what the site declares, for programs; commands that plugins bring in a group of this name join it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import click

from cms.access.capabilities import VISITOR
from cms.api.discovery import Discovery
from cms.api.openapi.documents import Documents
from cms.api.openapi.typescript import print_types
from cms.assembly import list_commands
from cms.call import Call
from cms.cli.instance import Instance, pass_instance
from cms.config import Config


class JoinedGroup(click.Group):
    """A group of the core that also has the commands of a plugin's group with the same name."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return all names."""
        return sorted({*self.commands, *self._joined(ctx)})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command by its name; those of the core come first."""
        return self.commands.get(cmd_name) or self._joined(ctx).get(cmd_name)

    def _joined(self, ctx: click.Context) -> Mapping[str, click.Command]:
        """Return the commands of plugins; no site is put together for them, which what they look at may prevent."""
        instance = ctx.find_object(Instance)
        found: dict[str, click.Command] = {}
        if instance is None:
            return found
        instance.require_folder()
        for brought in list_commands(_with_declared_types(instance.config())):
            if isinstance(brought, click.Group) and brought.name == self.name:
                found |= brought.commands
        return found


def _with_declared_types(config: Config) -> Config:
    """Return the settings with the bundled plugin named whose commands make the first file of types."""
    named = (*config["plugins"], "declared_types")
    return replace(config, values={**config.values, "plugins": tuple(dict.fromkeys(named))})


@click.group(cls=JoinedGroup)
def types() -> None:
    """Print what the site declares as types, for programs; plugins add commands of their own."""


@types.command()
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), help="A file to write to.")
@pass_instance
def ts(instance: Instance, output: Path | None) -> None:
    """Print types of TypeScript for all items, bodies and refusals of the site, plugins' included.

    The answer to a read is one of its contexts: Post is that of context=view, PostEdit that of context=edit.
    """
    with instance.existing() as site:
        documents = Documents(Discovery(site, site.registry.routes))
        document = documents.document(Call(site, VISITOR, {}, {}, {}))
        text = print_types(document["components"]["schemas"])
    if output is None:
        click.echo(text, nl=False)
    else:
        output.write_text(text, encoding="utf-8")

"""`cms plugins`: what extends the site."""

from __future__ import annotations

from typing import Any

import click
import pluggy

from cms import __version__
from cms.cli.instance import Instance, pass_instance
from cms.cli.output import json_option, print_json, print_table


@click.command()
@json_option
@pass_instance
def plugins(instance: Instance, as_json: bool) -> None:
    """List the plugins that are loaded, with their versions and the hooks they use.

    "core" is the system itself, which uses the same hooks. Installed plugins load by themselves; others are named
    by the setting "plugins" in config.toml.
    """
    with instance.new_or_old() as site:
        found = describe(site.plugins)
    if as_json:
        print_json(found)
        return
    print_table(("Plugin", "Version", "Hooks"),
                [(f["name"], f["version"] or "-", ", ".join(f["hooks"]) or "-") for f in found])


def describe(manager: pluggy.PluginManager) -> list[dict[str, Any]]:
    """Return name, version and hooks of each plugin, in the order they were loaded."""
    installed = {id(plugin): str(distribution.version) for plugin, distribution in manager.list_plugin_distinfo()}
    told = []
    for name, plugin in manager.list_name_plugin():
        if plugin is None:
            continue
        own = __version__ if name == "core" else str(getattr(plugin, "__version__", ""))
        hooks = sorted(caller.name for caller in manager.get_hookcallers(plugin) or ())
        told.append({"name": name, "version": installed.get(id(plugin), own), "hooks": hooks})
    return told

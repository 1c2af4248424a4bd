"""`cms plugins`: what extends the site."""

from __future__ import annotations

from typing import Any

import click

from cms.cli.instance import Instance, pass_instance
from cms.hooks import Plugin, Plugins
from cms.plugin.output import json_option, print_json, print_table
from cms.version import __version__


@click.command()
@json_option
@pass_instance
def plugins(instance: Instance, as_json: bool) -> None:
    """List the plugins that are loaded: versions, where they come from, what they register.

    "core" is the system itself, which uses the same hooks. Installed plugins and those in the instance's folder
    "plugins" load by themselves; others are named by the setting "plugins" in config.toml. The time is that of
    importing a plugin and asking what it registers. --json lists all names that each has registered.
    """
    with instance.new_or_old() as site:
        found = describe(site.plugins)
    if as_json:
        print_json(found)
        return
    lines: list[tuple[object, ...]] = []
    for f in found:
        version, hooks = f["version"] or "-", ", ".join(f["hooks"]) or "-"
        registered = ", ".join(f"{len(names)} {kind}" for kind, names in f["registered"].items()) or "-"
        lines.append((f["name"], version, f["source"], hooks, registered, round(f["milliseconds"])))
    print_table(("Plugin", "Version", "From", "Hooks", "Registers", "ms"), lines)


def describe(manager: Plugins) -> list[dict[str, Any]]:
    """Return what is known of each plugin, in the order they were loaded."""
    return [_told(manager, plugin) for plugin in manager.loaded.values()]


def _told(manager: Plugins, plugin: Plugin) -> dict[str, Any]:
    hooks = sorted(caller.name for caller in manager.get_hookcallers(manager.get_plugin(plugin.name)) or ())
    ours = plugin.source in ("core", "bundled")
    return {
        "name": plugin.name,
        "version": plugin.version or (__version__ if ours else ""),
        "source": plugin.source,
        "location": plugin.location,
        "hooks": hooks,
        "registered": plugin.registered,
        "milliseconds": round(plugin.seconds * 1_000, 2),
    }

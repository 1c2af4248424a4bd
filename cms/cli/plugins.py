"""`cms plugins`: what extends the site."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from typing import Any

import click

from cms.cli.expected import explain
from cms.cli.instance import Instance, pass_instance
from cms.hooks import CORE, Plugin, PluginError, Plugins
from cms.plugin.output import json_option, print_json, print_table
from cms.site import Site
from cms.version import __version__


@click.command()
@json_option
@pass_instance
def plugins(instance: Instance, as_json: bool) -> None:
    """List the plugins that are loaded: versions, where they come from, what they register.

    "core" is the system itself, which uses the same hooks. Installed plugins and those in the instance's folder
    "plugins" load by themselves; others are named by the setting "plugins" in config.toml. The time is that of
    importing a plugin and asking what it registers. --json lists all names that each has registered.

    Plugins that keep the site from starting are named at the end, each with what is wrong, where, and what to do; then
    this ends with exit code 1.
    """
    instance.require_folder()
    with ExitStack() as stack:
        site, faults = open_what_works(instance, stack)
        found = describe(site.plugins)
    if as_json:
        for fault in faults:
            found.append({"name": fault.plugin, "fault": str(fault)})
        print_json(found)
    else:
        _print(found)
        for fault in faults:
            click.echo(f"Error: {explain(fault)}", err=True)
    if faults:
        sys.exit(1)


def open_what_works(instance: Instance, stack: ExitStack) -> tuple[Site, list[PluginError]]:
    """Open the site without the plugins that keep it from starting, and return it with what is wrong with each.

    Raises PluginError where leaving a plugin out doesn't help.
    """
    faults: dict[str, PluginError] = {}
    while True:
        try:
            return stack.enter_context(instance.new_or_old(faults)), list(faults.values())
        except PluginError as error:
            if error.plugin in (CORE, *faults):
                raise
            faults[error.plugin] = error


def _print(found: list[dict[str, Any]]) -> None:
    lines: list[tuple[object, ...]] = []
    for f in found:
        version, hooks = f["version"] or "-", ", ".join(f["hooks"]) or "-"
        registered = ", ".join(f"{len(names)} {kind}" for kind, names in f["registered"].items()) or "-"
        lines.append((f["name"], version, f["source"], hooks, registered, round(f["milliseconds"])))
    print_table(("Plugin", "Version", "From", "Hooks", "Registers", "ms"), lines)


def describe(manager: Plugins) -> list[dict[str, Any]]:
    """Return what is known of each plugin, in the order they were loaded."""
    return [_describe(manager, plugin) for plugin in manager.loaded.values()]


def _describe(manager: Plugins, plugin: Plugin) -> dict[str, Any]:
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

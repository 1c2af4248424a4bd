"""One plugin manager per site: finds plugins, refuses broken ones by name, asks their hooks."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pluggy

from cms import hookspecs
from cms.config import Config

GROUP = "cms.plugins"


class PluginError(Exception):
    """Say which plugin can't be used, and why."""


def load_plugins(config: Config, core: ModuleType) -> pluggy.PluginManager:
    """Register the core, installed plugins and those that the configuration names."""
    manager = pluggy.PluginManager(hookspecs.PROJECT)
    manager.add_hookspecs(hookspecs)
    manager.register(core, name="core")
    for name in config["plugins"]:
        _register(manager, name)
    manager.load_setuptools_entrypoints(GROUP)
    try:
        manager.check_pending()
    except pluggy.PluginValidationError as error:
        raise PluginError(_one_line(error)) from None
    return manager


def _register(manager: pluggy.PluginManager, name: str) -> None:
    try:
        manager.register(importlib.import_module(name), name=name)
    except Exception as error:  # whatever a plugin's code raises when it is imported
        raise PluginError(f"plugin {name}: {_one_line(error)}") from error


def _one_line(error: Exception) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())}"


def collect(manager: pluggy.PluginManager, hook: str) -> Iterator[tuple[str, Any]]:
    """Yield what each plugin returns from a registering hook, with the plugin's name, the core first."""
    for implementation in getattr(manager.hook, hook).get_hookimpls():
        try:
            found = implementation.function()
        except Exception as error:
            raise PluginError(f"plugin {implementation.plugin_name}: {hook} failed: {_one_line(error)}") from error
        yield implementation.plugin_name, found

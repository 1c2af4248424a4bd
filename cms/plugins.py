"""One plugin manager per site: finds plugins, refuses broken ones by name, asks their hooks."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar

import pluggy

from cms import hookspecs
from cms.config import Config

if TYPE_CHECKING:
    from wsgiref.types import WSGIApplication

    from cms.site import Site

GROUP = "cms.plugins"
T = TypeVar("T")


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


def hand_on(hook: pluggy.HookCaller, name: str, value: T, **others: Any) -> T:
    """Give a value from one implementation to the next, as the argument `name`, and return what the last made of it.

    They are called in pluggy's order; one that returns None leaves the value as it is. Raises PluginError, with the
    plugin's name, for one that fails or returns a value of another type.
    """
    for implementation in reversed(hook.get_hookimpls()):
        given = {name: value, **others}
        try:
            found = implementation.function(*(given[argument] for argument in implementation.argnames))
        except Exception as error:
            raise PluginError(f"plugin {implementation.plugin_name}: {hook.name} failed: {_one_line(error)}") from error
        if found is None:
            continue
        if not isinstance(found, type(value)):
            told = f"{hook.name} returned {type(found).__name__} instead of {type(value).__name__}"
            raise PluginError(f"plugin {implementation.plugin_name}: {told}")
        value = found
    return value


def wrap(manager: pluggy.PluginManager, application: WSGIApplication, site: Site) -> WSGIApplication:
    """Return the application with what plugins put around it."""
    for implementation in manager.hook.wrap_wsgi.get_hookimpls():
        try:
            found: Any = implementation.function(application, site)
        except Exception as error:
            raise PluginError(f"plugin {implementation.plugin_name}: wrap_wsgi failed: {_one_line(error)}") from error
        if not callable(found):
            raise PluginError(f"plugin {implementation.plugin_name}: wrap_wsgi returned no WSGI application")
        application = found
    return application


def version_of(manager: pluggy.PluginManager, plugin: object) -> str:
    """Return a plugin's version: of its distribution or its `__version__`; empty where it has neither."""
    for installed, distribution in manager.list_plugin_distinfo():
        if installed is plugin:
            return str(distribution.version)
    return str(getattr(plugin, "__version__", ""))

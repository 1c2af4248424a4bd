"""Asking the hooks of a site's plugins, with the name of whoever fails."""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter
from typing import TYPE_CHECKING, Any, TypeVar

import pluggy

from cms.plugins.loaded import PluginError, Plugins, one_line

if TYPE_CHECKING:
    from wsgiref.types import WSGIApplication

    from cms.site import Site

T = TypeVar("T")


def collect(plugins: Plugins, hook: str, **given: Any) -> Iterator[tuple[str, Any]]:
    """Yield what each plugin returns from a registering hook, with the plugin's name, the core first."""
    for implementation in getattr(plugins.hook, hook).get_hookimpls():
        name, started = implementation.plugin_name, perf_counter()
        try:
            found = implementation.function(*(given[argument] for argument in implementation.argnames))
            found = list(found) if isinstance(found, Iterator) else found
        except Exception as error:
            raise PluginError(f"plugin {name}: {hook} failed: {one_line(error)}") from error
        plugins.loaded[name].seconds += perf_counter() - started
        yield name, found


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
            raise PluginError(f"plugin {implementation.plugin_name}: {hook.name} failed: {one_line(error)}") from error
        if found is None:
            continue
        if not isinstance(found, type(value)):
            told = f"{hook.name} returned {type(found).__name__} instead of {type(value).__name__}"
            raise PluginError(f"plugin {implementation.plugin_name}: {told}")
        value = found
    return value


def wrap(plugins: Plugins, application: WSGIApplication, site: Site) -> WSGIApplication:
    """Return the application with what plugins put around it."""
    for implementation in plugins.hook.wrap_wsgi.get_hookimpls():
        name, given = implementation.plugin_name, {"application": application, "site": site}
        try:
            found: Any = implementation.function(*(given[argument] for argument in implementation.argnames))
        except Exception as error:
            raise PluginError(f"plugin {name}: wrap_wsgi failed: {one_line(error)}") from error
        if not callable(found):
            raise PluginError(f"plugin {name}: wrap_wsgi returned no WSGI application")
        application = found
    return application

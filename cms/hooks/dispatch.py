"""Asking the hooks of a site's plugins, with the name of whoever fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from time import perf_counter
from typing import TYPE_CHECKING, Any, TypeVar

import pluggy

from cms.errors import ApiError
from cms.hooks.manager import PluginError, Plugins, one_line

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


def call(implementation: pluggy.HookImpl, hook: str, given: Mapping[str, Any]) -> Any:
    """Ask one plugin; an ApiError is its answer, anything else that it raises becomes a PluginError with its name."""
    try:
        return implementation.function(*(given[argument] for argument in implementation.argnames))
    except ApiError:
        raise
    except Exception as error:
        raise PluginError(f"plugin {implementation.plugin_name}: {hook} failed: {one_line(error)}") from error


def ask(hook: pluggy.HookCaller, **given: Any) -> Iterator[tuple[str, Any]]:
    """Ask one plugin after another, in pluggy's order, and yield each one's name and what it returned."""
    for implementation in reversed(hook.get_hookimpls()):
        yield implementation.plugin_name, call(implementation, hook.name, given)


def hand_on(
    hook: pluggy.HookCaller, name: str, value: T, *, check: Callable[[T], T] | None = None, **others: Any
) -> T:
    """Give a value from one implementation to the next, as the argument `name`, and return what the last made of it.

    They are called in pluggy's order; one that returns None leaves the value as it is, or has changed it in place.
    `check` returns each one's value as it may be handed on and raises ValueError for what may not. Raises PluginError,
    with the plugin's name, for one that fails, returns a value of another type or one that doesn't pass the check.
    """
    for implementation in reversed(hook.get_hookimpls()):
        plugin = implementation.plugin_name
        found = call(implementation, hook.name, {name: value, **others})
        if found is None:
            found = value
        if not isinstance(found, type(value)):
            told = f"{hook.name} returned {type(found).__name__} instead of {type(value).__name__}"
            raise PluginError(f"plugin {plugin}: {told}")
        try:
            value = check(found) if check else found
        except ValueError as error:
            raise PluginError(f"plugin {plugin}: {hook.name} returned what can't be used: {error}") from error
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

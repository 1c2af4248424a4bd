"""The shortcodes of plugins: checked at boot, and each call of one named where it fails."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from cms.hooks.calling import registrations
from cms.hooks.manager import PluginError, one_line
from cms.hooks.places import place_of, place_of_error
from cms.hooks.registry.names import NameRegistry, registration_error

HOOK = "register_shortcodes"
NAME = re.compile(r"[a-zA-Z][\w-]{0,62}", re.ASCII)
Shortcode = Callable[[Mapping[str, str], str], str | None]


def register_shortcodes(names: NameRegistry) -> dict[str, Shortcode]:
    """Return what plugins make of marks in texts, by name; raises PluginError for what can't be used."""
    found: dict[str, Shortcode] = {}
    for plugin, shortcodes in registrations(names.plugins, HOOK):
        if not isinstance(shortcodes, Mapping):
            message = f"returned {type(shortcodes).__name__} instead of functions by the names of shortcodes"
            raise registration_error(plugin, HOOK, message)
        for name, function in shortcodes.items():
            if not isinstance(name, str) or not NAME.fullmatch(name):
                message = f"{name!r} can't be a name: take letters, digits, underscores, hyphens"
                raise registration_error(plugin, HOOK, message)
            if not callable(function):
                raise registration_error(plugin, HOOK, f"{name!r} is no function")
            names.claim(plugin, HOOK, "shortcodes", name)
            found[name] = _guarded(plugin, name, function)
    return found


def _guarded(plugin: str, name: str, function: Shortcode) -> Shortcode:
    """Return a function whose failures name the plugin and the shortcode."""

    def call(attributes: Mapping[str, str], content: str) -> str | None:
        """Return what the plugin makes of a mark; raises PluginError where it fails."""
        try:
            made = function(attributes, content)
        except Exception as error:
            place = place_of_error(error) or place_of(function)
            raise PluginError(plugin, f"shortcode {name} failed: {one_line(error)}", HOOK, place) from error
        if made is not None and not isinstance(made, str):
            message = f"shortcode {name} returned {type(made).__name__} instead of str"
            raise PluginError(plugin, message, HOOK, place_of(function))
        return made

    return call

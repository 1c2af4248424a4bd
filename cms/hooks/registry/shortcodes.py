"""The shortcodes of plugins: checked at boot, and each call of one named where it fails."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from cms.hooks.calling import failure, registrations
from cms.hooks.manager import PluginError
from cms.hooks.registry.names import NameRegistry, registration_error

HOOK = "register_shortcodes"
NAME = re.compile(r"[a-zA-Z][\w-]{0,62}", re.ASCII)
Shortcode = Callable[[Mapping[str, str], str], str | None]


def register_shortcodes(names: NameRegistry) -> dict[str, Shortcode]:
    """Return what plugins make of marks in texts, by name; raises PluginError for what can't be used."""
    found: dict[str, Shortcode] = {}
    for plugin, shortcodes in registrations(names.plugins, HOOK):
        if not isinstance(shortcodes, Mapping):
            told = f"returned {type(shortcodes).__name__} instead of functions by the names of shortcodes"
            raise registration_error(plugin, HOOK, told)
        for name, function in shortcodes.items():
            if not isinstance(name, str) or not NAME.fullmatch(name):
                told = f"{name!r} can't be a name: take letters, digits, underscores, hyphens"
                raise registration_error(plugin, HOOK, told)
            if not callable(function):
                raise registration_error(plugin, HOOK, f"{name!r} is no function")
            names.claim(plugin, HOOK, "shortcodes", name)
            found[name] = _guarded(plugin, name, function)
    return found


def _guarded(plugin: str, name: str, function: Shortcode) -> Shortcode:
    """Return a function whose failures name the plugin and the shortcode."""

    def call(attributes: Mapping[str, str], content: str) -> str | None:
        try:
            made = function(attributes, content)
        except Exception as error:
            raise failure(plugin, f"shortcode {name}", error) from error
        if made is not None and not isinstance(made, str):
            raise PluginError(
                f"plugin {plugin}: shortcode {name} returned {type(made).__name__} instead of str"
            )
        return made

    return call

"""What a plugin's author has probably forgotten, named in the log: it isn't wrong, but nothing comes of it."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Iterator

from cms.hooks.manager import CORE, Plugins
from cms.hooks.places import place_of

log = logging.getLogger("cms")


def warn_of_forgotten(plugins: Plugins, name: str, plugin: object) -> None:
    """Say which functions are named as hooks are and aren't marked, and that a plugin has no hooks at all."""
    if name == CORE:
        return
    unmarked = list(_unmarked(plugins, plugin))
    for hook in unmarked:
        place = place_of(getattr(plugin, hook))
        log.warning("plugin %s: %s isn't called: put @hookimpl above it (%s)", name, hook, place)
    if not unmarked and not plugins.get_hookcallers(plugin):
        log.warning("plugin %s: it has no hooks, so it does nothing (%s)", name, place_of(plugin))


def _unmarked(plugins: Plugins, plugin: object) -> Iterator[str]:
    """Yield the hooks that a plugin has a function of its own for, without the mark."""
    package = getattr(plugin, "__name__", type(plugin).__module__)
    for hook in vars(plugins.hook):
        found = getattr(plugin, hook, None)
        if inspect.isroutine(found) and plugins.parse_hookimpl_opts(plugin, hook) is None:
            module = str(getattr(found, "__module__", ""))
            if module == package or module.startswith(f"{package}."):
                yield hook

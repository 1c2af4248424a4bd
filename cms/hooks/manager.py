"""The plugins that a site has loaded, with what is told of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import ModuleType

import pluggy

from cms.hooks.markers import PROJECT

#: The name of the plugin that the core itself is.
CORE = "core"


class PluginError(Exception):
    """Say which plugin can't be used, and why."""


@dataclass
class Plugin:
    """A loaded plugin.

    `source` says how it was found (`core`, `installed`, `instance`, `bundled` or `module`), `location` where it lies.
    `seconds` is the time that importing it and asking its registering hooks took, `registered` the names of what
    those hooks returned, by kind.
    """

    name: str
    source: str
    location: str
    version: str
    seconds: float = 0.0
    registered: dict[str, list[str]] = field(default_factory=dict)

    def note(self, kind: str, name: str) -> None:
        """Remember that the plugin has registered something."""
        self.registered.setdefault(kind, []).append(name)


class Plugins(pluggy.PluginManager):
    """The hooks of one site and who implements them."""

    def __init__(self, specs: ModuleType) -> None:
        super().__init__(PROJECT)
        self.add_hookspecs(specs)
        self.loaded: dict[str, Plugin] = {}


def one_line(error: Exception) -> str:
    """Return what an error says in a single line."""
    return f"{type(error).__name__}: {' '.join(str(error).split())}"


def version_of(manager: pluggy.PluginManager, plugin: object) -> str:
    """Return a plugin's version: of its distribution or its `__version__`; empty where it has neither."""
    name = manager.get_name(plugin)
    found = manager.loaded.get(name) if isinstance(manager, Plugins) and name else None
    return found.version if found else ""

"""The plugins that a site has loaded, with what is told of them."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType

import pluggy

from cms.config import Config
from cms.hooks.markers import PROJECT
from cms.hooks.places import describe_place, frames_of, place_of

#: The name of the plugin that the core itself is.
CORE = "core"


class PluginError(Exception):
    """Say which plugin can't be used, and why, and where in its code that is.

    `what` is a sentence or its end, `hook` the hook that is at fault; `place` is a file with a line, and is looked up
    by whoever knows it.
    """

    def __init__(self, plugin: str, what: str, hook: str = "", place: str = "") -> None:
        super().__init__(plugin, what, hook, place)
        self.plugin, self.what, self.hook, self.place = plugin, what, hook, place

    def __str__(self) -> str:
        line = f"plugin {self.plugin}: {self.what}"
        return f"{line} ({self.place})" if self.place else line


class NoSuchPlugin(PluginError):
    """Say which plugin a setting names that isn't there."""


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
        #: The settings of the installation, for hooks that are asked before there is a site.
        self.config: Config | None = None
        self.loaded: dict[str, Plugin] = {}
        #: The plugin whose answer is being looked at, and the hook that it is the answer to.
        self.asked = (CORE, "")

    def place_of(self, plugin: str, hook: str = "") -> str:
        """Return where a plugin implements a hook, or where the plugin itself is; empty where that can't be told."""
        registered = self.get_plugin(plugin)
        return place_of(getattr(registered, hook, registered) if hook else registered)

    @contextmanager
    def locating(self) -> Iterator[None]:
        """Add to a PluginError that is raised inside the place of the hook that is at fault.

        Whatever else is raised while a plugin's answer is looked at becomes a PluginError too.
        """
        try:
            yield
        except PluginError as error:
            error.place = error.place or self.place_of(error.plugin, error.hook)
            raise
        except Exception as error:
            plugin, hook = self.asked
            if plugin == CORE:
                raise
            message = f"{hook}: what it returned can't be used: {one_line(error)}"
            raise PluginError(plugin, message, hook, self.place_of(plugin, hook)) from error

    def find_culprit(self, error: BaseException) -> PluginError | None:
        """Return what says which plugin's code an error comes from; None where it passed through none."""
        found = None
        packages = {name: _package(self.get_plugin(name)) for name in self.loaded if name != CORE}
        for file, line in frames_of(error):
            for name, package in packages.items():
                if package is not None and Path(file).is_relative_to(package):
                    found = PluginError(name, one_line(error), place=describe_place(file, line))
        return found


def _package(plugin: object) -> Path | None:
    """Return the folder of a plugin, or its file where it is a single module."""
    file = getattr(plugin, "__file__", None) or getattr(inspect.getmodule(plugin), "__file__", None)
    if file is None:
        return None
    path = Path(file)
    return path.parent if path.name == "__init__.py" else path


def one_line(error: BaseException) -> str:
    """Return what an error says in a single line."""
    return f"{type(error).__name__}: {' '.join(str(error).split())}"


def version_of(manager: pluggy.PluginManager, plugin: object) -> str:
    """Return a plugin's version: of its distribution or its `__version__`; empty where it has neither."""
    name = manager.get_name(plugin)
    found = manager.loaded.get(name) if isinstance(manager, Plugins) and name else None
    return found.version if found else ""

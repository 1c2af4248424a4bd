"""Importing the plugins of a site, and refusing those that can't work before anything is asked of them."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from difflib import get_close_matches
from time import perf_counter
from types import ModuleType

from pluggy import PluginValidationError

from cms.config import Config
from cms.hooks.manager import CORE, Plugin, PluginError, Plugins, one_line
from cms.hooks.markers import API_VERSION
from cms.hooks.sources import Candidate, find_plugins

log = logging.getLogger("cms")


def load_plugins(config: Config, core: ModuleType, specs: ModuleType) -> Plugins:
    """Register the core, then every plugin of the site that the setting `load_plugins` admits."""
    plugins = Plugins(specs)
    register(plugins, Candidate(CORE, CORE, "", lambda: core))
    for candidate in _admitted(find_plugins(config), config["load_plugins"]):
        register(plugins, candidate)
    for name in config.tables:
        if name not in plugins.loaded:
            log.warning("the configuration has a table [%s], but no plugin of this name is loaded", name)
    return plugins


def _admitted(found: Sequence[Candidate], setting: str | tuple[str, ...]) -> list[Candidate]:
    if isinstance(setting, str):
        return list(found) if setting == "all" else []
    names = [candidate.name for candidate in found]
    for name in setting:
        if name not in names:
            there = ", ".join(sorted(names)) or "none"
            raise PluginError(f"plugin {name}: load_plugins names it, but it isn't there. Plugins: {there}.")
    return [candidate for candidate in found if candidate.name in setting]


def register(plugins: Plugins, candidate: Candidate) -> None:
    """Import a plugin and check it; one that is loaded already under another name is passed over.

    Raises PluginError where it can't be imported or used, or where another plugin has its name.
    """
    name = candidate.name
    if name in plugins.loaded:
        other = plugins.loaded[name]
        places = " and ".join(
            f"{each.source} ({each.location})" if each.location else each.source
            for each in (other, candidate)
        )
        raise PluginError(f"plugin {name}: there are two of this name: {places}. Rename one, or remove it.")
    started = perf_counter()
    plugin = _imported(candidate)
    if plugins.is_registered(plugin):
        return
    _check_version(name, plugin)
    try:
        plugins.register(plugin, name=name)
    except PluginValidationError as error:
        raise PluginError(f"plugin {name}: {_without_definition(error)}") from None
    _check_hooks(plugins, name, plugin)
    version = candidate.version or str(getattr(plugin, "__version__", ""))
    plugins.loaded[name] = Plugin(
        name, candidate.source, candidate.location, version, perf_counter() - started
    )


def _imported(candidate: Candidate) -> object:
    try:
        return candidate.load()
    except SyntaxError as error:
        told = f"{error.msg} ({error.filename}, line {error.lineno})"
        raise PluginError(f"plugin {candidate.name}: {type(error).__name__}: {told}") from error
    except Exception as error:  # whatever a plugin's code raises when it is imported
        raise PluginError(f"plugin {candidate.name}: {one_line(error)}") from error


def _check_version(name: str, plugin: object) -> None:
    """Refuse a plugin for another version of the interface; one that doesn't say is taken to be for the first."""
    declared = getattr(plugin, "cms_api", 1)
    if declared != API_VERSION:
        raise PluginError(
            f"plugin {name}: it is written for version {declared!r} of the plugin interface (cms_api), "
            f"this is version {API_VERSION}"
        )


def _check_hooks(plugins: Plugins, name: str, plugin: object) -> None:
    for caller in plugins.get_hookcallers(plugin) or ():
        if not caller.has_spec():
            known = [hook for hook in vars(plugins.hook) if getattr(plugins.hook, hook).has_spec()]
            near = get_close_matches(caller.name, known, 1)
            hint = f". Did you mean {near[0]}?" if near else ""
            raise PluginError(f"plugin {name}: there is no hook {caller.name!r}{hint}")
        for implementation in caller.get_hookimpls():
            wraps = implementation.wrapper or implementation.hookwrapper
            if implementation.plugin is plugin and wraps and caller.name.startswith("register_"):
                raise PluginError(
                    f"plugin {name}: {caller.name} can't be a wrapper; it returns what it registers"
                )


def _without_definition(error: PluginValidationError) -> str:
    """Return what pluggy finds wrong with an implementation, without its listing of the function."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    hook = lines[0].split("for hook")[-1].strip() if "for hook" in lines[0] else ""
    return " ".join(f"{hook}: {lines[-1]}".split()).removeprefix(": ")

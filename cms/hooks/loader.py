"""Importing the plugins of a site, and refusing those that can't work before anything is asked of them."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Callable, Collection, Sequence
from difflib import get_close_matches
from time import perf_counter
from types import ModuleType

from pluggy import PluginValidationError

from cms.config import Config
from cms.hooks.forgotten import warn_of_forgotten
from cms.hooks.manager import CORE, NoSuchPlugin, Plugin, PluginError, Plugins, one_line
from cms.hooks.markers import API_VERSION
from cms.hooks.places import place_of, place_of_error
from cms.hooks.sources import Candidate, find_plugins, list_bundled, list_misnamed

log = logging.getLogger("cms")


def load_plugins(
    config: Config, core: ModuleType, specs: ModuleType, left_out: Collection[str] = ()
) -> Plugins:
    """Register the core, then every plugin of the site that the setting `load_plugins` admits, some left out by name.

    What can't be one and lies where plugins do is named in the log.
    """
    plugins = Plugins(specs)
    plugins.config = config
    register(plugins, Candidate(CORE, CORE, "", lambda: core))
    for path, reason in list_misnamed(config):
        log.warning("%s is no plugin and isn't loaded: %s", path, reason)
    for candidate in _admitted(find_plugins(config), config["load_plugins"], left_out):
        register(plugins, candidate)
    for name in config.tables:
        if name not in plugins.loaded and name not in left_out:
            log.warning("the configuration has a table [%s], but no plugin of this name is loaded", name)
    return plugins


def _admitted(
    found: Sequence[Candidate], setting: str | tuple[str, ...], left_out: Collection[str]
) -> list[Candidate]:
    remaining = [candidate for candidate in found if candidate.name not in left_out]
    if setting == "all":
        return remaining
    if isinstance(setting, str):
        return []
    names = [candidate.name for candidate in found]
    for name in setting:
        if name not in names and name not in left_out:
            there = ", ".join(sorted(names)) or "none"
            raise NoSuchPlugin(name, f"load_plugins names it, but it isn't there. Plugins: {there}.")
    return [candidate for candidate in remaining if candidate.name in setting]


def register(plugins: Plugins, candidate: Candidate) -> None:
    """Import a plugin and check it; one that is loaded already under another name is passed over.

    Raises PluginError where it can't be imported or used, or where another plugin has its name.
    """
    name = candidate.name
    if name in plugins.loaded:
        other = plugins.loaded[name]
        places = f"{_origin(other)} and {_origin(candidate)}"
        raise PluginError(name, f"there are two of this name: {places}. Rename one, or remove it.")
    started = perf_counter()
    plugin = _imported(candidate)
    if plugins.is_registered(plugin):
        return
    _check_version(name, plugin)
    try:
        plugins.register(plugin, name=name)
    except PluginValidationError as error:
        raise _wrong_signature(plugins, name, plugin, error) from None
    with plugins.locating():
        _check_hooks(plugins, name, plugin)
    warn_of_forgotten(plugins, name, plugin)
    version = candidate.version or str(getattr(plugin, "__version__", ""))
    plugins.loaded[name] = Plugin(
        name, candidate.source, candidate.location, version, perf_counter() - started
    )


def _origin(plugin: Plugin | Candidate) -> str:
    """Return how a plugin came here, and from where if that is known."""
    if plugin.location:
        return f"{plugin.source} ({plugin.location})"
    return plugin.source


def _imported(candidate: Candidate) -> object:
    try:
        return candidate.load()
    except (Exception, SystemExit) as error:  # whatever a plugin's code raises when it is imported
        kind, message = PluginError, one_line(error)
        if isinstance(error, SyntaxError):
            message = f"{type(error).__name__}: {error.msg}"
        elif (
            isinstance(error, ModuleNotFoundError)
            and candidate.source == "module"
            and error.name == candidate.name
        ):
            kind = NoSuchPlugin
            message = f'there is no module of this name. "plugins" names it; bundled are {", ".join(list_bundled())}'
        raise kind(candidate.name, message, place=place_of_error(error)) from error


def _check_version(name: str, plugin: object) -> None:
    """Refuse a plugin for another version of the interface; one that doesn't say is taken to be for the first."""
    declared = getattr(plugin, "cms_api", 1)
    if declared != API_VERSION:
        message = (
            f"it is written for version {declared!r} of the plugin interface (cms_api), "
            f"this is version {API_VERSION}"
        )
        raise PluginError(name, message, place=place_of(plugin))


def _check_hooks(plugins: Plugins, name: str, plugin: object) -> None:
    for caller in plugins.get_hookcallers(plugin) or ():
        if not caller.has_spec():
            known = [hook for hook in vars(plugins.hook) if getattr(plugins.hook, hook).has_spec()]
            near = get_close_matches(caller.name, known, 1)
            message = f"there is no hook {caller.name!r}"
            if near:
                message += f". Did you mean {near[0]}?"
            raise PluginError(name, message, caller.name)
        for implementation in caller.get_hookimpls():
            wraps = implementation.wrapper or implementation.hookwrapper
            if implementation.plugin is plugin and wraps and caller.name.startswith("register_"):
                message = f"{caller.name} can't be a wrapper; it returns what it registers"
                raise PluginError(name, message, caller.name)


def _wrong_signature(
    plugins: Plugins, name: str, plugin: object, error: PluginValidationError
) -> PluginError:
    """Build the refusal of a plugin that has a hook as pluggy won't have it."""
    for hook in vars(plugins.hook):
        found = getattr(plugin, hook, None)
        if found is None or plugins.parse_hookimpl_opts(plugin, hook) is None:
            continue
        known_arguments = getattr(plugins.hook, hook).spec.argnames
        unknown = [argument for argument in _required(found) if argument not in known_arguments]
        if unknown:
            message = f"{hook} takes {', '.join(unknown)}, which this hook doesn't give. "
            message += f"It gives: {', '.join(known_arguments) or 'nothing'}"
            return PluginError(name, message, hook, place_of(found))
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return PluginError(name, " ".join(lines[-1].split()), place=place_of(plugin))


def _required(function: Callable[..., object]) -> list[str]:
    """Return the names of a function's arguments that have no default."""
    required = []
    for argument in inspect.signature(function).parameters.values():
        if argument.default is argument.empty:
            required.append(argument.name)
    return required

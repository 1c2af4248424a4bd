"""What registering hooks return, checked: of the right type, each name claimed once, whoever is wrong named."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeVar

from cms.hooks.calling import registrations
from cms.hooks.manager import CORE, PluginError, Plugins
from cms.schema.fields import Field

T = TypeVar("T")

FIELD_NAME = re.compile(r"[a-z][a-z0-9_]{0,62}", re.ASCII)


class NameRegistry:
    """Who has registered which name of each kind."""

    def __init__(self, plugins: Plugins) -> None:
        self.plugins = plugins
        self._owners: dict[tuple[str, str], str] = {}

    def claim(self, plugin: str, hook: str, kind: str, name: str, told: str = "") -> None:
        """Give a name to a plugin; `told` is how it is shown.

        Raises PluginError where another plugin has it: the later one is to blame, but never the core.
        """
        other = self._owners.get((kind, name))
        if other is not None:
            blamed, owner = (other, plugin) if plugin == CORE else (plugin, other)
            raise name_conflict(blamed, hook, told or name, owner)
        self._owners[kind, name] = plugin
        self.plugins.loaded[plugin].note(kind, told or name)

    def owner(self, kind: str, name: str, default: str = CORE) -> str:
        """Return which plugin has a name."""
        return self._owners.get((kind, name), default)

    def owner_of_resource(self, name: str) -> str:
        """Return which plugin a resource comes from: that of its type or taxonomy, where it has one."""
        kinds = ("types", "taxonomies", "resources")
        return next((self._owners[kind, name] for kind in kinds if (kind, name) in self._owners), CORE)


def name_conflict(plugin: str, hook: str, name: str, other: str) -> PluginError:
    """Build the refusal of a name that another plugin has."""
    return PluginError(f"plugin {plugin}: {hook}: {name!r} is already registered by {other}")


def registration_error(plugin: str, hook: str, what: str) -> PluginError:
    """Build the refusal of something that a plugin registers."""
    return PluginError(f"plugin {plugin}: {hook}: {what}")


def listed(plugins: Plugins, hook: str, kind: type[T], **given: Any) -> Iterator[tuple[str, T]]:
    """Yield what each plugin registers one by one, with the plugin's name."""
    for plugin, found in registrations(plugins, hook, **given):
        if not isinstance(found, Iterable) or isinstance(found, (str, bytes, Mapping)):
            raise registration_error(
                plugin, hook, f"returned {type(found).__name__} instead of a list of {kind.__name__}"
            )
        for item in found:
            if not isinstance(item, kind):
                raise registration_error(
                    plugin, hook, f"returned a list with {type(item).__name__} instead of {kind.__name__}"
                )
            yield plugin, item


def named_fields(plugin: str, hook: str, found: Any) -> Mapping[str, Field]:
    """Return fields by name, each checked to be one that can be told of."""
    if not isinstance(found, Mapping):
        raise registration_error(
            plugin, hook, f"returned {type(found).__name__} instead of fields by their names"
        )
    for name, field in found.items():
        if not isinstance(name, str) or not FIELD_NAME.fullmatch(name):
            raise registration_error(
                plugin, hook, f"{name!r} can't be a name: take small letters, digits and underscores"
            )
        if not isinstance(field, Field):
            raise registration_error(
                plugin, hook, f"{name!r} is {type(field).__name__} instead of a field of cms.plugin"
            )
        if not field.description and not field.hidden:
            raise registration_error(plugin, hook, f"{name!r} has no description")
    return found


def by_resource(
    plugin: str, hook: str, found: Any, known: Iterable[str]
) -> Iterator[tuple[str, Mapping[str, Field]]]:
    """Yield the fields that a plugin adds to each resource."""
    if not isinstance(found, Mapping):
        raise registration_error(
            plugin, hook, f"returned {type(found).__name__} instead of fields by the resource's name"
        )
    for name, fields in found.items():
        if name not in known:
            raise registration_error(
                plugin, hook, f"there is no resource {name!r}. Resources: {', '.join(known)}"
            )
        yield name, named_fields(plugin, hook, fields)

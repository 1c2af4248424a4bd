"""What registering hooks return, checked: of the right type, each name claimed once, whoever is wrong named."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from cms.hooks.calling import registrations
from cms.hooks.manager import CORE, PluginError, Plugins
from cms.schema.fields import Field

T = TypeVar("T")

FIELD_NAME = re.compile(r"[a-z][a-z0-9_]{0,62}", re.ASCII)
#: What stands for nothing in types whose values code goes through without asking for None.
EMPTY = {"array": "[]", "object": "{}"}


@dataclass(frozen=True)
class Claim:
    """A name that a plugin has registered in a hook."""

    plugin: str
    hook: str


class NameRegistry:
    """Who has registered which name of each kind."""

    def __init__(self, plugins: Plugins) -> None:
        self.plugins = plugins
        self._claims: dict[tuple[str, str], Claim] = {}

    def claim(self, plugin: str, hook: str, kind: str, name: str, label: str = "") -> None:
        """Give a name to a plugin; raises PluginError, which has `label`, where another plugin has it."""
        label = label or name
        self.check_free(plugin, hook, kind, name, label)
        self._claims[kind, name] = Claim(plugin, hook)
        self.plugins.loaded[plugin].note(kind, label)

    def check_free(self, plugin: str, hook: str, kind: str, name: str, label: str) -> None:
        """Raise PluginError where another plugin has a name that this one wants."""
        other = self._claims.get((kind, name))
        if other is None:
            return
        if other.hook == hook:
            raise self.name_conflict(plugin, hook, label, other.plugin)
        raise name_conflict(plugin, hook, label, other.plugin)

    def name_conflict(self, plugin: str, hook: str, name: str, other: str) -> PluginError:
        """Build the refusal of a name that two plugins register in one hook; the one that was loaded later is to blame.

        Which of them the hook asked first says nothing: `tryfirst` puts a plugin even before the core.
        """
        order = list(self.plugins.loaded)
        first, second = sorted((plugin, other), key=order.index)
        return name_conflict(second, hook, name, first)

    def owner(self, kind: str, name: str, default: str = CORE) -> str:
        """Return which plugin has a name."""
        claim = self._claims.get((kind, name))
        return default if claim is None else claim.plugin

    def owner_of_resource(self, name: str) -> str:
        """Return which plugin a resource comes from: that of its type or taxonomy, where it has one."""
        for kind in ("types", "taxonomies", "resources"):
            if (kind, name) in self._claims:
                return self._claims[kind, name].plugin
        return CORE


def name_conflict(plugin: str, hook: str, name: str, other: str) -> PluginError:
    """Build the refusal of a name that another plugin has."""
    return PluginError(plugin, f"{hook}: {name!r} is already registered by {other}", hook)


def registration_error(plugin: str, hook: str, what: str) -> PluginError:
    """Build the refusal of something that a plugin registers."""
    return PluginError(plugin, f"{hook}: {what}", hook)


def listed(plugins: Plugins, hook: str, kind: type[T], **arguments: Any) -> Iterator[tuple[str, T]]:
    """Yield what each plugin registers one by one, with the plugin's name; raises PluginError for other things."""
    for plugin, found in registrations(plugins, hook, **arguments):
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


def named_fields(
    plugin: str, hook: str, found: Any, owner: str = "", *, of_items: bool = False
) -> Mapping[str, Field]:
    """Return fields by name; raises PluginError for what isn't a field with a name and a description.

    `owner` says in messages what the fields belong to; those `of_items` may have None for no value.
    """
    if not isinstance(found, Mapping):
        raise registration_error(
            plugin, hook, f"returned {type(found).__name__} instead of fields by their names"
        )
    for name, field in found.items():
        fault = _fault(name, field) or ("" if of_items else _null_fault(field))
        if fault:
            label = repr(name)
            if owner:
                label += f" of {owner}"
            raise registration_error(plugin, hook, f"{label} {fault}")
    return found


def _fault(name: object, field: object) -> str:
    if not isinstance(name, str) or not FIELD_NAME.fullmatch(name):
        return "can't be a name: take small letters, digits and underscores"
    if not isinstance(field, Field):
        return f"is {type(field).__name__} instead of a field of cms.plugin"
    if not field.description and not field.hidden:
        return "has no description"
    return field.fault()


def _null_fault(field: Field) -> str:
    """Return what is wrong where None is the default of a setting or argument that doesn't say it may be null."""
    if field.load_default is not None or field.null is None or field.json_type not in EMPTY:
        return ""
    empty = EMPTY[field.json_type]
    return f"has default=None, which isn't of its type, {field.json_type}: give default={empty}, or null=None too"


def by_resource(
    plugin: str, hook: str, found: Any, known: Iterable[str]
) -> Iterator[tuple[str, Mapping[str, Field]]]:
    """Yield the fields that a plugin adds to each resource; raises PluginError for resources that aren't there."""
    if not isinstance(found, Mapping):
        raise registration_error(
            plugin, hook, f"returned {type(found).__name__} instead of fields by the resource's name"
        )
    for name, fields in found.items():
        if name not in known:
            raise registration_error(
                plugin, hook, f"there is no resource {name!r}. Resources: {', '.join(known)}"
            )
        yield name, named_fields(plugin, hook, fields, repr(name), of_items=hook == "register_fields")

"""Checks of what plugins return from hooks.

The dispatcher names the plugin and the hook where one raises ValueError.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from cms.access.capabilities import Principal
from cms.db import QueryPlan
from cms.errors import InvalidParams
from cms.hooks.manager import PluginError
from cms.hooks.markers import VERDICTS
from cms.schema.resource import Arguments, SerializedItems
from cms.schema.schemas import Loader


def require_application(plugin: str, found: object) -> object:
    """Return a WSGI application; raises PluginError for anything that can't be called."""
    if not callable(found):
        raise PluginError(f"plugin {plugin}: wrap_wsgi returned no WSGI application")
    return found


def require_principal(plugin: str, found: object) -> object:
    """Return a principal or None; raises PluginError for anything else."""
    if found is not None and not isinstance(found, Principal):
        raise PluginError(
            f"plugin {plugin}: authenticate returned {type(found).__name__} instead of Principal"
        )
    return found


def require_verdict(plugin: str, found: object) -> object:
    """Return a verdict on a comment or None; raises PluginError for anything else."""
    if found is not None and found not in VERDICTS:
        raise PluginError(
            f"plugin {plugin}: comment_check returned {found!r}. Verdicts: {', '.join(VERDICTS)}"
        )
    return found


def require_length(length: int, _plugin: str, found: SerializedItems) -> SerializedItems:
    """Return as many items as were passed to the plugin; raises ValueError for another number, or for no items."""
    if len(found) != length:
        raise ValueError(f"{len(found)} items instead of {length}")
    if not all(isinstance(item, dict) for item in found):
        raise ValueError("something else than items")
    return found


def plan_size(plan: QueryPlan) -> tuple[int, int]:
    """Return how many keys, and how many conditions and orders, a plan has."""
    return len(plan.shape), len(plan.conditions) + len(plan.ordering)


def prefix_keys(plugin: str, plan: QueryPlan, before: tuple[int, int]) -> None:
    """Put the plugin's name before the keys that it added: two plugins may use one key for different conditions.

    `before` is the size of the plan before the plugin changed it. Raises PluginError where keys and conditions differ
    in number, or where the plugin removed some.
    """
    keys, parts = (after - known for after, known in zip(plan_size(plan), before, strict=True))
    if keys != parts or keys < 0:
        raise PluginError(f"plugin {plugin}: filter_query must change the plan by where() and order() alone")
    plan.shape[before[0] :] = [(plugin, key) for key in plan.shape[before[0] :]]


def read_as_sent(values: dict[str, Any], sent: Arguments, loader: Loader) -> dict[str, Any]:
    """Return values with those that differ from the sent ones read as if they had been sent.

    Raises ValueError for a name that can't be written and for a value that its field refuses.
    """
    unknown = ", ".join(sorted(name for name in values if name not in loader.fields))
    if unknown:
        raise ValueError(f"nothing of this name can be written: {unknown}")
    unchanged = {name: value for name, value in values.items() if name in sent and sent[name] == value}
    changed = {name: _raw(value) for name, value in values.items() if name not in unchanged}
    try:
        return unchanged | loader.load_some(changed)
    except InvalidParams as error:
        faults = error.data["params"].items()
        raise ValueError("; ".join(f"{name}: {fault}" for name, fault in faults)) from None


def _raw(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else value

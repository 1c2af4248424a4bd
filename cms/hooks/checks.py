"""Checks of what plugins return from hooks.

The dispatcher names the plugin and the hook where one raises ValueError.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from cms.access.capabilities import Principal
from cms.db import QueryPlan
from cms.errors import InvalidParams
from cms.hooks.manager import PluginError
from cms.hooks.markers import VERDICTS
from cms.media.storage import Storage
from cms.schema.resource import Arguments, SerializedItems
from cms.schema.schemas import Loader

STORED_DATE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", re.ASCII)
#: What a storage of uploaded files must be able to do.
STORAGE = tuple(name for name in vars(Storage) if not name.startswith("_"))


def require_application(plugin: str, found: object) -> object:
    """Return a WSGI application; raises PluginError for anything that can't be called."""
    if not callable(found):
        kind = type(found).__name__
        message = f"wrap_wsgi returned {kind} instead of a WSGI application: return what takes its place"
        raise PluginError(plugin, message, "wrap_wsgi")
    return found


def require_principal(plugin: str, found: object) -> object:
    """Return a principal or None; raises PluginError for anything else."""
    if found is not None and not isinstance(found, Principal):
        message = f"authenticate returned {type(found).__name__} instead of Principal"
        raise PluginError(plugin, message, "authenticate")
    return found


def require_moment(plugin: str, found: object) -> object:
    """Return a date in GMT as it is stored, or None; raises PluginError for anything else."""
    if found is not None and not (isinstance(found, str) and STORED_DATE.fullmatch(found)):
        message = f"next_change returned {found!r} instead of a date in GMT such as 2026-01-31T12:00:00"
        raise PluginError(plugin, message, "next_change")
    return found


def require_verdict(plugin: str, found: object) -> object:
    """Return a verdict on a comment or None; raises PluginError for anything else."""
    if found is not None and found not in VERDICTS:
        message = f"comment_check returned {found!r}. Verdicts: {', '.join(VERDICTS)}"
        raise PluginError(plugin, message, "comment_check")
    return found


def require_storage(plugin: str, found: object) -> object:
    """Return a storage or None; raises PluginError for what lacks one of its methods."""
    lacking = [name for name in STORAGE if not callable(getattr(found, name, None))]
    if found is not None and lacking:
        message = f"media_storage returned {type(found).__name__}, which isn't a storage. It lacks {', '.join(lacking)}"
        raise PluginError(plugin, message, "media_storage")
    return found


def require_event_hooks(
    listening: Sequence[str], addressing: Sequence[str], delivering: Sequence[str]
) -> None:
    """Check who implements `on_event`, `event_targets` and `deliver_event`; raises PluginError for a wrong choice."""
    for plugin in sorted(set(addressing) ^ set(delivering)):
        message = "event_targets and deliver_event belong together, it has one of them alone: add the other"
        raise PluginError(plugin, message)
    for plugin in sorted(set(addressing).intersection(listening)):
        raise PluginError(
            plugin, "it has on_event and event_targets, and may have one of them: leave out the other"
        )


def require_targets(plugin: str, found: object) -> object:
    """Return the names of targets; raises PluginError for anything but a list or tuple of texts that aren't empty."""
    if not isinstance(found, (list, tuple)) or not all(isinstance(each, str) and each for each in found):
        raise PluginError(
            plugin, f"event_targets returned {found!r} instead of a list of names", "event_targets"
        )
    return found


def require_code(plugin: str, found: object) -> object:
    """Return the status of an answer or None; raises PluginError for anything else."""
    if found is not None and not isinstance(found, int):
        message = f"deliver_event returned {found!r} instead of a status or None"
        raise PluginError(plugin, message, "deliver_event")
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
        message = "filter_query must change the plan by where() and order() alone"
        raise PluginError(plugin, message, "filter_query")
    plan.shape[before[0] :] = [(plugin, key) for key in plan.shape[before[0] :]]


def read_as_sent(values: dict[str, Any], sent: Arguments, loader: Loader) -> dict[str, Any]:
    """Return values with those that differ from the sent ones read as if they had been sent.

    Raises ValueError for a name that can't be written and for a value that its field refuses.
    """
    unknown = sorted(set(values).difference(loader.fields))
    if unknown:
        raise ValueError(f"nothing of this name can be written: {', '.join(unknown)}")
    unchanged, changed = {}, {}
    for name, value in values.items():
        if name in sent and sent[name] == value:
            unchanged[name] = value
        else:
            changed[name] = _raw(value)
    try:
        return unchanged | loader.load_some(changed)
    except InvalidParams as error:
        faults = error.data["params"].items()
        raise ValueError("; ".join(f"{name}: {fault}" for name, fault in faults)) from None


def _raw(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else value

"""Ids inside values of plugins' fields that wait for what they lead to, and are put in their place when it has come."""

from __future__ import annotations

import re
from collections.abc import Collection
from itertools import pairwise
from typing import Any

import orjson

from cms.db.stores import FoundReference
from cms.schema.resource import Resource
from cms.transfer.importing.context import ImportContext
from cms.transfer.importing.meta import is_accepted, stored_fields

#: Begins the field of a reference; the way to the value follows, such as `similar[1]` or `steps[0].cook`.
VALUE = "value:"
_PART = re.compile(r"\[(\d+)\]|(\w+)")

Step = str | int


def await_values(importing: ImportContext, holder: str, id: int) -> None:
    """Store what the values of a new row wait for; `holder` is its table."""
    for field, kind, number in importing.waiting_values:
        importing.await_reference(holder, id, field, kind, number)
    importing.waiting_values.clear()


def tie_value(importing: ImportContext, reference: FoundReference, tied: Collection[int]) -> None:
    """Put an id that has come where a value of an item or term waits for it, unless somebody has put another there.

    `tied` are the references that wait no more. What the field wouldn't take is left out and told.
    """
    holder, id = reference["holder"], reference["holder_id"]
    row = importing.store.find_values(holder, id)
    if row is None:
        return
    path = reference["field"].removeprefix(VALUE)
    steps = read_path(path)
    if isinstance(steps[-1], int):
        steps[-1] -= _count_before(importing, reference, tied)
    meta = orjson.loads(importing.site.own_files.show(row["meta"]))
    if not _put(meta, steps, reference["found_id"]):
        return
    resource, name = importing.site.registry.resources.get(row["resource"]), str(steps[0])
    if resource is not None and not _fits(resource, name, meta[name]):
        notice = f"what {path} of the {row['resource']} {id} leads to has come, and its field doesn't take it"
        importing.warn(1, notice)
        return
    meta_text = importing.site.own_files.store(orjson.dumps(meta).decode())
    importing.store.change_values(holder, id, row["version"], meta_text)


def _count_before(importing: ImportContext, reference: FoundReference, tied: Collection[int]) -> int:
    """Return how many ids of the same list that come before one are still waiting."""
    *way, place = read_path(reference["field"].removeprefix(VALUE))
    before: set[Step] = set()
    for other in importing.site.stores.awaited.of_row(reference["holder"], reference["holder_id"]):
        if other["id"] in tied or not other["field"].startswith(VALUE):
            continue
        *other_way, other_place = read_path(other["field"].removeprefix(VALUE))
        if other_way == way and isinstance(other_place, int) and other_place < int(place):
            before.add(other_place)
    return len(before)


def read_path(path: str) -> list[Step]:
    """Return the names and places that a way to a value goes through."""
    steps: list[Step] = []
    for place, name in _PART.findall(path):
        steps.append(int(place) if place else name)
    return steps


def _put(meta: dict[str, Any], steps: list[Step], id: int) -> bool:
    """Put an id at the end of a way through groups and lists; tell whether there was room for it."""
    value: Any = meta
    for step, following in pairwise(steps):
        empty: Any = {} if isinstance(following, str) else []
        if isinstance(step, int):
            if not isinstance(value, list) or step >= len(value):
                return False
            value = value[step]
        elif not isinstance(value, dict):
            return False
        else:
            value[step] = value.get(step) or empty
            value = value[step]
    last = steps[-1]
    if isinstance(last, int):
        return _insert(value, last, id)
    if not isinstance(value, dict) or value.get(last):
        return False
    value[last] = id
    return True


def _insert(value: object, place: int, id: int) -> bool:
    if not isinstance(value, list) or id in value:
        return False
    value.insert(max(place, 0), id)
    return True


def _fits(resource: Resource, name: str, value: object) -> bool:
    return is_accepted(stored_fields(resource).get(name), value)

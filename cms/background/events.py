"""Events and deliveries as plugins get them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from cms.db.models import DeliveryRow


@dataclass(frozen=True)
class Event:
    """Something that has happened to an item.

    `id` is the same in every try and grows with time. `name` is the resource's name and what happened
    (`post.created`), `at` the second in GMT, `user_id` 0 where no account did it. `data` has for content and comments
    under `status` which status they had (`old`, None for a new item) and have (`new`, None for one that is deleted).
    """

    id: int
    name: str
    resource: str
    item_id: int
    user_id: int
    at: str
    data: Mapping[str, Any]


@dataclass(frozen=True)
class Delivery:
    """An event on its way to one target of a plugin.

    `id` is the same in every try; no other delivery has it. `tries` counts the tries that have failed.
    """

    id: int
    target: str
    event: Event
    tries: int


def event_of(row: DeliveryRow) -> Event:
    """Return the event of a stored delivery."""
    return Event(
        row["event_id"],
        row["name"],
        row["resource"],
        row["item_id"],
        row["user_id"],
        row["at_gmt"],
        orjson.loads(row["data"]),
    )


def delivery_of(row: DeliveryRow) -> Delivery:
    """Return a stored delivery."""
    return Delivery(row["id"], row["target"], event_of(row), row["tries"])

"""What the operations return: items as they are serialized, and pages of lists."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cms.schema.resource import SerializedItem, SerializedItems

#: A row of the resource's table, by column name.
Row = Mapping[str, Any]


class EmbeddedItem(dict[str, Any]):
    """An item inside others that link to it, encoded once however many do; it may not be changed any more."""

    encoded: bytes = b""


@dataclass(frozen=True)
class Item:
    """An item as it is serialized, with the row that it was made from; an empty one for what was deleted."""

    data: SerializedItem
    row: Row
    #: Whether a plugin shows it to somebody who may not read it, for this request alone.
    granted_by_plugin: bool = False
    #: What of a write was dropped, because there is no such thing, as `categories=9999`.
    ignored: tuple[str, ...] = ()


@dataclass(frozen=True)
class Listing:
    """One page of a list: the serialized items, how many there are in all, on how many pages.

    `page` is the number of this one; where an offset decides which items these are, no `next` page follows it.
    Where a cursor decides it, `cursor` leads to the next items, and the total is counted only if that was asked for.
    """

    items: SerializedItems
    total: int
    pages: int
    page: int
    has_next: bool
    cursor: str = ""
    is_counted: bool = True

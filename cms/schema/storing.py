"""Options of values that lie beside their items: under which name, whether two may be the same, how lists compare."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypedDict

from cms.i18n import Text


class StoringOptions(TypedDict, total=False):
    """How a value that lies beside its item is stored and found.

    `stored_as` is its name there where that isn't the field's own, so that a field may get another name. No two items
    of a resource have the same value of a `unique` field. `operators` gives its filter comparisons (`name[gte]=20`).
    `show(value, page)` makes what is shown of the stored value. `label` is the field's name for people, in the answers
    to OPTIONS. `link` is a relation that items have by the value (a `Link`).
    """

    stored_as: str
    show: Callable[[Any, Any], Any] | None
    label: Text
    link: Any
    unique: bool
    operators: bool


def set_storing_options(field: Any, options: StoringOptions) -> None:
    """Set the attributes of a field that say how its value is stored and found."""
    field.stored_as = options.get("stored_as", "")
    field.show = options.get("show")
    field.link = options.get("link")
    field.label = options.get("label", "")
    field.unique = options.get("unique", False)
    field.operators = options.get("operators", False)

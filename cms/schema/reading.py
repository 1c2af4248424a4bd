"""How the value of an item is read: by a function of its row and page, or by one that is made once for a page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Any, TypedDict

# Rows and pages are `Any` here: each resource's readers take the TypedDict of its own rows.
#: Makes the value of an item from its row and its page.
Read = Callable[[Any, Any], Any]
#: Makes the value of an item from its row; whatever else it needs it has got already.
RowReader = Callable[[Any], Any]
#: Makes from a page what reads its rows, so that what they share is worked out once.
Prepare = Callable[[Any], RowReader]
#: Makes what a page's readers share from the page; taken by `page.load(load)`.
Load = Callable[[Any], Any]


class ReadOptions(TypedDict, total=False):
    """How the value of an item is read.

    `column` names the row's column (default: the field's name); `read` replaces it where the value is made from
    more, then `columns` lists what it needs (`edit_columns` what it needs besides in the editable form) and `load`
    is called once for a whole page of items. `prepare` stands in place of `read` where lists must be fast: it is
    called with the page and returns what makes the value from a row. A `protected` value is kept from those who may
    not read the text of the item because of its password: they get the default, and lists are neither narrowed nor
    ordered by it.
    """

    column: str | None
    columns: Sequence[str]
    edit_columns: Sequence[str]
    read: Read | None
    prepare: Prepare | None
    load: Load | None
    protected: bool


def set_reading_options(field: Any, options: ReadOptions) -> None:
    """Give a field what it is declared with; raises TypeError where it says twice how its value is made."""
    field.column = options.get("column")
    field.columns = tuple(options.get("columns", ()))
    field.edit_columns = tuple(options.get("edit_columns", ()))
    field.reader, field.prepare = options.get("read"), options.get("prepare")
    if field.reader is not None and field.prepare is not None:
        raise TypeError("a field is read by read or by prepare: leave one of them out")
    field.load = options.get("load")
    field.protected = options.get("protected", False)


def prepared(field: Any, name: str) -> Prepare:
    """Return what makes the reader of a page's rows, whichever way a field is read."""
    prepare: Prepare | None = field.prepare
    if prepare is not None:
        return prepare
    read: Read | None = field.reader
    if read is not None:
        return lambda page: lambda row: read(row, page)
    take = itemgetter(field.column or name)
    return lambda page: take

"""The hooks of imports, each with its contract; `specs` has them among all others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from cms.hooks.markers import hookspec

if TYPE_CHECKING:
    from cms.transfer.importing.context import ImportContext
    from cms.transfer.wxr.records import ItemRecord, TermRecord


@hookspec(firstresult=True)
def import_item(item: ItemRecord, importing: ImportContext) -> bool | None:
    """Bring in an item of an export in a way of your own, and return True; the first plugin that does so counts.

    Called in the transaction of the import, in the order of the file, for each item that isn't a post, a page or a
    file. What needs things that come later in the file is given to `importing.later`. The transaction may be one of a
    copy of the database, whose changes are brought into the site at the end, and where they don't fit because somebody
    has changed the site meanwhile, all of it is done again: so write by `importing.site` alone.
    """


@hookspec
def import_values(
    resource: str, record: ItemRecord | TermRecord, values: Mapping[str, Any], importing: ImportContext
) -> Mapping[str, Any] | None:
    """Return values of fields that an item or term of an export gets, by the names that they are stored under.

    `values` are those that an export of this system has; what is returned counts before them, and None for one takes
    it away. `record.meta` has the pairs of names and texts of any export: call `importing.use_meta(name)` for those
    that the values are made of. What doesn't fit its field is left out. Called in the transaction of the import.
    """

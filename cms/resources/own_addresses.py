"""Reading columns whose texts are stored without the site's address where they name its files."""

from __future__ import annotations

from cms.operations.results import Row
from cms.operations.serialize import SerializationContext
from cms.schema.reading import Read


def with_own_files(column: str) -> Read:
    """Return what reads a column with the present addresses of the site's own files."""

    def read(row: Row, page: SerializationContext) -> str:
        return page.site.own_files.show(row[column])

    return read

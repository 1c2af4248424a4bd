"""Writing the values of fields that were added to a resource, which its rules don't know."""

from __future__ import annotations

from cms.context import SiteContext
from cms.db.meta_values import COLUMN
from cms.db.reader import Columns
from cms.operations.results import Row
from cms.schema.field import Field, Store
from cms.schema.meta import changed_meta
from cms.schema.resource import Arguments, Resource
from cms.schema.schemas import fields_of


class CustomFields:
    """The fields of one resource that plugins have added."""

    def __init__(self, resource: Resource) -> None:
        self._in_meta: dict[str, Field] = {}
        self._stored: list[tuple[str, Store]] = []
        self._columns: dict[str, str] = {}
        for name, field in fields_of(resource.schema).items():
            if field.added:
                self._add(name, field)

    def _add(self, name: str, field: Field) -> None:
        if field.in_meta:
            self._in_meta[name] = field
        if field.store is not None:
            self._stored.append((name, field.store))
        if field.column is not None and not field.dump_only:
            self._columns[name] = field.column

    def add_columns(self, columns: Columns, args: Arguments, row: Row | None, site: SiteContext) -> None:
        """Add to the columns of a write those that these fields' values change."""
        for name, column in self._columns.items():
            if name in args:
                columns[column] = args[name]
        if self._in_meta:
            present = columns.get(COLUMN) or (row[COLUMN] if row is not None else "{}")
            columns |= changed_meta(self._in_meta, args, present, site.settings.zone, site.own_files.store)

    def store(self, site: SiteContext, id: int, args: Arguments) -> None:
        """Let plugins store the values of their fields, inside the transaction of the write."""
        for name, store in self._stored:
            if name in args:
                store(site, id, args[name])

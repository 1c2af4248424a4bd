"""Writing the values of fields that were added to a resource, which its rules don't know."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from peewee import IntegrityError

from cms.context import SiteContext
from cms.db.index_names import fitting_name
from cms.db.meta_values import COLUMN, unique_index_name
from cms.db.reader import Columns
from cms.errors import InvalidParams
from cms.i18n import _
from cms.operations.results import Row
from cms.schema.field import Field, Store
from cms.schema.meta import changed_meta, stored_name
from cms.schema.resource import Arguments, Resource
from cms.schema.schemas import fields_of

#: How databases name the index of expressions that refuses a row: SQLite, then PostgreSQL.
INDEX = re.compile(r"(?:index '|constraint \")([\w$]+)['\"]")


class CustomFields:
    """The fields of one resource that plugins have added."""

    def __init__(self, resource: Resource) -> None:
        self._in_meta: dict[str, Field] = {}
        #: The names of unique fields by those of their indexes, as either engine says them.
        self._unique: dict[str, str] = {}
        self._resource = resource
        self._stored: list[tuple[str, Store]] = []
        self._columns: dict[str, str] = {}
        for name, field in fields_of(resource.schema).items():
            if field.added:
                self._add(name, field)

    def _add(self, name: str, field: Field) -> None:
        if field.in_meta:
            self._in_meta[name] = field
        if field.unique:
            type = self._resource.name if self._resource.table == "content" else ""
            index = unique_index_name(self._resource.table, stored_name(name, field), type)
            self._unique |= {index: name, fitting_name(index): name}
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

    @contextmanager
    def refusing_duplicates(self) -> Iterator[None]:
        """Raise InvalidParams where a write inside gives an item a value that is unique and another one's."""
        try:
            yield
        except IntegrityError as error:
            index = INDEX.search(str(error))
            name = self._unique.get(index[1]) if index else None
            if name is None:
                raise
            raise InvalidParams({name: _("Another item has this value already.")}) from error

    def store(self, site: SiteContext, id: int, args: Arguments) -> None:
        """Let plugins store the values of their fields, inside the transaction of the write."""
        for name, store in self._stored:
            if name in args:
                store(site, id, args[name])

"""What imports leave: references to what isn't here yet, ids that are free, and what they index before it is here."""

from __future__ import annotations

from typing import TypedDict

from peewee import AutoField, CompositeKey, IntegerField, Model, TextField


class Awaited(Model):
    """A reference that waits: the row that has it, its field, and what it leads to, by its name in the source."""

    id = AutoField()
    holder = TextField()
    holder_id = IntegerField()
    field = TextField()
    source_site = TextField()
    kind = TextField()
    name = TextField()

    class Meta:
        table_name = "awaited"


class AwaitedRow(TypedDict):
    """A row of the table of the model above, as statements return it."""

    id: int
    holder: str
    holder_id: int
    field: str
    source_site: str
    kind: str
    name: str


class IdRange(Model):
    """Ids of a table that no row of this site's own ever had: those without a row are free for imported ones."""

    id = AutoField()
    table_name = TextField()
    first = IntegerField()
    last = IntegerField()

    class Meta:
        table_name = "id_ranges"


class IndexedAhead(Model):
    """A row that stands in the index for search of its table and is about to come into the table."""

    table_name = TextField()
    id = IntegerField()

    class Meta:
        table_name = "indexed_ahead"
        primary_key = CompositeKey("table_name", "id")

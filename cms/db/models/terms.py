"""Terms of taxonomies and which items they are given to."""

from __future__ import annotations

from typing import TypedDict

from peewee import AutoField, CompositeKey, IntegerField, Model, TextField


class Term(Model):
    """A category, a tag or a term of a plugin's taxonomy; `count` is kept by triggers."""

    id = AutoField()
    taxonomy = TextField()
    name = TextField()
    sort_name = TextField(default="")
    slug = TextField()
    description = TextField(default="")
    parent_id = IntegerField(default=0)
    count = IntegerField(default=0)
    meta = TextField(default="{}")
    version = IntegerField(default=1)
    source_site = TextField(null=True)
    source_id = TextField(null=True)
    source_mark = TextField(null=True)

    class Meta:
        table_name = "terms"


class ContentTerm(Model):
    """A term given to an item."""

    content_id = IntegerField()
    term_id = IntegerField()

    class Meta:
        table_name = "content_terms"
        primary_key = CompositeKey("content_id", "term_id")


class TermRow(TypedDict):
    """A row of the table of the model above, as statements return it."""

    id: int
    taxonomy: str
    name: str
    sort_name: str
    slug: str
    description: str
    parent_id: int
    count: int
    meta: str
    version: int
    source_site: str | None
    source_id: str | None
    source_mark: str | None


class ContentTermRow(TypedDict):
    """A row of the table of the model above, as statements return it."""

    content_id: int
    term_id: int

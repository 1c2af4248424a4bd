"""Revisions of content."""

from __future__ import annotations

from typing import TypedDict

from peewee import IntegerField, Model, TextField


class Revision(Model):
    """What an item of content was after a change; ids are of one sequence with those of content.

    `terms` is a JSON list of the ids of its terms.
    """

    id = IntegerField(primary_key=True)
    parent_id = IntegerField()
    author_id = IntegerField(default=0)
    date_gmt = TextField()
    title = TextField()
    content = TextField()
    excerpt = TextField()
    title_html = TextField(default="")
    content_html = TextField(default="")
    excerpt_html = TextField(default="")
    rendered_by = TextField(default="")
    slug = TextField(default="")
    terms = TextField(default="[]")
    meta = TextField(default="{}")

    class Meta:
        table_name = "revisions"


class RevisionRow(TypedDict):
    """A row of the table of the model above, as statements return it."""

    id: int
    parent_id: int
    author_id: int
    date_gmt: str
    title: str
    content: str
    excerpt: str
    title_html: str
    content_html: str
    excerpt_html: str
    rendered_by: str
    slug: str
    terms: str
    meta: str

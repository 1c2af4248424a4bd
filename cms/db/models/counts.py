"""What is kept of content so that nothing has to be counted or sorted when it is read; triggers keep it."""

from __future__ import annotations

from peewee import CompositeKey, IntegerField, Model, TextField


class ContentCount(Model):
    """How many items of a type and stored status there are: of a type, of an author or of a term.

    `holder` is `type` (with the id 0), `author` or `term`; scheduled items count as published ones.
    """

    holder = TextField()
    holder_id = IntegerField()
    type = TextField()
    status = TextField()
    number = IntegerField()

    class Meta:
        table_name = "content_counts"
        primary_key = CompositeKey("holder", "holder_id", "type", "status")


class TermItem(Model):
    """An item that has a term, with what lists are made of: its rows lie by term, type, status and date."""

    term_id = IntegerField()
    type = TextField()
    status = TextField()
    date_gmt = TextField()
    content_id = IntegerField()

    class Meta:
        table_name = "term_items"
        primary_key = CompositeKey("term_id", "type", "status", "date_gmt", "content_id")

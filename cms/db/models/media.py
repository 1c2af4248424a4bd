"""Files of media items."""

from __future__ import annotations

from typing import TypedDict

from peewee import IntegerField, Model, TextField


class Media(Model):
    """The file of a media item; without one, `origin` is the address at which it lay on the site it came from."""

    content_id = IntegerField(primary_key=True)
    file = TextField(default="")
    size = IntegerField(default=0)
    alt_text = TextField(default="")
    details = TextField(default="{}")
    origin = TextField(default="")

    class Meta:
        table_name = "media"


class MediaRow(TypedDict):
    """A row of the table of the model above, as statements return it."""

    content_id: int
    file: str
    size: int
    alt_text: str
    details: str
    origin: str


class UnusedFile(Model):
    """A stored file that nothing needs any more, with the time from which it may be removed, and whether it is open."""

    key = TextField(primary_key=True)
    due_gmt = TextField()
    is_withdrawn = IntegerField(default=0)

    class Meta:
        table_name = "unused_files"

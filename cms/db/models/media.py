"""Files of media items."""

from __future__ import annotations

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

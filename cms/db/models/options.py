"""The site's settings as they are stored."""

from __future__ import annotations

from typing import TypedDict

from peewee import Model, TextField


class Option(Model):
    """A setting's value as JSON, under its name."""

    name = TextField(primary_key=True)
    value = TextField()

    class Meta:
        table_name = "options"


class OptionRow(TypedDict):
    """A row of the table of the model above, as statements return it."""

    name: str
    value: str

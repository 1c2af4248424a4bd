"""Tokens."""

from __future__ import annotations

from peewee import AutoField, IntegerField, Model, TextField


class Token(Model):
    """A token of an account; `prefix` is the part that is shown, `source` what made it."""

    id = AutoField()
    user_id = IntegerField()
    name = TextField()
    digest = TextField(unique=True)
    prefix = TextField()
    scope = TextField()
    created_gmt = TextField()
    expires_gmt = TextField(null=True)
    source = TextField(default="")

    class Meta:
        table_name = "tokens"

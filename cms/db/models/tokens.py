"""Tokens."""

from __future__ import annotations

from typing import TypedDict

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


class TokenRow(TypedDict):
    """A row of the table of the model above, as statements return it."""

    id: int
    user_id: int
    name: str
    digest: str
    prefix: str
    scope: str
    created_gmt: str
    expires_gmt: str | None
    source: str

"""Second factors of accounts."""

from __future__ import annotations

from typing import TypedDict

from peewee import IntegerField, Model, TextField


class SecondFactor(Model):
    """What an account signs in with beside its password; `secret` is sealed, `recovery` a JSON list of digests."""

    user_id = IntegerField(primary_key=True)
    secret = TextField()
    created_gmt = TextField()
    confirmed_gmt = TextField(null=True)
    recovery = TextField(default="[]")

    class Meta:
        table_name = "second_factors"


class SecondFactorRow(TypedDict):
    """A row of the table of the model above, as statements return it."""

    user_id: int
    secret: str
    created_gmt: str
    confirmed_gmt: str | None
    recovery: str

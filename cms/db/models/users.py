"""Accounts."""

from __future__ import annotations

from typing import TypedDict

from peewee import AutoField, IntegerField, Model, TextField


class User(Model):
    """An account; `roles` is a JSON list of role names."""

    id = AutoField()
    login = TextField()
    email = TextField()
    password_hash = TextField()
    name = TextField()
    sort_name = TextField(default="")
    first_name = TextField(default="")
    last_name = TextField(default="")
    nickname = TextField()
    slug = TextField()
    url = TextField(default="")
    description = TextField(default="")
    locale = TextField(default="")
    roles = TextField(default="[]")
    registered_gmt = TextField()
    meta = TextField(default="{}")
    version = IntegerField(default=1)
    source_site = TextField(null=True)
    source_id = TextField(null=True)
    source_mark = TextField(null=True)

    class Meta:
        table_name = "users"


class UserRow(TypedDict):
    """A row of the table of the model above, as statements return it."""

    id: int
    login: str
    email: str
    password_hash: str
    name: str
    sort_name: str
    first_name: str
    last_name: str
    nickname: str
    slug: str
    url: str
    description: str
    locale: str
    roles: str
    registered_gmt: str
    meta: str
    version: int
    source_site: str | None
    source_id: str | None
    source_mark: str | None

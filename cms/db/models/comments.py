"""Comments."""

from __future__ import annotations

from typing import TypedDict

from peewee import AutoField, IntegerField, Model, TextField


class Comment(Model):
    """A comment on an item; `status` is approved, hold, spam or trash, `status_before` what spam and trash undo to."""

    id = AutoField()
    post_id = IntegerField()
    parent_id = IntegerField(default=0)
    author_id = IntegerField(default=0)
    author_name = TextField(default="")
    author_email = TextField(default="")
    author_url = TextField(default="")
    author_ip = TextField(default="")
    author_user_agent = TextField(default="")
    content = TextField()
    content_html = TextField(default="")
    rendered_by = TextField(default="")
    date_gmt = TextField()
    status = TextField()
    status_before = TextField(default="")
    type = TextField(default="comment")
    meta = TextField(default="{}")
    version = IntegerField(default=1)
    source_site = TextField(null=True)
    source_id = TextField(null=True)
    source_mark = TextField(null=True)

    class Meta:
        table_name = "comments"


class CommentRow(TypedDict):
    """A row of the table of the model above, as statements return it."""

    id: int
    post_id: int
    parent_id: int
    author_id: int
    author_name: str
    author_email: str
    author_url: str
    author_ip: str
    author_user_agent: str
    content: str
    content_html: str
    rendered_by: str
    date_gmt: str
    status: str
    status_before: str
    type: str
    meta: str
    version: int
    source_site: str | None
    source_id: str | None
    source_mark: str | None

"""Comments."""

from __future__ import annotations

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

    class Meta:
        table_name = "comments"

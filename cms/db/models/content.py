"""Posts and whatever else has a title, an author and a status, in one table."""

from __future__ import annotations

from typing import TypedDict

from peewee import AutoField, BooleanField, CompositeKey, IntegerField, Model, TextField


class Content(Model):
    """An item of content; a scheduled one is a published row whose date lies ahead."""

    id = AutoField()
    type = TextField()
    status = TextField()
    slug = TextField(default="")
    title = TextField(default="")
    sort_title = TextField(default="")
    content = TextField(default="")
    excerpt = TextField(default="")
    author_id = IntegerField()
    date_gmt = TextField()
    date_floats = BooleanField(default=False)
    modified_gmt = TextField()
    password = TextField(default="")
    comment_status = TextField(default="open")
    ping_status = TextField(default="open")
    parent_id = IntegerField(default=0)
    menu_order = IntegerField(default=0)
    template = TextField(default="")
    format = TextField(default="standard")
    is_sticky = BooleanField(default=False)
    featured_id = IntegerField(default=0)
    mime_type = TextField(default="")
    trashed_status = TextField(default="")
    trashed_gmt = TextField(default="")
    meta = TextField(default="{}")
    version = IntegerField(default=1)
    source_site = TextField(null=True)
    source_id = TextField(null=True)
    source_mark = TextField(null=True)
    rendered_by = TextField(default="")
    title_html = TextField(default="")
    excerpt_html = TextField(default="")
    content_html = TextField(default="")

    class Meta:
        table_name = "content"


class OldSlug(Model):
    """A slug that an item had before; triggers keep them when a slug changes."""

    content_id = IntegerField()
    slug = TextField()

    class Meta:
        table_name = "old_slugs"
        primary_key = CompositeKey("content_id", "slug")


class ContentRow(TypedDict):
    """A row of the table of the model above, as statements return it."""

    id: int
    type: str
    status: str
    slug: str
    title: str
    sort_title: str
    content: str
    excerpt: str
    author_id: int
    date_gmt: str
    date_floats: int
    modified_gmt: str
    password: str
    comment_status: str
    ping_status: str
    parent_id: int
    menu_order: int
    template: str
    format: str
    is_sticky: int
    featured_id: int
    mime_type: str
    trashed_status: str
    trashed_gmt: str
    meta: str
    version: int
    source_site: str | None
    source_id: str | None
    source_mark: str | None
    rendered_by: str
    title_html: str
    excerpt_html: str
    content_html: str

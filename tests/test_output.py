"""What is written is what marshmallow would write."""

from __future__ import annotations

import pytest
from sites import Client

from cms.access.capabilities import Principal
from cms.schema.schemas import fields_of


@pytest.mark.parametrize("context", ["view", "embed", "edit"])
@pytest.mark.parametrize("name", ["post", "page", "category", "post_tag", "user", "comment"])
def test_compiled_output_equals_the_dump_of_the_schema(client: Client, name: str, context: str) -> None:
    client.new("/tags", name="A tag")
    post = client.new("/posts", title="It's", content="Some <b>text</b>", status="publish")
    client.new("/posts", title="It's", content="Some <b>text</b>", status="publish", password="pw")
    client.new("/pages", title="A page", status="publish")
    client.new("/comments", "administrator", post=post["id"], content="Said")
    operations = client.site.operations[name]
    serializer = operations.serializer.compiled(context)
    listing = operations.list(operations.list_loader.load({"context": context}), ADMIN)
    row = operations.find_permitted(listing.items[0]["id"], "read", {"context": "view"}, ADMIN)
    page = operations.serializer.page([row], context, ADMIN)
    for load in serializer.loads:
        page.load(load)
    shown = [n for n, field in fields_of(operations.resource.schema).items() if context in field.contexts]

    assert serializer.serialize(row, page) == operations.resource.schema(only=shown).dump((row, page))


ADMIN = Principal(1, "admin", ("administrator",), frozenset({"list_users", "edit_posts", "edit_others_posts",
                                                         "edit_published_posts", "manage_categories",
                                                         "edit_pages", "edit_others_pages", "edit_published_pages",
                                                         "moderate_comments"}))

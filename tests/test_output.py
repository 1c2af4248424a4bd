"""What is written is what marshmallow would write."""

from __future__ import annotations

import json
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from media.uploading import read, send_raw
from sites import Client

from cms.access.capabilities import Principal
from cms.schema.schemas import fields_of


@pytest.mark.parametrize("context", ["view", "embed", "edit"])
@pytest.mark.parametrize("name", ["post", "page", "category", "post_tag", "user", "comment", "attachment"])
def test_compiled_output_equals_the_dump_of_the_schema(client: Client, name: str, context: str) -> None:
    client.new("/tags", name="A tag")
    post = client.new("/posts", title="It's", content="Some <b>text</b>", status="publish")
    client.new("/posts", title="It's", content="Some <b>text</b>", status="publish", password="pw")
    client.new("/pages", title="A page", status="publish")
    client.new("/comments", "administrator", post=post["id"], content="Said")
    send_raw(client, "readme.txt", read("readme.txt"))
    operations = client.site.operations[name]
    serializer = operations.serializer.compiled(context)
    listing = operations.list(operations.list_loader.load({"context": context}), ADMIN)
    row = operations.find_permitted(listing.items[0]["id"], "read", {"context": "view"}, ADMIN)
    page = operations.serializer.page([row], context, ADMIN)
    for load in serializer.loads:
        page.load(load)
    shown = [n for n, field in fields_of(operations.resource.schema).items() if context in field.contexts]

    assert serializer.serialize(row, page) == operations.resource.schema(only=shown).dump((row, page))


@pytest.mark.parametrize("collection", ["posts", "pages", "media", "comments", "categories", "users"])
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(chance=st.randoms(use_true_random=False), context=st.sampled_from(["view", "embed", "edit"]))
def test_any_choice_of_fields_is_cut_from_the_whole_bytes(
    client: Client, collection: str, chance: Random, context: str
) -> None:
    make_some_once(client)
    address = f"/{collection}?context={context}"
    whole = client.get(address, "administrator").json
    names = [name for name in whole[0] if chance.random() < 0.3] or ["id"]

    chosen = client.get(f"{address}&_fields={','.join(names)}", "administrator").text

    cut = [{name: item[name] for name in item if name in names} for item in whole]
    assert chosen == json.dumps(cut, ensure_ascii=False, separators=(",", ":"))


def make_some_once(client: Client) -> None:
    if client.get("/media").json:
        return
    picture = send_raw(client, "readme.txt", read("readme.txt")).json["id"]
    tag = client.new("/tags", name="A tag")["id"]
    post = client.new("/posts", title="It's", content="<b>Text</b>", status="publish", tags=[tag], featured_media=picture)
    client.new("/posts", title="Other", content="Text", status="publish", password="pw")
    above = client.new("/pages", title="A page", status="publish")["id"]
    client.new("/pages", title="Below", status="publish", parent=above)
    client.new("/comments", "administrator", post=post["id"], content="Said")


ADMIN = Principal(1, "admin", ("administrator",), frozenset({"list_users", "edit_posts", "edit_others_posts",
                                                         "edit_published_posts", "manage_categories",
                                                         "edit_pages", "edit_others_pages", "edit_published_pages",
                                                         "moderate_comments", "upload_files"}))

"""Chosen fields are those of the whole item, whichever are chosen, in every context."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from sites import Client

COLLECTIONS = ["posts", "pages", "comments", "categories", "tags", "users"]


@pytest.mark.parametrize("context", ["view", "embed", "edit"])
@pytest.mark.parametrize("collection", COLLECTIONS)
def test_chosen_fields_are_those_of_the_whole_item(client: Client, collection: str, context: str) -> None:
    client.new("/tags", name="A tag")
    post = client.new("/posts", title="It's", content="Some <b>text</b>", status="publish")
    client.new("/pages", title="A page", status="publish")
    client.new("/comments", "administrator", post=post["id"], content="Said")
    whole = chosen(client, collection, context)

    names = [name for name in whole if name != "_links"]
    for pair in [*combinations(names, 1), *zip(names, reversed(names), strict=True)]:
        assert chosen(client, collection, context, *pair) == {name: whole[name] for name in pair}


def chosen(client: Client, collection: str, context: str, *names: str) -> dict[str, Any]:
    """Return the first item of a list with the chosen fields."""
    address = f"/{collection}?context={context}&per_page=1"
    if names:
        address += f"&_fields={','.join(names)}"
    items: list[dict[str, Any]] = client.get(address, "administrator").json
    return items[0]

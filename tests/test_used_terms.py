"""Terms that no published item has are left out of lists where that is asked for."""

from __future__ import annotations

import pytest
from sites import Client


@pytest.mark.parametrize("taxonomy", ["categories", "tags"])
@pytest.mark.parametrize("status", ["publish", "draft", "private"])
def test_hidden_are_terms_without_published_items(client: Client, taxonomy: str, status: str) -> None:
    used, empty = (client.new(f"/{taxonomy}", name=name)["id"] for name in ("With an item", "Without"))
    client.new("/posts", title="Item", status=status, **{taxonomy: [used]})
    answer = client.get(f"/{taxonomy}?include={used},{empty}&hide_empty=true")

    assert [term["id"] for term in answer.json] == ([used] if status == "publish" else [])
    assert answer.headers["X-WP-Total"] == str(len(answer.json))

"""The field of old slugs."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.mark.parametrize("kind", ["posts", "pages"])
def test_items_show_the_slugs_that_they_had(plugged: Any, kind: str) -> None:
    client = plugged().client(plugins=["redirects"])
    item = client.new(f"/{kind}", "administrator", title="Item", slug="first", status="publish")
    assert item["old_slugs"] == []
    changed = client.post(f"/{kind}/{item['id']}", {"slug": "second", "old_slugs": ["mine"]}, "administrator")

    assert changed.json["old_slugs"] == ["first"]
    assert client.get(f"/{kind}?slug=first&_fields=slug,old_slugs").json == [{"slug": "second", "old_slugs": ["first"]}]

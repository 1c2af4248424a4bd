"""Rows that are below one another in a loop, as a faulty program may have written them: nothing waits for its end."""

from __future__ import annotations

import pytest
from sites import Client


@pytest.mark.parametrize(("path", "table"), [("/pages", "content"), ("/categories", "terms")])
def test_what_is_put_below_a_loop_is_answered(client: Client, path: str, table: str) -> None:
    named = "name" if path == "/categories" else "title"
    first, second, third = (client.new(path, **{named: name})["id"] for name in ("One", "Two", "Three"))
    with client.site.database.write():
        for id, parent in ((first, second), (second, first)):
            client.site.database.execute(f"UPDATE {table} SET parent_id = ? WHERE id = ?", (parent, id))

    answer = client.post(f"{path}/{third}", {"parent": first})

    assert answer.status_code == 200, answer.text
    assert answer.json["parent"] == first
    assert client.get(f"{path}/{third}", "editor").json["parent"] == first


@pytest.mark.parametrize("levels", [1, 2])
@pytest.mark.parametrize(("path", "named"), [("/pages", "title"), ("/categories", "name")])
def test_what_is_put_below_what_is_below_it_stands_at_the_top(client: Client, path: str, named: str, levels: int) -> None:
    top = below = client.new(path, **{named: "Top"})["id"]
    for level in range(levels):
        below = client.new(path, **{named: f"Level {level}", "parent": below})["id"]

    answer = client.post(f"{path}/{top}", {"parent": below})

    assert (answer.status_code, answer.json["parent"]) == (200, 0)
    assert client.get(f"{path}/{top}", "editor").json["parent"] == 0

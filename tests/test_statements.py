"""How many SQL statements an answer takes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sites import Client

from cms.setup import add_account


@pytest.fixture
def crowded(client: Client) -> Client:
    """A site whose posts all differ in author and terms."""
    for number in range(30):
        author = add_account(client.site, username=f"writer{number}", email=f"w{number}@example.org", password="secret")
        category = client.new("/categories", name=f"Category {number}")
        tags = [client.new("/tags", name=f"Tag {number} {part}")["id"] for part in range(number % 3)]
        post = client.new("/posts", title=f"Post {number}", content="Text", status="publish", author=author["id"],
                          categories=[category["id"]], tags=tags, date=f"2021-01-{number % 28 + 1:02}T00:00:00")
        above = client.new("/pages", title=f"Above {number}", status="publish")
        client.new("/pages", title=f"Page {number}", status="publish", author=author["id"], parent=above["id"])
        comment = client.new("/comments", post=post["id"], content=f"Comment {number}", author=author["id"],
                             status="approved")
        client.new("/comments", post=post["id"], parent=comment["id"], content=f"Answer {number}")
    return client


@pytest.mark.parametrize("path", [
    "/posts", "/pages", "/comments", "/categories", "/tags", "/users", "/posts?search=post&orderby=title",
    "/posts?_embed", "/pages?_embed", "/comments?_embed", "/categories?_embed", "/posts?_fields=id",
])
def test_a_list_takes_as_many_statements_whatever_its_length(
        crowded: Client, statements: Callable[[Callable[[], Any]], list[str]], path: str) -> None:
    sign = "&" if "?" in path else "?"
    # Ten items link to every kind of thing that a hundred do; one may not.
    one, many = f"{path}{sign}per_page={10 if '_embed' in path else 1}", f"{path}{sign}per_page=100"
    crowded.get(one)  # what is kept until the data changes is kept by now

    for_one = statements(lambda: crowded.get(one))
    for_many = statements(lambda: crowded.get(many))

    assert len(crowded.get(many).json) > 10
    assert len(for_many) == len(for_one)
    assert 1 <= len(for_one) <= (25 if "_embed" in path else 6)


def test_reading_never_writes(crowded: Client, statements: Callable[[Callable[[], Any]], list[str]]) -> None:
    seen = statements(lambda: [crowded.get(path) for path in ("/posts", "/users", "/tags", "/types", "//api/")])

    assert seen
    assert not [sql for sql in seen if sql.lstrip().split()[0].upper() not in ("SELECT", "PRAGMA")]

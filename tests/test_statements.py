"""How many SQL statements an answer takes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from sites import Client

from cms.db.stores import awaited, comments, imports
from cms.install.bootstrap import add_account


@pytest.fixture(scope="module")
def crowded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """A site whose items all differ in everything that they refer to."""
    client = Client(tmp_path_factory.mktemp("crowded"))
    for number in range(30):
        author = add_account(client.site, username=f"writer{number}", email=f"w{number}@example.org", password="secret words",
                             roles=[("author", "editor", "subscriber")[number % 3]])
        top = client.new("/categories", name=f"Top {number}")
        category = client.new("/categories", name=f"Category {number}", parent=top["id"])
        tags = [client.new("/tags", name=f"Tag {number} {part}")["id"] for part in range(number % 3)]
        post = client.new("/posts", title=f"Post {number}", content="Text", status="publish", author=author["id"],
                          categories=[category["id"]], tags=tags, date=f"2021-01-{number % 28 + 1:02}T00:00:00",
                          sticky=number % 2 == 0, password="words" if number % 10 == 9 else "")
        above = client.new("/pages", title=f"Above {number}", status="publish")
        client.new("/pages", title=f"Page {number}", status="publish", author=author["id"], parent=above["id"])
        comment = client.new("/comments", post=post["id"], content=f"Comment {number}", author=author["id"],
                             status="approved")
        client.new("/comments", post=post["id"], parent=comment["id"], content=f"Answer {number}")
    yield client
    client.site.close()


@pytest.mark.parametrize("query", ["", "context=edit", "_embed", "_embed&context=edit", "_fields=id",
                                   "search=post&orderby=id"])
@pytest.mark.parametrize("path", ["/posts", "/pages", "/comments", "/categories", "/tags", "/users"])
def test_a_list_takes_as_many_statements_whatever_its_length(
        crowded: Client, path: str, query: str) -> None:
    # Ten items link to every kind of thing that a hundred do; one may not.
    few, many = (f"{path}?per_page={most}&{query}" for most in (10 if "_embed" in query else 1, 100))

    def read(address: str) -> list[Any]:
        answer = crowded.get(address, "administrator")
        assert answer.status_code == 200
        return list(answer.json)

    read(few)  # what is kept until the data changes is kept by now
    for_few = crowded.statements(lambda: read(few))
    for_many = crowded.statements(lambda: read(many))

    assert query.startswith("search") or len(read(many)) >= 30
    assert len(for_many) == len(for_few)
    assert 1 <= len(for_few) <= (20 if "_embed" in query else 6)


@pytest.mark.parametrize("query", ["", "_embed", "context=edit"])
def test_revisions_take_as_many_statements_however_many_there_are(
        client: Client, statements: Callable[[Callable[[], Any]], list[str]], query: str) -> None:
    def revised(times: int) -> str:
        post = client.new("/posts", title="Post", content="Text")["id"]
        for number in range(times):
            client.post(f"/posts/{post}", {"content": f"Text {number}"}, ("administrator", "editor")[number % 2])
        return f"/posts/{post}/revisions?{query}"

    few, many = revised(1), revised(25)
    assert [len(client.get(path, "editor").json) for path in (few, many)] == [1, 25]

    assert len(statements(lambda: client.get(many, "editor"))) == len(statements(lambda: client.get(few, "editor")))


@pytest.mark.parametrize("path", ["/types", "/statuses", "/taxonomies"])
def test_what_is_declared_is_read_without_the_database(crowded: Client, path: str) -> None:
    assert crowded.statements(lambda: crowded.get(f"{path}?_embed")) == []


def test_reading_never_writes(crowded: Client) -> None:
    seen = crowded.statements(lambda: [crowded.get(path) for path in ("/posts", "/users", "/tags", "/types", "//api/")])

    assert seen
    assert not [sql for sql in seen if sql.lstrip().split()[0].upper() not in ("SELECT", "PRAGMA")]


@pytest.mark.files_only  # plans are those of SQLite
@pytest.mark.parametrize(("statement", "index"), [
    (comments.SELECT_OF_VISITOR, "comments_visitor"),
    (imports.DETACH_BELOW, "content_parent"),
    (imports.DETACH_PICTURES, "content_featured"),
    (imports.SELECT_ACCOUNT_BY_NUMBER, "users_source"),
    (awaited.TIE_COMMENTERS, "users_source"),
    (awaited.FORGET[2], "users_source"),
    (imports.SELECT_TERM_BY_NUMBER, "terms_source"),
    (awaited.SELECT_FOUND, "terms_source"),
    (awaited.SELECT_FOUND, "content_source"),
    (awaited.SELECT_FOUND, "awaited_name (source_site=? AND kind>? AND kind<?"),
])
def test_what_is_looked_up_in_tables_that_grow_is_found_by_an_index(client: Client, statement: str, index: str) -> None:
    values: Any = [None] * statement.count("?")
    if ":source" in statement:
        values = {"source": None, "last": None}
    rows = client.site.database.rows(f"EXPLAIN QUERY PLAN {statement}", values)

    assert index in " ".join(row["detail"] for row in rows)


def test_an_update_writes_the_columns_that_change_alone(client: Client) -> None:
    post = client.new("/posts", title="Before", content="Text", status="publish", sticky=True)

    def update() -> None:
        answer = client.post(f"/posts/{post['id']}", {"title": "After", "content": "Text", "status": "publish", "sticky": True})
        assert (answer.json["title"]["raw"], answer.json["sticky"]) == ("After", True)

    written = {text for text in client.statements(update) if text.startswith("UPDATE content SET")}

    assert len(written) == 1
    columns = set(re.findall(r"(\w+) = ", written.pop()))
    assert "title" in columns
    assert columns.isdisjoint({"slug", "status", "content", "is_sticky", "author_id"})


@pytest.mark.files_only
def test_a_statement_that_comes_again_is_not_planned_again(client: Client) -> None:
    if not client.site.database.exists("SELECT 1 FROM pragma_module_list WHERE name = 'sqlite_stmt'"):
        pytest.skip("this SQLite doesn't count how often a statement is planned")
    for number in range(10):
        id = client.new("/posts", title=f"Post {number}", status="publish", sticky=number % 2 == 0)["id"]
        client.post(f"/posts/{id}", {"title": "Same"})
        for path in ("/posts", "/posts?slug=same", "/posts?search=same", "/pages", "/media", "/comments", "/tags"):
            assert client.get(path).status_code == 200

    counted = client.site.database.tuples("SELECT sql, reprep FROM sqlite_stmt WHERE run >= 10 AND reprep >= 5")

    assert counted == []

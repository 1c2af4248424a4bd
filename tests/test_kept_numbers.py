"""Totals and counts that are kept are those that counting gives, whatever is written, deleted, moved or scheduled."""

from __future__ import annotations

from typing import Any

from sites import Client

COUNTED = {
    "type": "SELECT 0, type, status, COUNT(*) FROM content GROUP BY type, status",
    "author": "SELECT author_id, type, status, COUNT(*) FROM content GROUP BY author_id, type, status",
    "term": "SELECT term_id, type, status, COUNT(*) FROM content_terms JOIN content ON content.id = content_id"
            " GROUP BY term_id, type, status",
}
LINKS = "SELECT term_id, type, status, date_gmt, content_id FROM content_terms JOIN content ON content.id = content_id"


def check(client: Client) -> None:
    database = client.site.database
    for holder, counted in COUNTED.items():
        kept = database.tuples(
            "SELECT holder_id, type, status, number FROM content_counts WHERE holder = ? AND number <> 0", (holder,))
        assert sorted(kept) == sorted(database.tuples(counted)), holder
    assert sorted(database.tuples("SELECT * FROM term_items")) == sorted(database.tuples(LINKS))


def total(client: Client, query: str = "", as_: str | None = None) -> int:
    return int(client.get(f"/posts?{query}", as_).headers["X-WP-Total"])


def test_what_is_kept_follows_every_kind_of_write(client: Client) -> None:
    new, first = client.new, client.new("/categories", name="First")["id"]
    second, tag = client.new("/categories", name="Second")["id"], client.new("/tags", name="Tag")["id"]
    post = new("/posts", "author", title="Post", status="publish", categories=[first], tags=[tag])["id"]
    other = new("/posts", title="Other", categories=[first, second])["id"]
    check(client)
    for path, fields in ((f"/posts/{post}", {"categories": [second]}), (f"/posts/{other}", {"status": "publish"}),
                         (f"/posts/{post}", {"date": "2998-01-01T00:00:00"}), (f"/posts/{post}", {"date": "2020-01-01T00:00:00"}),
                         (f"/posts/{other}", {"author": client.id_of("author2")}), (f"/posts/{other}", {"status": "private"})):
        assert client.post(path, fields).status_code == 200
        check(client)
    for path in (f"/posts/{post}", f"/posts/{post}?force=true", f"/categories/{second}?force=true", f"/tags/{tag}?force=true"):
        assert client.delete(path, "administrator").status_code == 200
        check(client)
    heir, gone = client.id_of("editor"), client.id_of("author2")
    assert client.delete(f"/users/{gone}?force=true&reassign={heir}", "administrator").status_code == 200
    check(client)


def test_a_total_is_that_of_the_items_that_are_shown(client: Client) -> None:
    category, tag = client.new("/categories", name="C")["id"], client.new("/tags", name="T")["id"]
    common: dict[str, Any] = {"categories": [category], "tags": [tag]}
    for number in range(3):
        client.new("/posts", "author", title=f"P {number}", status="publish", **common)
    client.new("/posts", "author", title="Later", status="publish", date="2998-01-01T00:00:00", **common)
    client.new("/posts", title="By another", status="publish", **common)
    client.new("/posts", title="Elsewhere", status="publish")
    client.new("/posts", title="Draft", **common)
    author = client.id_of("author")

    found = {query: (total(client, query), len(client.get(f"/posts?per_page=100&{query}").json)) for query in (
        "", f"author={author}", f"categories={category}", f"tags={tag}", f"categories={tag}", f"author={author},{author}",
        f"author={author}&categories={category}", "author=999", "categories=999", f"categories={category}&order=asc")}
    seen = {query: (total(client, query, "editor"), len(client.get(f"/posts?per_page=100&{query}", "editor").json)) for query in (
        "status=future", "status=draft", "status=publish,future", "status=any", f"status=future&categories={category}",
        f"status=publish,draft&tags={tag}", f"status=future&author={author}")}

    assert list(found.values()) == [(5, 5), (3, 3), (4, 4), (4, 4), (0, 0), (3, 3), (3, 3), (0, 0), (0, 0), (4, 4)]
    assert list(seen.values()) == [(1, 1), (1, 1), (6, 6), (7, 7), (1, 1), (5, 5), (1, 1)]
    assert client.get(f"/categories/{category}").json["count"] == 4


def test_a_list_of_several_statuses_or_authors_stays_in_its_order(client: Client) -> None:
    for number in range(12):
        client.new("/posts", ("author", "editor", "author2")[number % 3], title=f"P {number}",
                   status="publish" if number % 2 and number % 3 == 1 else "draft", date=f"2020-01-{12 - number:02}T00:00:00")
    authors = f"{client.id_of('author2')},{client.id_of('editor')}"

    def titles(query: str) -> list[str]:
        return [item["title"]["raw"] for item in client.get(f"/posts?context=edit&{query}", "editor").json]

    assert titles("status=any&per_page=5&page=2") == ["P 5", "P 6", "P 7", "P 8", "P 9"]
    assert titles("status=draft,publish&order=asc&per_page=3") == ["P 11", "P 10", "P 9"]
    assert titles(f"status=draft,publish&author={authors}&per_page=3&offset=1") == ["P 2", "P 4", "P 5"]
    assert titles(f"status=draft&author={authors}&orderby=title&order=desc&per_page=2") == ["P 8", "P 5"]


def test_a_total_is_counted_once_until_something_is_written(client: Client) -> None:
    def counts() -> int:
        read = client.statements(lambda: client.get("/posts?search=word&context=edit", "editor"))
        return sum("AS \"total\"" in sql for sql in read)

    assert [counts(), counts()] == [1, 0]
    client.new("/posts", title="A word", status="publish")
    assert [counts(), counts()] == [1, 0]

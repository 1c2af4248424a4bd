"""Walking through lists by cursors: every item that stays is seen once, whatever others write meanwhile."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from grown import Growing
from pictures import PICTURE
from sites import Client

#: Orders by a list that the request sends, or by what no item holds itself.
NOT_WALKED = ("include", "include_slugs", "relevance")
LISTS = (
    "posts",
    "pages",
    "media",
    "events",
    "categories",
    "tags",
    "users",
    "comments",
    "webhooks",
    "menu-items",
)
#: What plans may read as a whole: a page's ids, and what subqueries have found.
READ_WHOLE = r"SCAN (chosen|merged|found|\()"
#: Orders that no index has.
SORTED = ("description", "count")


@pytest.fixture
def client(make_client: Callable[..., Client]) -> Client:
    return make_client(comment_interval=0, plugins=["events", "menus", "webhooks"])


class Writers:
    """Make, change and delete items of one list, many of which have values in common."""

    def __init__(self, client: Client, base: str) -> None:
        self._client, self._base, self._made = client, base, 0
        self._post = client.new("/posts", "administrator", title="Said of", status="publish")["id"]

    def make(self) -> int:
        """Make an item and return its id."""
        self._made += 1
        if self._base == "media":
            name = {"Content-Disposition": f"attachment; filename=p{self._made % 3}.gif"}
            sent = self._client.send(
                "POST", "/media", "administrator", data=PICTURE, content_type="image/gif", headers=name
            )
            return int(sent.json["id"])
        return int(self._client.new(f"/{self._base}", "administrator", **self._fields())["id"])

    def change(self, id: int) -> None:
        """Change what lists are ordered by, of an item."""
        fields = self._fields()
        fields.pop("username", None)
        self._client.post(f"/{self._base}/{id}", fields, "administrator")

    def delete(self, id: int) -> None:
        """Delete an item for good."""
        self._client.delete(f"/{self._base}/{id}?force=true&reassign=1", "administrator")

    def _fields(self) -> dict[str, Any]:
        number = random.randrange(1_000_000)
        text, some = f"Same {number % 3}", number % 4
        dated = {"title": text, "status": "publish", "date": f"2020-01-01T00:00:0{some}", "menu_order": some}
        term = {"name": f"Term {number}", "description": text}
        return {
            "events": {**dated, **({"start": f"2030-01-01T00:00:0{some}"} if some else {})},
            "categories": term,
            "tags": term,
            "users": {
                "username": f"user{number}",
                "email": f"u{number}@example.org",
                "password": "some secret words",
                "name": text,
                "roles": ["author"],
                "url": f"http://example.org/{some}",
            },
            "comments": {
                "post": self._post,
                "content": f"Words {number}",
                "date": f"2020-01-01T00:00:0{some}",
            },
            "webhooks": {"url": f"https://93.184.216.34/{some}", "events": ["create"]},
            "menu-items": {
                "title": text,
                "url": "http://example.org/",
                "status": "publish",
                "menu_order": some + 1,
            },
        }.get(self._base, dated)


def orders_of(client: Client, base: str) -> list[str]:
    routes = client.get("//api/", "administrator").json["routes"]
    path = next(path for path in routes if path.endswith(f"/{base}"))
    listing = next(each for each in routes[path]["endpoints"] if "GET" in each["methods"])
    return [by for by in listing["args"]["orderby"]["enum"] if by not in NOT_WALKED]


def pages(client: Client, query: str, as_: str | None = "administrator") -> Iterator[list[int]]:
    """Yield the ids of each page of a list."""
    cursor: str | None = "*"
    while cursor:
        answer = client.get(f"{query}&cursor={cursor}", as_)
        assert answer.status_code == 200, answer.text
        yield [item["id"] for item in answer.json]
        cursor = answer.headers.get("X-CMS-Cursor")


def address(client: Client, base: str) -> str:
    namespace = {"menu-items": "cms-menus/v1", "webhooks": "cms-webhooks/v1"}.get(base, "cms/v2")
    routes = client.get("//api/", "administrator").json["routes"]
    found = next(path for path in routes if path.endswith(f"/{base}"))
    return f"//api{found}" if namespace else found


@pytest.mark.parametrize("base", LISTS)
def test_a_walk_sees_each_item_that_stays_once_while_others_write(client: Client, base: str) -> None:
    random.seed(base)
    path, writers = address(client, base), Writers(client, base)
    staying, others = [writers.make() for _ in range(9)], [writers.make() for _ in range(4)]
    for by in orders_of(client, base):
        for order in ("asc", "desc"):
            query, seen = f"{path}?orderby={by}&order={order}&_fields=id&context=edit", []
            for page in pages(client, f"{query}&per_page=4"):
                seen += page
                writers.delete(others.pop(random.randrange(len(others))))
                writers.change(random.choice(others))
                others.append(writers.make())
            whole = client.get(f"{query}&per_page=100", "administrator").json
            expected = [item["id"] for item in whole if item["id"] in staying]

            assert [id for id in seen if id in staying] == expected, (by, order)
            assert sorted(expected) == sorted(staying)


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Growing]:
    site = Growing(Client(tmp_path_factory.mktemp("walked"), comment_interval=0))
    site.grow(20)
    yield site
    site.client.site.close()


DEEP = (
    "posts?",
    "posts?status=publish,draft&",
    "posts?context=edit&status=any&",
    "posts?categories={usual_categories}&",
    "posts?author={usual_author}&",
    "posts?before=2020-01-31T23:50:00&",
    "pages?",
    "categories?",
    "users?",
    "comments?",
    "comments?post={rare_post}&",
)


@pytest.mark.files_only  # it counts SQLite's steps
@pytest.mark.parametrize("query", DEEP)
def test_a_page_deep_inside_costs_what_the_first_costs(large: Growing, query: str) -> None:
    client, base = large.client, query.split("?")[0]
    query = f"/{query.format(**large.names)}"
    for by in orders_of(client, base):
        for order in ("asc", "desc"):
            if by in SORTED:
                continue
            asked = f"{query}orderby={by}&order={order}&_fields=id"
            cursors = walked(client, f"{asked}&per_page={10 if base == 'users' else 100}")
            deep = f"{asked}&per_page=3&cursor={cursors[-1]}"
            first, inside = (
                large.cost(path, "administrator", False) for path in (f"{asked}&per_page=3&cursor=*", deep)
            )

            assert inside <= 1.5 * first + 700, (by, order)
            for line in large.plans(deep, "administrator", False):
                assert not line.startswith("SCAN") or re.match(READ_WHOLE, line) or "INDEX" in line, (
                    by,
                    order,
                    line,
                )


def walked(client: Client, query: str) -> list[str]:
    """Return the cursors of a list, of its beginning too."""
    found = ["*"]
    while len(found) < 100:
        answer = client.get(f"{query}&cursor={found[-1]}", "administrator")
        assert answer.status_code == 200, answer.text
        if "X-CMS-Cursor" not in answer.headers:
            return found
        found.append(answer.headers["X-CMS-Cursor"])
    raise AssertionError("there is no end")


def test_the_link_leads_to_the_next_page_with_all_other_arguments(client: Client) -> None:
    for number in range(3):
        client.new("/posts", title=f"Item {number}", status="publish", slug=f"item-{number}")

    first = client.get("/posts?cursor=&per_page=2&_embed=1&_fields=id,slug&utm=a%20b")
    link = re.fullmatch(
        r'<http://cms\.example(/api/cms/v2/posts\?([^>]*))>; rel="next"', first.headers["Link"]
    )
    last = client.get(f"/{link[1]}")

    cursor = first.headers["X-CMS-Cursor"]
    assert link[2] == f"per_page=2&_embed=1&_fields=id%2Cslug&utm=a+b&cursor={cursor}"
    assert [list(item) for item in first.json] == [["id", "slug"], ["id", "slug"]]
    assert [item["slug"] for item in last.json] == ["item-0"]
    assert {"X-CMS-Cursor", "Link"}.isdisjoint(last.headers.keys())
    assert "X-CMS-Cursor" in first.headers["Access-Control-Expose-Headers"]


def test_the_first_page_goes_together_with_a_cursor_since_generated_clients_send_it(client: Client) -> None:
    for number in range(3):
        client.new("/posts", title=f"Item {number}", status="publish")
    seen, path = [], "/posts?cursor=*&page=1&per_page=2"

    while path:
        answer = client.get(path)
        seen += [item["title"]["rendered"] for item in answer.json]
        found = re.search(r"<http://cms\.example(/[^>]*)>", answer.headers.get("Link", ""))
        path = f"/{found[1]}" if found else ""

    assert sorted(seen) == ["Item 0", "Item 1", "Item 2"]


def test_the_total_is_counted_where_it_is_asked_for(client: Client) -> None:
    for number in range(3):
        client.new("/posts", title=f"Item {number}", status="publish")
    cursor = client.get("/posts?cursor=*&per_page=1").headers["X-CMS-Cursor"]

    for start in ("*", cursor):
        without = client.get(f"/posts?cursor={start}&per_page=1")
        counted = client.get(f"/posts?cursor={start}&per_page=1&cursor_total=true")
        assert {"X-WP-Total", "X-WP-TotalPages"}.isdisjoint(without.headers.keys())
        assert [counted.headers[name] for name in ("X-WP-Total", "X-WP-TotalPages")] == ["3", "3"]
    assert "COUNT" not in "".join(client.statements(lambda: client.get(f"/posts?cursor={cursor}&per_page=1")))
    assert "X-CMS-Cursor" not in client.get("/posts?per_page=1&cursor_total=true").headers


def test_a_cursor_works_from_the_answer_cache_to_head_and_in_an_envelope(client: Client) -> None:
    for number in range(3):
        client.new("/posts", title=f"Item {number}", status="publish")
    query = "/posts?cursor=*&per_page=2"

    first, again = client.get(query), client.get(query)
    head, wrapped = client.send("HEAD", query), client.get(f"{query}&_envelope=1").json

    cursor = first.headers["X-CMS-Cursor"]
    assert (
        again.headers["X-CMS-Cursor"]
        == head.headers["X-CMS-Cursor"]
        == wrapped["headers"]["X-CMS-Cursor"]
        == cursor
    )
    assert again.headers["ETag"] == first.headers["ETag"]
    assert (head.data, client.site.answers.hits > 0) == (b"", True)


def test_the_aliases_of_wordpress_lead_to_the_next_page_below_them(
    make_client: Callable[..., Client],
) -> None:
    client = make_client(plugins=["wp_compat"])
    for number in range(2):
        client.new("/posts", title=f"Item {number}", status="publish")

    first = client.get("//wp-json/wp/v2/posts?cursor=*&per_page=1")
    link = re.match(
        r"<http://cms\.example(/wp-json/wp/v2/posts\?[^>]*)>; rel=\"next\"", first.headers["Link"]
    )
    second = client.get(f"/{link[1]}")

    assert first.headers["X-CMS-Cursor"] in link[1]
    assert {item["title"]["rendered"] for item in (*first.json, *second.json)} == {"Item 0", "Item 1"}


@pytest.mark.parametrize(("page", "status"), [(1, 200), ("1", 200), (2, 400), ("2", 400), ([1], 400)])
def test_a_page_beside_a_cursor_may_be_a_number_of_a_body(client: Client, page: Any, status: int) -> None:
    assert client.post("/posts?_method=GET", {"cursor": "*", "page": page}, None).status_code == status


def changed(cursor: str, place: int) -> str:
    other = "A" if cursor[place] != "A" else "B"
    return cursor[:place] + other + cursor[place:][1:]


REFUSED = (
    ("page", "/posts?cursor={}&page=2", "rest_invalid_param"),
    ("offset", "/posts?cursor={}&offset=0", "rest_invalid_param"),
    ("a list", "/posts?cursor[]={}", "rest_invalid_param"),
    ("much too long", "/posts?cursor={}" + "A" * 3_000, "rest_invalid_param"),
    ("another order", "/posts?cursor={}&orderby=title", "rest_invalid_cursor"),
    ("the other direction", "/posts?cursor={}&order=asc", "rest_invalid_cursor"),
    ("a filter", "/posts?cursor={}&search=item", "rest_invalid_cursor"),
    ("another list", "/pages?cursor={}", "rest_invalid_cursor"),
    ("more signs", "/posts?cursor={}A", "rest_invalid_cursor"),
    ("a sign of no alphabet", "/posts?cursor={}!", "rest_invalid_cursor"),
    ("padding", "/posts?cursor={}==", "rest_invalid_cursor"),
    ("something else", "/posts?cursor=eyJpZCI6MX0", "rest_invalid_cursor"),
    ("by relevance", "/posts?cursor=*&search=item&orderby=relevance", "rest_cursor_order"),
    ("by a list", "/posts?cursor=*&include=1,2&orderby=include", "rest_cursor_order"),
)


@pytest.mark.parametrize(("query", "code"), [case[1:] for case in REFUSED], ids=[case[0] for case in REFUSED])
def test_what_is_no_cursor_of_the_list_is_refused(client: Client, query: str, code: str) -> None:
    for number in range(3):
        client.new("/posts", title=f"Item {number}", status="publish")
    cursor = client.get("/posts?cursor=*&per_page=1").headers["X-CMS-Cursor"]
    assert client.get(f"/posts?cursor={cursor}&per_page=2&context=embed").status_code == 200

    refused = client.get(query.format(cursor))

    assert (refused.status_code, refused.json["code"]) == (400, code)


def test_no_changed_sign_of_a_cursor_passes(client: Client) -> None:
    for number in range(3):
        client.new("/posts", title=f"Item {number}", status="publish")
    cursor = client.get("/posts?cursor=*&per_page=1").headers["X-CMS-Cursor"]

    passed = [
        place
        for place in range(len(cursor))
        if client.get(f"/posts?cursor={changed(cursor, place)}").status_code != 400
    ]

    assert passed == []


def test_a_cursor_is_of_one_site_and_tells_nothing_of_its_item(make_client: Callable[..., Client]) -> None:
    one, other = make_client(), make_client()
    for client in (one, other):
        for number in range(2):
            client.new(
                "/posts",
                title=f"Item {number}",
                status="publish",
                date="2020-01-01T00:00:00",
                slug=f"i{number}",
            )
    other.site.settings.write({"cursor_key": "00" * 32})

    cursor = one.get("/posts?cursor=*&per_page=1&orderby=title").headers["X-CMS-Cursor"]

    assert other.get(f"/posts?cursor={cursor}&per_page=1&orderby=title").status_code == 400
    assert one.get("/settings", "administrator").json.keys().isdisjoint({"cursor_key"})
    assert "cursor_key" not in one.get("//api/", "administrator").text


def test_other_lists_refuse_a_cursor_and_items_pass_it_over(client: Client) -> None:
    post = client.new("/posts", title="Item", status="publish")["id"]

    refused = client.get("/events/upcoming?cursor=*")

    assert (refused.status_code, refused.json["code"]) == (400, "rest_cursor_order")
    assert client.get(f"/posts/{post}?cursor=x").status_code == 200
    assert client.get("/types?cursor=x").status_code == 200
    assert client.post(f"/posts/{post}", {"title": "New", "cursor": "x"}).status_code == 200


WALKS = ("date&order=desc", "id&order=desc", "title&order=asc", "author&order=asc", "parent&order=asc")


@pytest.mark.long
@pytest.mark.parametrize("order", WALKS)
def test_a_walk_through_a_hundred_thousand_items_misses_none(huge: Growing, order: str) -> None:
    client, seen, made, changed = huge.client, [], [], set()
    staying = client.site.database.column("SELECT id FROM content WHERE type = 'post' AND status = 'publish' AND date_gmt < '2100'")
    for number, page in enumerate(pages(client, f"/posts?per_page=100&_fields=id&orderby={order}", None)):
        seen += page
        if number % 100 == 0:
            made.append(client.new("/posts", title=f"Usual {number}", status="publish", date="2019-01-01T00:00:00")["id"])
            changed.add(staying[number * 37 % len(staying)])
            client.post(f"/posts/{staying[number * 37 % len(staying)]}", {"title": f"Other {number}"})
            client.delete(f"/posts/{made[len(made) // 2]}?force=true")

    assert len(staying) > 100_000
    # One that goes from one place to another may be seen at both.
    assert len([id for id in seen if id not in changed]) == len(set(seen) - changed)
    assert set(staying) - changed <= set(seen) <= {*staying, *made}


@pytest.fixture(scope="module")
def huge(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Growing]:
    site = Growing(Client(tmp_path_factory.mktemp("huge"), comment_interval=0))
    site.grow(6_700, posts_alone=True)
    yield site
    site.client.site.close()

"""One search over all that a site shows: who finds what, in which order, with which excerpts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from adapter import copy_site
from sites import Client

SEARCH = "//api/cms-search/v1/search"
ROLES = (None, "subscriber", "contributor", "author", "editor", "administrator")
HIDING = '''
@hookimpl
def filter_query(resource, plan, args, principal):
    if resource == "post":
        plan.where("hidden", lambda: Content.slug != "hidden")
'''

SHEETS = '''
from cms.plugin import ContentType

@hookimpl
def register_types(config):
    return [ContentType("sheet", "sheets", _("Sheets"), "posts", supports=("title", "editor")),
            ContentType("label", "labels", _("Labels"), "posts", supports=("title",))]
'''


PLUGINS = ["search", "events"]


@pytest.fixture(scope="module")
def by_words(lasting: Any) -> Path:
    """The folder of a site whose index is one of words, which nobody has open."""
    site = lasting({"plugins": PLUGINS}, extra=HIDING)
    site.client().site.close()
    site.run("search", "reindex", CMS_SEARCH_MODE="words", CMS_PLUGINS=",".join(PLUGINS))
    return site.folder


@pytest.fixture(params=["parts", "words"])
def client(request: pytest.FixtureRequest, plugged: Any) -> Client:
    site = plugged({"plugins": PLUGINS}, extra=HIDING)
    if request.param == "words":
        copy_site(request.getfixturevalue("by_words"), site.folder)
    return site.client(search_mode=request.param)


def found(client: Client, query: str, as_: str | None = None) -> list[tuple[str, str]]:
    answer = client.get(f"{SEARCH}?{query}", as_)
    assert answer.status_code == 200, answer.text
    return [(item["subtype"], item["title"]) for item in answer.json]


def fill(client: Client) -> None:
    """Make what everybody finds, and what nobody finds or not all."""
    text = "The quokka smiles at visitors."
    client.new("/posts", "author", title="Island", content=text, status="publish", date="2020-01-01T00:00:00")
    client.new("/posts", "author", title="Quokka island", content="About it.", status="publish", date="2019-01-01T00:00:00")
    client.new("/pages", title="Zoo", content=text, status="publish", date="2021-01-01T00:00:00")
    client.new("/events", title="Feeding", content=text, status="publish", date="2018-01-01T00:00:00")
    client.new("/categories", name="Quokka")
    for status in ("draft", "pending", "private"):
        client.new("/posts", "author", title=f"A {status}", content=text, status=status if status != "pending" else "pending")
    client.new("/posts", "author", title="Ahead", content=text, status="publish", date="2998-01-01T00:00:00")
    client.new("/posts", "author", title="Hidden", slug="hidden", content=text, status="publish")
    client.new("/posts", "author", title="Locked", content=text, status="publish", password="x", date="2017-01-01T00:00:00")
    trashed = client.new("/posts", title="Trashed", content=text, status="publish")["id"]
    client.delete(f"/posts/{trashed}")


@pytest.mark.parametrize("role", ROLES)
def test_nobody_finds_what_they_may_not_read(client: Client, role: str | None) -> None:
    fill(client)
    everybody = [("post", "Quokka island"), ("category", "Quokka"), ("page", "Zoo"), ("post", "Island"), ("event", "Feeding")]

    answer = client.get(f"{SEARCH}?search=quokka", role)

    # Whoever may edit an item reads it without its password.
    locked = [("post", "Locked")] if role in ("author", "editor", "administrator") else []
    shown = [(item["subtype"], item["title"]) for item in answer.json]
    assert sorted(shown) == sorted(everybody + locked)
    # In the other mode, what is found in texts is ordered by weights of words.
    assert shown == everybody + locked or client.site.config["search_mode"] == "words"
    assert answer.headers["X-WP-Total"] == str(len(everybody + locked))
    for item in answer.json:
        assert item["title"] != "Locked" or "quokka" not in str(item["marked"]).casefold()


KINDS = (
    ("type=post", {"post", "page", "event"}),
    ("type=term", {"category"}),
    ("subtype=page", {"page"}),
    ("subtype=page,category", {"page", "category"}),
    ("type=term&subtype=page", set()),
)


@pytest.mark.parametrize(("query", "kinds"), KINDS, ids=[query for query, _kinds in KINDS])
def test_a_search_is_narrowed_by_type(client: Client, query: str, kinds: set[str]) -> None:
    fill(client)

    assert {kind for kind, _title in found(client, f"search=quokka&{query}")} == kinds


def test_pages_follow_each_other_and_say_how_many_there_are(client: Client) -> None:
    fill(client)
    whole = found(client, "search=quokka")

    pages = [client.get(f"{SEARCH}?search=quokka&per_page=2&page={number}") for number in (1, 2, 3, 4)]

    shown = [(item["subtype"], item["title"]) for page in pages for item in page.json]
    assert shown == whole
    assert [page.headers["X-WP-TotalPages"] for page in pages] == ["3"] * 4
    assert 'page=2>; rel="next"' in pages[0].headers["Link"]
    refused = client.get(f"{SEARCH}?search=quokka&per_page=100&page=11")
    assert (refused.status_code, refused.json["code"]) == (400, "rest_search_page_limit")


def test_a_result_leads_to_its_item_which_can_be_embedded(client: Client) -> None:
    post = client.new("/posts", title="Tom &amp; quokka", content="Text", status="publish")

    (item,) = client.get(f"{SEARCH}?search=quokka&_embed=self").json
    (chosen,) = client.get(f"{SEARCH}?search=quokka&_fields=title").json

    assert (item["id"], item["type"], item["subtype"]) == (post["id"], "post", "post")
    assert (item["title"], item["url"]) == ("Tom & quokka", post["link"])
    assert item["_links"]["self"] == [{"embeddable": True, "href": f"http://cms.example/api/cms/v2/posts/{post['id']}"}]
    assert item["_embedded"]["self"][0]["slug"] == post["slug"]
    assert chosen == {"title": "Tom & quokka"}


MARKED = (
    ("plain", "quokka", "A Quokka here", "A <mark>Quokka</mark> here"),
    ("accents", "cafe", "Un CAFÉ ici", "Un <mark>CAFÉ</mark> ici"),
    ("two words", "blue sky", "Sky so blue", "<mark>Sky</mark> so <mark>blue</mark>"),
    ("a phrase", '"blue sky"', "Blue and blue sky", "Blue and <mark>blue sky</mark>"),
    ("what must not occur", "blue -red", "Deep blue", "Deep <mark>blue</mark>"),
    ("markup is text", "quokka", "a < b &amp; quokka", "a &lt; b &amp; <mark>quokka</mark>"),
)


@pytest.mark.parametrize(("search", "title", "expected"), [case[1:] for case in MARKED], ids=[case[0] for case in MARKED])
def test_the_words_are_marked_and_all_else_is_escaped(client: Client, search: str, title: str, expected: str) -> None:
    client.new("/posts", title=title, status="publish")

    (item,) = client.get(SEARCH, query_string={"search": search}).json

    assert item["marked"]["title"] == expected


def test_an_excerpt_is_the_part_around_the_first_word_without_markup(client: Client) -> None:
    content = f"<p>{'Before ' * 60}</p><p>one <b>quokka</b> &lt;script&gt;</p><p>{'after ' * 60}</p>"
    client.new("/posts", title="Item", content=content, status="publish")

    (item,) = client.get(f"{SEARCH}?search=quokka").json

    text = item["marked"]["excerpt"]
    assert "one <mark>quokka</mark> &lt;script&gt; after" in text
    assert (text[0], text[-1], "<script>" in text, len(text) < 300) == ("…", "…", False, True)


@pytest.mark.parametrize("query", ["", "search=", "search=%20", "search=a&type=user", "search=a&subtype=nothing", "search=a&page=0"])
def test_what_can_t_be_searched_for_is_refused(client: Client, query: str) -> None:
    assert client.get(f"{SEARCH}?{query}").status_code == 400


def test_items_of_types_without_excerpts_or_texts_are_found_too(plugged: Any) -> None:
    client = plugged({"plugins": ["search"]}, sheets=SHEETS).client()
    client.new("/sheets", title="Zoo", content="The quokka smiles.", status="publish")
    client.new("/labels", title="Quokka", status="publish")

    answer = client.get(f"{SEARCH}?search=quokka")

    assert {item["subtype"]: item["marked"] for item in answer.json} == {
        "sheet": {"title": "Zoo", "excerpt": "The <mark>quokka</mark> smiles."}, "label": {"title": "<mark>Quokka</mark>", "excerpt": ""}}

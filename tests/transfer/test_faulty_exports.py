"""Small exports with one fault each: what comes of them, what is told, that nothing comes twice, that they move on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from portrait import portray
from sites import Client

from cms.transfer.exporting.exporter import export_wxr
from cms.transfer.importing.importer import Report, import_wxr

FOLDER = Path(__file__).parent.parent / "data" / "wxr-faults"
MakeClient = Callable[..., Client]
#: What is read over HTTP: an address as visitors, or as the administrator where it begins with `!`, and a field.
Reads = dict[tuple[str, str], Any]

ALL = "?order=asc&orderby=id"
#: The file, what the site then says, and words that notices or the table of what was left out must have.
TABLE: list[tuple[str, Reads, list[str]]] = [
    ("attachment-without-address", {(f"/media{ALL}", "source_url"): [""]}, []),
    ("author-twice", {("!/users?roles=author", "slug"): ["ann"], (f"/posts{ALL}", "slug"): ["one", "two"]},
     ['"ANN" is that of "ann" (line 7)', '"other@example.org"', '"Another Ann"']),
    ("category-circle", {("/categories?orderby=slug&slug=a,b,c", "slug"): ["a", "b", "c"]}, ['"a" would stand above itself']),
    ("comment-script", {}, ["script (1)", "img (1)", "iframe (1), style (1)", "a comment: attributes"]),
    ("comment-id-twice", {(f"/comments{ALL}", "content.rendered"): ["<p>of one</p>\n", "<p>of two</p>\n"]}, []),
    ("comment-without-id", {}, []),
    ("empty-term", {("/tags", "slug"): []}, ["neither a name nor a slug"]),
    ("file-of-hidden-left-out-item", {("/media", "id"): [], ("!/media?context=edit", "slug"): ["scan"]}, ["contract"]),
    ("forbidden-reference", {("/posts", "slug"): ["bell--rings"], ("!/posts?context=edit", "title.raw"): ["Bell  rings"]},
     ["&#x1;", "&#8;"]),
    ("foreign-comment-type", {("/comments", "content.rendered"): ["<p>said</p>\n"]}, ["order_note: 1", "like: 1"]),
    ("local-date", {(f"/posts{ALL}", "date"): ["2020-05-01T19:00:00", "2020-01-01T18:00:00"],
                    (f"/posts{ALL}", "date_gmt"): ["2020-05-01T10:00:00", "2020-01-01T09:00:00"]}, []),
    ("no-version", {("/posts", "slug"): ["one"]}, ["doesn't name its version"]),
    ("post-id-twice", {(f"/posts{ALL}", "slug"): ["first-of-two", "second-of-two"], ("/pages", "slug"): ["a-page"]}, []),
    ("script-addresses", {("/media", "source_url"): [""]}, ["javascript:alert(5)"]),
    ("slug-changed", {(f"/posts{ALL}", "slug"): [
        "a%e2%80%91b", "%d9%85%db%8c%e2%80%8c%d8%b1%d9%88%d8%af", "%ce%a0%ce%ac%cf%84%cf%81%ce%b1", "%e2%80%9cword%e2%80%9d",
        "%e3%83%86%e3%82%b9", "v1.2.html", "c--d"]}, ['became "テス"']),
    ("term-declared-twice", {("/tags", "name"): ["Sea"]}, ['"Sea" and "The sea"']),
    ("term-description-markup", {("/categories?slug=all", "description"): ["First.\nSecond <strong>line</strong>."]}, ["p (2)"]),
    ("term-name-control", {("/tags", "slug"): ["release"]}, ['the name of the post_tag "release"']),
    ("uncategorized-renamed", {("/categories", "name"): ["News"], ("/categories", "description"): ["All news"]}, []),
    ("unknown-taxonomy-undeclared", {("/posts", "slug"): ["one"]}, ["genre: the site has no such taxonomy"]),
    ("version-abc", {("/posts", "slug"): ["one"]}, ["version abc"]),
]
FILES = [name for name, _reads, _told in TABLE]
#: A portrait names what each item refers to; what a hidden file is attached to isn't here.
WHOLE = [name for name in FILES if name != "file-of-hidden-left-out-item"]


def bring(client: Client, name: str) -> Report:
    return import_wxr(client.site, FOLDER / f"{name}.xml")


def told(report: Report) -> str:
    found = report.as_dict()
    return "\n".join([*found["notices"], *found["left_out"], *(f"{type}: {n}" for type, n in found["hidden_comments"].items())])


def values(client: Client, address: str, field: str) -> list[Any]:
    answer = client.get(address.removeprefix("!"), "administrator" if address.startswith("!") else None)
    assert answer.status_code == 200, answer.text
    found = answer.json
    for part in field.split("."):
        found = [item[part] for item in found]
    return list(found)


@pytest.mark.parametrize(("name", "reads", "words"), TABLE, ids=FILES)
def test_each_fault_has_its_rule_and_is_told(client: Client, name: str, reads: Reads, words: list[str]) -> None:
    report = bring(client, name)

    assert {read: values(client, *read) for read in reads} == reads
    assert [word for word in words if word not in told(report)] == []


@pytest.mark.parametrize("name", WHOLE)
def test_a_second_import_changes_nothing(client: Client, name: str) -> None:
    bring(client, name)
    before = portray(client)

    report = bring(client, name)

    assert (report.imported, report.settings) == ({}, {})
    assert portray(client) == before


@pytest.mark.parametrize("name", WHOLE)
def test_what_came_of_it_moves_on_unchanged(make_client: MakeClient, tmp_path: Path, name: str) -> None:
    first, second = make_client(), make_client()
    bring(first, name)
    path = tmp_path / "moved.xml"
    with path.open("wb") as file:
        export_wxr(first.site, file)

    report = import_wxr(second.site, path)

    assert portray(second) == portray(first)
    assert (report.left_out.keys() - {("file", "files weren't asked for")}, report.notices, report.cleaned) == (set(), [], 0)


def test_the_circle_is_cut_at_one_place(client: Client) -> None:
    report = bring(client, "category-circle")
    parents = [item["parent"] for item in client.get("/categories?slug=a,b,c&orderby=slug").json]
    assert [parent == 0 for parent in parents] == [True, False, False]
    assert told(report).count("above itself") == 1


def test_foreign_comments_are_for_moderators_alone(client: Client) -> None:
    bring(client, "foreign-comment-type")
    found = client.get("/comments?type=all", "editor").json
    foreign = {item["id"]: item["type"] for item in found if item["type"] != "comment"}
    assert sorted(foreign.values()) == ["like", "order_note"]
    for id, type in foreign.items():
        for role, status in ((None, 401), ("subscriber", 403), ("author", 403)):
            assert client.get(f"/comments/{id}", role).status_code == status
        assert client.get(f"/comments/{id}?context=edit", "editor").json["type"] == type
    for address in ("/comments", "/comments?per_page=100"):
        assert client.get(address).headers["X-WP-Total"] == "1"
    post = client.get("/posts?_embed=replies").json[0]
    assert [reply["type"] for reply in post["_embedded"]["replies"][0]] == ["comment"]
    assert client.get("/comments?type=all", "editor").headers["X-WP-Total"] == "3"


def test_scripts_of_comments_never_reach_a_browser(client: Client) -> None:
    report = bring(client, "comment-script")
    for comment in client.get("/comments?context=edit&status=any&type=all", "administrator").json:
        for text in comment["content"].values():
            assert not [sign for sign in ("<img", "<script", "javascript:", "<iframe", "<style", "onmouseover") if sign in text]
    assert report.cleaned == 6


def test_trusted_markup_stays(client: Client) -> None:
    report = import_wxr(client.site, FOLDER / "comment-script.xml", trust_markup=True)
    raw = [item["content"]["raw"] for item in client.get("/comments?context=edit&order=asc", "administrator").json]
    assert "<script>alert(2)</script>" in raw
    assert report.cleaned == 0


def test_a_file_of_something_hidden_stays_hidden_where_it_moves(make_client: MakeClient, tmp_path: Path) -> None:
    first, second = make_client(), make_client()
    for _time in range(2):
        bring(first, "file-of-hidden-left-out-item")
    path = tmp_path / "moved.xml"
    with path.open("wb") as file:
        export_wxr(first.site, file)
    import_wxr(second.site, path)
    for client in (first, second):
        assert client.get("/media").json == []
        assert [item["slug"] for item in client.get("/media?context=edit", "administrator").json] == ["scan"]

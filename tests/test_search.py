"""Searches in both modes: what is found and what isn't, after whatever happens to an item."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from adapter import copy_ready_site
from click.testing import CliRunner
from old_databases import migrate_to
from sites import Client

from cms.app import create_app
from cms.cli import main
from cms.db.migrate import PendingMigrations
from cms.db.stores.search import COMMON

MODES = ("parts", "words")
#: Items by name: title, excerpt and content.
ITEMS = {
    "cafe": ("Crème brûlée at the café", "A sweet evening", "<p>Burnt&nbsp;sugar &amp; cream.</p>"),
    "lighthouse": ("The old lighthouse", "", "<p>Fish & chips near the house-boat, 2019–2020.</p>"),
    "chips": ("Potato", "chips without fish", "<p>Don’t say “fish chips”.</p>"),
    "tokyo": ("東京タワー", "", "<p>港区の中文網站</p>"),
    "hindi": ("हिन्दी भाषा", "", "<p>Ёлка и Straße</p>"),
    "signs": ("100% C++", "", "<p>a_b x\\y \"quoted\" AND OR NOT NEAR(a)</p>"),
    "short": ("Z", "q7", "<p>ox</p>"),
}
EVERY = set(ITEMS)
#: A search, what it finds as parts of words, and what as beginnings of words.
SEARCHES = [
    ("creme", {"cafe"}, {"cafe"}),
    ("CAFÉ brulee", {"cafe"}, {"cafe"}),
    ("house", {"lighthouse"}, {"lighthouse"}),
    ("ighthous", {"lighthouse"}, set()),
    ("light", {"lighthouse"}, {"lighthouse"}),
    ("fish chips", {"lighthouse", "chips"}, {"lighthouse", "chips"}),
    ('"fish & chips"', {"lighthouse"}, {"lighthouse"}),
    ('"fish chips"', {"chips"}, {"chips"}),
    ('"ish chip"', {"chips"}, set()),
    ("fish -potato", {"lighthouse"}, {"lighthouse"}),
    ("fish -otato", {"lighthouse"}, {"lighthouse", "chips"}),
    ("-fish", EVERY - {"lighthouse", "chips"}, EVERY - {"lighthouse", "chips"}),
    ("-zz", EVERY, EVERY),
    ("house-boat", {"lighthouse"}, {"lighthouse"}),
    ("house boat", {"lighthouse"}, {"lighthouse"}),
    ("house-cat", set(), set()),
    ("2019-2020", {"lighthouse"}, {"lighthouse"}),
    ("don't", {"chips"}, {"chips"}),
    ("sugar", {"cafe"}, {"cafe"}),
    ('"burnt sugar"', {"cafe"}, {"cafe"}),
    ("amp", set(), set()),
    ("東京タワー", {"tokyo"}, {"tokyo"}),
    ("東京", {"tokyo"}, {"tokyo"}),
    ("タワ", {"tokyo"}, set()),
    ("文", {"tokyo"}, set()),
    ("हिन्दी", {"hindi"}, {"hindi"}),
    ("елка strasse", {"hindi"}, {"hindi"}),
    ("100%", {"signs"}, {"signs"}),
    ("a_b", {"signs"}, {"signs"}),
    ("c++", {"signs"}, {"signs", "cafe", "chips", "lighthouse"}),
    ("%", {"signs"}, set()),
    ("_", {"signs"}, set()),
    ("near(a)", {"signs"}, {"signs"}),
    ("q7", {"short"}, {"short"}),
    ("z", {"short"}, {"short"}),
    ("ox", {"short"}, {"short"}),
    ("7", {"short"}, set()),
    ("nowhere", set(), set()),
    ("fish nowhere", set(), set()),
    ("creme fish", set(), set()),
    ("evening sugar", {"cafe"}, {"cafe"}),
]


def run(folder: Path, *arguments: str, **environ: str) -> str:
    """Run a command that goes well and return what it prints."""
    result = CliRunner().invoke(main, ["--instance", str(folder), *arguments], env=environ)
    assert result.exit_code == 0, result.output
    return result.stdout


def open_in(mode: str, folder: Path) -> Client:
    """Return a client of a pristine site in a mode."""
    copy_ready_site(folder)
    run(folder, "migrate", CMS_SEARCH_MODE=mode)
    return Client(folder, search_mode=mode)


def add(client: Client, title: str, excerpt: str = "", content: str = "", **fields: Any) -> int:
    texts = {"title": title, "excerpt": excerpt, "content": content, "status": "publish"}
    return int(client.new("/posts", **{**texts, **fields})["id"])


def found(client: Client, sought: str, login: str | None = None, more: str = "") -> list[int]:
    """Return the ids that a search finds, having looked that the total is right too."""
    answer = client.get(f"/posts?search={quote(sought)}&per_page=100{more}", login)
    assert answer.status_code == 200, answer.text
    ids = [item["id"] for item in answer.json]
    assert answer.headers["X-WP-Total"] == str(len(ids))
    return ids


@pytest.fixture(scope="module", params=[(mode, common) for mode in MODES for common in (COMMON, 1)],
                ids=lambda param: f"{param[0]}-{param[1]}")
def library(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A site in each mode with all items, and their names by id; once all that one item has is taken for common."""
    mode, common = request.param
    client = open_in(mode, tmp_path_factory.mktemp("library"))
    for item in client.get("/posts?per_page=100", "administrator").json:
        client.delete(f"/posts/{item['id']}?force=true", "administrator")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("cms.db.stores.search.COMMON", common)
        patch.setattr("cms.db.search_terms.COMMON", common)
        yield mode, client, {add(client, *texts): name for name, texts in ITEMS.items()}
    client.site.close()


@pytest.mark.parametrize(("sought", "parts", "words"), SEARCHES)
def test_what_a_search_finds(library: Any, sought: str, parts: set[str], words: set[str]) -> None:
    mode, client, names = library

    assert {names[id] for id in found(client, sought)} == {"parts": parts, "words": words}[mode]


@pytest.fixture(params=MODES)
def client(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Client]:
    """A client of a site in each mode."""
    made = open_in(request.param, tmp_path)
    yield made
    made.site.close()


def test_changes_are_found_and_what_was_isnt(client: Client) -> None:
    id = add(client, "Walrus", "tusk", "iceberg")

    client.post(f"/posts/{id}", {"title": "Penguin", "content": "glacier"}, "administrator")

    assert [found(client, word) for word in ("walrus", "iceberg")] == [[], []]
    assert [found(client, word) for word in ("penguin", "tusk", "glacier", "gl")] == [[id]] * 4


def test_the_trash_is_searched_where_it_is_asked_for(client: Client) -> None:
    id = add(client, "Walrus")

    client.delete(f"/posts/{id}", "administrator")

    assert found(client, "walrus") == []
    assert found(client, "walrus", "administrator", "&status=trash") == [id]


def test_what_is_deleted_is_not_found_by_its_old_words_or_a_new_item_by_them(client: Client) -> None:
    id = add(client, "Walrus", "x", "<p>iceberg</p>")
    client.delete(f"/posts/{id}?force=true", "administrator")
    other = add(client, "Penguin")

    assert [found(client, word) for word in ("walrus", "iceberg", "wa", "x")] == [[]] * 4
    assert found(client, "penguin") == [other]


def test_private_and_protected_items_are_found_by_those_who_may_read_them(client: Client) -> None:
    private = add(client, "Walrus one", status="private")
    locked = add(client, "Walrus two", content="iceberg", password="tusk")
    draft = add(client, "Walrus three", status="draft")
    later = add(client, "Walrus four", date="2099-01-01T00:00:00")

    assert found(client, "walrus") == []
    assert sorted(found(client, "walrus", "administrator")) == [locked]
    assert sorted(found(client, "walrus", "administrator", "&status=any")) == [private, locked, draft, later]


@pytest.mark.parametrize("sought", ["walrus", "wal", "wa"])
def test_pages_of_a_search_follow_one_another(client: Client, sought: str) -> None:
    ids = [add(client, f"Walrus {number}") for number in range(7)]

    pages = [client.get(f"/posts?search={sought}&per_page=3&page={page}&orderby=id&order=asc") for page in (1, 2, 3)]

    assert [item["id"] for page in pages for item in page.json] == ids
    assert {page.headers["X-WP-Total"] for page in pages} == {"7"}


def test_relevance_ranks_titles_above_excerpts_above_contents(client: Client) -> None:
    rest = "<p>snow and more of it</p>"
    ids = [add(client, "Walrus", "tusk", rest), add(client, "Tusk", "walrus", rest), add(client, "Tusk", "tusk", f"{rest} walrus")]
    add(client, "Penguin", "tusk", rest)

    assert found(client, "walrus", more="&orderby=relevance") == ids
    assert found(client, "walrus", more="&orderby=relevance&order=asc") == ids


def test_comments_are_searched_by_columns_that_are_shown(make_client: Callable[..., Client]) -> None:
    quiet = make_client(comment_interval=0)
    post = add(quiet, "Item")
    fields = {"post": post, "author_name": "Wal Rus", "author_email": "tusk@example.org", "status": "approved"}
    id = quiet.new("/comments", content="An iceberg & snow", **fields)["id"]

    def seen(sought: str, login: str | None = None) -> list[int]:
        return [each["id"] for each in quiet.get(f"/comments?search={quote(sought)}", login).json]

    assert [seen(each) for each in ("ICEBERG", "berg & s", "al ru", "&", "g")] == [[id]] * 5
    assert [seen(each) for each in ("tusk@", "tu", "penguin", "berg snow")] == [[]] * 4
    assert [seen(each, "administrator") for each in ("tusk@", "tu")] == [[id]] * 2
    quiet.post(f"/comments/{id}", {"content": "A glacier"}, "administrator")
    assert [seen(each) for each in ("iceberg", "glacier")] == [[], [id]]
    quiet.delete(f"/comments/{id}?force=true", "administrator")
    assert seen("glacier") == []


def test_another_mode_is_refused_until_the_index_is_made_anew(make_client: Callable[..., Client]) -> None:
    client = make_client()
    folder, id = client.site.config.instance, add(client, "The lighthouse")
    client.site.close()

    with pytest.raises(PendingMigrations, match="Run: cms search reindex"):
        create_app({"search_mode": "words"}, folder)
    shown = run(folder, "search", "reindex", "--json", CMS_SEARCH_MODE="words")

    assert '"mode": "words"' in shown
    with pytest.raises(PendingMigrations, match="search_mode parts"):
        create_app({}, folder)
    again = Client(folder, search_mode="words")
    assert (found(again, "light"), found(again, "house")) == ([id], [])
    again.site.close()
    assert "in the mode parts" in run(folder, "search", "reindex")
    assert found(Client(folder), "house") == [id]


@pytest.mark.parametrize("mode", MODES)
def test_an_earlier_database_gets_the_index_of_the_mode(tmp_path: Path, mode: str) -> None:
    migrate_to(tmp_path / "site.db", "0017")

    assert "content_search" in run(tmp_path, "migrate", CMS_SEARCH_MODE=mode)
    assert "up to date" in run(tmp_path, "migrate", CMS_SEARCH_MODE=mode)


@pytest.mark.files_only  # a server has tables of folded texts, which the doctor looks at
def test_a_damaged_index_is_made_anew(make_client: Callable[..., Client]) -> None:
    client = make_client()
    id = add(client, "The lighthouse")
    client.site.database.execute("DROP TABLE content_search")
    client.site.close()

    run(client.site.config.instance, "migrate")

    assert found(Client(client.site.config.instance), "house") == [id]


@pytest.mark.files_only  # a server counts nothing
def test_searches_in_a_row_count_how_usual_their_characters_are_once(make_client: Callable[..., Client]) -> None:
    client = make_client()
    client.new("/posts", title="Quarternote", status="publish")

    def counted(size: int) -> int:
        read = client.statements(lambda: client.get(f"/posts?search=quarternote&per_page={size}"))
        return sum("WHERE term = value" in sql for sql in read)

    assert [counted(size) for size in (5, 6, 7)] == [1, 0, 0]

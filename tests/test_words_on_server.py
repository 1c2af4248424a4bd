"""The search for words on PostgreSQL: it finds what that of a site in a file finds, in any script, by its index alone."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import quote

import pytest
from adapter import PASSWORD
from click.testing import CliRunner
from servers import SERVER, drop_database, new_database
from sites import URL

from cms import create_app
from cms.cli import main
from cms.db.migrate import PendingMigrations
from cms.db.search_terms import MAX_TERMS
from cms.rendering.folding import fold
from cms.testing import basic

pytest.importorskip("psycopg", reason="the extra postgres isn't installed")
import psycopg

from cms.db.postgres import cursors
from cms.db.postgres.separators import SEPARATORS

needs_server = pytest.mark.skipif(not SERVER, reason="CMS_TEST_DATABASE names no server of PostgreSQL")

#: Titles and contents of items.
TEXTS = [
    ("Crème brûlée", "<p>Burnt&nbsp;sugar &amp; cream, at the café's <b>counter</b>.</p>"),
    ("C++ and C#", "An e-mail to x@example.org about AT&amp;T, R&amp;D; 100% of 3.14, 1,000 and 2019–2020."),
    ("Don’t say “fish chips”", "don't say \"fish chips\", ‘fish’ or fish--chips; fish,chips; fish. chips"),
    ("Straße nach Zürich", "STRASSE ΟΔΥΣΣΕΎΣ ὀδυσσεύς Ёлка ёлка Елка İstanbul ısı Ørsted Œuvre Þingvellir Łódź"),
    ("東京タワー", "港区の中文網站。ｶﾀｶﾅ カタカナ パパ はは"),
    ("हिन्दी भाषा", "ภาษาไทยเขียนติดกัน தமிழ் മലയാളം"),
    ("العربيّة", "مُحَمَّد עִבְרִית ١٢٣ ۴۵۶"),
    ("snake_case a_b x\\y", "AND OR NOT NEAR(a) 'quoted' a:b a*b (c) [d] {e} ^f $g"),
    ("Z", "ox q7 7up i18n naïve co\u00adoperate zero\u200bwidth e\u0301clair"),
    ("𝐁𝐨𝐥𝐝 ℂℍ ﬁne ①② Ⅻ ½ x² №5", "hello🤔world hello😀world \U0001f9a5sloth m³ 〇五 K Å"),
    ("한국어 문장", "대한민국 한글"),
    ("x" * 700, "日" * 900),
]
SEARCHES = [
    "creme", "CREME brulee", "burnt sugar", '"burnt sugar"', "amp", "cafe's", "cafe’s", "s", "counter", "b", "nbsp",
    "c++", "c#", "c", "e-mail", "email", "mail", "e", "at&t", "r&d", "100%", "100", "1", "10", "3.14", "1,000", "2019-2020",
    "2019", "20", "example.org", "x@example", "don't", "don’t", "dont", '"fish chips"', '"fish, chips"', '"fish--chips"',
    "fish-chips", "fish chips", '"ish chips"', "“fish", "‘fish’", "strasse", "straße", "STRASSE", "ss", "ζ", "οδυσσευς",
    "ὈΔΥΣΣΕΎΣ", "οδυσσευσ", "елка", "ЁЛКА", "istanbul", "İstanbul", "isi", "ısı", "orsted", "ørsted", "oeuvre", "œuvre",
    "thing", "lodz", "東京", "東", "京", "タワー", "港区の", "中文", "網站", "カタカナ", "ｶﾀｶﾅ", "ハハ", "はは", "हिन्दी", "हिन", "भाष",
    "ภาษา", "เขียน", "தமிழ்", "தம", "മലയ", "العربية", "العربيّة", "محمد", "עברית", "123", "١٢", "٣", "456", "۴", "snake_case",
    "snake", "case", "a_b", "_b", "_", "x\\y", "y", "AND", "OR", "NOT", "near(a)", "near", "'quoted'", "a:b", "a*b", "(c)", "[d]",
    "{e}", "^f", "$g", "*", "%", "z", "ox", "o", "q7", "7", "7up", "i18n", "naive", "cooperate", "co", "operate", "zerowidth",
    "width", "eclair", "e\u0301clair", "bold", "𝐁𝐨𝐥𝐝", "ch", "ℂ", "fine", "ﬁ", "12", "xii", "ⅻ", "½", "1⁄2", "x2", "x²", "no5",
    "hello", "world", "hello🤔", "hello🤔world", "hello😀world", "🤔", "sloth", "\U0001f9a5", "m3", "〇", "五", "k", "a", "å", "Å",
    "한국", "한", "국", "문장", "대한민국", "x" * 600, "x" * 700, "x" * 701, "日" * 600, "日" * 899, "日" * 901, "xxx 日日",
    "-fish", "fish -say", "creme -cafe", '-"fish chips"', "-%", "- fish", '"', '""', "'", "\\", "&", "|", "!", ":", "<->", "a & b",
    "'a':*", "fish | creme", "z " * (MAX_TERMS + 1), "nowhere", "fish nowhere", '"the café"', '"e-mail to"', '"x\\y"', '"a_b x"',
    '"c. d"', '"(c) [d]"', '"〇五 k"', '"ΟΔΥΣΣΕΎΣ ὀδυσσεύς"', '"東京 タワー"',
]  # fmt: skip
#: What texts of chance are made of.
SIGNS = [*"abAßéœſ1 7²٣_-–'’\"“”.,;&%+*()\\|!:<>日ア한हिन्ไäöÄΣςσİıКй", " ", "\u00a0", "\u00ad", "\u200d", "\u0301", "🤔", "😀", "𝐀", "ﬃ", "№",
         "&amp;", "&eacute;", "\ue000", "\u0378", "〇", "Ⅻ"]  # fmt: skip


def run(folder: Path, *arguments: str, code: int = 0, **environ: str) -> str:
    result = CliRunner().invoke(main, ["--instance", str(folder), *arguments], env=environ, input=f"{PASSWORD}\n")
    assert result.exit_code == code, result.output
    return result.stdout


class Searched:
    """A site that is asked what it finds."""

    def __init__(self, folder: Path) -> None:
        app = create_app({}, folder)
        self.site = app.extensions["cms"]
        self._client, self._headers = app.test_client(), {"Authorization": basic("admin", PASSWORD)}

    def add(self, title: str, content: str) -> None:
        body = {"title": title, "content": content, "status": "publish"}
        made = self._client.post("/api/cms/v2/posts", json=body, headers=self._headers)
        assert made.status_code == 201, made.get_json()

    def found(self, sought: str, more: str = "") -> list[str]:
        answer = self._client.get(f"/api/cms/v2/posts?search={quote(sought)}&per_page=100&_fields=title{more}", headers=self._headers)
        assert answer.status_code == 200, answer.get_json()
        titles = [item["title"]["rendered"] for item in answer.get_json()]
        assert answer.headers["X-WP-Total"] == str(len(titles))
        return titles


def make(folder: Path, database: str, mode: str = "words") -> Path:
    folder.mkdir()
    settings = f'url = "{URL}"\npassword_cost = "low"\nbackground = false\nsearch_mode = "{mode}"\ndatabase = "{database}"\n'
    (folder / "config.toml").write_text(settings, encoding="utf-8")
    run(folder, "init", "--password-stdin")
    return folder


@pytest.fixture
def address() -> Iterator[str]:
    """The address of an empty database on the server."""
    found = new_database()
    yield found
    drop_database(found)


@pytest.fixture
def opened() -> Iterator[Callable[[Path], Searched]]:
    """A function that opens the site in a folder, until the test's end."""
    made: list[Searched] = []

    def open(folder: Path) -> Searched:
        made.append(Searched(folder))
        return made[-1]

    yield open
    for each in made:
        each.site.close()


@needs_server
def test_words_find_the_same_on_both_engines(tmp_path: Path, address: str, opened: Callable[[Path], Searched]) -> None:
    file, server = (opened(make(tmp_path / name, database)) for name, database in (("file", "site.db"), ("server", address)))
    for title, content in TEXTS:
        file.add(title, content)
        server.add(title, content)

    found = {sought: sorted(server.found(sought)) for sought in SEARCHES}

    assert found == {sought: sorted(file.found(sought)) for sought in SEARCHES}
    assert sum(bool(titles) for titles in found.values()) > 100


@needs_server
def test_words_of_chance_find_the_same_on_both_engines(tmp_path: Path, address: str, opened: Callable[[Path], Searched]) -> None:
    file, server = (opened(make(tmp_path / name, database)) for name, database in (("file", "site.db"), ("server", address)))
    numbers = Random(7)
    texts = ["".join(numbers.choices(SIGNS, k=60)) for _number in range(30)]
    for number, text in enumerate(texts):
        file.add(f"{number}", text)
        server.add(f"{number}", text)

    for _number in range(300):
        text, start = numbers.choice(texts), numbers.randrange(60)
        sought = text[start : start + numbers.randrange(1, 5)]
        sought = f'"{sought}"' if numbers.random() < 0.3 else sought
        if sought.strip():
            assert sorted(server.found(sought)) == sorted(file.found(sought)), sought


@needs_server
def test_words_in_titles_come_before_those_in_texts(tmp_path: Path, address: str, opened: Callable[[Path], Searched]) -> None:
    site = opened(make(tmp_path / "server", address))
    for title, content in (("One", "walrus and snow"), ("Walrus", "snow"), ("Two", "walrus, walrus, walrus; snow")):
        site.add(title, content)

    assert site.found("walrus", "&orderby=relevance") == ["Walrus", "Two", "One"]


@needs_server
def test_a_text_with_more_words_than_an_entry_takes_is_found(tmp_path: Path, address: str, opened: Callable[[Path], Searched]) -> None:
    site = opened(make(tmp_path / "server", address))
    site.add("Large", " ".join(f"word{number}" for number in range(150_000)))
    site.add("Small", "word1 other")

    assert sorted(site.found("word1")) == ["Large", "Small"]
    assert site.found("word149999 word3") == ["Large"]
    assert site.found('"word77 word78"') == ["Large"]
    assert site.found("ord149999") == site.found('"word78 word77"') == []
    assert site.found("other -word149999") == ["Small"]


@needs_server
def test_a_site_changes_its_mode_there_and_back(tmp_path: Path, address: str, opened: Callable[[Path], Searched]) -> None:
    folder = make(tmp_path / "server", address, mode="parts")
    site = opened(folder)
    site.add("Lighthouse", "")
    assert site.found("house") == site.found("light") == ["Lighthouse"]
    config = (folder / "config.toml").read_text()
    for mode, found in (("words", []), ("parts", ["Lighthouse"])):
        (folder / "config.toml").write_text(config.replace("parts", mode))
        with pytest.raises(PendingMigrations, match=f"search_mode {mode}"):
            opened(folder)
        assert [each["check"] for each in findings(folder)] == ["search-index"]
        assert json.loads(run(folder, "search", "reindex", "--json"))["mode"] == mode
        assert findings(folder) == []
        site = opened(folder)
        assert site.found("house") == found
        assert site.found("light") == ["Lighthouse"]


def findings(folder: Path) -> list[Any]:
    """Return the faults that are found in a site."""
    result = CliRunner().invoke(main, ["--instance", str(folder), "doctor", "--json"])
    return [each for each in json.loads(result.stdout)["findings"] if each["level"] == "fault" and each["check"] != "cheap-passwords"]


@needs_server
def test_the_words_come_along_in_copies_and_backups(tmp_path: Path, address: str, opened: Callable[[Path], Searched]) -> None:
    folder = make(tmp_path / "site", "site.db")
    opened(folder).add("Lighthouse", "of stone")
    copied = json.loads(run(folder, "copy", "--to", address, "--json"))
    assert set(copied["settings"]) == {"database"}
    config = (folder / "config.toml").read_text()
    (folder / "config.toml").write_text(config.replace('"site.db"', f'"{address}"'))
    assert findings(folder) == []
    run(folder, "backup", str(tmp_path / "backup.tar"))
    opened(folder).add("Later", "of stone")

    run(folder, "restore", str(tmp_path / "backup.tar"))

    site = opened(folder)
    assert (site.found("stone"), site.found("ston light"), site.found("house")) == (["Lighthouse"], ["Lighthouse"], [])
    assert findings(folder) == []
    (folder / "config.toml").write_text((folder / "config.toml").read_text().replace('"words"', '"parts"'))
    run(folder, "restore", str(tmp_path / "backup.tar"))
    assert opened(folder).found("house") == ["Lighthouse"]
    assert findings(folder) == []


@needs_server
def test_an_index_leads_to_what_is_found(
    tmp_path: Path, address: str, opened: Callable[[Path], Searched], monkeypatch: pytest.MonkeyPatch
) -> None:
    site = opened(make(tmp_path / "server", address))
    site.add("Lighthouse", "of stone")
    fill(address)
    plans: list[str] = []
    execute = cursors.Connection.execute

    def explain(connection: Any, query: str, params: Any = None, **options: Any) -> Any:
        if "content_search" in query:
            rows = execute(connection, f"EXPLAIN {query}", params).fetchall()
            plans.append("\n".join(row[0] for row in rows))
        return execute(connection, query, params, **options)

    monkeypatch.setattr(cursors.Connection, "execute", explain)
    for sought in ("lighthouse", "stone light", '"of stone"', "light -wood"):
        assert site.found(sought) == site.found(sought, "&orderby=relevance") == ["Lighthouse"]
    assert len(plans) >= 12
    for plan in plans:
        assert "content_search_words" in plan
        assert "Seq Scan on content_search" not in plan


def fill(address: str) -> None:
    """Give a site many items with other words."""
    with closing(psycopg.connect(address, autocommit=True)) as connection:
        columns = [row[0] for row in connection.execute(
            "SELECT attname FROM pg_attribute WHERE attrelid = 'content'::regclass AND attnum > 0 AND NOT attisdropped"
        )]  # fmt: skip
        changed = {"id": "100000 + n", "slug": "'other' || n"}
        values = ", ".join(changed.get(column, column) for column in columns)
        connection.execute(
            f"INSERT INTO content ({', '.join(columns)}) SELECT {values} FROM content, generate_series(1, 3000) n WHERE title = 'Lighthouse'"
        )
        connection.execute("UPDATE content_search SET is_new = false, title = 'other' || id, content = 'wood ' || texts.many "
            "FROM (SELECT n, string_agg(md5(n || '-' || m), ' ') AS many FROM generate_series(1, 3000) n, generate_series(1, 50) m "
            "GROUP BY n) texts WHERE texts.n = id - 100000"
        )
        connection.execute("VACUUM ANALYZE")


@needs_server
def test_the_server_folds_letters_as_sites_in_files_do(tmp_path: Path, address: str) -> None:
    make(tmp_path / "server", address)
    letters = [chr(code) for code in (*range(1, 0xD800), *range(0xE000, 0x20000))]
    words = [f"q{letter}r" for letter in letters]
    words += ["  Fish &amp;  Chips\u2003", "ΟΔΥΣΣΕΎΣ", "e\u0301\u0323", "&lt;b&gt; &quot;&#039;&nbsp;x", "&amp;lt;"]
    with closing(psycopg.connect(address)) as connection:
        found = [row[0] for row in connection.execute("SELECT fold(word) FROM unnest(%s::text[]) word", (words,))]

    assert [(word, is_) for word, is_ in zip(words, found, strict=True) if is_ != fold(word)] == []


def test_separators_are_those_of_the_tokenizer_of_files() -> None:
    wanted: set[int] = set()
    for each in SEPARATORS.split():
        first, _sign, last = each.partition("-")
        wanted.update(range(int(first, 16), int(last or first, 16) + 1))
    codes = [code for code in range(1, 0x20000) if not 0xD800 <= code < 0xE000] + list(range(0xE0000, 0xE0200))
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute(
            "CREATE VIRTUAL TABLE t USING fts5 (x, detail = none, tokenize = \"unicode61 remove_diacritics 0 categories 'L* M* N* Co'\")"
        )
        database.execute("CREATE VIRTUAL TABLE v USING fts5vocab ('t', 'instance')")
        database.executemany("INSERT INTO t (rowid, x) VALUES (?, ?)", [(code, f"q{chr(code)}q") for code in codes])
        found = {row[0] for row in database.execute("SELECT doc FROM v WHERE term = 'q'")}
    assert found == wanted

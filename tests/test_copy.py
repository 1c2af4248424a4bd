"""`cms copy`: a whole site in another database, the same in all rows, or not there at all."""

from __future__ import annotations

import json
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from adapter import PASSWORD
from click.testing import CliRunner, Result
from servers import SERVER, drop_database, new_database
from sites import URL

from cms import create_app
from cms.cli import main
from cms.db.sqlite.copies import connect
from cms.testing import basic

needs_server = pytest.mark.skipif(not SERVER, reason="CMS_TEST_DATABASE names no server of PostgreSQL")

CONFIG = f'url = "{URL}"\npassword_cost = "low"\nbackground = false\nplugins = ["audit"]\n'
TYPES = {
    "chef": '[type]\nname = "chef"\nbase = "chefs"\nlabel = "Chefs"\n',
    "recipe": """
[type]
name = "recipe"
base = "recipes"
label = "Recipes"

[[field]]
name = "chef"
kind = "relation"
to = "chef"
""",
}
#: What is written into the site before it is copied; the chef is the second item.
ITEMS = [
    (
        "posts",
        {
            "title": "Zürich «1»",
            "content": "<p>a\tb\\n \\N \U0001f600</p>",
            "status": "publish",
            "sticky": True,
        },
    ),
    ("chefs", {"title": "Ann", "status": "publish"}),
    ("recipes", {"title": "Soup", "status": "publish", "chef": 2}),
    ("posts", {"title": "Later", "status": "publish", "date": "2039-01-02T03:04:05"}),
    ("tags", {"name": "Tag", "meta": {}}),
    ("comments", {"post": 1, "content": "A comment"}),
    ("users", {"username": "Ben", "email": "ben@example.org", "password": PASSWORD, "name": "Ben"}),
    ("posts", {"title": "Gone"}),
]


def run(folder: Path, *arguments: str, code: int = 0, input: str | None = None, **environ: str) -> Result:
    environment = {"CMS_INSTANCE": None, "CMS_DATABASE": None, **environ}
    result = CliRunner().invoke(main, ["--instance", str(folder), *arguments], env=environment, input=input)
    assert result.exit_code == code, result.output
    return result


def copy(folder: Path, to: object, *options: str, **environ: str) -> Any:
    return json.loads(run(folder, "copy", "--to", str(to), *options, "--json", **environ).stdout)


def refusal(folder: Path, *arguments: str, code: int = 1) -> str:
    return run(folder, "copy", *arguments, code=code).stderr


def export(folder: Path, database: object) -> str:
    """Return a site's export without the time at which it was made."""
    written = run(folder, "export", "-", CMS_DATABASE=str(database)).stdout
    return re.sub("<pubDate>.*?</pubDate>", "", written, count=1)


def content(path: Path) -> dict[str, object]:
    """Return all that a database file holds, but for when it was migrated and for the shape of its search index."""
    left_out = re.compile(r"schema_migration|\w+_search")
    found: dict[str, object] = {}
    with closing(sqlite3.connect(path)) as file:
        parts = file.execute("SELECT name, type, sql FROM sqlite_schema ORDER BY name").fetchall()
        for name, kind, sql in parts:
            if not left_out.match(name):
                found[name] = sql
                if kind == "table":
                    found[f"rows of {name}"] = sorted(map(repr, file.execute(f'SELECT * FROM "{name}"')))
    found["rows of sqlite_sequence"] = [row for row in found["rows of sqlite_sequence"] if ", 0)" not in row]
    return found


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a site in a file with items of all kinds."""
    folder = tmp_path_factory.mktemp("copied")
    (folder / "types").mkdir()
    for name, text in TYPES.items():
        (folder / "types" / f"{name}.toml").write_text(text, encoding="utf-8")
    (folder / "config.toml").write_text(CONFIG, encoding="utf-8")
    subprocess_input = f"{PASSWORD}\n"
    done = CliRunner().invoke(
        main,
        ["--instance", str(folder), "init", "--password-stdin"],
        input=subprocess_input,
        env={"CMS_INSTANCE": None},
    )
    assert done.exit_code == 0, done.output
    fill(folder)
    return folder


def fill(folder: Path) -> None:
    app = create_app({}, folder)
    client, headers = app.test_client(), {"Authorization": basic("admin", PASSWORD)}
    for resource, body in ITEMS:
        made = client.post(f"/api/cms/v2/{resource}", json=body, headers=headers)
        assert made.status_code == 201, made.get_json()
    last = made.get_json()["id"]
    client.delete(f"/api/cms/v2/posts/{last}?force=true", headers=headers)
    sent = {**headers, "Content-Disposition": 'attachment; filename="a.txt"', "Content-Type": "text/plain"}
    assert client.post("/api/cms/v2/media", data=b"a text", headers=sent).status_code == 201
    app.extensions["cms"].close()


@pytest.fixture
def address() -> Iterator[str]:
    """The address of an empty database on the server."""
    found = new_database()
    yield found
    drop_database(found)


def test_a_file_has_all_that_the_other_one_has(made: Path, tmp_path: Path) -> None:
    report = copy(made, tmp_path / "other.db")

    assert content(tmp_path / "other.db") == content(made / "site.db")
    assert export(made, tmp_path / "other.db") == export(made, "site.db")
    assert (report["tables"]["declared_links"]["rows"], report["tables"]["media"]["rows"]) == (1, 1)
    assert report["settings"] == {"database": str(tmp_path / "other.db")}
    assert (report["left_out"], report["written_meanwhile"]) == ([], False)
    assert [path.name for path in tmp_path.iterdir()] == ["other.db"]


def test_it_says_what_was_compared_and_which_setting_leads_there(made: Path, tmp_path: Path) -> None:
    shown = run(made, "copy", "--to", str(tmp_path / "other.db")).stdout

    assert re.search(r"content +\d+ +[0-9a-f]{16}", shown)
    assert "all are the same there" in shown
    assert f'database = "{tmp_path / "other.db"}"' in shown


def test_files_come_along_where_a_place_is_given(made: Path, tmp_path: Path) -> None:
    report = copy(made, tmp_path / "other.db", "--uploads", str(tmp_path / "files"))

    assert report["files"] == {"copied": 1, "known": 0, "failed": {}}
    assert report["settings"]["uploads"] == str(tmp_path / "files")
    assert [path.read_bytes() for path in tmp_path.rglob("a.txt")] == [b"a text"]


def test_what_an_interrupted_copy_has_left_is_no_site_and_in_nobody_s_way(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from cms.db.whole_tables import RowSum

    with monkeypatch.context() as patch:
        patch.setattr(RowSum, "add", interrupt)
        run(made, "copy", "--to", str(tmp_path / "other.db"), code=130)
    assert list(tmp_path.iterdir()) == []

    (tmp_path / "other.db.copying").write_bytes(b"killed in the middle")
    copy(made, tmp_path / "other.db")
    assert [path.name for path in tmp_path.iterdir()] == ["other.db"]


def test_what_is_written_meanwhile_is_told_and_isn_t_in_the_copy(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from cms.db.whole_tables import RowSum

    copy(made, tmp_path / "one.db")
    add = RowSum.add

    def add_beside_a_writer(sums: RowSum, row: tuple[object, ...]) -> None:
        with closing(sqlite3.connect(tmp_path / "one.db")) as file:
            file.execute("UPDATE options SET value = 'other'")
            file.commit()
        monkeypatch.setattr(RowSum, "add", add)
        add(sums, row)

    monkeypatch.setattr(RowSum, "add", add_beside_a_writer)
    report = copy(made, tmp_path / "two.db", CMS_DATABASE=str(tmp_path / "one.db"))

    assert report["written_meanwhile"]
    assert content(tmp_path / "two.db") == content(made / "site.db")


def test_tables_of_plugins_that_are_not_loaded_are_named(made: Path, tmp_path: Path) -> None:
    report = copy(made, tmp_path / "other.db", CMS_PLUGINS="declared_types")

    assert report["left_out"]
    assert not set(report["left_out"]) & set(report["tables"])


def interrupt(*_arguments: object) -> None:
    raise KeyboardInterrupt


#: What --to is refused for, with the exit code.
REFUSED = {
    "a file": ("full.db", "is there already", 1),
    "a folder": (".", "is there already", 1),
    "no folder": ("none/site.db", "there is no folder", 1),
    "another server": ("mysql://localhost/cms", "--to takes postgresql://", 2),
    "a url of a file": ("sqlite:///site.db", "--to takes postgresql://", 2),
}


@pytest.mark.parametrize(("to", "words", "code"), REFUSED.values(), ids=REFUSED)
def test_places_that_are_refused(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, to: str, words: str, code: int
) -> None:
    (tmp_path / "full.db").write_bytes(b"something")
    monkeypatch.chdir(tmp_path)

    assert words in refusal(made, "--to", to, code=code)
    assert [path.name for path in tmp_path.iterdir()] == ["full.db"]


def test_a_file_that_is_served_is_refused(made: Path) -> None:
    hold = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute('SELECT 1 FROM options'); print(flush=True); input()"
    command = [sys.executable, "-c", hold, str(made / "site.db")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        assert server.stdout
        assert server.stdin
        server.stdout.readline()
        found = refusal(made, "--to", str(made / "site.db"))
        server.stdin.close()
    assert "is a site that is served" in found


@needs_server
def test_there_and_back_nothing_is_lost(made: Path, tmp_path: Path, address: str) -> None:
    there = copy(made, address)
    back = copy(made, tmp_path / "back.db", CMS_DATABASE=address)

    assert there["tables"] == back["tables"]
    assert content(tmp_path / "back.db") == content(made / "site.db")
    assert export(made, "site.db") == export(made, address) == export(made, tmp_path / "back.db")


@needs_server
def test_the_copy_on_a_server_goes_on_as_the_site_would(made: Path, address: str) -> None:
    copy(made, address)
    app = create_app({"database": address}, made)
    client, headers = app.test_client(), {"Authorization": basic("admin", PASSWORD)}

    new = client.post(
        "/api/cms/v2/posts", json={"title": "New", "status": "publish"}, headers=headers
    ).get_json()
    found = client.get("/api/cms/v2/posts?search=zurich").get_json()
    counted = client.get("/api/cms/v2/posts").headers["X-WP-Total"]
    app.extensions["cms"].close()

    with closing(sqlite3.connect(made / "site.db")) as file:
        last = file.execute("SELECT seq FROM sqlite_sequence WHERE name = 'content'").fetchone()[0]
    assert new["id"] == last + 1
    assert ([each["id"] for each in found], counted) == ([1], "2")


@needs_server
def test_a_database_that_isn_t_empty_is_refused(made: Path, address: str) -> None:
    copy(made, address)

    assert "has tables already" in refusal(made, "--to", address)


@needs_server
def test_a_database_that_others_have_open_is_refused(made: Path, address: str) -> None:
    import psycopg

    with psycopg.connect(address):
        assert "others have the database open" in refusal(made, "--to", address)


@needs_server
def test_what_a_server_can_t_store_is_named_and_nothing_stays(
    made: Path, tmp_path: Path, address: str
) -> None:
    copy(made, tmp_path / "other.db")
    with closing(sqlite3.connect(tmp_path / "other.db")) as file:
        file.execute("UPDATE terms SET version = 'many' WHERE id = 2")
        file.commit()
    done = run(made, "copy", "--to", address, code=1, CMS_DATABASE=str(tmp_path / "other.db"))
    assert "table terms" in done.stderr

    run(made, "export", "-", code=1, CMS_DATABASE=address)
    assert copy(made, address)["rows"]


@needs_server
def test_a_character_that_no_text_of_a_server_can_have_is_left_out_and_told_of(
    made: Path, tmp_path: Path, address: str
) -> None:
    copy(made, tmp_path / "other.db")
    with connect(tmp_path / "other.db") as file:
        file.execute("UPDATE terms SET description = 'a' || char(0) || 'b' WHERE id = 2")
        file.execute("UPDATE content SET content = 'Har' || char(0) || 'bour' WHERE id = 1")
    other = {"CMS_DATABASE": str(tmp_path / "other.db")}

    done = run(made, "copy", "--to", address, **other)

    assert "table terms, row id 2: left out the character with the number 0." in done.stderr
    back = copy(made, tmp_path / "back.db", CMS_DATABASE=address)
    assert back["shortened"] == []
    with closing(sqlite3.connect(tmp_path / "back.db")) as file:
        texts = file.execute(
            "SELECT description FROM terms WHERE id = 2 UNION ALL SELECT content FROM content WHERE id = 1"
        )
        assert texts.fetchall() == [("ab",), ("Harbour",)]
    with closing(sqlite3.connect(tmp_path / "other.db")) as file:
        assert file.execute("SELECT length(CAST(content AS BLOB)) FROM content WHERE id = 1").fetchone() == (8,)


@needs_server
@pytest.mark.long
def test_twenty_thousand_items_there_and_back(tmp_path: Path, address: str) -> None:
    bench = Path(__file__).parent.parent / "bench"
    site = tmp_path / "site"
    subprocess.run([sys.executable, "make_site.py", str(site), "20000"], cwd=bench, check=True)

    there = copy(site, address)
    back = copy(site, tmp_path / "back.db", CMS_DATABASE=address)

    assert there["tables"] == back["tables"]
    assert there["tables"]["content"]["rows"] == 20_000
    assert content(tmp_path / "back.db") == content(site / "site.db")
    assert export(site, "site.db") == export(site, address) == export(site, tmp_path / "back.db")

"""Fields of plugins: written, read, filtered by and sorted by, on every kind of item."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import Any

import pytest
from pictures import PICTURE
from sites import Client

RESOURCES = ("post", "page", "category", "post_tag", "user", "comment", "attachment")
FIELDS = f'''
def fields():
    return {{
        "rank": Integer(_("A rank."), minimum=0, filterable=True, sortable=True),
        "mood": String(_("A mood."), enum=("glad", "sad", "it's"), default="glad", filterable=True, sortable=True),
        "hidden": Boolean(_("Whether it hides."), default=False, filterable=True),
        "held": DateTime(_("When it was held."), filterable=True, sortable=True),
        "notes": List(_("Notes."), items=String(_("A note.")), default=[]),
        "more": Object(_("More."), default=None),
    }}

@hookimpl
def register_fields():
    return {{name: fields() for name in {RESOURCES!r}}}
'''
PATHS = {"post": "/posts", "page": "/pages", "category": "/categories", "post_tag": "/tags", "user": "/users",
         "comment": "/comments", "attachment": "/media"}


@pytest.fixture
def client(plugged: Any) -> Client:
    return plugged({"comment_interval": 0}, extra=FIELDS).client()


def create(client: Client, kind: str, number: int, **fields: Any) -> int:
    """Make an item of a kind and return its id."""
    path = PATHS[kind]
    if kind == "attachment":
        answer = client.send("POST", path, "administrator", data=PICTURE, content_type="image/gif",
                             headers={"Content-Disposition": f"attachment; filename=p{number}.gif"})
        assert answer.status_code == 201, answer.text
        id = int(answer.json["id"])
        if fields:
            assert client.post(f"{path}/{id}", fields, "administrator").status_code == 200
        return id
    needed: dict[str, Any] = {"title": f"Item {number}", "name": f"Item {number}", "status": "publish"}
    if kind == "comment":
        needed = {"post": client.new("/posts", title="Post", status="publish")["id"], "content": f"Text {number}"}
    if kind == "user":
        needed = {"username": f"user{number}", "email": f"user{number}@example.org", "password": "secret words"}
    return int(client.new(path, "administrator", **needed, **fields)["id"])


@pytest.mark.parametrize("kind", RESOURCES)
def test_a_round_trip_of_values_kept_beside_an_item(client: Client, kind: str) -> None:
    path = f"{PATHS[kind]}/{create(client, kind, 1)}"
    names = ("rank", "mood", "hidden", "held", "notes", "more")

    def values() -> dict[str, Any]:
        found = client.get(f"{path}?context=edit", "administrator").json
        return {name: found[name] for name in names}

    empty = {"rank": None, "mood": "glad", "hidden": False, "held": None, "notes": [], "more": None}
    full = {"rank": 3, "mood": "it's", "hidden": True, "held": "2021-11-07T01:30:00", "notes": ["a", "b"],
            "more": {"deep": [1, {"er": None}]}}
    assert values() == empty
    before = client.get(f"{path}?context=edit", "administrator")
    answer = client.post(path, full, "administrator")
    assert answer.status_code == 200, answer.text
    assert values() == full
    assert client.get(f"{path}?context=edit", "administrator").headers["ETag"] != before.headers["ETag"]
    client.post(path, {"rank": 4}, "administrator")
    assert values() == {**full, "rank": 4}
    client.post(path, dict.fromkeys(names), "administrator")
    assert values() == empty


@pytest.mark.parametrize("kind", RESOURCES)
def test_values_are_checked_and_described(client: Client, kind: str) -> None:
    path = f"{PATHS[kind]}/{create(client, kind, 1)}"

    refused = client.post(path, {"rank": -1, "mood": "bored", "hidden": "maybe", "held": "soon", "notes": [[]]},
                          "administrator")
    assert (refused.status_code, refused.json["code"]) == (400, "rest_invalid_param")
    assert set(refused.json["data"]["params"]) == {"rank", "mood", "hidden", "held", "notes"}
    told = client.send("OPTIONS", path).json
    assert told["schema"]["properties"]["mood"]["enum"] == ["glad", "sad", "it's"]
    routes = client.get("//api/").json["routes"]
    lists, creates = (e["args"] for e in routes[f"/cms/v2{PATHS[kind]}"]["endpoints"])
    assert {"rank", "mood", "hidden", "held"} <= set(lists)
    assert {"notes", "more"} & set(lists) == set()
    assert set(lists["orderby"]["enum"]) >= {"rank", "mood", "held"}
    assert "hidden" not in lists["orderby"]["enum"]
    assert "default" not in lists["mood"]
    assert creates["mood"]["default"] == "glad"
    assert "rank" in routes["/cms/v2/users/me"]["endpoints"][1]["args"]


@pytest.mark.parametrize("kind", RESOURCES)
def test_lists_are_filtered_and_sorted_by_values_with_right_totals(client: Client, kind: str) -> None:
    path = PATHS[kind]
    ids = [create(client, kind, number, **fields) for number, fields in enumerate((
        {"rank": 2, "mood": "sad", "held": "2024-01-01T00:00:00"}, {"rank": 1, "hidden": True, "mood": "it's"},
        {"held": "2023-01-01T00:00:00"}, {"rank": 2}))]
    only = "include=" + ",".join(map(str, ids))

    def found(query: str) -> tuple[set[int], str]:
        answer = client.get(f"{path}?{only}&{query}", "administrator")
        assert answer.status_code == 200, answer.text
        return {item["id"] for item in answer.json}, answer.headers["X-WP-Total"]

    def ordered(query: str) -> list[int]:
        answer = client.get(f"{path}?{only}&{query}", "administrator")
        return [ids.index(item["id"]) for item in answer.json]

    assert found("rank=2") == ({ids[0], ids[3]}, "2")
    assert found("rank=2&per_page=1&page=2")[1] == "2"
    assert found("rank=0") == (set(), "0")
    assert found("mood=glad") == ({ids[2], ids[3]}, "2")
    assert found("mood=it's") == ({ids[1]}, "1")
    assert found("hidden=false") == ({ids[0], ids[2], ids[3]}, "3")
    assert found("hidden=true&rank=1") == ({ids[1]}, "1")
    assert found("held=2024-01-01T00:00:00") == ({ids[0]}, "1")
    assert found("held=2024-01-01T03:00:00%2B03:00") == ({ids[0]}, "1")
    assert ordered("orderby=rank&order=asc")[1:] == [1, 0, 3]
    assert ordered("orderby=rank&order=desc") == [3, 0, 1, 2]
    assert ordered("orderby=held&order=desc")[:2] == [0, 2]
    assert client.get(f"{path}?rank=many").status_code == 400
    assert client.get(f"{path}?orderby=notes").status_code == 400


def test_a_date_is_kept_in_gmt_and_shown_in_the_site_s_zone(client: Client) -> None:
    post = create(client, "post", 1, held="2024-06-01T12:00:00+02:00")

    assert client.get(f"/posts/{post}").json["held"] == "2024-06-01T10:00:00"
    client.post("/settings", {"timezone": "Asia/Jakarta"}, "administrator")
    assert client.get(f"/posts/{post}").json["held"] == "2024-06-01T17:00:00"
    assert client.get("/posts?held=2024-06-01T17:00:00").headers["X-WP-Total"] == "1"


def test_texts_are_sorted_whatever_their_case(plugged: Any) -> None:
    client = plugged(extra="@hookimpl\ndef register_fields():\n"
                           "    return {'post': {'author_line': String(_('X.'), sortable=True)}}\n").client()
    for name in ("berta", "Anton", "Cäsar", "anna"):
        client.new("/posts", title="Post", status="publish", author_line=name)

    found = client.get("/posts?orderby=author_line&order=asc").json
    assert [post["author_line"] for post in found] == ["anna", "Anton", "berta", "Cäsar"]


LOCKED = '''
@hookimpl
def register_fields():
    return {"post": {
        "mood": String(_("X."), default="calm", protected=True, sortable=True),
        "house": String(_("X."), default="", protected=True, sortable=True),
        "sign": String(_("X."), enum=("A", "b"), protected=True, sortable=True),
        "rank": Integer(_("X."), default=2, protected=True, sortable=True),
        "most": Integer(_("X."), protected=True, sortable=True),
        "open": Boolean(_("X."), default=True, protected=True, sortable=True),
        "held": DateTime(_("X."), protected=True, sortable=True),
    }}
'''
#: A value before what stands for none, and one behind it.
AROUND_NONE = {"mood": ("Bold", "Dull"), "house": (None, "b"), "sign": (None, "A"), "rank": (1, 3), "most": (None, 1),
               "open": (False, None), "held": (None, "2024-01-01T00:00:00")}


@pytest.mark.parametrize(("name", "before", "behind"), [(name, *around) for name, around in AROUND_NONE.items()])
@pytest.mark.parametrize("query", ["", "&status=publish,draft"])
def test_locked_items_stand_where_those_without_a_value_do(plugged: Any, name: str, before: Any, behind: Any, query: str) -> None:
    client = plugged(extra=LOCKED).client()

    def new(value: Any, **fields: Any) -> int:
        values = {} if value is None else {name: value}
        return int(client.new("/posts", title="Post", status="publish", **values, **fields)["id"])

    least = [] if before is None else [new(before)]
    most = [] if behind is None else [new(behind)]
    none = [new(None), *(new(value, password="sesame") for value in (before, behind)), new(None)]

    for order, ids in (("asc", [*least, *none, *most]), ("desc", [*most, *none[::-1], *least])):
        path = f"/posts?orderby={name}&order={order}{query}"
        assert [item["id"] for item in client.get(path, "editor").json] == ids
        assert walked(client, f"{path}&per_page=2") == ids


def walked(client: Client, path: str) -> list[int]:
    """Return the ids of a whole list, read by cursors."""
    found: list[int] = []
    cursor = "*"
    while cursor:
        answer = client.get(f"{path}&cursor={cursor}", "editor")
        found += [item["id"] for item in answer.json]
        cursor = answer.headers.get("X-CMS-Cursor", "")
    return found


SECRET = '''
@hookimpl
def register_fields():
    secret = String(_("A secret."), EDIT_ONLY, filterable=True, sortable=True)
    return {name: {"secret": secret} for name in ("post", "user", "comment")}
'''


@pytest.mark.parametrize("query", ["secret=red", "orderby=secret"])
def test_what_only_the_editable_form_shows_is_no_riddle_for_readers(plugged: Any, query: str) -> None:
    client = plugged(extra=SECRET).client()
    own = client.new("/posts", "author", title="Own", status="publish", secret="red")["id"]
    client.new("/posts", "editor", title="Other", status="publish", secret="red")

    assert "secret" not in client.get("/posts").json[0]
    for role, status in ((None, 401), ("author", 403), ("editor", 403)):
        answer = client.get(f"/posts?{query}", role)
        assert (answer.status_code, answer.json["code"]) == (status, "rest_forbidden_param")
    assert client.get(f"/posts?{query}&context=edit").status_code == 401
    mine = client.get(f"/posts?{query}&context=edit", "author")
    assert ([post["id"] for post in mine.json], mine.headers["X-WP-Total"]) == ([own], "1")
    assert client.get(f"/posts?{query}&context=edit", "editor").headers["X-WP-Total"] == "2"
    for path in ("/users", "/comments"):
        assert client.get(f"{path}?{query}").status_code == 401
        assert client.get(f"{path}?{query}&context=edit", "administrator").status_code == 200


ELSEWHERE = '''
from peewee import SQL, NodeList
READ = "SELECT post, stars FROM stars WHERE post IN (SELECT value FROM json_each(?))"

def load(page):
    return dict(page.site.database.tuples(READ, (str(page.ids),)))

def store(site, id, value):
    if value == 13:
        raise ValueError("unlucky")
    site.database.execute("INSERT INTO stars (post, stars) VALUES (?, ?) "
        "ON CONFLICT (post) DO UPDATE SET stars = excluded.stars", (id, value))

def stars_of():
    return NodeList((SQL("(SELECT stars FROM stars WHERE post ="), Content.id, SQL(")")))

@hookimpl
def register_fields():
    stars = Integer(_("How many stars it has."), columns=("id",), load=load, store=store,
                    read=lambda row, page: page.load(load).get(row["id"], 0), filterable=True, sortable=True,
                    where=lambda bound: stars_of() == bound, order=stars_of())
    return {"post": {"stars": stars}}

@hookimpl
def register_migrations():
    return __file__.rsplit("/", 1)[0] + "/steps"
'''


def starred(plugged: Any) -> Any:
    site = plugged(stars____init__=ELSEWHERE)
    steps = site.folder / "plugins" / "stars" / "steps"
    steps.mkdir()
    (steps / "0001_stars.py").write_text("def up(migrator, db):\n    db.execute_sql("
                                         "'CREATE TABLE stars (post INTEGER PRIMARY KEY, stars INTEGER NOT NULL)')\n")
    site.run("migrate")
    return site


def test_a_plugin_keeps_values_in_a_table_of_its_own(plugged: Any) -> None:
    client = starred(plugged).client()
    one, two, three = (client.new("/posts", title="Post", status="publish", **({"stars": n} if n else {}))["id"]
                       for n in (2, 5, 0))

    assert [post["stars"] for post in client.get("/posts?orderby=id&order=asc").json] == [2, 5, 0]
    found = client.get("/posts?stars=5")
    assert ([post["id"] for post in found.json], found.headers["X-WP-Total"]) == ([two], "1")
    assert [p["id"] for p in client.get("/posts?orderby=stars&order=desc").json] == [two, one, three]
    assert client.post(f"/posts/{one}", {"stars": 9}).json["stars"] == 9
    client.get("/posts")
    few, many = (len(client.statements(lambda most=most: client.get(f"/posts?per_page={most}"))) for most in (1, 3))
    assert few == many


def test_a_value_that_can_t_be_stored_takes_the_whole_write_back(plugged: Any) -> None:
    client = starred(plugged).client()
    post = client.new("/posts", title="Before", status="publish", stars=1)["id"]

    assert client.post(f"/posts/{post}", {"title": "After", "stars": 13}).status_code == 500
    shown = client.get(f"/posts/{post}").json
    assert (shown["title"]["rendered"], shown["stars"]) == ("Before", 1)
    assert client.post("/posts", {"title": "New", "status": "publish", "stars": 13}).status_code == 500
    assert len(client.get("/posts").json) == 1


def plan_of(client: Client, query: str) -> str:
    """Return how SQLite finds the ids of a list."""
    seen = client.statements(lambda: client.get(f"/posts?{query}"))
    statement = next(sql for sql in seen if "LIMIT" in sql)
    return "\n".join(row["detail"] for row in client.site.database.rows(f"EXPLAIN QUERY PLAN {statement}"))


@pytest.mark.files_only
def test_the_command_makes_indexes_that_lists_use_and_drops_them_with_their_fields(
        plugged: Any, caplog: pytest.LogCaptureFixture) -> None:
    site = plugged(extra=FIELDS)
    before = site.client()
    before.new("/posts", title="Post", status="publish", rank=1)

    assert before.get("/posts?rank=1").headers["X-WP-Total"] == "1"
    assert "plugin_field_content_rank_filter isn't there yet. Run: cms migrate" in caplog.text
    applied = site.json("migrate")["applied"]
    assert {"index plugin_field_content_rank_filter", "index plugin_field_terms_mood_order"} <= set(applied)
    assert site.json("migrate")["applied"] == []
    caplog.clear()
    client = site.client()
    assert "Run: cms migrate" not in caplog.text
    for query, index in (("rank=1", "rank_filter"), ("mood=glad", "mood_filter"), ("orderby=rank", "rank_order"),
                         ("orderby=mood", "mood_order")):
        assert f"plugin_field_content_{index}" in plan_of(client, query), query

    site.write(extra=FIELDS.replace('default="glad"', 'default="sad"').replace("minimum=0, filterable=True", "minimum=0"))
    applied = site.json("migrate")["applied"]
    assert "dropped index plugin_field_content_rank_filter" in applied
    assert "index plugin_field_content_mood_filter" in applied
    (site.folder / "plugins" / "extra.py").unlink()
    site.run("migrate")
    with closing(sqlite3.connect(site.folder / "site.db")) as database:
        assert database.execute("SELECT name FROM sqlite_master WHERE name GLOB 'plugin_field_*'").fetchall() == []


@pytest.mark.files_only
def test_a_worker_never_writes_the_schema(plugged: Any) -> None:
    site = plugged(extra=FIELDS)
    path = site.folder / "site.db"

    def schema() -> Any:
        with closing(sqlite3.connect(path)) as database:
            return database.execute("PRAGMA schema_version").fetchone()

    before = schema()
    client = site.client()
    client.get("/posts?rank=1&orderby=mood")
    client.new("/posts", title="Post", rank=1)

    assert schema() == before


def test_values_beside_cost_no_statement(make_client: Any, plugged: Any) -> None:
    def statements(client: Client, query: str = "") -> int:
        for number in range(3):
            client.new("/posts", title=f"Post {number}", status="publish")
        client.get(f"/posts{query}")
        return len(client.statements(lambda: client.get(f"/posts{query}")))

    assert statements(make_client()) == statements(plugged(extra=FIELDS).client()) == \
        statements(plugged(extra=FIELDS).client(), "?mood=glad&orderby=rank")


def test_two_sites_do_not_share_fields(plugged: Any, make_client: Any) -> None:
    one = plugged(extra=FIELDS).client()
    two, three = make_client(), plugged(extra=FIELDS.replace("rank", "level")).client()

    shown = [set(site.new("/posts", title="Post", rank=1, level=2)) & {"rank", "level"} for site in (one, two, three)]
    assert shown == [{"rank"}, set(), {"level"}]


def test_fields_of_accounts_are_part_of_one_s_own(client: Client) -> None:
    assert client.post("/users/me", {"rank": 7}, "author").json["rank"] == 7
    assert client.get("/users/me", "author").json["rank"] == 7

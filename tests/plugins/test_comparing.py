"""Fields of plugins whose filters compare, whose values are unique, that were renamed, and types with an address."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import Any

import pytest
from sites import Client

DISHES = '''
from cms.plugin import ContentType, LabelText, Number

@hookimpl
def register_types(config):
    label = LabelText("Dishes of " + config.instance.name, {"id": "Hidangan"})
    return [ContentType("dish", "dishes", label, supports=("title",), address="/menu/{slug}/", fields={
        "minutes": Integer(_("How long it takes."), minimum=0, filterable=True, sortable=True, operators=True),
        "price": Number(_("What it costs."), default=1.5, filterable=True, operators=True, label=_("Title")),
        "warm": Boolean(_("Whether it is warm."), default=False, filterable=True, operators=True),
        "served": DateTime(_("When it was served."), filterable=True, operators=True),
        "code": String(_("A code."), unique=True, stored_as="number", show=lambda value, page: value and value.upper()),
    })]
'''


@pytest.fixture
def client(plugged: Any) -> Client:
    site = plugged({"comment_interval": 0}, dishes=DISHES)
    site.run("migrate")
    return site.client()


@pytest.fixture
def dishes(client: Client) -> Client:
    for minutes, price in ((10, 2), (20, 2.5), (30, None), (None, 9)):
        client.new("/dishes", title=f"{minutes}", status="publish", minutes=minutes, price=price, warm=minutes == 20,
                   served=None if minutes is None else f"2026-01-{minutes}T12:00:00")
    return client


@pytest.mark.parametrize(("query", "found"), [
    ("minutes=20", ["20"]),
    ("minutes[gte]=20", ["20", "30"]),
    ("minutes[gt]=20", ["30"]),
    ("minutes[lte]=20", ["10", "20"]),
    ("minutes[lt]=20", ["10"]),
    ("minutes[in]=10,30", ["10", "30"]),
    ("minutes[in][]=10&minutes[in][]=20", ["10", "20"]),
    ("minutes[not]=20", ["10", "30", "None"]),
    ("minutes[gte]=15&minutes[lt]=30", ["20"]),
    ("price[gt]=2", ["20", "None"]),
    ("price=1.5", ["30"]),
    ("price=2.0", ["10"]),
    ("price[in]=2.0,9,1.5", ["10", "30", "None"]),
    ("price[not]=2.0", ["20", "30", "None"]),
    ("warm=true", ["20"]),
    ("warm[not]=true", ["10", "30", "None"]),
    ("warm[not]=false", ["20"]),
    ("warm[in]=false", ["10", "30", "None"]),
    ("served[gte]=2026-01-20T12:00:00", ["20", "30"]),
])
def test_a_filter_compares(dishes: Client, query: str, found: list[str]) -> None:
    answer = dishes.get(f"/dishes?{query}&orderby=id&order=asc")
    assert [item["title"]["rendered"] for item in answer.json] == found
    assert answer.headers["X-WP-Total"] == str(len(found))


@pytest.mark.parametrize("query", ["minutes[like]=1", "minutes[gte]=soon", "minutes[in]=1,x", "minutes[gte]="])
def test_what_cannot_be_compared_is_refused(dishes: Client, query: str) -> None:
    answer = dishes.get(f"/dishes?{query}")
    assert (answer.status_code, list(answer.json["data"]["params"])) == (400, ["minutes"])


@pytest.mark.parametrize(("number", "status"), [(100, 200), (101, 400)])
@pytest.mark.parametrize("spelled", ["minutes[in]={0}", "minutes[in][]={1}"])
def test_as_many_values_are_compared_to_as_any_list_has(
        client: Client, spelled: str, number: int, status: int) -> None:
    values = [str(value) for value in range(number)]

    answer = client.get("/dishes?" + spelled.format(",".join(values), "&minutes[in][]=".join(values)))

    assert answer.status_code == status
    assert list(answer.json["data"]["params"] if status == 400 else []) == ["minutes"] * (status == 400)


def test_a_type_of_few_items_has_no_index_but_that_of_unique_values(plugged: Any) -> None:
    site = plugged(dishes=DISHES)
    assert site.json("migrate")["applied"] == ["index plugin_field_content_dish__number_unique"]
    client = site.client()
    client.new("/dishes", title="Soup", status="publish", minutes=20)
    assert site.json("migrate")["applied"] == []
    assert [item["minutes"] for item in client.get("/dishes?minutes[gte]=20").json] == [20]


@pytest.mark.files_only
def test_a_comparison_uses_the_index_of_its_type(plugged: Any) -> None:
    site = plugged({"comment_interval": 0}, dishes=DISHES)
    site.run("migrate")
    client = site.client()
    _fill(client, 1_001)
    assert len(site.json("migrate")["applied"]) == 5
    statement = next(sql for sql in client.statements(lambda: client.get("/dishes?minutes[gte]=20"))
                     if "minutes" in sql)
    with closing(sqlite3.connect(client.site.config.database)) as database:
        database.create_function("fold", 1, str)
        plan = str(database.execute(f"EXPLAIN QUERY PLAN {statement}").fetchall())
        indexes = [sql for (sql,) in database.execute("SELECT sql FROM sqlite_master WHERE name GLOB 'plugin_field_*'")]
    assert "plugin_field_content_dish__minutes_" in plan
    assert len(indexes) == 6
    assert all("WHERE type = 'dish'" in sql for sql in indexes)


def _fill(client: Client, number: int) -> None:
    """Make as many dishes in all, copies of one."""
    client.new("/dishes", title="Soup", status="publish", minutes=20)
    columns = ", ".join(client.site.database.column(
        "SELECT name FROM pragma_table_info('content') WHERE name NOT IN ('id', 'slug', 'source_id', 'source_site')"))
    with client.site.database.write():
        client.site.database.execute(
            f"INSERT INTO content ({columns}) WITH RECURSIVE c (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM c WHERE n < ?) "
            f"SELECT {columns} FROM content, c WHERE type = 'dish'", (number,))


def test_two_items_never_have_the_same_unique_value(client: Client) -> None:
    first = client.new("/dishes", title="One", code="a1")
    second = client.new("/dishes", title="Two", code="b2")
    assert first["code"] == "A1"
    for path in ("/dishes", f"/dishes/{second['id']}"):
        answer = client.post(path, {"title": "Three", "code": "a1"})
        assert (answer.status_code, list(answer.json["data"]["params"])) == (400, ["code"])
    assert client.get(f"/dishes/{second['id']}?context=edit", "editor").json["code"] == "B2"
    assert client.post(f"/dishes/{first['id']}", {"code": "a1", "title": "Still one"}).status_code == 200
    assert client.post(f"/dishes/{first['id']}", {"code": None}).status_code == 200
    assert client.post(f"/dishes/{second['id']}", {"code": "a1"}).status_code == 200


def test_a_value_lies_under_the_name_that_it_is_stored_as(client: Client) -> None:
    id = client.new("/dishes", title="One", code="a1")["id"]
    assert client.site.database.scalar("SELECT meta FROM content WHERE id = ?", (id,)) == '{"number":"a1"}'


def test_a_label_is_said_in_its_own_languages_and_stands_in_options(client: Client) -> None:
    assert client.get("/types/dish").json["name"].startswith("Dishes of plugged")
    assert client.get("//id/api/cms/v2/types/dish").json["name"] == "Hidangan"
    properties = client.send("OPTIONS", "/dishes").json["schema"]["properties"]
    assert properties["price"] == {"type": "number", "description": "What it costs.", "title": "Title",
                                   "context": ["view", "embed", "edit"]}
    assert "title" not in properties["minutes"]


def test_a_type_says_where_its_items_are_shown_unless_the_settings_do(plugged: Any) -> None:
    site = plugged({"comment_interval": 0}, dishes=DISHES)
    made = site.client().new("/dishes", title="One", status="publish")
    assert made["link"].endswith("/menu/one/")
    assert site.client(links={"dish": "/d/{id}"}).get("/dishes").json[0]["link"].endswith(f"/d/{made['id']}")


def test_a_wrong_address_names_its_plugin(plugged: Any) -> None:
    site = plugged({}, dishes=DISHES.replace("/menu/{slug}/", "menu"))
    assert "dishes" in site.run("plugins", code=1).output
    assert "has the address 'menu'; it takes for dish a path" in site.run("routes", code=1).output

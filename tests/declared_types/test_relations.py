"""Relations lead to what is there, are found backwards, embedded, and lose what is deleted."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture
def ids(client: Any) -> dict[str, int]:
    ann, ben = (client.new("/chefs", title=name, status="publish")["id"] for name in ("Ann", "Ben"))
    soup = client.new("/recipes", title="Soup", status="publish", chef=ann)["id"]
    stew = client.new("/recipes", title="Stew", status="publish", chef=ben, similar=[soup])["id"]
    post = client.new("/posts", title="News", status="publish", recipe=stew)["id"]
    return {"ann": ann, "ben": ben, "soup": soup, "stew": stew, "post": post}


def titles(answer: Any) -> list[str]:
    return sorted(item["title"]["rendered"] for item in answer.json)


def test_items_are_found_by_what_they_lead_to(client: Any, ids: dict[str, int]) -> None:
    assert titles(client.get(f"/recipes?chef={ids['ann']}")) == ["Soup"]
    assert titles(client.get(f"/recipes?chef={ids['ann']},{ids['ben']}")) == ["Soup", "Stew"]
    assert titles(client.get(f"/recipes?similar={ids['soup']}")) == ["Stew"]
    assert titles(client.get(f"/posts?recipe={ids['stew']}")) == ["News"]
    assert client.get(f"/recipes?chef={ids['soup']}").json == []
    client.post(f"/recipes/{ids['soup']}", {"chef": ids["ben"]})
    assert titles(client.get(f"/recipes?chef={ids['ann']}")) == []


def test_what_is_led_to_is_embedded(client: Any, ids: dict[str, int]) -> None:
    item = client.get(f"/recipes/{ids['stew']}?_embed").json
    assert item["_embedded"]["cms:chef"][0]["title"]["rendered"] == "Ben"
    assert item["_embedded"]["cms:similar"][0]["id"] == ids["soup"]
    post = client.get(f"/posts/{ids['post']}?_embed").json
    assert post["_embedded"]["cms:recipe"][0]["title"]["rendered"] == "Stew"
    assert [link["href"].endswith(f"/recipes/{ids['stew']}") for link in post["_links"]["cms:recipe"]] == [True]
    assert "cms:recipe" not in client.new("/posts", title="x")["_links"]
    assert "cms:chef" not in client.get(f"/recipes/{client.new('/recipes', title='x')['id']}", "editor").json["_links"]


@pytest.mark.parametrize("query", ["", "?force=true"])
def test_what_is_deleted_vanishes(client: Any, ids: dict[str, int], query: str) -> None:
    client.delete(f"/recipes/{ids['soup']}{query}")
    client.delete(f"/chefs/{ids['ben']}{query}")
    item = client.get(f"/recipes/{ids['stew']}?_embed").json
    assert (item["chef"], item["similar"]) == (None, [])
    assert {"cms:chef", "cms:similar"}.isdisjoint(item["_links"])


def test_a_relation_leads_to_items_of_its_types_alone(client: Any, ids: dict[str, int]) -> None:
    for fields in ({"chef": ids["soup"]}, {"chef": 999}, {"similar": [ids["stew"], ids["ann"]]}):
        answer = client.post(f"/recipes/{ids['stew']}", fields)
        assert (answer.status_code, list(answer.json["data"]["params"])) == (400, list(fields))
    answer = client.post(f"/recipes/{ids['stew']}", {"similar": [ids["post"], ids["soup"], ids["post"]], "chef": 0})
    assert (answer.json["similar"], answer.json["chef"]) == ([ids["post"], ids["soup"]], None)


def test_relations_that_are_declared_later_find_what_was_stored_before(site: Any) -> None:
    client = site.client()
    ann = client.new("/chefs", title="Ann", status="publish")["id"]
    client.new("/recipes", title="Soup", status="publish", chef=ann)
    text = site.read("recipe")
    site.write(recipe=text.replace('name = "chef"\nkind = "relation"\nto = "chef"', 'name = "chef"\nkind = "integer"'))
    assert site.client().get("/recipes").json[0]["chef"] == ann
    site.write(recipe=text)
    assert titles(site.client().get(f"/recipes?chef={ann}")) == ["Soup"]


def test_lists_cost_the_same_however_many_relations_there_are(client: Any, ids: dict[str, int]) -> None:
    client.get("/recipes")
    few = client.statements(lambda: client.get("/recipes?per_page=1"))
    for number in range(10):
        client.new("/recipes", title=f"{number}", status="publish", chef=ids["ann"], similar=[ids["soup"]])
    client.get("/recipes")
    assert len(client.statements(lambda: client.get("/recipes?per_page=100"))) == len(few)


HIDDEN = """
[[field]]
name = "rival"
kind = "relation"
to = "chef"
contexts = ["edit"]

[[field]]
name = "secret"
kind = "relations"
to = "chef"
protected = true
"""


@pytest.mark.parametrize("base", ["/recipes", "/posts"])
def test_what_a_relation_hides_is_neither_linked_nor_found(site: Any, base: str) -> None:
    file = {"/recipes": "recipe", "/posts": "post"}[base]
    site.write(**{file: site.read(file) + HIDDEN})
    client = site.client()
    ann = client.new("/chefs", title="Ann", status="publish")["id"]
    client.new(base, title="Open", status="publish", rival=ann, secret=[ann])
    locked = client.new(base, title="Locked", status="publish", password="sesame", rival=ann, secret=[ann])["id"]
    assert titles(client.get(f"{base}?secret={ann}")) == ["Open"]
    assert titles(client.get(f"{base}?secret={ann}&context=edit", "editor")) == ["Locked", "Open"]
    assert client.get(f"{base}?rival={ann}").json["code"] == "rest_forbidden_param"
    assert titles(client.get(f"{base}?rival={ann}&context=edit", "editor")) == ["Locked", "Open"]
    shown = client.get(f"{base}/{locked}?_embed").json
    assert {"cms:rival", "cms:secret"}.isdisjoint({*shown["_links"], *shown.get("_embedded", {})})
    unlocked = client.get(f"{base}/{locked}?password=sesame").json
    assert "cms:rival" not in unlocked["_links"]
    edited = client.get(f"{base}/{locked}?context=edit", "editor").json
    assert {"cms:rival", "cms:secret"} <= set(edited["_links"]) or base == "/posts"

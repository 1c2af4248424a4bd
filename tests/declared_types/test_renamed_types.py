"""Types and taxonomies that get another name: nothing that is stored is lost, nor what leads to it."""

from __future__ import annotations

from typing import Any

import pytest
from type_files import FILES

PLUGINS = {"plugins": ["menus", "editorial", "seo"]}


@pytest.fixture
def full(declared: Any) -> Any:
    """A site with a recipe that has all there is, and ids by what they are of."""
    site = declared(PLUGINS, **FILES)
    client = site.client()
    ids = {"chef": client.new("/chefs", title="Ann", status="publish")["id"]}
    ids["cuisine"] = client.new("/cuisines", name="French", seo_title="To eat")["id"]
    ids["recipe"] = client.new("/recipes", title="Soup", status="publish", serves=2, chef=ids["chef"], code="A1",
                               cuisines=[ids["cuisine"]])["id"]
    client.post(f"/recipes/{ids['recipe']}", {"title": "Better soup", "serves": 4})
    ids["post"] = client.new("/posts", title="News", status="publish", recipe=ids["recipe"])["id"]
    ids["menu"] = client.new("/menus", "administrator", name="Main")["id"]
    for kind, object in (("post_type", "recipe"), ("taxonomy", "cuisine")):
        client.new("/menu-items", "administrator", title="", menus=ids["menu"], object=object, object_id=ids[object],
                   type=kind, status="publish")
    site.ids, site.before = ids, {name: site.read(name) for name in FILES}
    return site


def see(client: Any, ids: dict[str, int]) -> list[Any]:
    """Return all that is to be as before."""
    recipe = client.get(f"/recipes/{ids['recipe']}").json
    recipe = {name: recipe[name] for name in ("id", "serves", "code", "chef", "cuisines", "link", "slug")}
    menu = client.get(f"/menu-items?menus={ids['menu']}", "administrator").json
    return [
        recipe, [each["title"]["rendered"] for each in client.get(f"/recipes/{ids['recipe']}/revisions", "editor").json],
        *[[each["id"] for each in client.get(f"/{query}").json]
          for query in (f"recipes?chef={ids['chef']}", f"recipes?cuisines={ids['cuisine']}", "recipes?serves=4",
                        f"posts?recipe={ids['recipe']}", "recipes?search=better")],
        client.get("/recipes").headers["X-WP-Total"], client.get("/cuisines").json[0]["seo_title"],
        client.get("/cuisines").json[0]["count"], sorted((each["title"]["rendered"], each["url"]) for each in menu),
        client.get(f"/posts/{ids['post']}").json["recipe"],
    ]


def test_a_type_has_all_that_it_had_under_another_name_and_when_it_goes_back(full: Any) -> None:
    before = see(full.opened[-1], full.ids)
    version = full.opened[-1].get(f"/recipes/{full.ids['recipe']}").headers["ETag"]
    renamed = full.json("types", "rename", "recipe", "dish")
    assert (renamed["name"], renamed["key"], len(renamed["files"])) == ("dish", "recipe", 3)
    assert 'name = "dish"\nkey = "recipe"\n' in full.read("recipe")
    assert 'to = ["dish", "post"]' in full.read("recipe")
    assert (full.read("cuisine"), full.read("post")) == (
        full.before["cuisine"].replace('"recipe"', '"dish"'), full.before["post"].replace('to = "recipe"', 'to = "dish"'))
    client = full.client()
    assert see(client, full.ids) == before
    shown = client.get(f"/recipes/{full.ids['recipe']}")
    assert (shown.json["type"], shown.headers["ETag"] == version) == ("dish", False)
    assert {"dish"} <= set(client.get("/types").json)
    menu = client.get(f"/menu-items?menus={full.ids['menu']}", "administrator").json
    assert sorted(each["object"] for each in menu) == ["cuisine", "dish"]
    client.post(f"/recipes/{full.ids['recipe']}", {"serves": 4})
    full.write(**full.before)
    assert see(full.client(), full.ids) == before
    assert client.site.database.rows("SELECT 1 FROM content WHERE type = 'dish'") == []
    found = {each["check"] for each in full.json("doctor", code=1)["findings"]}
    assert found.isdisjoint({"counts", "orphans", "search-index", "schema"})


def test_a_taxonomy_has_all_that_it_had_under_another_name_and_when_it_goes_back(full: Any) -> None:
    before = see(full.opened[-1], full.ids)
    full.run("types", "rename", "cuisine", "kitchen")
    assert 'name = "kitchen"\nkey = "cuisine"\n' in full.read("cuisine")
    client = full.client()
    assert see(client, full.ids) == before
    assert client.get("/cuisines").json[0]["taxonomy"] == "kitchen"
    full.write(**full.before)
    assert see(full.client(), full.ids) == before


def test_a_name_twice_renamed_is_led_from_either(full: Any) -> None:
    before = see(full.opened[-1], full.ids)
    full.run("types", "rename", "recipe", "dish")
    full.run("types", "rename", "dish", "meal")
    assert see(full.client(), full.ids) == before
    full.run("types", "rename", "meal", "recipe")
    assert see(full.client(), full.ids) == before


@pytest.mark.parametrize(("what", "name", "told"), [
    ("recipe", "chef", "the name"), ("recipe", "Two words", "can't be"), ("nothing", "x", 'No file declares "nothing"'),
])
def test_a_rename_of_a_type_to_what_cannot_be_leaves_the_files(site: Any, what: str, name: str, told: str) -> None:
    before = {each: site.read(each) for each in FILES}
    assert told in site.run("types", "rename", what, name, code=1).output
    assert {each: site.read(each) for each in FILES} == before


def test_a_key_that_is_the_name_of_another_type_is_refused(site: Any) -> None:
    site.write(chef=site.read("chef").replace('name = "chef"', 'name = "chef"\nkey = "recipe"', 1))
    assert 'the key "recipe" is' in site.run("types", "check", code=1).output

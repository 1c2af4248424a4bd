"""`cms types`: check, diff, pull, rename and prune."""

from __future__ import annotations

import json
from typing import Any


def test_check_says_that_all_is_well(site: Any) -> None:
    site.run("migrate")
    assert "3 type(s), 1 taxonomy(s): no faults." in site.run("types", "check").output
    assert site.json("types", "check") == {"types": 3, "taxonomies": 1, "faults": [], "misfits": []}


def test_check_names_every_fault_though_the_site_cannot_start(site: Any) -> None:
    site.write(chef=site.read("chef") + "sort = 1\nlike = 2\n")
    found = json.loads(site.run("types", "check", "--json", code=1).stdout)["faults"]
    assert [(fault["line"], fault["fault"].split()[0]) for fault in found] == [(11, "sort"), (12, "like")]


def test_check_counts_values_that_a_changed_kind_does_not_take(site: Any) -> None:
    client = site.client()
    client.new("/recipes", title="Soup", code="A1", status="publish")
    client.new("/recipes", title="Stew", serves=2)
    site.write(recipe=site.read("recipe").replace('"[A-Z][0-9]+"', '"[0-9]+"'))
    assert site.json("types", "check")["misfits"] == [{"type": "recipe", "field": "code", "values": 1}]
    assert site.client().get("/recipes").json[0]["code"] == "A1"


def test_a_renamed_field_has_its_values_and_so_has_one_that_goes_back(site: Any) -> None:
    client = site.client(plugins=["editorial"])
    id = client.new("/recipes", title="Soup", status="publish", serves=4)["id"]
    client.post(f"/recipes/{id}", {"title": "New soup", "serves": 6})
    before = site.read("recipe")
    renamed = site.json("types", "rename", "recipe.serves", "portions")
    assert (renamed["name"], renamed["key"]) == ("portions", "serves")
    assert site.read("recipe") == before.replace('name = "serves"\n', 'name = "portions"\nkey = "serves"\n')
    client = site.client()
    item = client.get("/recipes?portions[gte]=5&orderby=portions").json[0]
    assert (item["portions"], "serves" in item) == (6, False)
    client.post(f"/recipes/{id}", {"portions": 8})
    site.write(recipe=before)
    assert site.client().get(f"/recipes/{id}").json["serves"] == 8
    stored = client.site.database.column("SELECT meta FROM revisions ORDER BY id")
    revisions = [json.loads(meta)["serves"] for meta in stored]
    assert revisions == [6]


def test_a_rename_to_what_cannot_be_leaves_the_file(site: Any) -> None:
    before = site.read("recipe")
    assert "another field" in site.run("types", "rename", "recipe.serves", "code", code=1).output
    assert "can't be" in site.run("types", "rename", "recipe.serves", "Two words", code=1).output
    assert 'There is no field "recipe.nothing"' in site.run("types", "rename", "recipe.nothing", "x", code=1).output
    assert site.read("recipe") == before


def test_only_prune_deletes_what_no_field_declares(site: Any) -> None:
    client = site.client()
    id = client.new("/recipes", title="Soup", status="publish", serves=4, code="A1")["id"]
    client.post(f"/recipes/{id}", {"title": "New soup"})
    whole = site.read("recipe")
    site.write(recipe=whole.replace('[[field]]\nname = "serves"', '[[field]]\nname = "other"')
               .replace('[[field]]\nname = "code"', '[[field]]\nname = "number"'))
    assert "serves" not in site.client().get(f"/recipes/{id}").json
    asked = site.run("types", "prune", input="n\n", code=130).output
    assert "serves" in asked
    assert site.json("types", "prune", "recipe.serves", "--yes") == [{"type": "recipe", "value": "serves", "items": 1}]
    assert "No item has an undeclared value recipe.serves" in site.run("types", "prune", "recipe.serves", code=1).output
    site.write(recipe=whole)
    item = site.client().get(f"/recipes/{id}").json
    assert (item["serves"], item["code"]) == (None, "A1")
    assert "serves" not in client.site.database.scalar("SELECT meta FROM revisions")


def test_the_database_remembers_the_files_that_it_was_served_with(site: Any) -> None:
    site.client().get("/posts")
    assert "served with last" in site.run("types", "diff").output
    before = site.read("chef")
    site.write(chef=before.replace("Chefs", "Cooks"))
    (site.folder / "types" / "cuisine.toml").unlink()
    assert list(site.json("types", "diff")) == ["chef.toml", "cuisine.toml"]
    assert '+label = "Cooks"' in site.run("types", "diff").output
    assert site.json("types", "pull") == {"written": ["cuisine.toml"], "left": ["chef.toml"]}
    assert site.json("types", "pull", "--force") == {"written": ["chef.toml"], "left": []}
    assert site.read("chef") == before


def test_the_group_is_there_without_a_file(declared: Any) -> None:
    output = declared().run("types", "--help").output
    assert {"check", "rename", "suggest", "ts"} <= set(output.split())

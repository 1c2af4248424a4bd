"""An export with types, taxonomies and values of other plugins: drafts of files, then its items with all that they had."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from sites import Client

EXPORT = Path(__file__).parents[1] / "data" / "declared" / "custom-fields.xml"
PATHS = ("/recipe", "/chef", "/posts", "/cuisine", "/language")
#: What says when something was done here, and by which account's number.
OWN = ("modified", "modified_gmt", "guid", "_links", "author", "link")


@pytest.fixture
def suggested(declared: Any) -> Any:
    site = declared()
    site.run("types", "suggest", str(EXPORT))
    return site


def shown(client: Client) -> dict[str, list[dict[str, Any]]]:
    """Return all items as an editor reads them, without what depends on the site."""
    found = {}
    for path in PATHS:
        items = client.get(f"{path}?per_page=100&orderby=id&order=asc&context=edit", "administrator").json
        found[path] = [{name: value for name, value in item.items() if name not in OWN} for item in items]
    return found


def bring(site: Any, file: Path) -> Client:
    site.run("migrate")
    site.run("import", str(file), "--no-media")
    return site.client()


def test_an_import_names_what_is_left_out_and_the_command(declared: Any) -> None:
    site = declared()
    output = site.run("import", str(EXPORT), "--no-media").output
    for word in ("recipe", "chef", "cuisine", "featured_recipe", f"cms types suggest {EXPORT}"):
        assert word in output
    again = declared()
    report = again.json("import", str(EXPORT), "--no-media")
    assert report["left_out"]["recipe: the site has no such type"] == 2
    assert report["left_out"]["cuisine: the site has no such taxonomy"] == 2
    assert report["left_out_meta"]["post"]["featured_recipe"] == 1


def test_drafts_say_what_was_seen(suggested: Any) -> None:
    names = sorted(path.name for path in (suggested.folder / "types").iterdir())
    assert names == ["chef.toml", "cuisine.toml", "language.toml", "post.toml", "recipe.toml"]
    text = suggested.read("recipe")
    assert "# 2 value(s), field_level of Advanced Custom Fields, such as easy | hard" in text
    recipe = tomllib.loads(text)
    assert recipe["type"]["address"] == "/recipes/{slug}/"
    kinds = {field["name"]: field["kind"] for field in recipe["field"]}
    assert kinds == {"serves": "number", "level": "choice", "ingredients": "repeat", "chef": "relation",
                     "similar": "relations", "source": "group", "gallery": "media_list", "vegan": "boolean",
                     "first_cooked": "date", "marks": "choices", "views": "integer"}
    assert [field["name"] for field in recipe["field"][2]["field"]] == ["amount", "what", "photo"]
    assert "Polylang" in suggested.read("language")
    assert tomllib.loads(suggested.read("cuisine"))["taxonomy"]["hierarchical"] is True
    assert "_yoast" not in suggested.read("post")
    assert suggested.json("types", "check")["faults"] == []


def test_drafts_replace_no_file_unless_forced(suggested: Any) -> None:
    suggested.write(recipe=suggested.read("recipe").replace('label = "Recipe"', 'label = "Dishes"'))
    assert suggested.json("types", "suggest", str(EXPORT)) == {"written": [], "left": []}
    assert "nothing that the site lacks" in suggested.run("types", "suggest", str(EXPORT)).output
    assert "Dishes" in suggested.read("recipe")


def test_drafts_can_be_printed_alone(declared: Any) -> None:
    site = declared()
    assert 'name = "recipe"' in site.json("types", "suggest", str(EXPORT), "--print")["recipe.toml"]
    assert not (site.folder / "types").exists()


def test_items_come_in_with_their_values(suggested: Any) -> None:
    client = bring(suggested, EXPORT)
    soup, stew = client.get("/recipe?orderby=id&order=asc&_embed").json
    chef = client.get("/chef").json[0]
    assert (chef["contact"], chef["site"]) == ("ann@old.example", "https://ann.example/")
    photo, other = soup["gallery"][::-1]
    assert soup["ingredients"] == [{"amount": 2.5, "what": "Eggs", "photo": photo},
                                   {"amount": None, "what": "Salt & pepper", "photo": None}]
    assert soup["source"] == {"url": "https://book.example/", "year": 1999}
    assert [soup[name] for name in ("serves", "level", "vegan", "first_cooked", "marks", "views")] == [
        4, "easy", False, "2020-02-29", ["hot", "new"], 120]
    assert (soup["chef"], soup["similar"], stew["similar"]) == (chef["id"], [stew["id"]], [soup["id"]])
    assert (soup["featured_media"], soup["date"][:10]) == (other, "2021-03-05")
    assert soup["_embedded"]["cms:chef"][0]["slug"] == "ann-cook"
    cuisines = {term["slug"]: term for term in client.get("/cuisine").json}
    assert soup["cuisine"] == [cuisines["french"]["id"]]
    assert cuisines["breton"]["parent"] == cuisines["french"]["id"]
    assert [client.get(f"/language/{id}").json["name"] for id in stew["language"]] == ["Français"]
    assert client.get("/posts?slug=news").json[0]["featured_recipe"] == soup["id"]
    assert [item["slug"] for item in client.get(f"/recipe?chef={chef['id']}").json] == ["stew", "soup"]


def test_an_export_brings_the_same_into_another_site(suggested: Any, declared: Any, tmp_path: Path) -> None:
    first = bring(suggested, EXPORT)
    files = {path.stem: path.read_text(encoding="utf-8") for path in (suggested.folder / "types").iterdir()}
    suggested.run("export", str(tmp_path / "own.xml"))
    second = declared(**files)
    other = second.run("migrate")
    assert other.exit_code == 0
    client = bring(second, tmp_path / "own.xml")
    before, after = shown(first), shown(client)
    assert after == before
    assert after["/recipe"][0]["ingredients"][0]["what"] == "Eggs"
    assert client.get(f"/recipe?chef={after['/chef'][0]['id']}").headers["X-WP-Total"] == "2"


def test_ids_in_values_are_those_of_the_new_site(suggested: Any) -> None:
    suggested.run("migrate")
    client = suggested.client()
    for number in range(15):  # takes the numbers of the export
        client.new("/posts", title=f"{number}")
    client = bring(suggested, EXPORT)
    soup, stew = client.get("/recipe?orderby=id&order=asc").json
    assert soup["id"] > 15
    assert soup["similar"] == [stew["id"]]
    assert soup["chef"] == client.get("/chef").json[0]["id"]


def test_a_value_that_does_not_fit_is_left_out_and_named(suggested: Any) -> None:
    suggested.write(recipe=suggested.read("recipe").replace('name = "level"\nkind = "choice"', 'name = "level"\nkind = "date"')
                    .replace('choices = { "easy" = "Easy", "hard" = "Hard one" }\n', ""))
    suggested.run("migrate")
    notices = suggested.json("import", str(EXPORT), "--no-media")["notices"]
    assert len(notices) == 2
    assert "the value of level was left out: This must be a day" in notices[0]

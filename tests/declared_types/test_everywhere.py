"""A declared type is wherever a type of a plugin is: in what is documented, told, moved, linked and translated."""

from __future__ import annotations

import json
import shutil
import subprocess
import threading
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from receiver import serve_receiver
from type_files import CHEF, FILES, RECIPE

from cms.testing import recorder

WP = {"wp": "http://wordpress.org/export/1.2/"}


def test_it_is_in_discovery(client: Any) -> None:
    routes = client.get("").json["routes"]
    assert {"/cms/v2/recipes", "/cms/v2/recipes/(?P<id>[\\d]+)", "/cms/v2/cuisines"} <= set(routes)
    args = {name: each for endpoint in routes["/cms/v2/recipes"]["endpoints"] for name, each in endpoint["args"].items()}
    assert {"serves", "chef", "similar", "cuisines", "ingredients"} <= set(args)
    assert args["serves"]["minimum"] == 1


def test_it_is_in_options(client: Any) -> None:
    properties = client.send("OPTIONS", "/recipes").json["schema"]["properties"]
    assert (properties["serves"]["title"], properties["serves"]["description"]) == ("Serves", "How many it is for.")
    assert properties["code"]["pattern"] == "^(?:[A-Z][0-9]+)$"
    entry = properties["ingredients"]["items"]["properties"]
    assert (entry["amount"]["type"], entry["what"]["required"]) == ("number", True)
    assert properties["origin"]["properties"]["country"]["enumNames"] == ["France", "Indonesia"]


def test_it_is_in_openapi(client: Any) -> None:
    document = client.get("//api/openapi.json").json
    listed = document["paths"]["/cms/v2/recipes"]["get"]
    assert {"serves", "chef", "similar"} <= {each["name"] for each in listed["parameters"] if "name" in each}
    assert {"get", "post", "delete"} <= set(document["paths"]["/cms/v2/recipes/{id}"])
    schemas = [each["properties"] for name, each in document["components"]["schemas"].items() if "ecipe" in name]
    assert any("serves" in properties and "ingredients" in properties for properties in schemas)


def test_it_is_in_both_languages(declared: Any) -> None:
    client = declared({"plugins": ["locale_de"]}, **FILES).client()
    assert client.get("/types/recipe").json["name"] == "Recipes"
    assert client.get("//de/api/cms/v2/types/recipe").json["name"] == "Rezepte"
    assert client.get("//id/api/cms/v2/taxonomies/cuisine").json["name"] == "Masakan"
    properties = client.send("OPTIONS", "//de/api/cms/v2/recipes").json["schema"]["properties"]
    assert properties["serves"]["title"] == "Portionen"
    refused = client.post("//de/api/cms/v2/recipes", {"title": "x", "chef": 99}).json["data"]["params"]
    assert refused == {"chef": "Einen Eintrag 99 vom Typ chef gibt es nicht."}


def test_it_is_in_the_types_of_programs(site: Any) -> None:
    site.run("migrate")
    printed = site.run("types", "ts").stdout
    assert "export interface Recipe {" in printed
    assert "serves: number | null;" in printed


def test_its_values_are_in_revisions_that_can_be_restored(declared: Any) -> None:
    client = declared({"plugins": ["editorial"]}, **FILES).client()
    id = client.new("/recipes", title="Soup", status="publish", serves=2)["id"]
    client.post(f"/recipes/{id}", {"title": "Better soup", "serves": 4})
    client.post(f"/recipes/{id}", {"title": "Best soup", "serves": 8})
    older = client.get(f"/recipes/{id}/revisions", "editor").json[-1]
    assert client.post(f"/recipes/{id}/revisions/{older['id']}/restore").status_code == 200
    assert client.get(f"/recipes/{id}").json["serves"] == 4


def test_its_writes_are_events(declared: Any) -> None:
    client = declared({"plugins": ["cms.testing.recorder"]}, **FILES).client()
    heard: list[Any] = []
    stop = recorder.listen(heard.append)
    client.new("/recipes", title="Soup", status="publish")
    client.site.outbox.deliver()
    stop()
    assert [event.name for event in heard if event.resource == "recipe"] == ["recipe.created", "recipe.published"]


def test_its_events_are_delivered_to_webhooks(declared: Any) -> None:
    with serve_receiver() as receiver:
        client = declared({"plugins": ["webhooks"], "webhooks": {"allow": [receiver.place]}}, **FILES).client()
        client.new("/webhooks", "administrator", url=receiver.url, events=["recipe.published"])
        id = client.new("/recipes", title="Soup", status="publish")["id"]
        client.new("/posts", title="News", status="publish")
        client.site.worker.run_due()
        for thread in threading.enumerate():
            if thread.name == "cms-deliveries":
                thread.join(timeout=30)
        assert receiver.events() == [("recipe.published", id)]


def test_menus_lead_to_it(declared: Any) -> None:
    client = declared({"plugins": ["menus"]}, **FILES).client()
    id = client.new("/recipes", title="Soup", status="publish")["id"]
    menu = client.new("/menus", "administrator", name="Main")["id"]
    item = client.new("/menu-items", "administrator", title="", menus=menu, object="recipe", object_id=id,
                      type="post_type", status="publish")
    assert (item["title"]["rendered"], item["url"].endswith("/recipes/soup/")) == ("Soup", True)


def test_search_engines_are_told_of_it(declared: Any) -> None:
    client = declared({"plugins": ["seo"]}, **FILES).client()
    id = client.new("/recipes", title="Soup", status="publish", seo_title="The soup", seo_noindex=True)["id"]
    term = client.new("/cuisines", name="French", seo_title="To eat")["id"]
    client.new("/recipes", title="Bread", status="publish")
    assert client.get(f"/recipes/{id}").json["seo_title"] == "The soup"
    assert client.get(f"/cuisines/{term}").json["seo_title"] == "To eat"
    assert [each["id"] for each in client.get("/recipes?seo_noindex=true").json] == [id]


def filled(client: Any) -> tuple[int, int]:
    """Make a recipe with values of most kinds; return it and the chef that it leads to."""
    chef = client.new("/chefs", title="Ann", status="publish")["id"]
    cuisine = client.new("/cuisines", name="French")["id"]
    recipe = client.new("/recipes", title="Soup", status="publish", serves=4, chef=chef, code="A1", cuisines=[cuisine],
                        ingredients=[{"what": "Eggs"}], origin={"found": "2026-01-02T03:04:05"})
    return recipe["id"], chef


def test_its_values_are_exported(site: Any, tmp_path: Path) -> None:
    id, chef = filled(site.client())
    site.run("export", str(tmp_path / "site.xml"))
    found = {}
    for item in ElementTree.parse(tmp_path / "site.xml").iter("item"):
        found[item.findtext("wp:post_id", namespaces=WP)] = item
    assert [found[str(each)].findtext("wp:post_type", namespaces=WP) for each in (id, chef)] == ["recipe", "chef"]
    assert found[str(id)].find("category[@domain='cuisine']").text == "French"
    text = ElementTree.tostring(found[str(id)], encoding="unicode")
    assert all(each in text for each in ("serves", "A1", "Eggs", "2026-01-02"))


def test_its_values_are_imported(declared: Any, tmp_path: Path) -> None:
    site, other = declared(**FILES), declared(**FILES)
    _id, chef = filled(site.client())
    site.run("export", str(tmp_path / "site.xml"))
    other.run("migrate")
    other.run("import", str(tmp_path / "site.xml"))
    client = other.client()
    item = client.get("/recipes").json[0]
    assert (item["serves"], item["chef"], item["code"]) == (4, chef, "A1")
    assert (item["ingredients"][0]["what"], item["origin"]["found"]) == ("Eggs", "2026-01-02T03:04:05")
    assert item["cuisines"] == [client.get("/cuisines").json[0]["id"]]


def test_rights_are_those_of_posts_unless_a_file_names_roles(declared: Any) -> None:
    roles = '\n[type.roles]\nedit = ["author"]\npublish = ["author"]\n'
    client = declared(chef=CHEF.replace('label = "Chefs"\n', 'label = "Chefs"\n' + roles)).client()
    assert client.post("/chefs", {"title": "Ann", "status": "publish"}, "author").status_code == 201
    assert client.post("/chefs", {"title": "Ann"}, "editor").status_code == 403
    assert client.post("/chefs", {"title": "Ann"}, "administrator").status_code == 201


def test_posts_cost_what_they_cost_without_types(declared: Any) -> None:
    counts = []
    for files in ({}, {f"type{number}": RECIPE.replace('"recipe"', f'"type{number}"')
                       .replace('"recipes"', f'"type{number}"').replace('"chef"\n\n', '"post"\n\n') for number in range(20)}):
        client = declared(**files).client()
        client.new("/posts", title="News", status="publish")
        client.get("/posts")
        asked = client.statements(lambda client=client: client.get("/posts"))
        written = client.statements(lambda client=client: client.new("/posts", title="More", status="publish"))
        # What a trigger looks at is told once more, whether it does anything or not.
        counts.append((len(asked), len(set(written))))
    assert counts[0] == counts[1]


def test_two_branches_that_add_a_type_each_merge_without_conflict(tmp_path: Path) -> None:
    git = shutil.which("git")
    assert git

    def run(*arguments: str) -> str:
        settings = ("-c", "user.name=x", "-c", "user.email=x@x.org")
        return subprocess.run([git, *settings, *arguments], cwd=tmp_path, check=True, capture_output=True, text=True).stdout

    def commit(name: str, text: str) -> None:
        (tmp_path / "types").mkdir(exist_ok=True)
        (tmp_path / "types" / name).write_text(text)
        run("add", ".")
        run("commit", "-m", name)

    run("init", "-b", "main")
    commit("chef.toml", CHEF)
    run("checkout", "-b", "one")
    commit("recipe.toml", RECIPE)
    run("checkout", "-b", "two", "main")
    commit("event.toml", CHEF.replace("chef", "event"))
    run("merge", "one", "-m", "both")
    assert sorted(path.name for path in (tmp_path / "types").iterdir()) == ["chef.toml", "event.toml", "recipe.toml"]
    assert json.loads(json.dumps(run("status", "--porcelain"))) == ""

"""What plugins add to a site moves with it, where the other site has the plugin too."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sites import Client

from cms.assembly import open_site
from cms.config import load_config
from cms.transfer.exporting.exporter import export_wxr
from cms.transfer.importing.importer import Report, import_wxr

FAIR = '''
from cms.plugin import ContentType, Status, Taxonomy

@hookimpl
def register_types():
    return [ContentType("stall", "stalls", _("Stalls"), hierarchical=True, taxonomies=("post_tag",),
                        supports=("title", "editor", "comments"),
                        fields={"held": DateTime(_("When it opens.")), "fee": Integer(_("What it costs."), default=0)}),
            ContentType("label", "labels", _("Labels"), inherits=True)]

@hookimpl
def register_taxonomies():
    return [Taxonomy("place", "places", _("Places"), ("stall", "post", "attachment"), hierarchical=True)]

@hookimpl
def register_statuses():
    return [Status("review", _("In review"), protected=True, floating=True), Status("old", _("Old"), public=True)]

@hookimpl
def register_fields():
    return {name: {"rank": Integer(_("A rank."))} for name in ("post", "user", "comment", "category", "attachment")}
'''


def move(client: Client, into: Client, path: Path) -> Report:
    with path.open("wb") as file:
        export_wxr(client.site, file)
    return import_wxr(into.site, path)


@pytest.fixture
def client(plugged: Any) -> Client:
    client = plugged({"comment_interval": 0}, fair=FAIR).client()
    above = client.new("/places", name="North")["id"]
    place = client.new("/places", name="Square", parent=above)["id"]
    stall = client.new("/stalls", title="Cheese", status="old", held="2026-05-01T10:00:00", fee=20, places=[place],
                       tags=[client.new("/tags", name="Food")["id"]])["id"]
    client.new("/stalls", title="Goat", slug="same", status="review", parent=stall)
    client.new("/stalls", title="Sheep", slug="same", status="publish")
    client.new("/posts", title="Post", status="publish", rank=3, places=[above])
    client.new("/comments", "administrator", post=stall, content="Yes", rank=4)
    client.post("/categories/1", {"rank": 5})
    client.post("/users/1", {"rank": 6}, "administrator")
    return client


def told(client: Client) -> dict[str, Any]:
    def read(path: str, *names: str) -> list[tuple[Any, ...]]:
        items = client.get(f"{path}&context=edit&per_page=100", "administrator").json
        return [tuple(item.get(name) for name in names) for item in items]

    slugs = {item["id"]: item["slug"] for base in ("places", "tags", "stalls")
             for item in client.get(f"/{base}?per_page=100&status=old,review,publish" if base == "stalls"
                                    else f"/{base}?per_page=100", "administrator").json}
    stalls = read("/stalls?status=old,review,publish&orderby=id&order=asc", "slug", "status", "held", "fee", "parent",
                  "places", "tags")
    return {
        "stalls": [(*stall[:4], slugs.get(stall[4]), [slugs[id] for id in stall[5]], [slugs[id] for id in stall[6]])
                   for stall in stalls],
        "places": [(slug, slugs.get(parent)) for slug, parent in read("/places?orderby=slug", "slug", "parent")],
        "posts": [(slug, rank, [slugs[id] for id in places]) for slug, rank, places in read("/posts?", "slug", "rank",
                                                                                           "places")],
        "ranks": [read(f"/{base}?", "rank") for base in ("comments", "categories")],
    }


def test_types_taxonomies_states_and_fields_arrive(client: Client, plugged: Any, tmp_path: Path) -> None:
    second = plugged({"comment_interval": 0}, fair=FAIR).client()

    report = move(client, second, tmp_path / "moved.xml")

    moved = told(second)
    assert moved == told(client)
    assert moved["stalls"] == [
        ("cheese", "old", "2026-05-01T10:00:00", 20, None, ["square"], ["food"]),
        ("same", "review", None, 0, "cheese", [], []), ("same", "publish", None, 0, None, [], [])]
    assert moved["ranks"] == [[(4,)], [(5,)]]
    assert (report.left_out, report.notices) == ({}, [])


def test_without_the_plugin_its_items_are_left_out_and_its_values_wait(
        client: Client, plugged: Any, tmp_path: Path) -> None:
    second = plugged({"comment_interval": 0})
    bare = second.client()

    report = move(client, bare, tmp_path / "moved.xml")

    assert report.left_out == {("place", "the site has no such taxonomy"): 3, ("comment", "what they stand on isn't imported"): 1,
                               ("stall", "the site has no such type"): 3}
    assert "rank" not in bare.get("/posts").json[0]
    second.write(fair=FAIR)
    assert second.client().get("/posts").json[0]["rank"] == 3


def test_values_that_a_field_does_not_take_are_left_out(client: Client, plugged: Any, tmp_path: Path) -> None:
    client.site.database.execute(
        """UPDATE content SET meta = '{"held": "no date", "fee": "much", "other": 1}' WHERE slug = 'cheese'""")
    second = plugged({"comment_interval": 0}, fair=FAIR).client()

    report = move(client, second, tmp_path / "moved.xml")

    (stall,) = second.get("/stalls?status=old").json
    assert (stall["held"], stall["fee"]) == (None, 0)
    assert [notice.text.split()[3] for notice in report.notices] == ["held", "fee"]


def test_what_a_plugin_left_that_is_gone_is_in_the_export(client: Client, plugged: Any, tmp_path: Path) -> None:
    folder = client.site.config.instance
    (folder / "plugins" / "fair.py").unlink()
    bare = open_site(load_config(folder, {"url": client.site.url}, environ={}))
    with (tmp_path / "moved.xml").open("wb") as file:
        counted = export_wxr(bare, file)
    bare.close()
    second = plugged({"comment_interval": 0}, fair=FAIR).client()
    import_wxr(second.site, tmp_path / "moved.xml")

    assert (counted["stall"], counted["place"]) == (3, 2)
    assert told(second) == told(client)

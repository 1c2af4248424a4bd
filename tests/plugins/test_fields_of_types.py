"""Fields that plugins add to types, statuses and taxonomies themselves."""

from __future__ import annotations

from typing import Any

COLOURS = """
from cms.plugin import ContentType

COLOURS = {"post": "red", "note": "blue"}

@hookimpl
def register_types():
    return [ContentType("note", "notes", _("Notes"), icon="a-note")]

def read_colour(row, page):
    return COLOURS.get(row["entry"].name) if page.principal.may("edit_posts") else None

@hookimpl
def register_fields():
    colour = String(_("Its colour."), VIEW_EDIT, readonly=True, nullable=True, read=read_colour)
    icon = String(_("Its picture."), EDIT_ONLY, readonly=True, read=lambda row, page: row["entry"].icon)
    name = String(_("In capitals."), readonly=True, read=lambda row, page: row["slug"].upper())
    return {"type": {"colour": colour, "picture": icon}, "status": {"capitals": name}, "taxonomy": {"capitals": name}}
"""


def test_types_statuses_and_taxonomies_have_fields_of_plugins(plugged: Any, make_client: Any) -> None:
    client = plugged(colours=COLOURS).client()
    edited = client.get("/types?context=edit", "editor").json

    assert {name: (type["colour"], type["picture"]) for name, type in edited.items()} == {
        "post": ("red", "dashicons-admin-post"), "page": (None, "dashicons-admin-page"),
        "attachment": (None, "dashicons-admin-media"), "note": ("blue", "a-note")}
    shown = client.get("/types/note").json
    assert (shown["colour"], "picture" in shown) == (None, False)
    assert client.get("/statuses/publish").json["capitals"] == "PUBLISH"
    assert client.get("/taxonomies/category?_fields=capitals").json == {"capitals": "CATEGORY"}
    properties = client.send("OPTIONS", "/types").json["schema"]["properties"]
    assert (properties["colour"]["description"], properties["colour"]["readonly"]) == ("Its colour.", True)
    schema = client.get("//api/openapi.json").json["components"]["schemas"]
    assert any("capitals" in each.get("properties", ()) for name, each in schema.items() if "Taxonomy" in name)
    assert "colour" not in make_client().get("/types/post", "editor").json

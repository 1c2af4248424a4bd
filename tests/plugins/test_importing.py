"""What plugins bring in of an export: items of their own types, and terms of their taxonomies."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cms.transfer.importing.importer import import_wxr

HEAD = """<rss version="2.0" xmlns:wp="http://wordpress.org/export/1.2/" xmlns:dc="http://purl.org/dc/elements/1.1/"
 xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/">
<channel><wp:wxr_version>1.2</wp:wxr_version><wp:base_site_url>http://old.example</wp:base_site_url>
<wp:term><wp:term_id>7</wp:term_id><wp:term_taxonomy>course</wp:term_taxonomy><wp:term_slug>soup</wp:term_slug>
<wp:term_parent>starter</wp:term_parent><wp:term_name>Soups</wp:term_name></wp:term>
<wp:term><wp:term_id>8</wp:term_id><wp:term_taxonomy>course</wp:term_taxonomy><wp:term_slug>starter</wp:term_slug>
<wp:term_name>Starters</wp:term_name></wp:term>"""
ITEM = """<item><title>{title}</title><dc:creator>admin</dc:creator><wp:post_id>{id}</wp:post_id>
<wp:status>publish</wp:status><wp:post_type>{type}</wp:post_type><wp:post_date_gmt>2020-01-01 00:00:00</wp:post_date_gmt>
<wp:postmeta><wp:meta_key>serves</wp:meta_key><wp:meta_value>{id}</wp:meta_value></wp:postmeta></item>"""
RECIPES = '''
from cms.plugin import ContentType, Taxonomy, write_item

@hookimpl
def register_types():
    return [ContentType("recipe", "recipes", _("Recipes"), "posts", supports=("title", "editor"))]

@hookimpl
def register_taxonomies():
    return [Taxonomy("course", "courses", _("Courses"), ("recipe",), "courses", hierarchical=True)]

@hookimpl
def import_item(item, importing):
    if item.type != "recipe":
        return False
    write_item(importing, item)
    def finish():
        found = importing.terms.by_source_id["course", item.source_id]
        id = importing.find_item(item.source_id)
        importing.site.stores.terms.set_for_item(id, {"course": [found]})
    importing.later(finish)
    return True
'''
BROKEN = '''
@hookimpl
def import_item(item):
    1 / 0
'''


@pytest.fixture
def export(tmp_path: Path) -> Path:
    """An export with two recipes and something that nobody knows."""
    items = [ITEM.format(id=7, title="Broth", type="recipe"), ITEM.format(id=8, title="Bread", type="recipe"),
             ITEM.format(id=9, title="Thing", type="thing")]
    path = tmp_path / "export.xml"
    path.write_text(f"{HEAD}{''.join(items)}</channel></rss>", encoding="utf-8")
    return path


def test_items_and_terms_of_plugins_come_in(plugged: Any, export: Path) -> None:
    client = plugged(kitchen=RECIPES, other="@hookimpl\ndef import_item():\n    return None\n").client()

    report = import_wxr(client.site, export)

    assert (report.imported["recipe"], report.imported["course"]) == (2, 2)
    assert report.left_out["thing", "the site has no such type"] == 1
    assert "recipe" not in [kind for kind, _reason in report.left_out]
    courses = {course["slug"]: course for course in client.get("/courses").json}
    assert courses["soup"]["parent"] == courses["starter"]["id"]
    shown = {item["title"]["rendered"]: item["courses"] for item in client.get("/recipes").json}
    assert shown == {"Broth": [courses["soup"]["id"]], "Bread": [courses["starter"]["id"]]}
    again = import_wxr(client.site, export)
    assert (again.known["recipe"], again.known["course"], "recipe" in again.imported) == (2, 2, False)


def test_without_the_plugin_they_are_left_out(plugged: Any, export: Path) -> None:
    report = import_wxr(plugged().client().site, export)

    assert report.left_out["recipe", "the site has no such type"] == 2
    assert report.left_out["course", "the site has no such taxonomy"] == 2


def test_a_plugin_that_fails_is_named_and_nothing_is_imported(plugged: Any, export: Path) -> None:
    client = plugged(broken=BROKEN).client()

    with pytest.raises(Exception, match="plugin broken: import_item failed: ZeroDivisionError"):
        import_wxr(client.site, export)
    assert client.site.database.rows("SELECT * FROM users WHERE login <> 'admin'") == []

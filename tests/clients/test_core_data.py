"""The npm client @wordpress/core-data, the editor's store of entities, against a site under the addresses of WordPress."""

from __future__ import annotations

from typing import Any

import pytest
from served import Prepared, Served, run_client, serve_copy

POSTS, PAGES, CATEGORIES, TAGS = 49, 21, 67, 112
KINDS = {"post": ("posts", "title"), "page": ("pages", "title"), "category": ("categories", "name"),
         "post_tag": ("tags", "name"), "user": ("users", "name")}


@pytest.fixture(scope="module")
def reading(served_as_wordpress: Served, clients: None) -> Any:
    return run_client("core_data/reading.cjs", served_as_wordpress)


@pytest.fixture(scope="module")
def importing(reading: Any, served_as_wordpress: Served) -> Any:
    """What was written, after all was read."""
    return run_client("core_data/writing.cjs", served_as_wordpress)


def raw(value: Any) -> Any:
    """Return a text of an entity, which a stored one holds beside its HTML."""
    return value["raw"] if isinstance(value, dict) else value


def test_lists_are_read_with_their_totals(reading: Any) -> None:
    assert len(reading["posts"]["value"]) == 3
    assert reading["totals"] == {"value": [POSTS, -(-POSTS // 3)], "sent": []}
    assert reading["posts"]["sent"] == ["GET /wp-json/wp/v2/types", "GET /wp-json/wp/v2/posts"]


def test_unbounded_lists_are_whole(reading: Any) -> None:
    assert len(set(reading["allPosts"]["value"])) == POSTS
    assert (reading["categories"]["value"], reading["tags"]["value"]) == (CATEGORIES, TAGS)
    assert reading["tags"]["sent"] == ["GET /wp-json/wp/v2/tags"] * 2
    assert reading["pages"]["value"] == PAGES


def test_one_record_is_read_with_its_raw_form(reading: Any) -> None:
    assert set(reading["post"]["value"]) == {"raw", "rendered"}
    assert reading["raw"]["value"] == reading["post"]["value"]["raw"]


def test_records_are_found_by_slug_and_words(reading: Any) -> None:
    assert reading["bySlug"]["value"] == ["template-sticky"]
    assert "template-sticky" in reading["found"]["value"]


def test_a_record_that_is_not_there_is_told_as_an_error(reading: Any) -> None:
    assert reading["missing"]["thrown"] == 404


def test_the_address_of_a_page_names_those_above_it(reading: Any, served_as_wordpress: Served) -> None:
    assert reading["childPage"]["value"] == f"{served_as_wordpress.home}/level-1/level-2/level-3/"


@pytest.mark.parametrize(("what", "wanted"), [
    ("types", ["post", "page", "attachment"]), ("taxonomies", ["category", "post_tag"]),
    ("statuses", ["publish", "future", "draft", "pending", "private", "trash"]), ("media", ["image", "image", "file"]),
    ("comments", 3), ("me", "admin"), ("settings", "UTC"), ("mayCreate", True), ("mayDelete", True),
])
def test_everything_else_is_read(reading: Any, what: str, wanted: Any) -> None:
    assert reading[what]["value"] == wanted


def test_the_description_of_the_site_is_read_in_part(reading: Any) -> None:
    assert {"name", "description", "url", "home", "gmt_offset", "timezone_string"} <= set(reading["base"]["value"])
    assert "routes" not in reading["base"]["value"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_record_is_created_edited_saved_and_deleted(importing: Any, kind: str) -> None:
    base, text = KINDS[kind]
    created = importing[f"{kind} created"]["value"]
    edits, edited = importing[f"{kind} edited"]["value"]
    saved, edits_left = importing[f"{kind} saved"]["value"]

    assert raw(created[text]) == "New"
    assert (edits, edited[text]) == (True, "Edited")
    assert (raw(saved[text]), edits_left, saved["id"]) == ("Edited", False, created["id"])
    assert importing[f"{kind} deleted"]["value"]["deleted"] is True
    assert importing[f"{kind} gone"]["value"] is None
    one = f"/wp-json/wp/v2/{base}/{created['id']}"
    assert importing[f"{kind} created"]["sent"][-1] == f"POST /wp-json/wp/v2/{base}"
    assert (importing[f"{kind} saved"]["sent"], importing[f"{kind} deleted"]["sent"]) == ([f"PUT {one}"], [f"DELETE {one}"])


def test_edits_alone_are_sent_and_the_rest_stays(importing: Any) -> None:
    saved = importing["post saved"]["value"][0]

    assert (saved["status"], saved["content"]["raw"]) == ("publish", "<p>Text</p>")
    assert importing["page saved"]["value"][0]["menu_order"] == 3
    assert importing["category saved"]["value"][0]["parent"] == 1


@pytest.mark.parametrize(("what", "wanted"), [
    ("media", {"alt_text": "Described", "title": "Edited"}), ("mediaDeleted", True), ("settings", "Edited"),
    ("trashed", "trash"), ("revisions", ["Two"]),
])
def test_other_changes_are_saved(importing: Any, what: str, wanted: Any) -> None:
    assert importing[what]["value"] == wanted


def test_a_refusal_is_kept_as_the_last_error(importing: Any) -> None:
    answer, error = importing["refused"]["value"]

    assert answer is None
    assert (error["code"], error["data"]["status"]) == ("empty_term_name", 400)


@pytest.fixture(scope="module")
def with_plugins(prepared: Prepared, clients: None, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What was done on a site with the plugins that bring routes, fields and a type."""
    plugins = "wp_compat,editorial,menus,seo,events"
    with serve_copy(prepared, tmp_path_factory.mktemp("plugins"), CMS_PLUGINS=plugins) as site:
        return run_client("core_data/plugins.cjs", site)


@pytest.mark.parametrize(("what", "wanted"), [
    ("autosaved", [True, "Meanwhile"]), ("untouched", "Before"), ("autosave", "Meanwhile"), ("menu", ["main", ["Home"]]),
    ("locations", True), ("field", "Found"), ("event", [[True, "2030-01-01T10:00:00"]]), ("types", True),
    ("deleted", True),
])
def test_what_plugins_bring_is_read_and_written(with_plugins: Any, what: str, wanted: Any) -> None:
    assert with_plugins[what]["value"] == wanted

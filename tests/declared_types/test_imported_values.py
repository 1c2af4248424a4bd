"""Values of declared fields that imports bring: led to what comes later, to the site's own files, and harmless."""

from __future__ import annotations

import json
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from transfer.conftest import CHANNEL
from transfer.pictures import put
from transfer.test_attachments import META, OLD, attachment
from transfer.test_import_rules import item

DISH = """
[type]
name = "dish"
base = "dishes"
label = "Dishes"
taxonomies = ["category"]

[[field]]
name = "cook"
kind = "relation"
to = "post"

[[field]]
name = "similar"
kind = "relations"
to = "dish"
max_items = 3

[[field]]
name = "kinds"
kind = "terms"
taxonomy = "category"

[[field]]
name = "note"
kind = "html"

[[field]]
name = "page"
kind = "url"

[[field]]
name = "hint"
kind = "long_text"

[[field]]
name = "steps"
kind = "repeat"

  [[field.field]]
  name = "text"
  kind = "html"

  [[field.field]]
  name = "by"
  kind = "relation"
  to = "post"

[[field]]
name = "source"
kind = "group"

  [[field.field]]
  name = "link"
  kind = "url"
"""
#: What an item of a site of ours says of values.
MORE = '<cms:more xmlns:cms="urn:headless-cms:export:1"><![CDATA[{}]]></cms:more>'
BAD, GOOD = "<p onclick='x()'>Hot <script>x()</script><em>now</em></p>", "<p>Hot x()<em>now</em></p>"


def dish(id: int, **values: str) -> str:
    pairs = "".join(META.format(name, value) for name, value in values.items())
    return item(id, post_type="dish", post_name=f"dish-{id}", inner=pairs)


def bring(site: Any, *bodies: str, arguments: tuple[str, ...] = ("--no-media",)) -> list[Any]:
    """Import each body as an export of the same site, and return the reports."""
    site.run("migrate")
    reports = []
    for number, body in enumerate(bodies):
        path = site.folder / f"export-{number}.xml"
        path.write_text(CHANNEL.format(body), "utf-8")
        reports.append(site.json("import", str(path), *arguments))
    return reports


def read(client: Any, slug: str = "dish-7") -> dict[str, Any]:
    (found,) = client.get(f"/dishes?slug={slug}").json
    return dict(found)


def test_a_relation_is_tied_when_a_later_file_brings_its_target(declared: Any) -> None:
    site = declared(dish=DISH)
    first, second = bring(site, dish(7, cook="3", steps="2", steps_0_text="Cut", steps_1_text="Cook", steps_1_by="3"),
                          item(3, post_name="ann"))
    assert "what its cook leads to (3) isn't in the file; it waits until that comes" in json.dumps(first["notices"])
    assert second["notices"] == []
    client = site.client()
    ann = client.get("/posts?slug=ann").json[0]["id"]
    found = read(client)
    assert found["cook"] == ann
    assert [step["by"] for step in found["steps"]] == [None, ann]
    assert [each["slug"] for each in client.get(f"/dishes?cook={ann}").json] == ["dish-7"]
    assert client.site.database.rows("SELECT * FROM awaited") == []


@pytest.mark.parametrize("order", list(permutations((11, 12, 13)))[1:])
def test_a_list_of_relations_gets_the_order_of_the_export(declared: Any, order: tuple[int, ...]) -> None:
    site = declared(dish=DISH)
    bring(site, dish(7, similar="11,12,13"), *[dish(id) for id in order])
    client = site.client()
    ids = {slug: read(client, slug)["id"] for slug in ("dish-11", "dish-12", "dish-13")}
    assert read(client)["similar"] == [ids["dish-11"], ids["dish-12"], ids["dish-13"]]


def test_a_term_of_a_later_file_is_tied(declared: Any) -> None:
    site = declared(dish=DISH)
    category = ("<wp:category><wp:term_id>40</wp:term_id><wp:category_nicename>soups</wp:category_nicename>"
                "<wp:cat_name>Soups</wp:cat_name></wp:category>")
    bring(site, dish(7, kinds="40"), category)
    client = site.client()
    (soups,) = client.get("/categories?slug=soups").json
    assert read(client)["kinds"] == [soups["id"]]


def test_what_somebody_has_chosen_meanwhile_stays(declared: Any) -> None:
    site = declared(dish=DISH)
    bring(site, dish(7, cook="3", similar="11") + item(4, post_name="bo"))
    client = site.client()
    bo = client.get("/posts?slug=bo").json[0]["id"]
    others = [client.new("/dishes", title=str(number), status="publish")["id"] for number in range(3)]
    client.post(f"/dishes/{read(client)['id']}", {"cook": bo, "similar": others})
    (report,) = bring(site, item(3, post_name="ann") + dish(11))
    assert (read(client)["cook"], read(client)["similar"]) == (bo, others)
    assert "what similar[0] of the dish" in json.dumps(report["notices"])


def test_an_export_of_ours_takes_along_what_waits(declared: Any, tmp_path: Path) -> None:
    first, second = declared(dish=DISH), declared(dish=DISH)
    bring(first, dish(7, cook="3", steps="1", steps_0_text="Cut", steps_0_by="3"))
    first.run("export", str(tmp_path / "own.xml"))
    second.run("migrate")
    second.run("import", str(tmp_path / "own.xml"))
    bring(second, item(3, post_name="ann"))
    client = second.client()
    ann = client.get("/posts?slug=ann").json[0]["id"]
    assert (read(client)["cook"], read(client)["steps"][0]["by"]) == (ann, ann)


@pytest.mark.parametrize("later", [False, True])
def test_addresses_of_files_in_values_become_those_of_this_site(declared: Any, later: bool) -> None:
    site = declared(dish=DISH)
    put(site.folder, "old/2013/03/x.jpg")
    at = f"{OLD}/2013/03/x.jpg"
    values = {"note": f'<img src="{at}"> <a href="{OLD}/gone.pdf">x</a>', "page": "/wp-content/uploads/2013/03/x.jpg",
              "hint": f"See {at}.", "steps": "1", "steps_0_text": f"<img src='{at}'>", "source_link": at}
    bodies = (dish(7, **values), attachment(5)) if later else (dish(7, **values) + attachment(5),)
    bring(site, *bodies, arguments=("--media", str(site.folder / "old")))
    client = site.client()
    found, (file,) = read(client), client.get("/media").json
    own = file["source_url"]
    assert own in found["note"]
    assert f"{OLD}/gone.pdf" in found["note"]
    assert (found["page"], found["hint"], found["source"]["link"]) == (own, f"See {own}.", own)
    assert own in found["steps"][0]["text"]
    assert at not in json.dumps(found)


PICTURE = '<!-- wp:image {{"id":{0}}} --><img class="wp-image-{0}"><!-- /wp:image -->'
#: What comes in which import; where the file 5 comes before, it has the number 102 here.
STEPS = [("dish 5 other",), ("dish", "5", "other"), ("dish", "other", "5"), ("5", "dish", "other"), ("5 dish", "other")]


@pytest.mark.parametrize("steps", STEPS)
def test_ids_of_files_in_markup_become_those_of_this_site(declared: Any, steps: tuple[str, ...]) -> None:
    site = declared(dish=DISH)
    client = site.client()
    with client.site.database.write():
        client.site.stores.ids.move("content", 101)
    said = PICTURE.format(5) + PICTURE.format(102) + PICTURE.format(999)
    values = {"note": said, "steps": "1", "steps_0_text": said}
    parts = {"dish": dish(7, **values), "5": attachment(5, "x.jpg", post_name="five"),
             "other": attachment(102, "y.jpg", post_name="other")}
    bring(site, *["".join(parts[part] for part in step.split()) for step in steps])
    five, other = [client.get(f"/media?slug={slug}").json[0]["id"] for slug in ("five", "other")]
    found = read(client)
    wanted = client.new("/dishes", title="x", note=PICTURE.format(five) + PICTURE.format(other) + PICTURE.format(999))["note"]
    assert five != 5
    assert f'{{"id":{five}}}' in wanted
    assert (found["note"], found["steps"][0]["text"]) == (wanted, wanted)
    waiting = [row["name"] for row in client.site.database.rows("SELECT name FROM awaited")]
    assert waiting == ["999", "999"]


def test_markup_that_was_changed_keeps_an_id_that_could_be_another_one(declared: Any) -> None:
    site = declared(dish=DISH)
    client = site.client()
    with client.site.database.write():
        client.site.stores.ids.move("content", 101)
    said = PICTURE.format(5) + PICTURE.format(102)
    bring(site, attachment(5, "x.jpg", post_name="five") + dish(7, note=said))
    changed = client.post(f"/dishes/{read(client)['id']}", {"note": PICTURE.format(102)}).json["note"]
    (report,) = bring(site, attachment(102, "y.jpg", post_name="other"))
    assert read(client)["note"] == changed
    assert "the picture 102 has come, and which of those in note of the dish" in json.dumps(report["notices"])


def test_an_export_of_ours_takes_along_which_files_markup_waits_for(declared: Any, tmp_path: Path) -> None:
    first, second = declared(dish=DISH), declared(dish=DISH)
    bring(first, dish(7, note=PICTURE.format(5)))
    first.run("export", str(tmp_path / "own.xml"))
    client = second.client()
    with client.site.database.write():
        client.site.stores.ids.move("content", 101)
    second.run("import", str(tmp_path / "own.xml"))
    bring(second, attachment(5, "x.jpg", post_name="five"))
    file = client.get("/media?slug=five").json[0]["id"]
    assert file != 5
    assert f"wp-image-{file}" in read(client)["note"]


def test_values_are_cleaned_as_their_fields_are_and_what_goes_is_named(declared: Any) -> None:
    site = declared(dish=DISH)
    pairs = dish(7, note=BAD, page="javascript:x()", steps="1", steps_0_text=BAD)
    own = item(8, post_type="dish", post_name="dish-8", inner=MORE.format(json.dumps({"meta": {"note": BAD}})))
    (report,) = bring(site, pairs + own)
    client = site.client()
    assert (read(client)["note"], read(client)["page"], read(client)["steps"][0]["text"]) == (GOOD, None, GOOD)
    assert read(client, "dish-8")["note"] == GOOD
    assert sum("taken out of its note: script (1)" in notice for notice in report["notices"]) == 2
    assert report["cleaned"] == 3


@pytest.mark.parametrize("before", ["", DISH.replace('"html"', '"long_text"')])
def test_values_from_before_their_field_was_html_are_harmless_when_it_is(declared: Any, before: str) -> None:
    """An import brings values that nothing declares, or that another kind takes as they are."""
    bare = DISH.partition("[[field]]")[0]
    site = declared({"plugins": ["editorial"]}, dish=before or bare)
    values = {"note": BAD, "page": "javascript:x()", "steps": [{"text": BAD}], "hint": BAD}
    if before:
        del values["page"]
    inner = MORE.format(json.dumps({"meta": values}))
    bring(site, item(7, post_type="dish", post_name="dish-7", inner=inner))
    older = site.client()
    id = read(older)["id"]
    older.post(f"/dishes/{id}", {"title": "Second"})
    older.post(f"/dishes/{id}", {"title": "Third"})
    version = older.site.database.scalar("SELECT version FROM content WHERE id = ?", (id,))
    site.write(dish=DISH)
    client = site.client()
    found = read(client)
    assert (found["note"], found["page"], found["steps"][0]["text"], found["hint"]) == (GOOD, None, GOOD, BAD)
    assert client.site.database.scalar("SELECT version FROM content WHERE id = ?", (id,)) > version
    first = client.get(f"/dishes/{id}/revisions", "editor").json[-1]["id"]
    assert "script" not in client.site.database.scalar("SELECT json_extract(meta, '$.note') FROM revisions WHERE id = ?", (first,))
    assert client.post(f"/dishes/{id}/revisions/{first}/restore").status_code == 200
    assert read(client)["note"] == GOOD

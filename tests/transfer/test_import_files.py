"""Whole exports on their way into an empty site."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from servers import SERVER

from cms.site import Site
from cms.transfer.importing.importer import import_wxr
from cms.transfer.wxr.reader import read
from cms.transfer.wxr.records import ImportRefused, ItemRecord

FIXTURES = Path(__file__).parent.parent / "data" / "wxr"
THEME = FIXTURES / "theme-unit-test.wxr.xml"
EXPECTED = json.loads((FIXTURES / "expected.json").read_text("utf-8"))
TABLES = ("users", "terms", "content", "content_terms", "options", "media")


def dump(site: Site) -> dict[str, list[tuple[Any, ...]]]:
    return {table: sorted(site.database.tuples(f"SELECT * FROM {table}"), key=repr) for table in TABLES}


def count(site: Site, sql: str) -> int:
    return int(site.database.scalar(f"SELECT COUNT(*) FROM {sql}"))


def post(site: Site, source_id: int) -> dict[str, Any]:
    row = site.database.row("SELECT * FROM content WHERE source_id = ?", (str(source_id),))
    assert row is not None
    return dict(row)


def terms(site: Site, source_id: int, taxonomy: str) -> set[str]:
    rows = site.database.tuples(
        "SELECT t.slug FROM terms t JOIN content_terms l ON l.term_id = t.id JOIN content c ON c.id = l.content_id "
        "WHERE c.source_id = ? AND t.taxonomy = ?", (str(source_id), taxonomy))
    return {slug for (slug,) in rows}


def test_the_theme_unit_test_arrives(site: Site) -> None:
    report = import_wxr(site, THEME, trust_markup=True)
    # Two tags and one author are named by posts alone.
    assert report.imported == {"user": 3, "category": 66, "post_tag": 112, "post": 51, "page": 21, "attachment": 38,
                               "comment": 32}
    assert report.known == {"category": 1}
    left_out: dict[str, int] = {}
    for (kind, reason), number in report.left_out.items():
        assert reason
        left_out[kind] = left_out.get(kind, 0) + number
    assert {kind: left_out[kind] for kind in ("file", "nav_menu_item", "nav_menu")} == {
        "file": 38, "nav_menu_item": 70, "nav_menu": 6}
    assert [notice.line for notice in report.notices] == [9677, 9677, 1069]  # the last is of dates in two zones
    assert report.further_notices == 0
    assert count(site, "content WHERE type = 'post'") == 51
    assert count(site, "content") == 110
    assert count(site, "content WHERE type = 'post' AND status = 'publish'") == 50
    assert count(site, "content WHERE status = 'draft'") == 1
    assert count(site, "terms WHERE taxonomy = 'category'") == 67
    assert count(site, "users") == 4
    assert count(site, "content WHERE rendered_by = ''") == 0


def test_a_second_import_adds_nothing(site: Site) -> None:
    import_wxr(site, THEME)
    before = dump(site)
    report = import_wxr(site, THEME)
    assert report.imported == {}
    assert report.known == {"user": 3, "category": 67, "post_tag": 112, "post": 51, "page": 21, "attachment": 38,
                            "comment": 32}
    assert report.notices == []
    assert dump(site) == before


def test_posts_of_the_theme_unit_test_are_as_in_the_file(site: Site) -> None:
    import_wxr(site, THEME)
    sticky, locked, scheduled, draft = (post(site, id) for id in (1241, 1168, 1153, 1164))
    assert (sticky["slug"], sticky["is_sticky"], sticky["date_gmt"]) == ("template-sticky", 1, "2012-01-07T14:07:21")
    assert count(site, "content WHERE is_sticky = 1") == 1
    assert (locked["password"], locked["slug"]) == ("enter", "template-password-protected")
    assert count(site, "content WHERE password <> ''") == 1
    assert (scheduled["status"], scheduled["date_gmt"]) == ("publish", "2030-01-01T19:00:18")
    assert (draft["status"], draft["slug"], draft["date_gmt"]) == ("draft", "", "2013-04-09T18:20:39")
    assert not draft["date_floats"]
    formats = {row["format"] for row in site.database.rows("SELECT DISTINCT format FROM content")}
    assert formats >= {"standard", "aside", "chat", "gallery", "link", "image", "quote", "status", "video", "audio"}
    assert terms(site, 1241, "category") == {"classic", "uncategorized"}
    names = {row["login"]: row["password_hash"] for row in site.database.rows("SELECT * FROM users WHERE id > 1")}
    assert names == dict.fromkeys(("themedemos", "themereviewteam", "themereviewteam-2"), "!")
    found = "title LIKE '%sti%'" if SERVER else "content_search MATCH '\"sti\"'"
    assert count(site, f"content_search WHERE {found}") >= 1


def test_categories_keep_their_parents_and_counts(site: Site) -> None:
    import_wxr(site, THEME)
    pairs = {row[0]: row[1] for row in site.database.tuples(
        "SELECT t.slug, p.slug FROM terms t JOIN terms p ON p.id = t.parent_id WHERE t.taxonomy = 'category'")}
    assert pairs["child-category-01"] == "parent-category"
    wrong = ("terms t WHERE count <> (SELECT COUNT(*) FROM content_terms l JOIN content c ON c.id = l.content_id "
             "WHERE l.term_id = t.id AND c.status = 'publish')")
    assert count(site, "terms WHERE count > 0") > 50
    assert count(site, wrong) == 0


def test_every_listed_file_is_there() -> None:
    assert set(EXPECTED) == {path.name for path in FIXTURES.glob("*.xml")} - {THEME.name}


@pytest.mark.parametrize("name", [name for name, file in EXPECTED.items() if file["outcome"].startswith("import")])
def test_files_are_imported_once(site: Site, name: str) -> None:
    first = import_wxr(site, FIXTURES / name)
    if EXPECTED[name]["outcome"] == "import with warnings":
        assert first.notices
    before = dump(site)
    second = import_wxr(site, FIXTURES / name)
    assert second.imported == {}
    assert dump(site) == before
    json.dumps(first.as_dict())


@pytest.mark.parametrize("name", [name for name, file in EXPECTED.items() if file["outcome"].startswith("refuse")])
def test_files_are_refused_and_change_nothing(site: Site, name: str) -> None:
    before = dump(site)
    with pytest.raises(ImportRefused) as refusal:
        import_wxr(site, FIXTURES / name)
    assert ("empty" if name == "made-empty.xml" else "DOCTYPE") in str(refusal.value)
    assert dump(site) == before


def test_version_1_0_makes_no_terms_of_bare_categories(site: Site) -> None:
    report = import_wxr(site, FIXTURES / "fixture-wxr-1.0.xml")
    assert report.imported == {"category": 4, "post_tag": 4, "post": 3, "page": 3, "comment": 1}
    slugs = {row["slug"] for row in site.database.rows("SELECT slug FROM terms WHERE taxonomy = 'category'")}
    assert slugs == {"uncategorized", "alpha", "beta", "parent", "child"}
    assert terms(site, 4, "category") == {"alpha"}
    assert terms(site, 4, "post_tag") == {"news", "roar"}


def test_coauthors_are_reported_and_make_no_terms(site: Site) -> None:
    report = import_wxr(site, FIXTURES / "fixture-coauthors.xml")
    assert [(notice.item, notice.text.split("without: ")[1]) for notice in report.notices] == [
        (100, "Bob Jones"), (101, "Bob Jones, Carol White"), (103, "Bob Jones")]
    assert {row["taxonomy"] for row in site.database.rows("SELECT taxonomy FROM terms")} == {"category", "post_tag"}
    assert terms(site, 100, "category") == {"uncategorized"}
    assert post(site, 102)["author_id"] != post(site, 100)["author_id"]


def test_unusual_characters_are_stored_and_names_cleaned(site: Site) -> None:
    report = import_wxr(site, FIXTURES / "fixture-unicode.xml")
    stored = post(site, 10)
    source = (FIXTURES / "fixture-unicode.xml").read_text("utf-8")
    assert f"<title><![CDATA[{stored['title']}]]></title>" in source
    assert f"<content:encoded><![CDATA[{stored['content']}]]>" in source
    assert stored["slug"] == "hello-world-utf8-💫-test"
    author = site.database.row("SELECT * FROM users WHERE id = ?", (stored["author_id"],))
    assert author is not None
    # Not the site's own account: its login only looks the same.
    assert (author["login"], author["slug"], author["email"]) == ("admin-2", "admin-2", "")
    assert any("isn't an e-mail address" in notice.text for notice in report.notices)


def test_nested_cdata_and_plain_drafts_are_stored(site: Site) -> None:
    import_wxr(site, FIXTURES / "fixture-cdata.xml", trust_markup=True)
    assert post(site, 1)["content"] == "Content with nested <![CDATA[ tags ]]> :)"
    import_wxr(site, FIXTURES / "fixture-serialized-postmeta.xml")
    draft = post(site, 122)
    assert (draft["status"], draft["slug"], draft["date_gmt"]) == ("draft", "", "2009-10-20T16:13:20")


def test_a_file_that_is_cut_off_changes_nothing(site: Site, tmp_path: Path) -> None:
    before = dump(site)
    cut = tmp_path / "cut.xml"
    cut.write_bytes(THEME.read_bytes()[:-5_000])
    with pytest.raises(ImportRefused, match="line 11"):
        import_wxr(site, cut)
    assert dump(site) == before


class _StopError(Exception):
    pass


def test_an_interruption_while_writing_changes_nothing(site: Site) -> None:
    before = dump(site)
    told: list[tuple[str, int, int | None]] = []

    def stop(stage: str, done: int, total: int | None) -> None:
        told.append((stage, done, total))
        if (stage, done) == ("writing", 150):
            assert count(site, "content") > 0
            raise _StopError

    with pytest.raises(_StopError):
        import_wxr(site, THEME, stop)
    assert dump(site) == before
    assert told[-1] == ("writing", 150, 180)
    size = THEME.stat().st_size
    assert ("reading", size, size) in told


def test_pages_keep_their_parents_and_order(site: Site) -> None:
    import_wxr(site, THEME)
    rows = site.database.tuples(
        "SELECT c.source_id, c.menu_order, p.source_id FROM content c LEFT JOIN content p ON p.id = c.parent_id "
        "WHERE c.type = 'page'")
    found = {(row[0], row[1], row[2] or "None") for row in rows}
    listed = {record.source_id for record in read(THEME) if isinstance(record, ItemRecord)}
    wanted = {(str(item.source_id), item.menu_order, str(item.parent_source_id if item.parent_source_id in listed else None))
              for item in read(THEME) if isinstance(item, ItemRecord) and item.type == "page"}
    assert found == wanted
    assert len([row for row in found if row[2] != "None"]) >= 3


def test_comments_keep_threads_states_and_kinds(site: Site) -> None:
    import_wxr(site, THEME)
    states = {row[0]: row[1] for row in site.database.tuples("SELECT status, COUNT(*) FROM comments GROUP BY status")}
    kinds = {row[0]: row[1] for row in site.database.tuples("SELECT type, COUNT(*) FROM comments GROUP BY type")}
    assert (kinds["pingback"], kinds["trackback"]) == (2, 2)
    assert sum(states.values()) == 32
    wanted = {(str(comment.source_id), str(comment.parent_source_id)) for item in read(THEME)
              if isinstance(item, ItemRecord) for comment in item.comments if comment.parent_source_id}
    found = {(row[0], row[1]) for row in site.database.tuples(
        "SELECT c.source_id, p.source_id FROM comments c JOIN comments p ON p.id = c.parent_id")}
    assert found == wanted
    assert found

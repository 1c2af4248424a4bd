"""An export that comes in parts, in whatever order, makes the site that it makes in one file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from adapter import copy_site
from transfer.conftest import open_in

from cms.site import Site
from cms.transfer.importing.importer import import_wxr

pytestmark = pytest.mark.long

SAMPLE = (Path(__file__).parent.parent / "data" / "wxr" / "theme-unit-test.wxr.xml").read_text("utf-8")
#: Two authors whose logins differ in signs that logins can't have: which of them gets a number is a matter of order.
THEME = SAMPLE.replace("<dc:creator>>", "<dc:creator>").replace("></dc:creator>", "</dc:creator>").replace("]</dc", "]></dc")
#: By number: an item that stands in several menus has that number once.
ITEMS = list({re.search(r"<wp:post_id>.*?(\d+)", item)[1]: item  # type: ignore[index]
              for item in re.findall(r"<item>.*?</item>", THEME, re.DOTALL)}.values())
HEAD, TAIL = THEME[: THEME.index("<item>")], THEME[THEME.rindex("</item>") + len("</item>") :]
#: What exports of one type have in front: neither terms nor, in some, authors.
BARE_HEAD = re.sub(r"<wp:(author|category|tag|term)>.*?</wp:\1>", "", HEAD, flags=re.DOTALL)
KINDS = ("attachment", "post", "page", "nav_menu_item")
#: What of a row tells of the imports rather than of the site.
OWN = {"version", "source_mark", "registered_gmt", "modified_gmt", "password_hash"}


def kind_of(item: str) -> str:
    found = re.search(r"<wp:post_type>(?:<!\[CDATA\[)?(\w+)", item)
    assert found is not None
    return found[1]


def date_of(item: str) -> str:
    found = re.search(r"<wp:post_date>(?:<!\[CDATA\[)?([\d: -]+)", item)
    return found[1] if found else ""


def by_kind() -> list[list[str]]:
    return [[item for item in ITEMS if kind_of(item) == kind] for kind in KINDS]


def by_date(parts: int) -> list[list[str]]:
    ordered = sorted(ITEMS, key=date_of)
    size = len(ordered) // parts + 1
    return [ordered[start : start + size] for start in range(0, len(ordered), size)]


def picture(site: Site) -> dict[str, Any]:
    """Return all that a site holds, with names in place of the ids of accounts and terms, which parts may not number."""
    users = dict(site.database.tuples("SELECT id, login FROM users"))
    found: dict[str, Any] = {}
    for table, order in (("content", "id"), ("comments", "id"), ("users", "login"), ("terms", "taxonomy, slug")):
        rows = [dict(row) for row in site.database.rows(f"SELECT * FROM {table} ORDER BY {order}")]
        for row in rows:
            row["author_id"] = users.get(row.get("author_id", 0))
        found[table] = [{name: value for name, value in row.items() if name not in OWN} for row in rows]
    for table in ("users", "terms"):
        for row in found[table]:
            del row["id"], row["source_id"]
    terms = {row[0]: f"{row[1]} {row[2]}" for row in site.database.tuples("SELECT id, taxonomy, slug FROM terms")}
    for row in found["terms"]:
        row["parent_id"] = terms.get(row["parent_id"])
    for row in found["content"]:
        if '"taxonomy"' not in row["meta"]:
            continue
        row["meta"] = re.sub(r'(?<=object_id":")\d+', lambda id: terms.get(int(id[0]), id[0]), row["meta"])
    links = site.database.tuples("SELECT content_id, term_id FROM content_terms")
    found["links"] = sorted((item, terms[term]) for item, term in links)
    found["media"] = site.database.tuples("SELECT * FROM media ORDER BY content_id")
    found["waiting"] = site.database.tuples("SELECT holder, holder_id, field, name FROM awaited ORDER BY 1, 2, 3, 4")
    return found


def differences(one: dict[str, Any], other: dict[str, Any]) -> list[Any]:
    """Return where two sites differ, by table and column."""
    found: list[Any] = []
    for table, rows in one.items():
        if len(rows) != len(other[table]):
            found.append((table, len(rows), len(other[table])))
        for row, like in zip(rows, other[table], strict=False):
            if isinstance(row, dict):
                found += [(table, row["slug" if "slug" in row else "id"], name, value, like[name])
                          for name, value in row.items() if value != like[name]]
            elif row != like:
                found.append((table, row, like))
    return found


def bring_parts(folder: Path, empty: Path, parts: Sequence[Sequence[str]], head: str = HEAD) -> dict[str, Any]:
    """Import the parts one after the other into a new site; where their head is bare, the whole one comes last."""
    folder.mkdir()
    copy_site(empty, folder)
    with (folder / "config.toml").open("a") as settings:
        settings.write('plugins = ["menus"]\n')
    site = open_in(folder)
    site.context.clock.now = lambda: "2026-01-01T00:00:00"  # type: ignore[method-assign]
    try:
        for number, items in enumerate(parts):
            path = folder / f"{number}.xml"
            path.write_text("".join((head, *items, TAIL)), "utf-8")
            import_wxr(site, path)
        if head != HEAD:
            path.write_text(HEAD + TAIL, "utf-8")
            import_wxr(site, path)
        return picture(site)
    finally:
        site.close()


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory, empty: Path) -> dict[str, Any]:
    """The site that the one file makes."""
    return bring_parts(tmp_path_factory.mktemp("whole") / "site", empty, [ITEMS])


@pytest.mark.parametrize("order", [(1, 0, 2, 3), (0, 1, 2, 3), (3, 2, 1, 0), (2, 3, 0, 1)])
def test_parts_by_type_come_in_any_order(tmp_path: Path, empty: Path, whole: dict[str, Any], order: tuple[int, ...]) -> None:
    parts = by_kind()

    assert differences(bring_parts(tmp_path / "site", empty, [parts[place] for place in order]), whole) == []


@pytest.mark.parametrize("order", list(permutations(range(3)))[1:5:2])
def test_parts_by_date_come_in_any_order(tmp_path: Path, empty: Path, whole: dict[str, Any], order: tuple[int, ...]) -> None:
    parts = by_date(3)

    assert differences(bring_parts(tmp_path / "site", empty, [parts[place] for place in order]), whole) == []


def test_terms_and_authors_may_be_described_last(tmp_path: Path, empty: Path, whole: dict[str, Any]) -> None:
    assert differences(bring_parts(tmp_path / "site", empty, by_date(2), BARE_HEAD), whole) == []

"""A site that is exported, then imported into an empty one, is the same site again."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from portrait import portray
from sites import Client

from cms.transfer.exporting.exporter import export_wxr
from cms.transfer.importing.importer import Report, import_wxr
from cms.transfer.importing.media.sources import Folder

FIXTURES = Path(__file__).parent.parent / "data" / "wxr"
EXPECTED = json.loads((FIXTURES / "expected.json").read_text("utf-8"))
FILES = ["theme-unit-test.wxr.xml", *(name for name, told in EXPECTED.items() if told["outcome"].startswith("import"))]

MakeClient = Callable[..., Client]

META = '{"colour":"red & \\u0000 ]]>","sizes":[1,2.5,null],"deep":{"on":true}}'


def export(client: Client, path: Path) -> dict[str, int]:
    with path.open("wb") as file:
        return export_wxr(client.site, file)


def move(client: Client, path: Path, into: Client, trust_markup: bool = True) -> Report:
    """Export one site and import the file into another, with the files of its media."""
    export(client, path)
    client.site.config.uploads.mkdir(exist_ok=True)
    return import_wxr(into.site, path, source=Folder(client.site.config.uploads), trust_markup=trust_markup)


def without_roles(told: dict[str, Any]) -> dict[str, Any]:
    """Leave out what an export doesn't carry: roles, which it must not grant, and settings that are of a site alone."""
    granted = {"roles", "capabilities", "extra_capabilities"}
    users = [{name: value for name, value in user.items() if name not in granted} for user in told["users"]]
    carried = {name: told["settings"][name] for name in ("title", "description", "language", "timezone")}
    return told | {"users": users, "settings": carried}


@pytest.mark.parametrize("name", FILES)
def test_what_was_imported_moves_on_unchanged(make_client: MakeClient, tmp_path: Path, name: str) -> None:
    first, second = make_client(), make_client()
    import_wxr(first.site, FIXTURES / name)

    report = move(first, tmp_path / "moved.xml", second, trust_markup=False)

    assert portray(second) == portray(first)
    assert (report.left_out, report.notices) == ({}, [])


def test_a_site_with_everything_moves_whole(full: Client, make_client: MakeClient, tmp_path: Path) -> None:
    second = make_client(templates=["wide.html"])

    report = move(full, tmp_path / "moved.xml", second)

    assert without_roles(portray(second)) == without_roles(portray(full))
    assert (report.left_out, report.notices) == ({}, [])


#: What of a row is of one site alone, or isn't carried: who may do what isn't for a file to say.
OWN = {"id", "version", "source_site", "source_id", "source_mark", "rendered_by", "password_hash", "roles"}
POINTERS = {"author_id", "featured_id", "parent_id", "post_id"}
TABLES = {"users": "id", "terms": "taxonomy, slug", "content": "type, id", "comments": "id"}


def rows(client: Client, table: str) -> list[dict[str, Any]]:
    """Return what a table holds of a site's own data, ids apart; that they lead to the same is seen over HTTP."""
    found = client.site.database.rows(f"SELECT * FROM {table} ORDER BY {TABLES[table]}")
    return [{name: value for name, value in dict(row).items() if name not in OWN | POINTERS} for row in found]


@pytest.mark.parametrize("table", TABLES)
def test_no_column_is_forgotten(full: Client, make_client: MakeClient, tmp_path: Path, table: str) -> None:
    for name in TABLES:
        full.site.database.execute(f"UPDATE {name} SET meta = ? WHERE id = (SELECT MAX(id) FROM {name})", (META,))
    second = make_client(templates=["wide.html"])

    move(full, tmp_path / "moved.xml", second)

    moved = rows(second, table)
    assert moved == rows(full, table)
    assert META in [row["meta"] for row in moved]


#: Any text that can be stored, and many made of what XML finds hard.
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=30) | st.text(
    alphabet="<>&\"'\\ \n\r\t\x01\x0b\x1f\x7f\x85\u2028\ufffe\uffff\U0001f469\u200d\u202e\ufeff[]!-/ab;#x", max_size=30)
FIELDS = {
    "/posts": ("title", "content", "excerpt", "slug"),
    "/pages": ("title", "content", "password"),
    "/comments": ("content", "author_name", "author_url", "author_user_agent"),
    "/categories": ("name", "description", "slug"),
    "/users": ("name", "first_name", "last_name", "nickname", "description", "url", "slug"),
}


@pytest.mark.long
@settings(max_examples=25, deadline=None, database=None, derandomize=True,
          suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_text_comes_back_equal(
        quiet: Client, make_client: MakeClient, tmp_path: Path, data: st.DataObject) -> None:
    post = quiet.new("/posts", title="Post", status="publish")["id"]
    needed: dict[str, dict[str, Any]] = {
        "/posts": {"status": "publish"}, "/pages": {"status": "draft"},
        "/comments": {"post": post, "author_name": "x", "author_email": "x@example.org"}, "/categories": {"name": "x"},
        "/users": {"username": "someone", "email": "someone@example.org", "password": "secret words"}}
    made = []
    for kind, names in FIELDS.items():
        given = {name: data.draw(TEXTS, f"{kind} {name}") for name in names}
        answer = quiet.post(kind, {**needed[kind], **given}, "administrator")
        assert answer.status_code in (201, 400), answer.text
        made += [f"{kind}/{answer.json['id']}"] if answer.status_code == 201 else []
    second = make_client()

    report = move(quiet, tmp_path / "moved.xml", second)

    assert without_roles(portray(second)) == without_roles(portray(quiet))
    assert report.notices == []
    second.site.close()
    for path in reversed([f"/posts/{post}", *made]):
        assert quiet.send("DELETE", f"{path}?force=true&reassign=1", "administrator").status_code == 200

"""A site that is exported, then imported into an empty one, is the same site again."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from furniture import furnish
from portrait import portray
from sites import Client

from cms.transfer.exporter import export_wxr
from cms.transfer.importer import Report, import_wxr

FIXTURES = Path(__file__).parent.parent / "data" / "wxr"
EXPECTED = json.loads((FIXTURES / "expected.json").read_text("utf-8"))
FILES = ["theme-unit-test.wxr.xml", *(name for name, told in EXPECTED.items() if told["outcome"].startswith("import"))]

MakeClient = Callable[..., Client]


def export(client: Client, path: Path) -> dict[str, int]:
    with path.open("wb") as file:
        return export_wxr(client.site, file)


def move(client: Client, path: Path, into: Client) -> Report:
    """Export one site and import the file into another."""
    export(client, path)
    return import_wxr(into.site, path)


def without_roles(told: dict[str, Any]) -> dict[str, Any]:
    """Leave out what an export doesn't carry: roles, which it must not grant, and settings that are of a site alone."""
    users = [{name: value for name, value in user.items() if name != "roles"} for user in told["users"]]
    carried = {name: told["settings"][name] for name in ("title", "description", "language", "timezone")}
    return told | {"users": users, "settings": carried}


@pytest.mark.parametrize("name", FILES)
def test_what_was_imported_moves_on_unchanged(make_client: MakeClient, tmp_path: Path, name: str) -> None:
    first, second = make_client(), make_client()
    import_wxr(first.site, FIXTURES / name)

    report = move(first, tmp_path / "moved.xml", second)

    assert portray(second) == portray(first)
    assert (report.left_out, report.notices) == ({}, [])


@pytest.fixture
def full(make_client: MakeClient) -> Client:
    """A site that holds something of everything."""
    client = make_client(templates=["wide.html"], comment_interval=0)
    furnish(client)
    return client


def test_a_site_with_everything_moves_whole(full: Client, make_client: MakeClient, tmp_path: Path) -> None:
    second = make_client(templates=["wide.html"])

    report = move(full, tmp_path / "moved.xml", second)

    assert without_roles(portray(second)) == without_roles(portray(full))
    assert (report.left_out, report.notices) == ({}, [])

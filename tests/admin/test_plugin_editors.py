"""Editors of texts that plugins bring to the page: which type has which, and what of their folders is served."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sites import Client

from admin.pages import Browser
from cms.hooks import PluginError

PLUGIN = """
from pathlib import Path

from cms import hookimpl
from cms.plugin import PageEditor


@hookimpl
def register_editors():
    return [PageEditor(Path(__file__).parent / "page", TYPES)]
"""


def write_plugin(folder: Path, name: str, types: str) -> None:
    """Write a plugin with an editor; `types` are the arguments behind its folder."""
    page = folder / "plugins" / name / "page"
    (page / "parts").mkdir(parents=True)
    (page.parent / "__init__.py").write_text(PLUGIN.replace("TYPES", types), encoding="utf-8")
    (page / "editor.js").write_text("export const mountEditor = () => null;", encoding="utf-8")
    (page / "parts" / "look.css").write_text("p { color: red }", encoding="utf-8")
    (page / "notes.txt").write_text("a secret", encoding="utf-8")
    (page / "made.py").write_text("SECRET = 1", encoding="utf-8")


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Callable[..., Client]]:
    """Make a site with these plugins, each by the arguments behind its folder."""
    made: list[Client] = []

    def make(**plugins: str) -> Client:
        for name, types in plugins.items():
            write_plugin(tmp_path, name, types)
        made.append(Client(tmp_path, admin=True))
        return made[0]

    yield make
    for client in made:
        client.site.close()


def editors_of(client: Client) -> dict[str, str]:
    browser = Browser(client)
    browser.sign_in()
    found: dict[str, str] = browser.send("GET", "session").json["editors"]
    return found


def test_it_is_for_the_types_that_it_names(make: Callable[..., Client]) -> None:
    client = make(prose="types=('page',)")

    assert editors_of(client) == {"page": "assets/plugins/prose/editor.js"}


def test_without_types_it_is_for_all_that_have_no_other(make: Callable[..., Client]) -> None:
    found = editors_of(make(prose="", tables="types=('page',)"))

    assert found["page"] == "assets/plugins/tables/editor.js"
    assert found["post"] == "assets/plugins/prose/editor.js"


def test_two_of_one_type_are_refused(make: Callable[..., Client]) -> None:
    with pytest.raises(PluginError, match="'page' is already registered by prose"):
        make(prose="types=('page',)", tables="types=('page',)")


@pytest.mark.parametrize(("path", "status"), [
    ("editor.js", 200), ("parts/look.css", 200), ("notes.txt", 404), ("made.py", 404), ("../__init__.py", 404), ("", 404), ("parts", 404),
])
def test_what_browsers_may_load_is_served_under_the_policy_of_the_page(make: Callable[..., Client], path: str, status: int) -> None:
    answer = make(prose="").http.get(f"/admin/assets/plugins/prose/{path}")

    assert answer.status_code == status
    if status == 200:
        assert "script-src 'self';" in answer.headers["Content-Security-Policy"]

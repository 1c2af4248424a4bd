"""List, item, embedding and count agree on who sees what, for every cell of role, status, type, author, password and parent."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import pytest
from media.uploading import send_raw
from sites import Client

from cms.testing import Client as PlainClient
from cms.testing import make_client

PLUGIN = """
from cms.plugin import Content, ContentType, Status, Term, _, hookimpl


@hookimpl
def register_statuses():
    return [Status("archived", _("Archived"), public=True), Status("internal-use", _("For us"), private=True),
            Status("in-review", _("In review"), protected=True)]


@hookimpl
def register_types():
    return [ContentType("region", "regions", _("Regions"), hierarchical=True, supports=("title", "editor", "author"))]


@hookimpl
def check_permission(principal, action, resource, row):
    name = (row or {}).get("title") or (row or {}).get("name") or ""
    if "hidden" in name and not principal.may("manage_options"):
        return False


@hookimpl
def filter_query(resource, plan, principal):
    if principal.may("manage_options"):
        return
    if resource in ("post", "page", "region", "event", "attachment"):
        plan.where("open", lambda: Content.title.contains("hidden") == False)
    if resource in ("category", "post_tag", "event_venue"):
        plan.where("open", lambda: Term.name.contains("hidden") == False)
"""
#: Who asks. The demoted ones have written items when they were authors.
ASKING = (None, "subscriber", "contributor", "author", "author2", "author3", "author4", "editor", "administrator")
WRITERS = ("contributor", "author", "author3", "author4", "administrator")
DEMOTED = {"author3": ["subscriber"], "author4": []}
#: Statuses by name, with the fields that bring an item there.
STATUSES: dict[str, dict[str, Any]] = {
    "publish": {"status": "publish"},
    "publish hidden": {"status": "publish"},
    "future": {"status": "publish", "date": "2099-01-01T00:00:00"},
    "draft": {"status": "draft"},
    "pending": {"status": "pending"},
    "private": {"status": "private"},
    "archived": {"status": "archived"},
    "internal-use": {"status": "internal-use"},
    "in-review": {"status": "in-review"},
    "trash from publish": {"status": "publish"},
    "trash from private": {"status": "private"},
    "trash from draft": {"status": "draft"},
}
#: Those that a finished item is in, with the roles that read another's: what its author is seen by.
READERS_OF_FINISHED: dict[str, set[str | None]] = {
    "publish": set(ASKING),
    "publish hidden": {"administrator"},
    "private": {"editor", "administrator"},
    "archived": set(ASKING),
    "internal-use": {"editor", "administrator"},
}
TYPES = ("posts", "pages", "regions")
#: One of how many cells is asked for.
STEPS = [5, pytest.param(1, marks=pytest.mark.long)]


class Cell(NamedTuple):
    """An item, with the filter by status that lists it."""

    path: str
    id: int
    status: str


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Client, list[Cell]]]:
    folder = tmp_path_factory.mktemp("cells")
    (folder / "plugins").mkdir()
    (folder / "plugins" / "cells.py").write_text(PLUGIN, encoding="utf-8")
    client = Client(folder, plugins=["cms_plugins.menus"])
    for role in ASKING:
        if role:
            client.account(role)
    administrator = "administrator"
    cells = [_written(client, path, writer, status, password) for path in TYPES for writer in WRITERS
             for status in STATUSES for password in ("", "pw") if not (password and "private" in status)]
    cells += [_attached(client, path, writer, status, holder) for path in TYPES for writer in WRITERS for status in STATUSES
              for holder in ("administrator", *([writer] if writer in DEMOTED else ()))]
    for role, roles in DEMOTED.items():
        client.send("POST", f"/users/{client.id_of(role)}", administrator, json={"roles": roles})
    yield client, cells
    client.close()


def _written(client: Client, path: str, writer: str, status: str, password: str = "") -> Cell:
    """Store an item as the administrator, who may do everything, in the name of a writer."""
    fields = {"title": f"{writer} {status} {password}", "content": "Text", "password": password, **STATUSES[status]}
    item = client.new(f"/{path}", "administrator", author=client.id_of(writer), **fields)
    if status.startswith("trash"):
        client.delete(f"/{path}/{item['id']}", "administrator")
    return Cell(path, item["id"], status.split()[0])


def _attached(client: Client, path: str, writer: str, status: str, of: str) -> Cell:
    """Store a file of a writer that is attached to an item of another or of their own."""
    holder = _written(client, path, of, status)
    query = f"?post={holder.id}&author={client.id_of(writer)}"
    file = send_raw(client, f"{path}-{holder.id}.txt", b"text", "administrator", query)
    return Cell("media", file.json["id"], "inherit")


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("context", ["view", "edit"])
@pytest.mark.parametrize("role", ASKING)
def test_lists_hold_just_what_can_be_read(
        site: tuple[Client, list[Cell]], role: str | None, context: str, step: int) -> None:
    client, cells = site[0], site[1][::step]
    compared = 0
    for path in (*TYPES, "media"):
        for status in dict.fromkeys(cell.status for cell in cells if cell.path == path):
            ids = [cell.id for cell in cells if cell.path == path and cell.status == status]
            listed = _listed(client, path, status, ids, role, context)
            if listed is None:
                continue  # such a list is refused as a whole
            readable = {id for id in ids if client.get(f"/{path}/{id}?context={context}", role).status_code == 200}
            assert listed == readable, (path, status)
            compared += len(ids)

    assert compared or context == "edit"


def _listed(client: Client, path: str, status: str, ids: list[int], role: str | None, context: str) -> set[int] | None:
    """Return which ids a list of a status holds, all of its pages; None where it is refused."""
    found: list[int] = []
    for start in range(0, len(ids), 50):
        include = ",".join(map(str, ids[start:start + 50]))
        answer = client.get(f"/{path}?status={status}&context={context}&include={include}&per_page=100", role)
        if answer.status_code in (400, 401, 403):
            return None
        rows = [item["id"] for item in answer.json]
        assert int(answer.headers["X-WP-Total"]) == len(rows) == len(set(rows))
        found += rows
    return set(found)


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("role", ASKING)
def test_embedded_items_are_those_that_can_be_read(site: tuple[Client, list[Cell]], role: str | None, step: int) -> None:
    client, cells = site[0], site[1][::step]
    for path, link in (("pages", "up"), ("regions", "up"), ("media", "wp:featuredmedia")):
        for cell in cells:
            if cell.path != path or cell.id % (9 if path == "media" else 3):
                continue
            holder = _holder(client, cell)
            shown = client.get(f"/{holder}?_embed", role).json["_embedded"][link][0]
            is_readable = client.get(f"/{path}/{cell.id}", role).status_code == 200
            assert (shown.get("id") == cell.id) == is_readable, cell


HOLDERS: dict[int, str] = {}


def _holder(client: Client, cell: Cell) -> str:
    """Return the path of a published item that links to a cell's item."""
    if cell.id not in HOLDERS:
        is_file = cell.path == "media"
        path = "posts" if is_file else cell.path
        link = {"featured_media": cell.id} if is_file else {"parent": cell.id}
        item = client.new(f"/{path}", "administrator", title="Holder", content="x", status="publish", **link)
        HOLDERS[cell.id] = f"{path}/{item['id']}"
    return HOLDERS[cell.id]


@pytest.mark.parametrize("role", ASKING)
def test_comments_are_seen_where_their_item_can_be_read(site: tuple[Client, list[Cell]], role: str | None) -> None:
    client, cells = site
    for cell in cells[::7]:
        if cell.status in ("draft", "trash"):
            continue  # these take no comments
        found = client.site.database.scalar("SELECT id FROM comments WHERE post_id = ?", (cell.id,))
        if found is None:
            client.site.database.execute("UPDATE content SET comment_status = 'open' WHERE id = ?", (cell.id,))
            found = client.new("/comments", "administrator", post=cell.id, content=f"On {cell.id}")["id"]
        item = client.get(f"/comments/{found}", role).status_code == 200
        listed = [comment["id"] for comment in client.get(f"/comments?include={found}", role).json]
        assert (found in listed) == item, cell


@pytest.mark.parametrize("role", ASKING)
def test_menu_items_are_seen_with_what_they_lead_to(site: tuple[Client, list[Cell]], role: str | None) -> None:
    client, cells = site
    chosen = cells[::17]
    items = {cell: _menu_item(client, "post_type", cell.id) for cell in chosen}
    listed = _listed(client, "menu-items", "publish", list(items.values()), role, "view")
    for cell, item in items.items():
        answer = client.get(f"/menu-items/{item}", role)
        target = client.get(f"/{cell.path}/{cell.id}", role).status_code
        assert (answer.status_code == 200) == (item in (listed or ())) == (target == 200), cell
        if target != 200:
            assert str(cell.id) not in answer.text
    terms = [client.new("/tags", "administrator", name=f"{name} {role}")["id"] for name in ("open", "hidden")]
    to_terms = [_menu_item(client, "taxonomy", term) for term in terms]
    seen = [client.get(f"/menu-items/{item}", role).status_code == 200 for item in to_terms]
    assert seen == [True, role == "administrator"]
    assert _listed(client, "menu-items", "publish", to_terms, role, "view") == set(to_terms[:1 + seen[1]])


MENU_ITEMS: dict[tuple[str, int], int] = {}


def _menu_item(client: Client, kind: str, id: int) -> int:
    """Return the id of a menu item that leads to something."""
    if (kind, id) not in MENU_ITEMS:
        item = client.new("/menu-items", "administrator", type=kind, object_id=id, title=f"To {id}")
        MENU_ITEMS[kind, id] = item["id"]
    return MENU_ITEMS[kind, id]


@pytest.mark.parametrize("of_file", [False, True], ids=["text", "file"])
@pytest.mark.parametrize("status", STATUSES)
def test_an_account_is_seen_by_those_who_may_read_what_it_finished(
        site: tuple[Client, list[Cell]], status: str, of_file: bool) -> None:
    client, _cells = site
    number = 10 + 2 * list(STATUSES).index(status) + of_file
    writer = f"author{number}"
    if of_file:
        _attached(client, "posts", writer, status, "administrator")
    else:
        _written(client, "posts", writer, status)
    id, on = client.id_of(writer), client.new("/posts", title="Open", status="publish")["id"]
    comment = client.new("/comments", writer, post=on, content=f"By {writer}")["id"]
    client.post(f"/comments/{comment}", {"status": "approve"}, "administrator")

    for role in ASKING:
        expected = role == "administrator" or role in READERS_OF_FINISHED.get(status, ())
        if of_file:
            expected |= status not in READERS_OF_FINISHED and role == "editor"  # who reads the file, for once of a draft
        item = client.get(f"/users/{id}", role).status_code == 200
        answer = client.get(f"/users?include={id}", role)
        embedded = client.get(f"/comments/{comment}?_embed", role).json["_embedded"]["author"][0]
        listed = [account["id"] for account in answer.json]
        assert (item, listed, "name" in embedded) == (expected, [id] * expected, expected), role
        assert answer.headers["X-WP-Total"] == str(len(listed))


@pytest.fixture(scope="module")
def events(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[PlainClient, dict[str, int]]]:
    folder = tmp_path_factory.mktemp("events")
    (folder / "plugins").mkdir()
    (folder / "plugins" / "cells.py").write_text(PLUGIN, encoding="utf-8")
    client = make_client(folder, plugins=["cms_plugins.events", "cms_plugins.editorial", "cms_plugins.seo"])
    tomorrow = (datetime.now(UTC) + timedelta(days=1)).strftime("%Y-%m-%dT%H:%M:%S")
    ids, venue = {}, client.new("/event-venues", "administrator", name="hidden venue")["id"]
    for status, fields in STATUSES.items():
        for password in ("", "pw") if "private" not in status else ("",):
            name = f"{status} {password}".strip()
            item = client.new("/events", "administrator", title=name, content="Text", start=tomorrow, place=f"at {name}.", event_venues=[venue],
                              seo_title=f"{name}.", password=password, author=client.id_of("author"), **fields)
            ids[name] = item["id"]
            if status.startswith("trash"):
                client.delete(f"/events/{item['id']}", "administrator")
    yield client, ids
    client.close()


@pytest.mark.parametrize("role", [role for role in ASKING if role not in DEMOTED])
def test_what_plugins_make_of_items_is_seen_with_them(events: tuple[PlainClient, dict[str, int]], role: str | None) -> None:
    client, ids = events
    answers = {name: client.get(f"/events/{id}", role) for name, id in ids.items()}
    readable = {name for name, answer in answers.items() if answer.status_code == 200}
    upcoming = client.get("/events/upcoming?per_page=100", role)
    listed = {item["title"]["rendered"] for item in upcoming.json}

    assert listed == {name for name in readable if name.startswith("publish")}
    assert int(upcoming.headers["X-WP-Total"]) == len(listed)
    for name in readable:
        assert answers[name].json["place"] == ("" if name.endswith("pw") else f"at {name}.")
    calendar = client.get("/events/calendar", role).text
    assert "hidden venue" not in calendar
    for name, id in ids.items():
        is_open = name == "publish"
        assert (f"event-{id}@" in calendar) == (name in ("publish", "publish pw")), name
        assert (f"at {name}." in calendar) == is_open, name
        for path in (f"/events/{id}/revisions", f"/events/{id}/autosaves"):
            if name not in readable:
                told = client.get(path, role)
                assert told.status_code in (401, 403), path
                assert f"{name}." not in told.text


@pytest.mark.parametrize("status", ["private", "draft"])
def test_accounts_read_their_own_items_though_they_may_write_no_more(client: Client, status: str) -> None:
    post = client.new("/posts", "author", title="Mine")["id"]
    path, account = f"/posts/{post}", f"/users/{client.id_of('author')}"
    assert client.post(path, {"status": status}).status_code == 200
    assert client.post(account, {"roles": ["subscriber"]}, "administrator").status_code == 200

    assert client.get(path, "author").status_code == 200
    assert client.get(path, "subscriber").status_code == 403
    assert client.post(path, {"title": "New"}, "author").status_code == 403

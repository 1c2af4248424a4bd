"""The audit: what is stored of whom, together with each change, and who may read it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pictures import PICTURE
from sites import Client

from cms.dates import in_days, in_seconds
from cms.testing import basic

EXPORT = Path(__file__).parents[1] / "data" / "wxr" / "fixture-cdata.xml"
ALL = "/audit?per_page=100&orderby=id&order=asc"
BREAKS = """
@hookimpl(trylast=True)
def after_write(resource, row, site):
    if resource == "post" and row and row["title"] == "Broken":
        raise ValueError("not this one")
"""


@pytest.fixture
def client(bundled: Callable[..., Client]) -> Client:
    client = bundled("audit")
    for role in ("administrator", "editor", "author"):
        client.account(role)
    return client


def entries(client: Client, query: str = "") -> list[dict[str, Any]]:
    answer = client.get(ALL + query, "administrator")
    assert answer.status_code == 200, answer.json
    found: list[dict[str, Any]] = answer.json
    return found


def of_items(client: Client, query: str = "") -> list[dict[str, Any]]:
    return [each for each in entries(client, query) if not each["action"].startswith("sign")]


def test_a_change_is_told_with_who_did_it_and_what_it_was_before(client: Client) -> None:
    id = client.new("/posts", title="First", content="x" * 300, status="draft", date="2026-01-02T03:04:05")["id"]
    client.post(f"/posts/{id}", {"title": "Second", "password": "do not tell"})

    created, changed = of_items(client, f"&resource=post&item={id}")
    assert (created["action"], created["title"], created["login"]) == ("created", "First", client.account("editor")[0])
    assert (created["user"], created["sign_in"], created["address"]) == (client.id_of("editor"), "password", "127.0.0.1")
    assert created["changes"]["content"]["after"]["bytes"] == 300
    assert (changed["action"], changed["title"]) == ("changed", "Second")
    assert set(changed["changed_fields"]) == {"title", "password"}
    assert changed["changes"]["title"] == {"before": "First", "after": "Second"}
    assert changed["changes"]["password"] == {"before": None, "after": None}
    assert "do not tell" not in str(entries(client))


def test_of_what_a_file_is_attached_to_the_id_alone_is_told(client: Client) -> None:
    draft = client.new("/pages", title="Unfinished", status="draft")["id"]
    sent = {"Content-Type": "image/gif", "Content-Disposition": 'attachment; filename="dot.gif"'}
    id = client.send("POST", "/media", "editor", data=PICTURE, headers=sent).json["id"]
    client.post(f"/media/{id}", {"post": draft})

    changed = of_items(client, f"&resource=attachment&item={id}")[-1]

    assert changed["changes"] == {"parent_id": {"before": 0, "after": draft}}


def test_the_trash_and_deletion_are_actions_of_their_own(client: Client) -> None:
    id = client.new("/posts", title="Item")["id"]
    client.send("DELETE", f"/posts/{id}", "editor")
    client.post(f"/posts/{id}", {"status": "draft"})
    client.send("DELETE", f"/posts/{id}?force=true", "editor")
    actions = [each["action"] for each in of_items(client, f"&item={id}&resource=post")]
    assert actions == ["created", "trashed", "restored", "deleted"]


def test_settings_terms_and_accounts_are_told_of(client: Client) -> None:
    client.post("/settings", {"title": "Another"}, "administrator")
    client.post("/categories", {"name": "News"}, "editor")
    client.post("/users", {"username": "new", "email": "n@example.org", "password": "Long secret 9"}, "administrator")
    found = {each["resource"]: each for each in of_items(client)}
    assert found["settings"]["changes"]["title"]["after"] == "Another"
    assert (found["category"]["title"], found["category"]["action"]) == ("News", "created")
    assert "password_hash" in found["user"]["changed_fields"]
    assert found["user"]["changes"]["password_hash"] == {"before": None, "after": None}
    assert "Long secret" not in str(found)


def test_what_is_undone_is_not_told_of(plugged: Any) -> None:
    site = plugged({"plugins": ["audit"]}, breaks=BREAKS)
    site.run("migrate")
    client = site.client()
    client.account("administrator")
    assert client.post("/posts", {"title": "Broken"}).status_code == 500
    client.new("/posts", title="Whole")
    assert [each["title"] for each in of_items(client, "&resource=post")] == ["Whole"]


@pytest.mark.files_only
def test_nothing_is_done_that_cannot_be_told_of(client: Client) -> None:
    with client.site.database.write():
        client.site.database.execute(
            "CREATE TRIGGER full BEFORE INSERT ON audit_entries WHEN NEW.action = 'created' "
            "BEGIN SELECT RAISE(ABORT, 'full'); END"
        )
    assert client.post("/posts", {"title": "Untold", "status": "publish"}).status_code == 500
    assert client.get("/posts?search=Untold").json == []


def test_failed_sign_ins_are_one_entry_for_account_and_address(client: Client) -> None:
    login = client.account("author")[0]
    for _number in range(3):
        client.get("/posts", headers={"Authorization": basic(login, "wrong")})
    for name in ("nobody", "anybody"):
        client.get("/posts", headers={"Authorization": basic(name, "wrong")})
    failed = entries(client, "&action=sign_in_failed")
    assert [(each["login"], each["times"]) for each in failed] == [(login, 3), ("", 2)]
    assert "nobody" not in str(failed)


def test_an_attacker_makes_no_more_entries_than_there_is_room_for(
        client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cms_plugins.audit.store.MOST_SPOTS", 2)
    for number in range(6):
        wrong = {"Authorization": "Bearer cmst_wrong"}
        client.get("/posts", headers=wrong, environ_base={"REMOTE_ADDR": f"203.0.113.{number}"})
    failed = entries(client, "&action=sign_in_failed")
    assert [(each["address"], each["times"]) for each in failed] == [("203.0.113.0", 1), ("203.0.113.1", 1), ("", 4)]


def test_many_repeats_are_written_once_a_minute(client: Client) -> None:
    client.site.clock.now = lambda: "2026-01-31T12:00:00"  # type: ignore[method-assign]
    entries(client)
    wrong = {"Authorization": "Bearer cmst_wrong"}
    written = [len(client.statements(lambda: client.get("/posts", headers=wrong))) for _number in range(14)]
    assert written[9] > written[10] == written[13]
    client.site.clock.now = lambda: "2026-01-31T12:01:00"  # type: ignore[method-assign]
    client.get("/posts", headers=wrong)
    assert [each["times"] for each in entries(client, "&action=sign_in_failed")] == [15]


def test_a_token_says_so_and_is_told_of_when_it_is_made_and_revoked(bundled: Callable[..., Client]) -> None:
    client = bundled("audit", "application_passwords")
    client.account("administrator")
    made = client.post("/users/me/application-passwords", {"name": "Phone"}, "administrator").json
    login = client.account("administrator")[0]
    client.post("/posts", {"title": "By phone"}, None, headers={"Authorization": basic(login, made["password"])})
    client.delete(f"/users/me/application-passwords/{made['uuid']}", "administrator")
    created, post, revoked = of_items(client)[-3:]
    assert (created["action"], created["title"], created["sign_in"]) == ("token.created", "Phone", "password")
    assert (post["title"], post["sign_in"], post["login"]) == ("By phone", "application_password", login)
    assert (revoked["action"], revoked["title"]) == ("token.revoked", "Phone")
    assert made["password"] not in str(entries(client))


def test_commands_are_told_of_and_list_the_entries(plugged: Any) -> None:
    site = plugged({"plugins": ["audit"]})
    site.run("migrate", CMS_PLUGINS="audit")
    site.run("user", "add", "anna", "--email", "anna@example.org", CMS_PLUGINS="audit")
    site.run("token", "create", "anna", "--name", "Build", CMS_PLUGINS="audit")
    found = site.json("audit", CMS_PLUGINS="audit")
    assert [(each["action"], each["title"], each["login"], each["sign_in"]) for each in found] == [
        ("token.created", "Build", "operator", "command"), ("created", "anna", "operator", "command")]
    assert "anna" in site.run("audit", "--resource", "user", CMS_PLUGINS="audit").stdout
    assert site.json("audit", "--action", "deleted", CMS_PLUGINS="audit") == []


def test_an_import_is_one_entry_with_what_it_brought(plugged: Any) -> None:
    site = plugged({"plugins": ["audit"]})
    site.run("migrate", CMS_PLUGINS="audit")
    site.run("import", str(EXPORT), "--no-media", CMS_PLUGINS="audit")
    (entry,) = site.json("audit", CMS_PLUGINS="audit")
    assert (entry["action"], entry["resource"], entry["sign_in"]) == ("import.finished", "import", "command")
    assert entry["fields"] == ["imported"]


def test_links_to_drafts_are_told_of(bundled: Callable[..., Client]) -> None:
    client = bundled("audit", "editorial")
    client.account("administrator")
    id = client.new("/posts", title="Draft")["id"]
    token = client.post(f"/posts/{id}/preview-link", {}).json["token"]
    client.delete(f"/posts/{id}/preview-link")
    assert [each["action"] for each in of_items(client, f"&item={id}")] == [
        "created", "preview.made", "preview.revoked"]
    assert token not in str(entries(client))


def test_rewritten_addresses_are_told_of(plugged: Any) -> None:
    site = plugged({"plugins": ["audit"]})
    site.run("migrate", CMS_PLUGINS="audit")
    site.client().new("/posts", title="Item", content='<a href="http://old.example/x">x</a>')
    site.run("url", "http://old.example", "http://new.example", CMS_PLUGINS="audit")
    (entry, *others) = site.json("audit", "--action", "addresses.rewritten", CMS_PLUGINS="audit")
    assert entry["changes"]["rows"][1] >= 1
    assert {each["resource"] for each in (entry, *others)} <= {"content", "revisions"}


@pytest.mark.parametrize(("settings", "kept"), [({"days": 30}, False), ({"days": 0}, True), ({}, True)])
def test_old_entries_are_removed(bundled: Callable[..., Client], settings: dict[str, int], kept: bool) -> None:
    client = bundled("audit", audit=settings)
    client.account("editor")
    client.new("/posts", title="Old")
    now = in_days(client.site.now(), 40)
    client.site.clock.now = lambda: now  # type: ignore[method-assign]
    client.site.context.runtime.now = lambda: 4_000_000_000.0
    client.site.worker.run_due()
    assert bool(of_items(client, "&resource=post")) is kept


def test_a_scheduled_publication_is_told_of_without_an_account(client: Client) -> None:
    now = client.site.now()
    client.new("/posts", title="Later", status="publish", date_gmt=in_seconds(now, 60))
    later = in_seconds(now, 120)
    client.site.clock.now = lambda: later  # type: ignore[method-assign]
    client.site.context.runtime.now = lambda: 4_000_000_000.0
    client.site.worker.run_due()
    published = entries(client, "&action=published")
    assert [(each["title"], each["user"], each["login"]) for each in published] == [("Later", 0, "")]


def test_a_write_takes_one_statement_more_to_store(client: Client) -> None:
    id = client.new("/posts", title="Item")["id"]
    found = client.statements(lambda: client.post(f"/posts/{id}", {"title": "Other"}))
    assert len([each for each in found if "audit_entries" in each]) == 1


def test_administrators_alone_read_it(client: Client) -> None:
    client.new("/posts", title="Item")
    id = entries(client)[0]["id"]
    for path in ("/audit", f"/audit/{id}"):
        assert client.get(path).status_code == 401
        assert client.get(path, "editor").status_code == 403
        assert client.get(path, "administrator").status_code == 200
        for method in ("POST", "PUT", "DELETE"):
            assert client.send(method, path, "administrator").status_code == 404
    assert client.get("/audit/999999", "administrator").status_code == 404


def test_lists_are_filtered_and_counted(client: Client) -> None:
    for number in range(3):
        client.new("/posts", title=f"Item {number}")
    answer = client.get("/audit?resource=post&per_page=2&page=2&order=asc", "administrator")
    assert [each["title"] for each in answer.json] == ["Item 2"]
    assert (answer.headers["X-WP-Total"], answer.headers["X-WP-TotalPages"]) == ("3", "2")
    assert entries(client, "&before=2001-01-01T00:00:00") == []
    assert len(of_items(client, "&resource=post&after=2001-01-01T00:00:00")) == 3
    assert of_items(client, f"&resource=post&user={client.id_of('author')}") == []

"""A site inside somebody else's Flask application."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from adapter import copy_ready_site
from flask import Flask, session
from sites import Client

import cms
from cms.errors import ApiError
from cms.site import Site

DOCUMENT = (Path(__file__).parent.parent / "docs" / "embedding.md").read_text(encoding="utf-8")
CONFIG = {"password_cost": "low", "synchronous": "normal"}


def folder(path: Path, name: str = "site") -> Path:
    """Return the folder of a pristine site."""
    (made := path / name).mkdir()
    copy_ready_site(made)
    with (made / "config.toml").open("a") as file:
        file.write('password_cost = "low"\nsynchronous = "normal"\nurl = "http://cms.example"\n')
    return made


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Flask]:
    """An application with routes, a session and error pages of its own, and a site below /backend."""
    app = Flask("host")
    app.secret_key = "secret"
    site = cms.init_app(app, CONFIG, folder(tmp_path), base="/backend")

    @app.get("/visits")
    def visits() -> str:
        session["visits"] = session.get("visits", 0) + 1
        return str(session["visits"])

    @app.get("/api")
    def own() -> str:
        return "the host's own"

    @app.errorhandler(404)
    def lost(error: Any) -> tuple[str, int]:
        return "the host's page for what isn't there", 404

    yield app
    site.close()


@pytest.fixture
def site(client: Client) -> Site:
    return client.site


def test_the_host_keeps_its_routes_sessions_and_error_pages(host: Flask) -> None:
    http = host.test_client()

    assert http.get("/api").text == "the host's own"
    assert http.get("/nothing").text == "the host's page for what isn't there"
    assert http.get("/backend/nothing").text == "the host's page for what isn't there"
    assert [http.get("/visits").text, http.get("/backend/api/").status_code, http.get("/visits").text] == ["1", 200, "2"]
    assert "Set-Cookie" not in http.get("/backend/api/cms/v2/posts").headers


def test_the_site_answers_below_its_base(host: Flask) -> None:
    http = host.test_client()

    assert http.get("/backend/api/cms/v2/posts").json == []
    assert http.get("/backend/id/api/cms/v2/posts/9").json["message"] != http.get("/backend/api/cms/v2/posts/9").json[
        "message"]
    assert http.get("/backend/api/cms/v2/nothing").json["code"] == "rest_no_route"
    root = http.get("/backend/api/").json
    assert root["routes"]["/cms/v2/posts"]["_links"]["self"].endswith("/backend/api/cms/v2/posts")


def test_two_applications_share_nothing(tmp_path: Path) -> None:
    apps = [Flask("one"), Flask("two")]
    sites = [cms.init_app(app, CONFIG, folder(tmp_path, name)) for app, name in zip(apps, "ab", strict=True)]
    sites[0].posts.create(user="admin", title="Only in the first", status="publish")

    assert [len(app.test_client().get("/api/cms/v2/posts").json) for app in apps] == [1, 0]
    assert [site.posts.list().total for site in sites] == [1, 0]
    for each in sites:
        each.close()


def test_two_sites_in_one_application_share_nothing(tmp_path: Path) -> None:
    app = Flask("both")
    sites = [cms.init_app(app, CONFIG, folder(tmp_path, name), base=f"/{name}") for name in "ab"]
    sites[1].posts.create(user="admin", title="Only in the second", status="publish")

    assert [len(app.test_client().get(f"/{name}/api/cms/v2/posts").json) for name in "ab"] == [0, 1]
    for each in sites:
        each.close()


def test_the_documented_application_works(tmp_path: Path) -> None:
    names: dict[str, Any] = {"__name__": "blog"}
    exec(re.findall(r"```python\n(.*?)```", DOCUMENT, re.DOTALL)[0], names)
    app = names["make_app"](folder(tmp_path))
    site = app.extensions["cms"]
    for number in range(7):
        site.posts.create(user="admin", title=f"Post {number} & more", content=f"Text <b>{number}</b>.", status="publish",
                          date=datetime(2021, 1, 1 + number))
    http = app.test_client()

    front, second = http.get("/"), http.get("/?page=2")
    assert re.findall(r'<a href="/([\w-]+)">', front.text) == [f"post-{number}-more" for number in (6, 5, 4, 3, 2)]
    assert ("older" in front.text, "newer" in front.text) == (True, False)
    assert ("older" in second.text, "newer" in second.text) == (False, True)
    one = http.get("/post-3-more")
    assert "<p>Text <b>3</b>.</p>" in one.text
    assert "by admin" in one.text
    assert [http.get(path).status_code for path in ("/nothing", "/?page=99")] == [404, 404]
    assert http.get("/backend/api/cms/v2/posts").headers["X-WP-Total"] == "7"
    site.close()


def test_the_documented_calls_work(site: Site) -> None:
    names: dict[str, Any] = {"site": site}

    exec(re.findall(r"```python\n(.*?)```", DOCUMENT, re.DOTALL)[1], names)

    assert site.posts.get(names["post"]["id"])["sticky"] is True
    assert names["drafts"].items == []


def test_calls_return_what_requests_return(client: Client, site: Site) -> None:
    made = site.posts.create(user="admin", title="Hello", status="private")

    assert site.posts.get(made["id"], user="admin") == client.get(f"/posts/{made['id']}", "administrator").json
    assert made["title"] == {"raw": "Hello", "rendered": "Private: Hello"}
    assert site.posts.list(user="admin", status="private", embed=True).items == client.get(
        "/posts?status=private&_embed", "administrator").json
    assert site.posts.list(user="admin", status="private", fields=["id"]).items == [{"id": made["id"]}]


def test_calls_have_the_rights_of_their_user(client: Client, site: Site) -> None:
    login = client.account("author")[0]
    draft = site.posts.create(user="admin", title="Draft")

    for call, status in ((lambda: site.posts.get(draft["id"]), 401),
                         (lambda: site.posts.get(draft["id"], user=login), 403),
                         (lambda: site.posts.update(draft["id"], user=login, title="Mine"), 403),
                         (lambda: site.posts.create(user=None, title="Anonymous"), 401),
                         (lambda: site.posts.list(per_page=0), 400),
                         (lambda: site.posts.get(999_999), 404)):
        with pytest.raises(ApiError) as refused:
            call()
        assert refused.value.status == status
    assert site.posts.list().total == 0
    with pytest.raises(LookupError, match="nobody"):
        site.posts.list(user="nobody")


def test_files_come_in_by_calls(client: Client, site: Site, tmp_path: Path) -> None:
    (path := tmp_path / "note.txt").write_bytes(b"from a path")

    by_path = site.media.create(user="admin", file=path, title="Note")
    by_stream = site.media.create(user="admin", file=BytesIO(b"from a stream"), file_name="stream.txt")

    sources = [each["source_url"].removeprefix("http://cms.example") for each in (by_path, by_stream)]
    assert [client.http.get(source, buffered=True).data for source in sources] == [b"from a path", b"from a stream"]
    assert (by_path["title"]["raw"], by_stream["title"]["raw"]) == ("Note", "stream")
    with pytest.raises(ApiError) as refused:
        site.media.create(user="admin", file=BytesIO(b"MZ"), file_name="tool.exe")
    assert refused.value.code == "rest_upload_unknown_error"
    assert list(site.config.incoming.iterdir()) == []


def test_items_are_deleted_by_calls(site: Site) -> None:
    made = site.categories.create(user="admin", name="Sea")

    assert site.categories.delete(made["id"], user="admin", force=True)["deleted"] is True
    with pytest.raises(ApiError):
        site.categories.get(made["id"])


def test_a_site_has_no_other_attributes(site: Site) -> None:
    with pytest.raises(AttributeError, match="nothing"):
        site.nothing  # noqa: B018

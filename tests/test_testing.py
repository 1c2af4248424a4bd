"""The fixtures for the tests of plugins."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from cms.site import Site
from cms.testing import Client


def test_events_are_counted_exactly(cms_client: Client, cms_events: Callable[[Callable[[], Any]], dict[str, int]]) -> None:
    made = cms_client.new("/posts", title="Post")

    assert cms_events(lambda: cms_client.get("/posts")) == {}
    assert cms_events(lambda: cms_client.post(f"/posts/{made['id']}", {"status": "publish"})) == {
        "post.updated": 1, "post.published": 1}
    assert cms_events(lambda: cms_client.post(f"/posts/{made['id']}", {"status": "nonsense"})) == {}
    assert cms_events(lambda: [cms_client.delete(f"/posts/{made['id']}?force=true"), cms_client.new("/posts", title="x")]) == {
        "post.deleted": 1, "post.created": 1}


def test_without_the_fixture_no_events_are_written(cms_client: Client) -> None:
    cms_client.new("/posts", title="Post")

    assert cms_client.site.database.rows("SELECT * FROM events") == []


def test_requests_come_from_accounts_of_roles(cms_client: Client, cms_as: Callable[[str], dict[str, str]]) -> None:
    me = [cms_client.http.get("/api/cms/v2/users/me?context=edit", headers=cms_as(role)).json["roles"]
          for role in ("editor", "author2")]

    assert me == [["editor"], ["author"]]


def test_statements_are_told(cms_client: Client, cms_statements: Callable[[Callable[[], Any]], list[str]]) -> None:
    cms_client.get("/posts")

    assert [sql.split()[0] for sql in cms_statements(lambda: cms_client.get("/posts"))] == ["SELECT", "SELECT"]


class TestSettings:
    @pytest.fixture
    def cms_config(self) -> dict[str, Any]:
        return {"plugins": ["seo"], "revisions": 3}

    def test_a_test_chooses_plugins_and_settings(self, cms_site: Site, cms_client: Client) -> None:
        assert "seo" in cms_site.plugins.loaded
        assert cms_site.config["revisions"] == 3
        assert cms_client.new("/posts", title="Post", seo_title="For engines")["seo_title"] == "For engines"

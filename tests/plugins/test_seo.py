"""Fields for search engines on posts, pages, media and terms."""

from __future__ import annotations

from typing import Any

import pytest

from cms.testing import Client

DEFAULTS = {"seo_title": "", "seo_description": "", "seo_canonical": "", "seo_image": 0, "seo_noindex": False}
FULL = {"seo_title": "Harbour, quickly", "seo_description": "All boats.", "seo_canonical": "https://example.org/harbour",
        "seo_image": 7, "seo_noindex": True}


@pytest.fixture
def cms_config() -> dict[str, Any]:
    return {"plugins": ["seo"]}


def chosen(item: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in item.items() if name.startswith("seo_")}


def create(client: Client, path: str, **fields: Any) -> dict[str, Any]:
    named = {"name": fields.pop("title")} if path in ("/categories", "/tags") else {"status": "publish"}
    return client.new(path, **named, **fields)


@pytest.mark.parametrize("path", ["/posts", "/pages", "/categories", "/tags"])
def test_fields_are_kept_shown_and_taken_back(cms_client: Client, path: str) -> None:
    plain, made = create(cms_client, path, title="Plain"), create(cms_client, path, title="Full", **FULL)

    assert (chosen(plain), chosen(made)) == (DEFAULTS, FULL)
    one = f"{path}/{made['id']}"
    assert chosen(cms_client.get(one).json) == FULL
    assert chosen(cms_client.get(f"{one}?context=embed").json) == {}
    changed = cms_client.post(one, {"seo_title": None, "seo_noindex": False}).json
    assert chosen(changed) == {**FULL, "seo_title": "", "seo_noindex": False}


@pytest.mark.parametrize("path", ["/posts", "/pages", "/categories", "/tags"])
def test_lists_are_narrowed_with_right_totals(cms_client: Client, path: str) -> None:
    ids = [create(cms_client, path, title=f"Item {number}", seo_noindex=number > 0, seo_title="Same" * (number > 1))["id"]
           for number in range(4)]
    only = "include=" + ",".join(map(str, ids))

    for query, wanted in (("seo_noindex=true", ids[1:]), ("seo_noindex=false", ids[:1]), ("seo_title=Same", ids[2:]),
                          ("seo_title=Same&seo_noindex=false", [])):
        answer = cms_client.get(f"{path}?{only}&{query}&per_page=1")
        found = cms_client.get(f"{path}?{only}&{query}").json
        assert (sorted(item["id"] for item in found), answer.headers["X-WP-Total"]) == (wanted, str(len(wanted)))
    assert cms_client.get(f"{path}?seo_noindex=perhaps").status_code == 400


@pytest.mark.parametrize(("field", "value", "message"), [
    ("seo_title", "x" * 201, "This may have 200 characters at most."),
    ("seo_description", "x" * 501, "This may have 500 characters at most."),
    ("seo_title", 7, "This must be of type string."),
    ("seo_noindex", "perhaps", "This must be of type boolean."),
    ("seo_image", -1, "This must be 0 or more."),
    *(("seo_canonical", value, "This must be an address that begins with http:// or https://.") for value in (
        "javascript:alert(1)", "/harbour", "example.org", "ftp://example.org/", "https://", "https:///", "https://?a", "http://[", "https://a b/")),
])
def test_values_are_checked(cms_client: Client, field: str, value: Any, message: str) -> None:
    answer = cms_client.post("/posts", {"title": "Post", field: value})

    assert answer.status_code == 400
    assert answer.json["data"]["params"] == {field: message}
    assert cms_client.get("/posts?status=any", "editor").json == []


@pytest.mark.parametrize(("field", "sent", "kept"), [
    ("seo_title", "  Two\n words ", "Two words"), ("seo_title", "x" * 200 + " ", "x" * 200),
    ("seo_title", "<b>R&D</b> &amp; 1 < 2", "R&D &amp; 1 < 2"), ("seo_description", "x<script>alert(1)</script>", "x"), ("seo_canonical", "https://example.org/büro?ä#ö", "https://example.org/b%C3%BCro?%C3%A4#%C3%B6"),
    ("seo_canonical", "HTTP://[::1]:8000/", "http://[::1]:8000/"),
    ("seo_canonical", " ", ""),
])
def test_texts_are_one_line_of_plain_text(cms_client: Client, field: str, sent: str, kept: str) -> None:
    assert create(cms_client, "/posts", title="Post", **{field: sent})[field] == kept


def test_fields_belong_to_revisions_and_follow_an_item_through_the_trash(cms_client: Client) -> None:
    post = create(cms_client, "/posts", title="Post", **FULL)

    assert chosen(cms_client.delete(f"/posts/{post['id']}").json) == FULL
    assert chosen(cms_client.post(f"/posts/{post['id']}", {"status": "publish"}).json) == FULL


def test_everything_is_described_in_both_languages(cms_client: Client) -> None:
    localized = {}
    for language in ("en", "id"):
        routes = cms_client.get(f"//{language}/api/").json["routes"]
        lists, creates = (endpoint["args"] for endpoint in routes["/cms/v2/pages"]["endpoints"])
        assert set(DEFAULTS) <= set(creates)
        assert {"seo_title", "seo_noindex"} == {name for name in lists if name.startswith("seo_")}
        assert (creates["seo_title"]["maxLength"], creates["seo_canonical"]["format"]) == (200, "uri")
        schema = cms_client.send("OPTIONS", f"//{language}/api/cms/v2/tags").json["schema"]["properties"]
        assert set(DEFAULTS) <= set(schema)
        localized[language] = [creates[name]["description"] for name in DEFAULTS]
    assert localized["en"][0].startswith("Title for search engines")
    assert localized["id"][0].startswith("Judul untuk mesin pencari")
    assert not set(localized["en"]) & set(localized["id"])


def test_other_resources_have_none(cms_client: Client) -> None:
    post = create(cms_client, "/posts", title="Post")
    comment = cms_client.new("/comments", post=post["id"], content="Good")

    assert chosen(comment) == chosen(cms_client.get("/users/me", "editor").json) == {}


def test_a_list_costs_no_more_statements(cms_client: Client, tmp_path: Any) -> None:
    from cms.testing import make_client

    (tmp_path / "plain").mkdir()
    plain = make_client(tmp_path / "plain")
    counts = []
    for client in (plain, cms_client):
        create(client, "/posts", title="Post")
        client.get("/posts")
        counts.append(len(client.statements(lambda client=client: client.get("/posts"))))
    plain.close()

    assert counts[0] == counts[1]


def test_without_the_plugin_there_are_no_fields(plugged: Any) -> None:
    site = plugged({"plugins": ["seo"]})
    post = site.client().new("/posts", title="Post", status="publish", **FULL)

    client = site.client(plugins=[])
    assert chosen(client.get(f"/posts/{post['id']}").json) == {}
    assert "seo_noindex" not in str(client.get("//api/").json)
    assert chosen(site.client().get(f"/posts/{post['id']}").json) == FULL

"""The documents that describe the service."""

from __future__ import annotations

from sites import URL, Client


def test_every_route_is_told_with_its_arguments(client: Client) -> None:
    document = client.get("//api/").json

    assert document["namespaces"] == ["cms/v2"]
    assert document["authentication"] == []
    item = document["routes"][r"/cms/v2/posts/(?P<id>[\d]+)"]
    assert item["methods"] == ["GET", "POST", "PUT", "PATCH", "DELETE"]
    assert "_links" not in item
    assert document["routes"]["/cms/v2/posts"]["_links"]["self"] == f"{URL}/api/cms/v2/posts"
    for path, route in document["routes"].items():
        for endpoint in route["endpoints"]:
            assert endpoint["args"] == [] or endpoint["args"], path
            for name, argument in (endpoint["args"] or {}).items():
                assert argument.get("description") or path in ("/", "/cms/v2"), (path, name)


def test_one_namespace_is_described_by_itself(client: Client) -> None:
    whole, part = client.get("//api/").json, client.get("//api/cms/v2").json

    assert part["namespace"] == "cms/v2"
    assert part["routes"] == {k: v for k, v in whole["routes"].items() if k != "/"}


def test_the_home_page_leads_to_the_api(client: Client) -> None:
    for method in ("GET", "HEAD"):
        answer = client.send(method, "//")

        assert answer.headers["Link"] == f'<{URL}/api/>; rel="https://api.w.org/"'
    assert f'href="{URL}/api/"' in client.get("//").text


def test_the_host_header_stands_in_no_address(client: Client) -> None:
    for path in ("//api/", "/posts?per_page=1", "//"):
        answer = client.get(path, headers={"Host": "evil.example", "X-Forwarded-Host": "evil.example"})

        assert "evil.example" not in answer.text + str(answer.headers)


def test_each_language_has_the_same_routes_under_its_prefix(client: Client) -> None:
    plain, indonesian = client.get("//api/").json, client.get("//id/api/").json

    assert set(plain["routes"]) == set(indonesian["routes"])
    assert indonesian["routes"]["/cms/v2/posts"]["_links"]["self"] == f"{URL}/id/api/cms/v2/posts"
    assert client.get("//en/api/cms/v2/posts").json == []
    assert client.get("//xx/api/cms/v2/posts").status_code == 404


def test_title_and_tagline_are_set_for_each_language(client: Client) -> None:
    client.send("POST", "//api/cms/v2/settings", "administrator", json={"title": "Rivers", "description": "Water"})
    client.send("POST", "//id/api/cms/v2/settings", "administrator", json={"title": "Sungai"})

    assert (client.get("//api/").json["name"], client.get("//id/api/").json["name"]) == ("Rivers", "Sungai")
    assert client.get("//id/api/").json["description"] == "Water"
    assert client.get("//id/api/cms/v2/settings", "administrator").json["title"] == "Sungai"
    assert client.get("/settings", "administrator").json["title"] == "Rivers"

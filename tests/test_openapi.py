"""The OpenAPI documents: valid, the same as discovery, in every language, and kept."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from fuzzing.running import PLUGINS
from fuzzing.shapes import Answers
from sites import URL, Client

WHOLE = "//api/openapi.json"


@pytest.fixture(params=["default", pytest.param("all plugins", marks=pytest.mark.long)])
def described(request: pytest.FixtureRequest, make_client: Callable[..., Client]) -> Client:
    """A client of a default site, and of one with all bundled plugins."""
    return make_client() if request.param == "default" else make_client(plugins=PLUGINS)


def test_every_document_is_valid(described: Client) -> None:
    from openapi_spec_validator import validate  # seconds, which collecting tests shouldn't take

    validate(described.get(WHOLE).json)
    for namespace in described.get("//api/").json["namespaces"]:
        validate(described.get(f"//api/openapi/{namespace}.json").json)


def test_every_argument_of_discovery_is_described_and_no_other(described: Client) -> None:
    routes, document = described.get("//api/").json["routes"], described.get(WHOLE).json
    paths = {re.sub(r"\(\?P<(\w+)>.*?\]\+\)", r"{\1}", pattern): route for pattern, route in routes.items()}

    assert paths.keys() == document["paths"].keys()
    for path, route in paths.items():
        operations = document["paths"][path]
        assert {method.lower() for method in route["methods"]} == operations.keys()
        for endpoint in route["endpoints"]:
            for method in endpoint["methods"]:
                found = dict(_arguments(operations[method.lower()], document))
                declared = dict(endpoint["args"] or {})
                assert found.keys() - {"file"} == declared.keys() | set(re.findall(r"{(\w+)}", path)), (path, method)
                for name, argument in declared.items():
                    assert not list(_differences(argument, found[name])), (path, method, name)


@pytest.mark.parametrize("context", ["view", "edit", "embed"])
def test_what_is_listed_is_as_described(described: Client, context: str) -> None:
    described.new("/categories", name="Term without a parent")
    described.new("/comments", post=described.new("/posts", title="Post", status="publish")["id"], content="Comment")
    answers = Answers(described.get(WHOLE).json)
    asked, faults = 0, []
    for pattern, route in described.get("//api/").json["routes"].items():
        if "GET" in route["methods"] and "(?P" not in pattern:
            answer = described.get(f"//api{pattern}", "administrator", query_string={"context": context})
            faults += [f"{pattern}: {fault}" for fault in answers.faults(pattern, "GET", answer)]
            asked += answer.status_code == 200

    assert asked > 10
    assert faults == []


def _arguments(operation: dict[str, Any], document: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Return the declared arguments of an operation, each as a schema that says whether it is required."""
    for parameter in operation["parameters"]:
        if "$ref" not in parameter:
            needed = parameter.get("required", False) and parameter["in"] != "path"
            yield parameter["name"], {**parameter["schema"], "required": needed, "description": parameter.get("description")}
    for content in operation.get("requestBody", {}).get("content", {}).values():
        if "$ref" in content["schema"]:
            schema = document["components"]["schemas"][content["schema"]["$ref"].rpartition("/")[2]]
            for name, each in schema["properties"].items():
                yield name, {**each, "required": name in schema.get("required", ())}


def _differences(declared: dict[str, Any], found: dict[str, Any]) -> Iterator[str]:
    """Tell what discovery says of an argument and the document doesn't."""
    kinds = found.get("type") or [each["type"] for each in found.get("anyOf", ())]
    if "type" in declared and declared["type"] not in kinds:
        yield "type"
    for name in ("required", "description", "minimum", "maximum", "maxLength"):
        if name in declared and declared[name] != found.get(name):
            yield name
    if set(declared.get("enum", ())) - set(found.get("enum", ())):
        yield "enum"
    if "default" in declared and declared["default"] not in (found.get("default"), ",".join(map(str, _list(found)))):
        yield "default"


def _list(found: dict[str, Any]) -> list[Any]:
    default = found.get("default")
    return default if isinstance(default, list) else []


@pytest.mark.parametrize(
    ("path", "takes"), [("/cms/v2/posts", True), ("/cms/v2/users", True), ("/cms/v2/types", False), ("/cms/v2/posts/{id}", False)]
)
def test_lists_that_take_a_cursor_say_so(client: Client, path: str, takes: bool) -> None:
    operation = client.get(WHOLE).json["paths"][path]["get"]
    references = {each.get("$ref", "").rpartition("/")[2] for each in operation["parameters"]}

    assert ({"cursor", "cursor_total"} <= references) is takes
    assert ("X-CMS-Cursor" in operation["responses"]["200"]["headers"]) is takes


def test_operations_have_names_of_their_own(described: Client) -> None:
    document = described.get(WHOLE).json
    names = [operation["operationId"] for path in document["paths"].values() for operation in path.values()]

    assert len(names) == len(set(names))
    assert {"listPosts", "createPosts", "getPostsById", "updatePostsById", "deletePostsById", "createMedia"} <= set(names)


def test_each_context_has_a_schema(client: Client) -> None:
    schemas = client.get(WHOLE).json["components"]["schemas"]

    assert "content" in schemas["Post"]["required"]
    assert "content" not in schemas["PostEmbed"]["properties"]
    assert "raw" not in schemas["Post"]["properties"]["content"]["properties"]
    assert schemas["PostEdit"]["properties"]["content"]["required"] == ["raw", "rendered", "protected"]
    assert "password" in schemas["PostEdit"]["properties"]
    assert "id" not in schemas["PostCreate"]["properties"]
    assert "password" not in schemas["UserEdit"]["properties"]
    assert schemas["UserCreate"]["required"] == ["username", "email", "password"]
    assert "required" not in schemas["UserUpdate"]
    assert schemas["Attachment"]["properties"]["post"]["type"] == ["integer", "null"]


def test_what_only_some_files_have_is_not_required(client: Client) -> None:
    details = client.get(WHOLE).json["components"]["schemas"]["AttachmentEdit"]["properties"]["media_details"]
    headers = {"Content-Disposition": "attachment; filename=a.txt"}
    made = client.send("POST", "/media", "administrator", data=b"text", content_type="text/plain", headers=headers).json

    assert set(made["media_details"]) == {"file", "filesize"}
    assert set(details.get("required", ())) <= set(made["media_details"])
    assert {"width", "sizes"} <= details["properties"].keys()


@pytest.mark.parametrize("path", ["posts", "pages", "tags", "categories", "comments", "users"])
def test_the_example_of_a_body_is_taken(client: Client, path: str) -> None:
    post = client.new("/posts", "administrator", title="Item", status="publish")["id"]
    body = client.get(WHOLE).json["paths"][f"/cms/v2/{path}"]["post"]["requestBody"]["content"]["application/json"]

    sent = {**body["example"], "post": post}
    assert client.send("POST", f"/{path}", "administrator", json=sent).status_code == 201


def test_an_upload_is_a_form_or_bytes(client: Client) -> None:
    body = client.get(WHOLE).json["paths"]["/cms/v2/media"]["post"]["requestBody"]

    assert set(body["content"]) == {"multipart/form-data", "application/octet-stream"}
    form = client.get(WHOLE).json["components"]["schemas"]["AttachmentCreate"]
    assert form["properties"]["file"]["format"] == "binary"
    assert {"title", "alt_text"} <= form["properties"].keys()


def test_a_namespace_has_a_document_of_its_own(make_client: Callable[..., Client]) -> None:
    client = make_client(plugins=PLUGINS)
    whole, part, search = (
        client.get(address).json["paths"].keys()
        for address in (WHOLE, "//api/openapi/cms/v2.json", "//api/openapi/cms-search/v1.json")
    )

    assert search == {"/cms-search/v1", "/cms-search/v1/search"}
    assert whole - part - search == {"/"}
    assert client.get("//api/openapi/other/v1.json").status_code == 404


def test_documents_are_no_routes_of_discovery(client: Client) -> None:
    assert not [path for path in client.get("//api/").json["routes"] if "openapi" in path]


def test_each_language_has_its_document(client: Client) -> None:
    plain, indonesian = client.get(WHOLE).json, client.get("//id/api/openapi.json").json

    assert plain["servers"] == [{"url": f"{URL}/api"}]
    assert indonesian["servers"] == [{"url": f"{URL}/id/api"}]
    assert plain["paths"].keys() == indonesian["paths"].keys()
    assert _summary(plain) != _summary(indonesian)


def _summary(document: dict[str, Any]) -> str:
    return str(document["paths"]["/cms/v2/posts"]["post"]["summary"])


def test_a_document_has_a_tag_for_everybody(client: Client) -> None:
    for role in (None, "administrator"):
        first = client.get(WHOLE, role)
        again = client.get(WHOLE, role, headers={"If-None-Match": first.headers["ETag"]})

        assert (first.status_code, again.status_code) == (200, 304)
        assert first.mimetype == "application/json"
        assert not again.data
    assert client.send("HEAD", WHOLE).status_code == 200
    assert client.send("POST", WHOLE, "administrator").status_code == 404


def test_a_new_title_stands_in_the_document(client: Client) -> None:
    before = client.get(WHOLE).json["info"]["title"]
    client.send("POST", "/settings", "administrator", json={"title": "Rivers"})

    assert client.get(WHOLE).json["info"]["title"] == "Rivers" != before


def test_the_document_names_no_host_that_was_sent(client: Client) -> None:
    assert "evil.example" not in client.get(WHOLE, headers={"Host": "evil.example"}).text


def test_refusals_have_their_codes(client: Client) -> None:
    document = client.get(WHOLE).json

    assert "rest_post_invalid_id" in document["components"]["responses"]["NotFound"]["x-codes"]
    responses = document["paths"]["/cms/v2/posts/{id}"]["patch"]["responses"]
    assert {"200", "400", "401", "403", "404", "412", "413", "default"} <= responses.keys()
    assert document["paths"]["/cms/v2/settings"]["get"]["security"] == [{"basic": []}, {"bearer": []}]

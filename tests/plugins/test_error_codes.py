"""The OpenAPI document names the codes that plugins refuse with, at the operations that answer them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from error_codes import ROOT, find_errors
from sites import Client

from cms.api.openapi.codes import CODES

PLUGINS = sorted(path.parent.name for path in (ROOT / "plugins").glob("*/__init__.py"))


#: The documents of sites by their plugins: the core's is compared with that of each plugin.
DOCUMENTS: dict[tuple[str, ...], Any] = {}


def document_of(make_client: Callable[..., Client], *plugins: str) -> Any:
    if plugins not in DOCUMENTS:
        DOCUMENTS[plugins] = make_client(plugins=plugins).get("//api/openapi.json").json
    return DOCUMENTS[plugins]


def own_codes(document: Any) -> set[tuple[int, str]]:
    """Return the codes that some operation has and not all of them."""
    found = set()
    for item in document["paths"].values():
        for operation in item.values():
            for status, response in operation["responses"].items():
                found |= {
                    (int(status), code)
                    for code in response.get("x-codes", ())
                    if code not in CODES[int(status)]
                }
    return found


def raised_by(plugin: str) -> set[tuple[int, str]]:
    """Return the codes in a plugin's code that the core doesn't have with that status."""
    found = set()
    for code, error in find_errors().items():
        for status in {int(each) for told in error.statuses for each in told.split(", ")}:
            if plugin in error.plugins and code not in CODES[status]:
                found.add((status, code))
    return found


@pytest.mark.parametrize("plugin", PLUGINS)
def test_all_codes_of_a_plugin_are_in_the_document_and_no_others(
    make_client: Callable[..., Client], plugin: str
) -> None:
    described = own_codes(document_of(make_client, plugin)) - own_codes(document_of(make_client))
    raised = raised_by(plugin)
    for status, code in raised:
        pattern = re.compile(re.escape(code).replace(r"\*", "[a-z]*"))
        assert any(status == other and pattern.fullmatch(name) for other, name in described), (status, code)
    patterns = "|".join(re.escape(code).replace(r"\*", "[a-z]*") for _status, code in raised) or "-"
    assert [name for _status, name in described if not re.fullmatch(patterns, name)] == []


OPERATIONS = [
    ("webhooks", "/webhooks/{id}/test", "post", 409, "rest_webhook_inactive"),
    ("webhooks", "/webhooks/{id}", "get", 404, "rest_webhook_invalid_id"),
    ("webhooks", "/webhooks", "post", 400, "rest_webhook_exists"),
    ("menus", "/menus", "post", 400, "rest_invalid_menu_location"),
    ("editorial", "/posts/{id}", "get", 403, "rest_preview_expired"),
]


@pytest.mark.parametrize(("plugin", "path", "method", "status", "code"), OPERATIONS)
def test_a_code_stands_at_the_operation_that_answers_it(
    make_client: Callable[..., Client], plugin: str, path: str, method: str, status: int, code: str
) -> None:
    paths = document_of(make_client, plugin)["paths"]
    (item,) = (
        each for name, each in paths.items() if name.endswith(path) and name.count("/") == path.count("/") + 2
    )
    response = item[method]["responses"][str(status)]
    assert {code, CODES[status][0]} <= set(response["x-codes"])
    assert code in response["description"]
    assert not any(
        code in str(other["responses"]) for name, other in item.items() if name == "delete" and status == 400
    )


def test_the_codes_of_the_core_are_referred_to(make_client: Callable[..., Client]) -> None:
    document = document_of(make_client, *PLUGINS)
    responses = document["paths"]["/cms/v2/tags"]["get"]["responses"]
    assert responses["400"] == {"$ref": "#/components/responses/BadRequest"}
    assert not any("webhook" in code for code in document["components"]["responses"]["NotFound"]["x-codes"])

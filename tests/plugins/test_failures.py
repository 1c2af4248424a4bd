"""What a plugin does wrong while the site serves is answered without detail, and told in the log with its remedy."""

from __future__ import annotations

import re
from typing import Any

import pytest


def route(body: str) -> str:
    return (f"def run(call):\n    {body}\n@hookimpl\ndef register_routes():\n"
            "    return [Route('/x', (Endpoint(GET, run, PUBLIC),), 'acme/v1')]\n")


def field(declared: str) -> str:
    return f"@hookimpl\ndef register_fields():\n    return {{'post': {{'x': {declared}}}}}\n"


NO_JSON = "Use dicts, lists, texts, numbers, true, false and null"
#: A plugin, an address, and the words for what it does wrong there.
FAULTS = {
    "raises": (route("return 1 / 0"), "//api/acme/v1/x", "plugin acme: ZeroDivisionError: division by zero ({file}, line 6)"),
    "nothing": (route("pass"), "//api/acme/v1/x",
                "plugin acme: the route /acme/v1/x returned NoneType. Return an Answer, or the body as a dict or list ({file}, line 5)"),
    "a text": (route("return 'hello'"), "//api/acme/v1/x", "the route /acme/v1/x returned str. Return an Answer"),
    "no JSON": (route("return Answer({'a': [1, {'b': {2}}]})"), "//api/acme/v1/x",
                f"plugin acme: the route /acme/v1/x answers with set in a.1.b, which JSON has no form for. {NO_JSON}"),
    "no JSON at all": (route("return Answer(object())"), "//api/acme/v1/x", "answers with object in the body, which JSON has no form for"),
    "bytes": (route("return {'a': b'x'}"), "//api/acme/v1/x", "answers with bytes in a, which JSON has no form for"),
    "read without columns": (
        field("Integer(_('X.'), readonly=True, read=lambda row, page: len(row['no_such']))"), "/posts",
        "plugin acme: KeyError: 'no_such' ({file}, line 7). The field 'x' reads 'no_such': name it in columns=('no_such',)"),
    "read raises": (field("Integer(_('X.'), readonly=True, read=lambda row, page: 1 / 0)"), "/posts",
                    "plugin acme: ZeroDivisionError: division by zero ({file}, line 7)"),
    "load raises": (field("Integer(_('X.'), readonly=True, load=lambda page: 1 / 0, read=lambda row, page: 1)"), "/posts",
                    "plugin acme: ZeroDivisionError: division by zero ({file}, line 7)"),
    "prepare without columns": (
        field("Integer(_('X.'), readonly=True, prepare=lambda page: lambda row: len(row['no_such']))"), "/posts",
        "plugin acme: KeyError: 'no_such' ({file}, line 7). The field 'x' reads 'no_such': name it in columns=('no_such',)"),
    "prepare raises": (field("Integer(_('X.'), readonly=True, prepare=lambda page: 1 / 0)"), "/posts",
                       "plugin acme: ZeroDivisionError: division by zero ({file}, line 7)"),
    "read gives no JSON": (field("Integer(_('X.'), readonly=True, read=lambda row, page: {1})"), "/posts",
                           f"plugin acme: the route /cms/v2/posts answers with set in 0.x, which JSON has no form for. {NO_JSON}"),
    "where raises": (field("Integer(_('X.'), readonly=True, read=lambda row, page: 1, filterable=True, where=lambda bound: 1 / 0)"),
                     "/posts?x=1", "plugin acme: ZeroDivisionError: division by zero ({file}, line 7)"),
    "a hook": ("@hookimpl\ndef prepare_items(items):\n    return items[1:]\n", "/posts",
               "plugin acme: prepare_items returned what can't be used: 0 items instead of 1 ({file}, line 5)"),
    "a hook's type": ("@hookimpl\ndef prepare_items(items):\n    return 5\n", "/posts",
                      "plugin acme: prepare_items returned int instead of list ({file}, line 5)"),
    "a library below": ("import json\n" + route("return json.loads('{')"), "//api/acme/v1/x",
                        "plugin acme: JSONDecodeError: Expecting property name enclosed in double quotes: line 1 column 2 (char 1) ({file}, line 7)"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_the_log_names_plugin_place_and_remedy(plugged: Any, caplog: pytest.LogCaptureFixture, fault: str) -> None:
    source, address, told = FAULTS[fault]
    site = plugged()
    site.client().new("/posts", title="One", status="publish")
    client = site.write(acme=source).client()

    answer = client.get(address)

    assert (answer.status_code, answer.json["code"]) == (500, "rest_internal_error")
    assert "acme" not in answer.json["message"]
    logged = [record.getMessage() for record in caplog.records]
    assert len(logged) == 1
    path = address.partition("?")[0]
    path = path[1:] if path.startswith("//") else f"/api/cms/v2{path}"
    assert re.match(rf"GET {path} failed \(request [0-9a-f]{{16}}\): plugin acme: ", logged[0])
    assert told.format(file=site.folder / "plugins" / "acme.py") in logged[0]


@pytest.mark.parametrize(("body", "shown"), [
    ("return {'a': 1}", {"a": 1}), ("return [1, 2]", [1, 2]), ("return {}", {}), ("return Answer({'a': 1})", {"a": 1}),
])
def test_a_dict_or_a_list_is_the_body(plugged: Any, body: str, shown: Any) -> None:
    answer = plugged(acme=route(body)).client().get("//api/acme/v1/x")

    assert (answer.status_code, answer.json, answer.headers["Allow"]) == (200, shown, "GET")

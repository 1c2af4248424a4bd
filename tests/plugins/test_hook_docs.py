"""Every hook has its section in the documentation: the same signature, and an example that a site starts with."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Any

import pytest

from cms.plugin import specs

PAGE = Path(__file__).parents[2] / "docs" / "plugins" / "hooks.md"
SECTION = re.compile(r"^## `(\w+)\(([^)]*)\)`\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
SECTIONS = {name: (arguments, text) for name, arguments, text in SECTION.findall(PAGE.read_text(encoding="utf-8"))}
HOOKS = {name: ", ".join(inspect.signature(function).parameters)
         for name, function in vars(specs).items() if hasattr(function, "cms_spec")}
CATALOGUE = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n'


def examples(text: str) -> list[str]:
    return re.findall(r"^```(?:python|js)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def test_every_hook_has_a_section_with_its_signature() -> None:
    assert len(HOOKS) >= 18
    assert {name: arguments for name, (arguments, _text) in SECTIONS.items()} == HOOKS


@pytest.mark.parametrize("hook", HOOKS)
def test_the_example_of_a_hook_works(plugged: Any, hook: str) -> None:
    _arguments, text = SECTIONS[hook]
    source, *scripts = examples(text)
    site = plugged()
    folder = site.folder / "plugins" / "example"
    for path, content in [("__init__.py", source), ("locales/fr_FR/LC_MESSAGES/cms.po", CATALOGUE),
                          *((script.split("\n")[0].removeprefix("# ").removeprefix("// "), script) for script in scripts)]:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(content, encoding="utf-8")

    assert f"def {hook}(" in source
    site.run("migrate")
    client = site.client()
    assert hook in client.site.plugins.hook.__dict__
    assert "example" in [each.plugin_name for each in getattr(client.site.plugins.hook, hook).get_hookimpls()]
    assert client.get("/posts").status_code == 200
    assert client.new("/posts", title="Post", content="Text", status="publish")["title"]["raw"] == "Post"


def test_the_documented_resource_has_its_five_operations(plugged: Any) -> None:
    birds, tables = examples(SECTIONS["register_resources"][1])[0], examples(SECTIONS["register_migrations"][1])
    site = plugged()
    folder = site.folder / "plugins" / "birds"
    (folder / "migrations").mkdir(parents=True)
    (folder / "__init__.py").write_text(birds + tables[0])
    (folder / "migrations" / "0001_birds.py").write_text(tables[1])
    assert site.json("migrate")["applied"] == ["birds: 0001_birds"]
    client = site.client()

    wren = client.post("//api/acme/v1/birds", {"name": "Wren"})
    assert (wren.status_code, wren.json["name"]) == (201, "Wren")
    assert client.new("//api/acme/v1/birds", name="Auk")["id"] == 2
    assert [bird["name"] for bird in client.get("//api/acme/v1/birds").json] == ["Auk", "Wren"]
    assert client.post("//api/acme/v1/birds", {"name": "Owl"}, None).status_code == 401
    assert client.post("//api/acme/v1/birds/1", {"name": "Owl"}).status_code == 403

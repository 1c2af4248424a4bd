"""The glossary of errors: codes, statuses and messages are read from the code, what to do about each from the page itself.

Run as a script it writes the page anew: a code that is new gets an empty last column, to be filled in by hand.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "api" / "errors.md"
CODES = ROOT / "cms" / "api" / "openapi" / "codes.py"
CODE = re.compile(r"[a-z*]+(_[a-z*]+)+", re.ASCII)
#: What most codes begin with; those are found wherever they stand, others beside their message or as `too_long`.
PREFIX = "rest_"
ROW = re.compile(r"^\| `([\w*]+)` \| (.*?) \| (.*?) \| (.*?) \|$", re.MULTILINE)
#: Names that look alike and are no errors.
#: What the names of hooks begin with that messages of failures follow.
HOOK = "register_"
NO_ERRORS = {"rest_base", "rest_namespace", "rest_route"}
#: The status of a code by the attribute that holds it; those of others are for who may not do something.
BY_ATTRIBUTE = {"not_found": "404", "exists_code": "400", "page_limit_code": "400"}
#: The status by the function that a code is given to.
BY_FUNCTION = {"NotAllowed": "401, 403", "_parent": "401, 403"}


@dataclass
class Error:
    """What is known of an error code."""

    statuses: set[str] = field(default_factory=set)
    messages: list[str] = field(default_factory=list)
    plugins: set[str] = field(default_factory=set)


@cache
@cache
def find_errors() -> dict[str, Error]:
    """Return all error codes of the core and the bundled plugins."""
    errors: defaultdict[str, Error] = defaultdict(Error)
    for folder in ("cms", "plugins"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            if path != CODES:
                _read_module(path, errors)
    return dict(errors)


def _read_module(path: Path, errors: defaultdict[str, Error]) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    for node in ast.walk(tree):
        code = _text(node)
        if not CODE.fullmatch(code) or isinstance(parents[node], ast.Dict | ast.Subscript | ast.JoinedStr):
            continue
        if _is_declared(node, parents):
            continue
        is_code = code.startswith(PREFIX) or _is_beside_message(node, parents[node])
        if code in NO_ERRORS or code.startswith(HOOK) or not is_code:
            continue
        error = errors[code]
        error.statuses.add(_status(node, parents))
        error.messages += [text for text in _messages(node, parents) if text not in error.messages]
        if path.is_relative_to(ROOT / "plugins"):
            error.plugins.add(path.relative_to(ROOT / "plugins").parts[0].removesuffix(".py"))
        else:
            error.plugins.add("")


def _is_declared(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> bool:
    """Tell whether a code stands in a table of codes by status, which describes what is raised elsewhere."""
    holder = parents[node]
    table = parents[holder]
    if not isinstance(holder, ast.Tuple) or not isinstance(table, ast.Dict):
        return False
    return all(key is None or isinstance(getattr(key, "value", None), int) for key in table.keys)


def _is_beside_message(node: ast.AST, parent: ast.AST) -> bool:
    """Tell whether a text is followed by a message, as codes are, or named as the code of texts that are too long."""
    if isinstance(parent, ast.keyword):
        return parent.arg == "too_long"
    if not isinstance(parent, ast.Call | ast.Tuple):
        return False
    values = parent.args if isinstance(parent, ast.Call) else parent.elts
    places = [place for place, value in enumerate(values) if value is node]
    if not places or places[0] + 1 >= len(values):
        return False
    following = values[places[0] + 1]
    return getattr(following, "id", "") == "message" or any(_texts(following))


def _text(node: ast.AST) -> str:
    """Return the text that a node stands for, with an asterisk for what is filled in; empty for no text."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(_text(part) or "*" for part in node.values)
    return ""


def _status(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> str:
    place, holder = node, parents[node]
    if isinstance(holder, ast.keyword):
        return "400"
    while isinstance(holder, ast.Tuple | ast.IfExp | ast.Dict):
        place, holder = holder, parents[holder]
    if isinstance(holder, ast.Call) and isinstance(place, ast.Tuple):
        return _status_of_pair(place, holder)
    if isinstance(holder, ast.Call):
        return _status_of_call(holder)
    target = holder.targets[0] if isinstance(holder, ast.Assign) else getattr(holder, "target", None)
    return BY_ATTRIBUTE.get(getattr(target, "id", "").lower(), "401, 403")


def _status_of_pair(pair: ast.AST, call: ast.Call) -> str:
    """Return the status of a code with its message: the first that a call takes is for what isn't there."""
    pairs = [arg for arg in call.args if isinstance(arg, ast.Tuple)]
    if getattr(call.func, "attr", "") != "fromkeys" and pairs and pairs[0] is pair:
        return "404"
    return "401, 403"


def _status_of_call(call: ast.Call) -> str:
    name = getattr(call.func, "id", getattr(call.func, "attr", ""))
    if name in BY_FUNCTION:
        return BY_FUNCTION[name]
    numbers = [arg.value for arg in call.args if isinstance(arg, ast.Constant) and isinstance(arg.value, int)]
    return str(numbers[0]) if numbers else "400"


def _messages(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> Iterator[str]:
    holder = parents[node]
    if not isinstance(holder, ast.Call | ast.Tuple):
        return
    function, module = holder, holder
    while not isinstance(function, ast.FunctionDef | ast.Module):
        function = parents[function]
    while not isinstance(module, ast.Module):
        module = parents[module]
    for value in holder.args if isinstance(holder, ast.Call) else holder.elts:
        if isinstance(value, ast.Name):
            yield from _assigned(function, value.id, node)
        elif isinstance(value, ast.Subscript) and isinstance(value.value, ast.Name):
            yield from _assigned(module, value.value.id, node)
        else:
            yield from _texts(value)


def _assigned(scope: ast.AST, name: str, before: ast.AST) -> Iterator[str]:
    """Return the texts of a variable: those of its last assignment above a place."""
    found = [
        each for each in ast.walk(scope)
        if isinstance(each, ast.Assign) and getattr(each.targets[0], "id", "") == name and each.lineno <= before.lineno
    ]
    if found:
        yield from _texts(max(found, key=lambda each: each.lineno).value)


def _texts(value: ast.AST) -> Iterator[str]:
    for each in ast.walk(value):
        if isinstance(each, ast.Call) and getattr(each.func, "id", "") == "_" and isinstance(each.args[0], ast.Constant):
            yield str(each.args[0].value)


def read_advice() -> dict[str, str]:
    """Return what the page says to do about each code."""
    return {code: advice for code, _status, _when, advice in ROW.findall(PAGE.read_text(encoding="utf-8"))}


def write_page() -> str:
    """Return the page: the text above its tables, then the errors of the core, then those of bundled plugins."""
    errors, advice = find_errors(), read_advice()
    introduction = PAGE.read_text(encoding="utf-8").split("\n| Code |")[0].rstrip()
    core = {code: error for code, error in errors.items() if "" in error.plugins}
    of_plugins = {code: error for code, error in errors.items() if "" not in error.plugins}
    return "\n".join([
        introduction,
        "",
        *_table(core, advice),
        "",
        "Those that bundled plugins add:",
        "",
        *_table(of_plugins, advice),
        "",
    ])


def _table(errors: dict[str, Error], advice: dict[str, str]) -> Iterator[str]:
    yield "| Code | Status | When | What to do |"
    yield "| --- | --- | --- | --- |"
    for code, error in sorted(errors.items()):
        statuses = ", ".join(sorted({each for told in error.statuses for each in told.split(", ")}))
        when = " / ".join(error.messages).replace("%%", "%").replace("|", "\\|") or "—"
        whose = sorted(plugin for plugin in error.plugins if plugin)
        if whose and "" not in error.plugins:
            when = f"({', '.join(whose)}) {when}"
        yield f"| `{code}` | {statuses} | {when} | {advice.get(code, '')} |"


def write_codes() -> str:
    """Return the module that has the core's codes by status, for the OpenAPI document."""
    codes: defaultdict[int, list[str]] = defaultdict(list)
    for code, error in sorted(find_errors().items()):
        for status in {int(each) for told in error.statuses for each in told.split(", ")} - {0}:
            if "" in error.plugins and "*" not in code:
                codes[status].append(code)
    lines = ['"""The codes of refusals by status; `python tests/error_codes.py` writes them as they stand in the code."""', "",
             "CODES: dict[int, tuple[str, ...]] = {"]
    for status, names in sorted(codes.items()):
        if len(names) == 1:  # as the formatter writes it
            lines.append(f'    {status}: ("{names[0]}",),')
            continue
        lines += [f"    {status}: (", *(f'        "{name}",' for name in names), "    ),"]
    return "\n".join([*lines, "}", ""])


if __name__ == "__main__":
    PAGE.write_text(write_page(), encoding="utf-8")
    CODES.write_text(write_codes(), encoding="utf-8")

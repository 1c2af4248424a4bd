"""What plugins may import, read from the code: `python tests/plugins/plugin_api.py` writes page and snapshot.

The page is docs/plugins/api.md, the snapshot tests/data/plugin_api.txt; test_api.py compares both.
"""

from __future__ import annotations

import ast
import dataclasses
import enum
import importlib
import inspect
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any, is_typeddict

import marshmallow
import peewee

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "plugins" / "api.md"
SNAPSHOT = ROOT / "tests" / "data" / "plugin_api.txt"
MODULES = ("cms", "cms.plugin", "cms.testing")
COMMAND = "python tests/plugins/plugin_api.py"
INTRODUCTION = f"""# What plugins may import

Plugins import from `cms`, `cms.plugin` and `cms.testing`, and nothing else inside `cms`: the rest may change at any time.
A name leaves these three, or changes its signature, with a new `API_VERSION` alone. This page is written by
`{COMMAND}`, from the code.
"""
ABOUT = {
    "cms": "For applications that hold a site, and the two names that every plugin needs.",
    "cms.plugin": "For plugins.",
    "cms.testing": "For the tests of plugins; [testing.md](testing.md) has the fixtures.",
}


#: What constants are for that have no comment of their own where they are defined, and what rows are.
SENTENCES = {
    "__version__": "The version of the CMS.",
    "ALL_SCOPES": "The scope of a token that may do whatever its account may.",
    "ALWAYS": "The contexts of a field that every form of an item shows.",
    "CREATE": "The methods of a route that creates something.",
    "CommentRow": "A row of the table of comments.",
    "ContentRow": "A row of the table of content.",
    "DELETE": "The methods of a route that deletes something.",
    "EDIT": "The context of the editable form.",
    "EDIT_ONLY": "The contexts of a field that the editable form alone shows.",
    "EMBED": "The context of items inside others.",
    "FAULT": "The level of a check that finds what keeps the site from working or loses something.",
    "GET": "The methods of a route that reads something.",
    "ITEM_TERMS": "The key in `Draft.related` of an item's terms: ids by taxonomy.",
    "MAX_NAME_LENGTH": "How many characters the name of a token has at most.",
    "NEVER": "The contexts of a field that is written and never shown.",
    "NOTE": "The level of a check that finds what is to be known.",
    "OpenUpload": "Gives the file of a request, when it is called.",
    "PAGING": "The arguments `page` and `per_page` of lists, by name.",
    "PASSWORD": "The password of all accounts of a test.",
    "RevisionRow": "A row of the table of revisions.",
    "SCOPES": "What a token may be limited to.",
    "SerializedItems": "Items as they are in an answer.",
    "TermRow": "A row of the table of terms.",
    "UPDATE": "The methods of a route that changes something.",
    "URL": "The address of the sites of tests.",
    "UserRow": "A row of the table of accounts.",
    "VIEW": "The context that is shown where none is asked for.",
    "VIEW_EDIT": "The contexts of a field that embedded items don't show.",
    "json_option": "The option `--json` of a command, as a decorator; the command gets `as_json`.",
    "hookimpl": "Marks a function of a plugin as the implementation of the hook of its name.",
    "WARNING": "The level of a check that finds what may come to a fault.",
}


@dataclass
class Entry:
    """A name with its signature, what it is for, and for a class its public members."""

    name: str
    signature: str
    sentence: str
    members: list[Entry] = field(default_factory=list)


def entries(module: str) -> list[Entry]:
    """Return what a module exports, by name."""
    exported: list[str] = importlib.import_module(module).__all__
    return [_entry(module, name) for name in sorted(exported, key=str.lower)]


def page() -> str:
    """Return docs/plugins/api.md."""
    parts = [INTRODUCTION]
    for module in MODULES:
        parts.append(f"\n## `{module}`\n\n{ABOUT[module]}\n")
        for entry in entries(module):
            parts.append(f"\n### `{entry.name}{entry.signature}`\n\n{entry.sentence}\n")
            if entry.members:
                parts.append("\n" + "".join(f"- `{each.name}{each.signature}`{_after(each)}\n" for each in entry.members))
    return "".join(parts)


def snapshot() -> str:
    """Return tests/data/plugin_api.txt: a line for each name and each member of a class."""
    lines = []
    for module in MODULES:
        for entry in entries(module):
            lines.append(f"{module}.{entry.name}{entry.signature}")
            lines += [f"{module}.{entry.name}.{each.name}{each.signature}" for each in entry.members]
    return "\n".join(lines) + "\n"


def _after(entry: Entry) -> str:
    return f": {entry.sentence}" if entry.sentence else ""


def _entry(module: str, name: str) -> Entry:
    value = inspect.unwrap(getattr(importlib.import_module(module), name))
    if inspect.isclass(value) and value.__module__.startswith("cms"):
        return Entry(name, _constructor(value), SENTENCES.get(name) or _first_sentence(value), list(_members(value)))
    if isinstance(value, FunctionType) and value.__module__.startswith("cms"):
        return Entry(name, _signature(value), _first_sentence(value))
    if inspect.ismodule(value):
        functions = [_entry(value.__name__, member) for member, _it in inspect.getmembers(value, inspect.isfunction)]
        return Entry(name, "", inspect.cleandoc(value.__doc__ or ""), functions)
    signature = "" if name == "__version__" else _value(value)
    return Entry(name, signature, SENTENCES.get(name) or _comment(module, name))


# Classes.

def _constructor(cls: type) -> str:
    """Return the arguments of making an object, where the class is ours and objects are made by calling it."""
    if is_typeddict(cls):
        return ""
    if dataclasses.is_dataclass(cls):
        return _signature(cls).partition(" -> ")[0]
    for base in cls.__mro__:
        if "__init__" in vars(base):
            own = base.__module__.startswith("cms") and not getattr(cls, "_is_protocol", False)
            return _signature(vars(base)["__init__"], skip=1).partition(" -> ")[0] if own else ""
    return ""


def _members(cls: type) -> Iterator[Entry]:
    if is_typeddict(cls):
        return iter([Entry("; ".join(f"{name}: {_annotation(kind)}" for name, kind in cls.__annotations__.items()), "", "")])
    if issubclass(cls, enum.Enum):
        return iter([Entry(each.name, f" = {each.value!r}", "") for each in cls])
    if issubclass(cls, peewee.Model):
        return iter([Entry(", ".join(cls._meta.sorted_field_names), "", "")])
    if issubclass(cls, marshmallow.Schema):
        fields = cls._declared_fields
        return iter([Entry(", ".join(fields), "", "")] if fields else [])
    return _public_members(cls)


def _public_members(cls: type) -> Iterator[Entry]:
    """Yield members of a class of ours, with those of its bases that aren't exported themselves."""
    exported = {value for module in MODULES for value in vars(importlib.import_module(module)).values() if inspect.isclass(value)}
    bases = [base for base in cls.__mro__ if base is cls or base not in exported]
    seen = set(getattr(cls, "__dataclass_fields__", ()))
    for base in (each for each in bases if each.__module__.startswith("cms")):
        for name, kind in vars(base).get("__annotations__", {}).items():
            if not name.startswith("_") and name not in seen:
                seen.add(name)
                yield Entry(name, f": {_annotation(kind)}", _comments(base.__module__).get(f"{base.__name__}.{name}", ""))
        for name, value in vars(base).items():
            if not name.startswith("_") and name not in seen and (entry := _member(name, value)):
                seen.add(name)
                yield entry


def _member(name: str, value: Any) -> Entry | None:
    if isinstance(value, (classmethod, staticmethod)):
        return Entry(name, _signature(value.__func__, skip=isinstance(value, classmethod)), _first_sentence(value.__func__))
    if isinstance(value, FunctionType):
        return Entry(name, _signature(value, skip=1), _first_sentence(value))
    getter = getattr(value, "fget", None) or getattr(value, "func", None)
    if getter is None:
        return None
    return Entry(name, f": {_annotation(getter.__annotations__.get('return', 'Any'))}", _first_sentence(getter))


# Texts.

def _signature(function: Any, skip: int = 0) -> str:
    signature = inspect.signature(function)
    shown = [each.replace(annotation=_Shown(_annotation(each.annotation)) if each.annotation is not each.empty else each.empty,
                          default=_Shown(_default(each.default)) if each.default is not each.empty else each.empty)
             for each in list(signature.parameters.values())[skip:] if not each.name.startswith("_")]
    result = "" if signature.return_annotation in (signature.empty, None) else f" -> {_annotation(signature.return_annotation)}"
    return str(inspect.Signature(shown)) + result


class _Shown:
    """A text that signatures show as it is."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def _annotation(annotation: Any) -> str:
    if getattr(annotation, "__forward_arg__", None):
        return str(annotation.__forward_arg__)
    return annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)


def _default(value: Any) -> str:
    text = repr(value)
    if isinstance(value, str) and type(value) is not str:
        return repr(str(value))
    return "…" if text.startswith("<") or "object at" in text else text


def _value(value: Any) -> str:
    """Return what a constant is, where that can be told in a line."""
    if isinstance(value, (str, int, tuple)):
        return f" = {value!r}"
    if isinstance(value, dict):
        return f": {', '.join(value)}"
    text = str(value).replace("typing.", "").replace("collections.abc.", "")
    return "" if text.startswith("<") else f" = {text}"


def _first_sentence(documented: Any) -> str:
    text = " ".join((inspect.getdoc(documented) or "").partition("\n\n")[0].split())
    return re.split(r"(?<=\.)\s(?=[A-Z])", text)[0]


@cache
def _comments(module: str) -> dict[str, str]:
    """Return the comments that begin with `#:` above assignments of a module, and of its classes, by dotted name."""
    path = importlib.import_module(module).__file__
    source = Path(str(path)).read_text(encoding="utf-8")
    lines, found = source.splitlines(), {}
    tree = ast.parse(source)
    bodies = {"": tree.body} | {f"{node.name}.": node.body for node in tree.body if isinstance(node, ast.ClassDef)}
    for prefix, body in bodies.items():
        for node in body:
            for name in _assigned(node):
                found[prefix + name] = _comment_above(lines, node.lineno - 1)
    return found


def _assigned(node: ast.stmt) -> list[str]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    names = [each for target in targets for each in (target.elts if isinstance(target, ast.Tuple) else [target])]
    return [each.id for each in names if isinstance(each, ast.Name)]


def _comment_above(lines: list[str], line: int) -> str:
    above: list[str] = []
    while line and lines[line - 1].strip().startswith("#:"):
        line -= 1
        above.insert(0, lines[line].strip().removeprefix("#:").strip())
    return " ".join(above)


def _comment(module: str, name: str) -> str:
    """Return the comment above a constant, where it is defined."""
    origin, original = _origin(module, name)
    while (following := _origin(origin, original)) != (origin, original):
        origin, original = following
    return _comments(origin).get(original, "")


def _origin(module: str, name: str) -> tuple[str, str]:
    path = importlib.import_module(module).__file__
    for node in ast.walk(ast.parse(Path(str(path)).read_text(encoding="utf-8"))):  # in a block for type checkers too
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("cms"):
            for alias in node.names:
                if (alias.asname or alias.name) == name:
                    return node.module, alias.name
    return module, name


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    PAGE.write_text(page(), encoding="utf-8")
    SNAPSHOT.write_text(snapshot(), encoding="utf-8")

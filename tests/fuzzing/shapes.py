"""Whether an answer has the shape that its route declares."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from jsonschema import Draft4Validator

ADDED = {"_links", "_embedded"}
#: Keywords that say nothing about the values of answers; an enumeration is of what may be sent (`trash` may not).
NOTES = {"context", "readonly", "description", "default", "$schema", "title", "format", "enum"}
#: Shown as WordPress shows them, not as it declares them: the id of a menu item's menu stands for a list.
SHOWN_OTHERWISE = {"menus": {"type": ["array", "integer"]}}
#: In no form of an item, but in the answer that made it.
SHOWN_ONCE = {"secret"}


class Shape:
    """What the items of a route are like."""

    def __init__(self, schema: dict[str, Any]) -> None:
        properties = schema["properties"]
        self._contexts = {name: set(each.get("context", ())) for name, each in properties.items()}
        self._types = Draft4Validator({"properties": {name: SHOWN_OTHERWISE.get(name) or _plain(each) for name, each in properties.items()}})

    def faults(self, item: Any, context: str) -> Iterator[str]:
        """Tell what of an item isn't declared, and what isn't of its declared type."""
        if not isinstance(item, dict):
            yield f"an item is {type(item).__name__}"
            return
        for name in item.keys() - ADDED:
            if name not in self._contexts:
                yield f"{name} isn't declared"
            elif context not in self._contexts[name] and name not in SHOWN_ONCE:
                yield f"{name} isn't declared for {context}"
        for error in self._types.iter_errors(item):
            yield f"{'.'.join(map(str, error.absolute_path))} is {error.instance!r:.40}, declared {error.schema.get('type')}"


def _plain(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema in words of the standard alone: WordPress puts `required: true` inside of a property."""
    kept = {key: value for key, value in schema.items() if key not in NOTES and not (key == "required" and isinstance(value, bool))}
    if "type" in kept:
        kept["type"] = [kept["type"], "null"]  # no value, which schemas of this kind don't tell
    if "properties" in kept:
        kept["properties"] = {name: _plain(each) for name, each in kept["properties"].items()}
    if isinstance(kept.get("items"), dict):
        kept["items"] = _plain(kept["items"])
    return kept


def error_faults(answer: Any, status: int) -> Iterator[str]:
    """Tell what of a refusal isn't as refusals are."""
    if not isinstance(answer, dict) or not {"code", "message", "data"} <= answer.keys():
        yield "a refusal has no code, message and data"
    elif answer["data"].get("status") != status:
        yield "a refusal tells another status than it has"

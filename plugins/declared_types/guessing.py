"""Which kind of field values of an export could be of, by what was declared there, else by how they look."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from .php import Value, unserialized
from .surveying import AcfField, Seen, SeenValues

#: Kinds by the types of Advanced Custom Fields; others are guessed by their values.
ACF_KINDS = {
    "text": "text",
    "textarea": "long_text",
    "wysiwyg": "html",
    "number": "number",
    "range": "number",
    "true_false": "boolean",
    "email": "email",
    "url": "url",
    "color_picker": "colour",
    "date_picker": "date",
    "date_time_picker": "datetime",
    "select": "choice",
    "radio": "choice",
    "button_group": "choice",
    "checkbox": "choices",
    "image": "media",
    "file": "media",
    "gallery": "media_list",
    "post_object": "relation",
    "page_link": "text",
    "relationship": "relations",
    "taxonomy": "terms",
    "group": "group",
    "repeater": "repeat",
    "link": "json",
    "google_map": "json",
}
LOOKS = (
    ("boolean", re.compile(r"[01]")),
    ("date", re.compile(r"(19|20)\d\d(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])|\d{4}-\d\d-\d\d", re.ASCII)),
    ("integer", re.compile(r"[+-]?\d{1,15}", re.ASCII)),
    ("number", re.compile(r"[+-]?\d+\.\d+|[+-]?\d{1,15}", re.ASCII)),
    ("datetime", re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d", re.ASCII)),
    ("email", re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")),
    ("url", re.compile(r"https?://\S+")),
    ("colour", re.compile(r"#[0-9a-fA-F]{3}([0-9a-fA-F]{3})?", re.ASCII)),
)
ENTRY = re.compile(r"(?P<name>\w+?)_(?P<place>\d+)_(?P<inner>\w+)", re.ASCII)


@dataclass
class Draft:
    """A field of a file to be: what it could be, and what was seen of it."""

    name: str
    kind: str
    label: str = ""
    options: dict[str, object] = field(default_factory=dict)
    fields: list[Draft] = field(default_factory=list)
    note: str = ""


class Guesser:
    """Makes fields of the values of one type."""

    def __init__(self, seen: Seen, values: Mapping[str, SeenValues]) -> None:
        self.seen, self.values = seen, values

    def drafts(self) -> list[Draft]:
        """Return the fields, each with a note of what was seen; entries of repeats stand in these."""
        entries = self._entries()
        inside = {name for names in entries.values() for name in names}
        inside |= {each for name in self.values for each in self._parts_of_group(name)}
        found = []
        for name in self.values:
            if name not in inside:
                found.append(self._draft(name, entries.get(name, [])))
        return found

    def _entries(self) -> dict[str, list[str]]:
        """Return the names of values inside repeats, by the name of the repeat, whose value is their number."""
        found: dict[str, list[str]] = {}
        for name in self.values:
            match = ENTRY.fullmatch(name)
            while match and not self._is_count(match["name"]):
                match = re.compile(
                    rf"(?P<name>{match['name']}_\d+_\w+?)_(?P<place>\d+)_(?P<inner>\w+)"
                ).fullmatch(name)
            if match:
                found.setdefault(match["name"], []).append(name)
        return found

    def _is_count(self, name: str) -> bool:
        values = self.values.get(name)
        return values is not None and all(text.isdecimal() for text in values.examples)

    def _draft(self, name: str, entries: Iterable[str]) -> Draft:
        values = self.values[name]
        declared = self.seen.acf.get(values.acf_key)
        inner = self._inner(name, entries)
        note = f"{values.number} value(s)" + (
            f", {values.acf_key} of Advanced Custom Fields" if values.acf_key else ""
        )
        if inner:
            return Draft(name, "repeat", _label(declared), fields=inner, note=note)
        parts = list(self._parts_of_group(name))
        if declared is not None and declared.kind == "group" and parts:
            fields = []
            for part in parts:
                draft = self._draft(part, [])
                draft.name = part.removeprefix(f"{name}_")
                fields.append(draft)
            return Draft(name, "group", _label(declared), fields=fields, note=note)
        kind, options = self._kind(values, declared)
        return Draft(name, kind, _label(declared), options, note=f"{note}{_examples(values)}")

    def _parts_of_group(self, name: str) -> Iterator[str]:
        declared = self.seen.acf.get(self.values[name].acf_key)
        if declared is not None and declared.kind == "group":
            for each in self.values:
                if each.startswith(f"{name}_"):
                    yield each

    def _inner(self, name: str, entries: Iterable[str]) -> list[Draft]:
        """Return what the entries of a repeat hold, each once, by all entries' values."""
        merged: dict[str, SeenValues] = {}
        for each in entries:
            inner = each.removeprefix(f"{name}_").partition("_")[2]
            values = merged.setdefault(inner, SeenValues())
            values.number += self.values[each].number
            values.examples += self.values[each].examples
            values.acf_key = values.acf_key or self.values[each].acf_key
        return Guesser(self.seen, merged).drafts() if merged else []

    def _kind(self, values: SeenValues, declared: AcfField | None) -> tuple[str, dict[str, object]]:
        kind = ACF_KINDS.get(declared.kind, "") if declared is not None else ""
        if declared is not None and kind in ("choice", "choices"):
            return self._choice(kind, declared)
        if declared is not None and declared.kind == "taxonomy":
            return "terms", {"taxonomy": str(declared.settings.get("taxonomy", "category"))}
        if kind in ("group", "repeat"):
            kind = ""
        if kind in ("relation", "relations"):
            is_many = bool(declared and declared.settings.get("multiple")) or kind == "relations"
            return ("relations" if is_many else "relation"), {"to": self._targets(values, declared)}
        return (kind, {}) if kind else self._guess(values)

    def _choice(self, kind: str, declared: AcfField) -> tuple[str, dict[str, object]]:
        choices = declared.settings.get("choices")
        if not isinstance(choices, dict) or not choices:
            return "text", {}
        labels = {str(name): str(label) for name, label in choices.items()}
        return ("choices" if declared.settings.get("multiple") else kind), {"choices": labels}

    def _targets(self, values: SeenValues, declared: AcfField | None) -> list[str]:
        types = declared.settings.get("post_type") if declared is not None else None
        if isinstance(types, list) and types:
            return [str(type) for type in types]
        return sorted(set(self._types_of(values.examples))) or ["post"]

    def _types_of(self, texts: Iterable[str]) -> Iterator[str]:
        for text in texts:
            for id in ids_of(text) or ():
                yield self.seen.numbers.get(id, "")

    def _guess(self, values: SeenValues) -> tuple[str, dict[str, object]]:
        examples = values.examples
        if examples and values.acf_key:
            found = self._guess_relation(examples)
            if found is not None:
                return found
        for kind, pattern in LOOKS:
            if examples and all(pattern.fullmatch(text) for text in examples):
                return kind, {}
        if examples and all(_is_structured(text) for text in examples):
            return "json", {}
        if any(re.search(r"</?[a-z]+[^>]*>", text) for text in examples):
            return "html", {}
        if any("\n" in text or len(text) > 500 for text in examples):
            return "long_text", {}
        return "text", {}

    def _guess_relation(self, examples: list[str]) -> tuple[str, dict[str, object]] | None:
        """Return a relation where all values are numbers of items that the export has."""
        types = set(self._types_of(examples))
        is_known = bool(types) and "" not in types and all(ids_of(text) for text in examples)
        if not is_known or set(examples) <= {"0", "1"}:
            return None
        is_many = any(text.startswith("a:") for text in examples)
        if types == {"attachment"}:
            return ("media_list" if is_many else "media"), {}
        return ("relations" if is_many else "relation"), {"to": sorted(types)}


def ids_of(text: str) -> list[int] | None:
    """Return the numbers that a text is or lists, None where it is anything else."""
    if text.isdecimal() and text.isascii():
        return [int(text[:18])]
    try:
        value = unserialized(text)
    except (ValueError, UnicodeDecodeError):
        return None
    parts = value if isinstance(value, list) else []
    found = list(map(int, filter(str.isdecimal, map(str, parts))))
    return found if parts and len(found) == len(parts) else None


def _is_structured(text: str) -> bool:
    try:
        value: Value = unserialized(text)
    except (ValueError, UnicodeDecodeError):
        return False
    return isinstance(value, (list, dict))


def _label(declared: AcfField | None) -> str:
    return declared.label if declared is not None else ""


def _examples(values: SeenValues) -> str:
    few = []
    for text in values.examples[:3]:
        line = " ".join(text.split())
        few.append(line if len(line) <= 40 else f"{line[:40]}…")
    return f", such as {' | '.join(few)}" if few else ""

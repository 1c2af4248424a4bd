"""Values of an export as this site has them: with its own ids, and without markup that not everybody may write."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cms.plugin import Field, sanitize_post

from .parts import GroupField
from .relations import TERM, Relation, relation_of
from .values import HTML, Several, TextValue

if TYPE_CHECKING:
    from cms.plugin import ImportContext, ItemRecord, TermRecord

#: More digits than any id has.
MAX_DIGITS = 18


class Mover:
    """Moves the values of one item or term of an export."""

    def __init__(self, record: ItemRecord | TermRecord, importing: ImportContext) -> None:
        self._record, self._importing = record, importing

    def move(self, field: Field, value: Any, path: str) -> Any:
        """Return a value as it is stored here; ids of what isn't here are left out, and wait for it.

        `path` leads to the value among those of the item, as `ImportContext.await_value` takes it.
        """
        if isinstance(field, GroupField) and isinstance(value, dict):
            return self._move_group(field, value, path)
        if isinstance(field, Several) and isinstance(field.items, GroupField) and isinstance(value, list):
            return self._move_entries(field.items, value, path)
        if isinstance(field, TextValue) and field.format == HTML and isinstance(value, str):
            cleaned = self._importing.clean(value, sanitize_post, f"its {path}", self._warn)
            return self._importing.rewrite_ids(sanitize_post(cleaned), path)
        relation = relation_of(field)
        if relation is None:
            return value
        if isinstance(field, Several):
            return self._move_ids(relation, value, path)
        return self._move_id(relation, value, path)

    def _move_group(self, group: GroupField, value: dict[str, Any], path: str) -> dict[str, Any]:
        parts = {part.key: part.field for part in group.parts}
        found = {}
        for key, each in value.items():
            found[key] = self.move(parts[key], each, f"{path}.{key}") if key in parts else each
        return found

    def _move_entries(self, group: GroupField, entries: list[Any], path: str) -> list[Any]:
        found = []
        for place, entry in enumerate(entries):
            found.append(self.move(group, entry, f"{path}[{place}]"))
        return found

    def _move_ids(self, relation: Relation, value: Any, path: str) -> list[int]:
        """Return the ids of a list that are here; `place` counts those that wait too."""
        found, place = [], 0
        for part in value if isinstance(value, list) else str(value).split(","):
            number = _read_number(part)
            if number:
                id = self._move_number(relation, number, f"{path}[{place}]")
                found += [] if id is None else [id]
                place += 1
        return found

    def _move_id(self, relation: Relation, value: Any, path: str) -> int | None:
        number = _read_number(value)
        return self._move_number(relation, number, path) if number else None

    def _move_number(self, relation: Relation, number: int, path: str) -> int | None:
        importing, target = self._importing, relation.targets[0]
        is_term = target.startswith(TERM)
        if is_term:
            id = importing.find_term(target.removeprefix(TERM), number)
        else:
            id = importing.find_item(number) or importing.find_file(number)
        if id is None and not importing.exact:
            importing.await_value(path, target if is_term else "item", number)
            self._warn(f"what its {path} leads to ({number}) isn't in the file; it waits until that comes")
        return id

    def _warn(self, text: str) -> None:
        self._importing.warn(self._record.line, text, self._record.source_id)


def _read_number(value: Any) -> int:
    """Return the number that a value of an export says, 0 for none."""
    text = str(value).strip()
    if not text.isdecimal() or not text.isascii() or len(text) > MAX_DIGITS:
        return 0
    return int(text)

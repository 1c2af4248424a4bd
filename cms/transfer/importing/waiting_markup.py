"""Markup in values of plugins' fields that names media by ids which come with a later export."""

from __future__ import annotations

from collections import Counter
from typing import Any

import orjson

from cms.db.stores import FoundReference
from cms.transfer.importing.context import ImportContext
from cms.transfer.importing.identity import ATTACHMENT
from cms.transfer.importing.media.ids import ChosenIds, FoundId, IdRewriter, find_places, read_places
from cms.transfer.importing.waiting_values import Step, read_path

#: Begins the field of a reference; the way to the text follows, and the places in it where not all mean the file.
MARKUP = "markup:"
#: A text: the table and id of its row, and the way to it.
Place = tuple[str, int, str]


class MarkupTexts:
    """The texts whose media have come, each written once for all of them."""

    def __init__(self, importing: ImportContext) -> None:
        self._importing = importing
        self._found: dict[Place, dict[int, FoundId]] = {}

    def add(self, reference: FoundReference) -> None:
        """Take note of a file that has come; of other things no text knows the id."""
        if reference["found_type"] != ATTACHMENT:
            return
        path, places = _split(reference["field"])
        ids = self._found.setdefault((reference["holder"], reference["holder_id"], path), {})
        ids[int(reference["name"])] = FoundId(reference["found_id"], read_places(places))

    def tie(self) -> None:
        """Put the ids of all these files into the texts, but into those that somebody has changed since."""
        for place, ids in self._found.items():
            self._tie(place, ids)

    def _tie(self, place: Place, ids: dict[int, FoundId]) -> None:
        importing, (holder, id, path) = self._importing, place
        row = importing.store.find_values(holder, id)
        if row is None:
            return
        meta = orjson.loads(importing.site.own_files.show(row["meta"]))
        inside, last = _find(meta, read_path(path))
        text = _get(inside, last)
        if not isinstance(text, str):
            return
        known = _unchanged(text, ids)
        for number in sorted(ids.keys() - known):
            notice = (
                f"the picture {number} has come, and which of those in {path} of the {row['resource']} {id} it is "
                "can't be told any more, since somebody has changed the value; it stayed as it is"
            )
            importing.warn(1, notice)
        rewriter = IdRewriter(ChosenIds(known).find)
        inside[last] = rewriter.rewrite(text)
        if inside[last] != text:
            meta_text = importing.site.own_files.store(orjson.dumps(meta).decode())
            importing.store.change_values(holder, id, row["version"], meta_text)
        self._note_places(place, ids, rewriter)

    def _note_places(self, place: Place, tied: dict[int, FoundId], rewriter: IdRewriter) -> None:
        """Keep apart what the text still waits for from ids that have become the same number."""
        awaited, (holder, id, path) = self._importing.site.stores.awaited, place
        for reference in awaited.of_row(holder, id):
            if not reference["field"].startswith(MARKUP) or int(reference["name"]) in tied:
                continue
            other_path, places = _split(reference["field"])
            if other_path == path:
                found = find_places(rewriter.seen, int(reference["name"]), read_places(places))
                mark = "" if found is None else f":{found.write()}"
                awaited.set_field(reference["id"], f"{MARKUP}{path}{mark}")


def _split(field: str) -> tuple[str, str]:
    path, _colon, places = field.removeprefix(MARKUP).partition(":")
    return path, places


def _find(value: Any, steps: list[Step]) -> tuple[Any, Step]:
    """Return the group or list that holds a text, and its name or place there."""
    *way, last = steps
    for step in way:
        value = _get(value, step)
    return value, last


def _get(value: Any, step: Step) -> Any:
    if isinstance(value, dict):
        return value.get(step)
    if isinstance(value, list) and isinstance(step, int) and step < len(value):
        return value[step]
    return None


def _unchanged(text: str, ids: dict[int, FoundId]) -> dict[int, FoundId]:
    """Return the ids whose places can still be found."""
    scan = IdRewriter(lambda number: None)
    scan.rewrite(text)
    present = Counter(number for number, _found in scan.seen)
    known = {}
    for number, found in ids.items():
        if found.places is None or found.places.total == present[number]:
            known[number] = found
    return known

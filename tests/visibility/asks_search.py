"""Requests to the search over all types, with what the oracle says of their answers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from visibility import oracle
from visibility.asks import NOTHING, Ask, Seen, answered, mark_of, shown
from visibility.facts import HIDDEN_TERMS, Item
from visibility.world import World


def search_asks(world: World) -> Iterator[Ask]:
    """Search for what is each item's own, of what is secret too, and for terms that a plugin hides."""
    for item in world.of("posts", "pages", "events"):
        for part in "ntxprv":
            judge = partial(_judge, item, part in "prv")
            yield Ask("/search", f"/search?search={mark_of(item, part)}", 1, judge)
            yield Ask("/search", f"/search?search={mark_of(item, part)}&_embed", 1, partial(_judge_embedded, judge, item))
    for mark in HIDDEN_TERMS:
        yield Ask("/search", f"/search?search={mark}&type=term", 1, partial(_judge_term, mark))


def _judge(item: Item, is_secret: bool, asker: str | None) -> Seen:
    is_found = not is_secret and oracle.is_found(asker, item) and oracle.is_listed(asker, item, {"publish"}, False)
    return answered([shown(asker, item)] if is_found else [], [item.id] if is_found else [])._replace(required=NOTHING)


def _judge_embedded(judge: partial[Seen], item: Item, asker: str | None) -> Seen:
    seen = judge(asker)
    terms = HIDDEN_TERMS if seen.ids and oracle.may(asker, "manage_options") else NOTHING
    return seen._replace(allowed=seen.allowed | terms)


def _judge_term(mark: str, asker: str | None) -> Seen:
    if oracle.may(asker, "manage_options"):
        return Seen(True, allowed=HIDDEN_TERMS, total=1)
    return answered([], [])

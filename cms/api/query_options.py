"""What every request may ask for besides: a choice of fields, embedded items, an envelope, another method."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from flask import Request

from cms.api.request import query_arguments
from cms.errors import InvalidParams
from cms.i18n import _
from cms.operations.embedding import ALL
from cms.schema.fields import split_list

LINKS, EMBEDDED = "_links", "_embedded"
#: How many names `_fields` and `_embed` may hold, and how many letters all of them together.
MOST_NAMES, MOST_LETTERS = 200, 8_000


@dataclass(frozen=True)
class Features:
    """What a request asks for; `fields` are paths such as `title.rendered`, empty for all of them."""

    fields: tuple[str, ...] = ()
    embed: frozenset[str] = frozenset()
    envelope: bool = False
    #: Names in the body that aren't taken.
    ignored: tuple[str, ...] = ()

    @cached_property
    def _chosen(self) -> dict[str, Any]:
        return _tree(self.fields)

    @property
    def wanted(self) -> frozenset[str] | None:
        """The first names of the chosen fields, for the query; None for all."""
        if not self.fields:
            return None
        names = {path.split(".")[0] for path in self.fields}
        return frozenset(names | {LINKS} if self.embeds else names)

    @property
    def embeds(self) -> bool:
        """Whether embedded items will be shown."""
        return bool(self.embed) and (not self.fields or EMBEDDED in self.fields)

    def pick(self, body: Any) -> Any:
        """Return a body with the chosen fields alone; errors and lists of errors aren't bodies of items."""
        return _pick_any(body, self._chosen) if self.fields else body


def read_features(sent: Mapping[str, Any]) -> Features:
    """Read the features from a request's raw arguments; raises InvalidParams for more names than anything has."""
    embed: frozenset[str] = frozenset()
    if sent.get("_embed") is not None:
        names = _names(sent, "_embed")
        embed = frozenset({ALL} if set(names) <= {"1", "true"} else names)
    return Features(tuple(_names(sent, "_fields")), embed, "_envelope" in sent)


def _names(sent: Mapping[str, Any], argument: str) -> list[str]:
    value = sent.get(argument)
    parts = [value]
    if isinstance(value, list):
        parts = value
    texts = [part for part in parts[: MOST_NAMES + 1] if isinstance(part, str)]
    names = [name for text in texts for name in split_list(text, MOST_NAMES)]
    if len(parts) > MOST_NAMES or len(names) > MOST_NAMES or sum(map(len, texts)) > MOST_LETTERS:
        message = _("This may hold %(most)s names at most.", most=MOST_NAMES)
        raise InvalidParams({argument: message})
    return names


def _tree(paths: tuple[str, ...]) -> dict[str, Any]:
    """Return names with the names inside them; those inside a name that is asked for as a whole don't count."""
    whole = set(paths)
    tree: dict[str, Any] = {}
    for path in paths:
        names = path.split(".")
        if any(".".join(names[:depth]) in whole for depth in range(1, len(names))):
            continue
        node = tree
        for name in names:
            node = node.setdefault(name, {})
    return tree


def _pick_any(value: Any, tree: dict[str, Any]) -> Any:
    """Return an item with the chosen names alone; of each item of a list; what is no item stays as it is."""
    if isinstance(value, list):
        return [_pick_any(item, tree) for item in value]
    return _pick(value, tree) if isinstance(value, dict) else value


def _pick(value: dict[str, Any], tree: dict[str, Any]) -> dict[str, Any]:
    if value.keys() == tree.keys() and not any(tree.values()):
        return value
    picked = {}
    for name, inner in value.items():
        if name in tree:
            picked[name] = _pick(inner, tree[name]) if tree[name] and isinstance(inner, dict) else inner
    return picked


def method_of(request: Request) -> str:
    """Return the method that is meant: a POST may name another one in its address or in a header."""
    if request.method != "POST":
        return request.method
    named = request.headers.get("X-HTTP-Method-Override")
    if request.query_string and b"_method" in request.query_string:
        asked = query_arguments(request).get("_method")
        named = asked if isinstance(asked, str) else named
    return (named or "POST").upper()

"""Fields that lead to other things: items of content, files, terms."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Unpack

from cms.plugin import (
    ALWAYS,
    EDIT,
    ContentRow,
    Field,
    FieldOptions,
    Integer,
    Link,
    SerializationContext,
    SerializedItems,
    Text,
    load_meta,
)

from .parts import leaves
from .store import find_targets
from .values import Several

#: Types of content that a relation leads to; a taxonomy has this before its name.
TERM = "term:"
#: What begins the relations of links.
PREFIX = "cms:"


class Relation(Integer):
    """The id of an item of some types, or of a term of a taxonomy; 0 stands for none."""

    def __init__(
        self,
        description: Text,
        contexts: Sequence[str] = ALWAYS,
        *,
        targets: Sequence[str],
        **options: Unpack[FieldOptions],
    ) -> None:
        """Declare the relation; `targets` are names of types, or of taxonomies with `term:` before them."""
        super().__init__(description, contexts, minimum=0, **options)
        self.targets = tuple(targets)

    def item_shape(self) -> dict[str, object]:
        """Return what the ids are of, so that a form can let people choose items by their names."""
        return {"relation": list(self.targets)}

    def _deserialize(self, value: object, attr: str | None, data: object, **kwargs: object) -> Any:
        if value == "" or value is False:  # as other systems write that there is none
            return None
        return super()._deserialize(value, attr, data, **kwargs) or None


def relation_of(field: Field) -> Relation | None:
    """Return the relation that a field is, or that each of its entries is."""
    inner = field.items if isinstance(field, Several) else field
    return inner if isinstance(inner, Relation) else None


def ids_in(field: Field, value: Any) -> Iterator[tuple[Relation, int]]:
    """Yield all ids in a stored value, each with the relation that it is of."""
    for leaf, found in leaves(field, value):
        relation = relation_of(leaf)
        if relation is not None:
            for id in found if isinstance(found, list) else [found]:
                if isinstance(id, int):
                    yield relation, id


class Targets:
    """What the relations of one resource's items lead to, looked up once for a page."""

    def __init__(self) -> None:
        self.fields: dict[str, Field] = {}

    def load(self, page: SerializationContext) -> dict[tuple[bool, int], str]:
        """Return the type or taxonomy of everything that the page's items lead to and that is there."""
        return find_targets(page.site.database, self._wanted(page.load(load_meta).values()))

    def _wanted(self, values: Iterable[Mapping[str, Any]]) -> set[tuple[bool, int]]:
        found = set()
        for meta in values:
            for key, field in self.fields.items():
                for relation, id in ids_in(field, meta.get(key)):
                    found.add((is_term(relation), id))
        return found

    def show(self, relation: Relation) -> Callable[[Any, SerializationContext], Any]:
        """Return what leaves out of a value what isn't there any more."""

        def show(value: Any, page: SerializationContext) -> Any:
            there, kind = page.load(self.load), is_term(relation)
            if isinstance(value, list):
                return [id for id in value if (kind, id) in there]
            return value if (kind, value) in there else None

        return show

    def link(self, name: str, key: str) -> Link:
        """Return the embeddable links to what a relation leads to, for those who see the field itself."""

        def href(row: ContentRow, page: SerializationContext) -> SerializedItems:
            if not is_shown(self.fields[key], row, page):
                return []
            there, links = page.load(self.load), []
            for relation, id in ids_in(self.fields[key], page.load(load_meta)[row["id"]].get(key)):
                target = there.get((is_term(relation), id))
                if target in page.site.collection_urls:
                    links.append({"embeddable": True, "href": f"{page.site.collection_urls[target]}/{id}"})
            return links

        return Link(f"{PREFIX}{name}", href, columns=("id", "meta", "password"))


def is_shown(field: Field, row: ContentRow, page: SerializationContext) -> bool:
    """Tell whether a page shows a field of an item: in its context, and where no password keeps it from the reader."""
    if page.context not in field.contexts:
        return False
    return not field.protected or not row["password"] or page.is_unlocked or page.context == EDIT


def is_term(relation: Relation) -> bool:
    """Tell whether a relation leads to terms."""
    return relation.targets[0].startswith(TERM)

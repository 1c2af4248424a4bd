"""The terms of an item: the field that shows them, the filters by them, and which it gets when it is written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import orjson

from cms.db import Database
from cms.db.models import Content, ContentTerm, Term
from cms.errors import InvalidParams
from cms.i18n import _
from cms.schema.content_types import Taxonomy
from cms.schema.fields import VIEW_EDIT, Ids
from cms.schema.resource import Arguments, SerializationContext

if TYPE_CHECKING:
    from cms.site import Site

OF_ITEMS = """
SELECT c.content_id, t.taxonomy, t.id FROM content_terms c JOIN terms t ON t.id = c.term_id
WHERE c.content_id IN (SELECT value FROM json_each(?)) ORDER BY t.sort_name, t.id
"""
OF_ITEM = """
SELECT t.id FROM content_terms c JOIN terms t ON t.id = c.term_id WHERE c.content_id = ? AND t.taxonomy = ?
"""
KNOWN = "SELECT id FROM terms WHERE taxonomy = ? AND id IN (SELECT value FROM json_each(?))"


def load_terms(page: SerializationContext) -> dict[tuple[int, str], list[int]]:
    """Return the ids of terms by item and taxonomy, for all items of a page at once."""
    found: dict[tuple[int, str], list[int]] = {}
    for content_id, taxonomy, id in page.site.database.tuples(OF_ITEMS, (str(page.ids),)):
        found.setdefault((content_id, taxonomy), []).append(id)
    return found


def terms_of(taxonomy: str) -> Callable[[Any, SerializationContext], list[int]]:
    """Make the reader of an item's terms of one taxonomy."""
    return lambda row, page: page.loaded[load_terms].get((row["id"], taxonomy), [])


def term_field(taxonomy: Taxonomy) -> Ids:
    """Return the field with an item's terms of one taxonomy."""
    return Ids(
        _("Ids of the item's terms of the taxonomy %(name)s.", name=taxonomy.name),
        VIEW_EDIT,
        null=[],
        columns=("id",),
        read=terms_of(taxonomy.name),
        load=load_terms,
    )


def _with_terms(taxonomy: str, bound: Any) -> Any:
    terms = Term.select(Term.id).where(Term.taxonomy == taxonomy, Term.id.in_(bound))
    return ContentTerm.select(ContentTerm.content_id).where(ContentTerm.term_id.in_(terms))


def having(taxonomy: str) -> Callable[[Any], Any]:
    """Make the condition that an item has one of the given terms."""
    return lambda bound: Content.id.in_(_with_terms(taxonomy, bound))


def lacking(taxonomy: str) -> Callable[[Any], Any]:
    """Make the condition that an item has none of the given terms."""
    return lambda bound: Content.id.not_in(_with_terms(taxonomy, bound))


def chosen_terms(site: Site, type_name: str, args: Arguments, row: Any) -> dict[str, list[int]]:
    """Return the terms that a write sets, by taxonomy; an item left without any gets the default one."""
    chosen: dict[str, list[int]] = {}
    for taxonomy in site.content_registry.taxonomies_of(type_name):
        sent = args.get(taxonomy.field)
        bare = row is None or not _present(site.database, row["id"], taxonomy.name)
        if sent is None and taxonomy.default_option and bare:
            sent = [site.settings[taxonomy.default_option]]
        if sent is not None:
            chosen[taxonomy.name] = _known(site.database, taxonomy, sent)
    return chosen


def store_terms(database: Database, id: int, terms: Mapping[str, list[int]]) -> None:
    """Make these the item's terms of each taxonomy that is named."""
    for taxonomy, ids in terms.items():
        present = _present(database, id, taxonomy)
        for term_id in present - set(ids):
            database.execute("DELETE FROM content_terms WHERE content_id = ? AND term_id = ?", (id, term_id))
        for term_id in set(ids) - present:
            database.execute("INSERT INTO content_terms (content_id, term_id) VALUES (?, ?)", (id, term_id))


def _present(database: Database, id: int, taxonomy: str) -> set[int]:
    return {row["id"] for row in database.rows(OF_ITEM, (id, taxonomy))}


def _known(database: Database, taxonomy: Taxonomy, sent: list[int]) -> list[int]:
    impossible = [str(id) for id in sent if id <= 0]
    if impossible:
        raise InvalidParams(
            {taxonomy.field: _("These can't be ids of terms: %(ids)s.", ids=", ".join(impossible))}
        )
    return [row["id"] for row in database.rows(KNOWN, (taxonomy.name, orjson.dumps(list(sent)).decode()))]

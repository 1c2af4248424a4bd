"""The terms of an item of an export, and the default ones of an item that has none."""

from __future__ import annotations

from cms.schema.content_types import Taxonomy
from cms.transfer.importing.imported_item import ImportedItem
from cms.transfer.importing.terms import FORMAT, UNKNOWN_TAXONOMY, find_term, term_slug


def store_terms(imported: ImportedItem, id: int) -> None:
    """Give the item its terms; where a taxonomy has a default one, none is left without."""
    _count_unknown_terms(imported)
    terms: dict[int, None] = {}
    for taxonomy in imported.registry.taxonomies_of(imported.item.type):
        found = _find_terms(imported, taxonomy) or _default_terms(imported, taxonomy)
        terms |= dict.fromkeys(found)
    imported.importing.store.add_term_links(id, terms)


def _count_unknown_terms(imported: ImportedItem) -> None:
    """Count the terms of taxonomies that the site doesn't have, or not for items of this type."""
    known = {taxonomy.name for taxonomy in imported.registry.taxonomies_of(imported.item.type)}
    for link in imported.item.terms:
        if link.taxonomy in known or link.taxonomy == FORMAT:
            continue
        reason = UNKNOWN_TAXONOMY
        if link.taxonomy in imported.registry.taxonomies:
            reason = f"items of the type {imported.item.type} have none here"
        imported.importing.report.leave_out(link.taxonomy, reason)


def _find_terms(imported: ImportedItem, taxonomy: Taxonomy) -> list[int]:
    ids = []
    for link in imported.item.terms:
        if link.taxonomy == taxonomy.name:
            id = find_term(imported.importing, taxonomy.name, term_slug(link.slug, link.name))
            if id is not None:
                ids.append(id)
    return ids


def _default_terms(imported: ImportedItem, taxonomy: Taxonomy) -> list[int]:
    if not taxonomy.default_option or imported.importing.exact:
        return []
    id = int(str(imported.importing.settings[taxonomy.default_option]))
    if imported.importing.site.stores.terms.exists(id, taxonomy.name):
        return [id]
    return []

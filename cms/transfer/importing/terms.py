"""Terms of an export on their way into the table of terms."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from cms.rendering.plain import clean_line, sort_key
from cms.rendering.sanitising import sanitize_description
from cms.rendering.slugs import clean_slug
from cms.transfer.importing.context import ImportContext
from cms.transfer.importing.meta import kept_meta
from cms.transfer.wxr.records import TermRecord

#: Becomes a column of its items.
FORMAT = "post_format"
UNTOUCHED = """
SELECT 1 FROM terms WHERE id = ? AND id = ? AND version = 1 AND source_id IS NULL
AND NOT EXISTS (SELECT 1 FROM content_terms WHERE term_id = terms.id)
"""
UNKNOWN = "the site has no such taxonomy"


def write_terms(importing: ImportContext, terms: Iterable[TermRecord]) -> None:
    """Store terms, then put the new ones below their parents, which may come later in the file."""
    new: dict[tuple[str, str], TermRecord] = {}
    for term in terms:
        if term.taxonomy in importing.site.content_registry.taxonomies:
            _write_term(importing, term, new)
            if term.source_id is not None:
                key = (term.taxonomy, term_slug(term.slug, term.name))
                importing.term_ids[term.taxonomy, term.source_id] = importing.terms[key]
        elif term.taxonomy != FORMAT:
            importing.report.leave_out(term.taxonomy or "term", UNKNOWN)
    parents = {
        key: parent for key, term in new.items() if (parent := _find_parent(importing, term)) is not None
    }
    for key, parent in parents.items():
        if _loops(key, parents):
            importing.tell(
                new[key].line, f'the {key[0]} "{new[key].name}" would stand above itself; it has no parent'
            )
        else:
            importing.run(
                "UPDATE terms SET parent_id = ? WHERE id = ?", importing.terms[parent], importing.terms[key]
            )


@lru_cache(maxsize=10_000)  # every item names its terms anew
def term_slug(slug: str, name: str = "") -> str:
    """Return the slug that a term of an export is stored with."""
    return clean_slug(slug) or clean_slug(name) or "term"


def find_term(importing: ImportContext, taxonomy: str, slug: str) -> int | None:
    """Return the id of a term by its stored slug."""
    key = (taxonomy, slug)
    if key not in importing.terms:
        row = importing.site.database.row("SELECT id FROM terms WHERE taxonomy = ? AND slug = ?", key)
        if row is None:
            return None
        importing.terms[key] = int(row["id"])
    return importing.terms[key]


def _write_term(importing: ImportContext, term: TermRecord, new: dict[tuple[str, str], TermRecord]) -> None:
    key = (term.taxonomy, term_slug(term.slug, term.name))
    if key in new:
        same = f'the terms "{new[key].name}" and "{term.name}" have the same slug "{key[1]}" and became one'
        importing.tell(term.line, same)
    elif (id := find_term(importing, *key)) is not None:
        importing.report.recognise(term.taxonomy)
        if importing.exact and _is_untouched(importing, id):
            columns = _columns(importing, term, key[1])
            places = ", ".join(f"{name} = ?" for name in columns)
            importing.run(f"UPDATE terms SET {places} WHERE id = ?", *columns.values(), id)  # noqa: S608 (our own names)
            new[key] = term
    else:
        importing.terms[key] = importing.insert(
            "terms",
            {
                "taxonomy": key[0],
                "slug": key[1],
                **_columns(importing, term, key[1]),
                "source_site": importing.source,
                "source_id": str(term.source_id) if term.source_id else None,
            },
        )
        new[key] = term
        importing.report.count(term.taxonomy)


def _columns(importing: ImportContext, term: TermRecord, slug: str) -> dict[str, str]:
    name = clean_line(term.name) or slug
    return {
        "name": name,
        "sort_name": sort_key(name),
        "description": sanitize_description(term.description),
        "meta": kept_meta(
            importing.site, term.taxonomy, term.more, lambda told: importing.tell(term.line, told)
        ),
    }


def _is_untouched(importing: ImportContext, id: int) -> bool:
    """Tell whether a term is the default category as a new site has it."""
    return (
        importing.site.database.row(UNTOUCHED, (id, importing.site.settings["default_category"])) is not None
    )


def _find_parent(importing: ImportContext, term: TermRecord) -> tuple[str, str] | None:
    if not importing.site.content_registry.taxonomies[term.taxonomy].hierarchical or not term.parent_slug:
        return None
    parent = (term.taxonomy, term_slug(term.parent_slug))
    if find_term(importing, *parent) is None:
        told = f'the parent "{term.parent_slug}" of the {term.taxonomy} "{term.name}" isn\'t in the file'
        importing.tell(term.line, told)
        return None
    return parent


def _loops(key: tuple[str, str], parents: dict[tuple[str, str], tuple[str, str]]) -> bool:
    """Tell whether a term stands in a circle of parents; only new terms can, the others keep theirs."""
    seen: set[tuple[str, str]] = set()
    above = parents.get(key)
    while above is not None and above not in seen:
        if above == key:
            return True
        seen.add(above)
        above = parents.get(above)
    return False

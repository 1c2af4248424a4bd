"""Terms of an export on their way into the table of terms."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from cms.operations.slugs import clean_slug
from cms.rendering.plain import clean_line, sort_key
from cms.rendering.sanitising import sanitize_description
from cms.transfer.importing.context import Writing
from cms.transfer.importing.meta import kept_meta
from cms.transfer.wxr.records import TermRecord

#: Becomes a column of its items.
FORMAT = "post_format"
UNTOUCHED = """
SELECT 1 FROM terms WHERE id = ? AND id = ? AND version = 1 AND source_id IS NULL
AND NOT EXISTS (SELECT 1 FROM content_terms WHERE term_id = terms.id)
"""
UNKNOWN = "the site has no such taxonomy"


def write_terms(writing: Writing, terms: Iterable[TermRecord]) -> None:
    """Store terms, then put the new ones below their parents, which may come later in the file."""
    new: dict[tuple[str, str], TermRecord] = {}
    for term in terms:
        if term.taxonomy in writing.site.catalogue.taxonomies:
            _write_term(writing, term, new)
            if term.source_id is not None:
                key = (term.taxonomy, term_slug(term.slug, term.name))
                writing.term_ids[term.taxonomy, term.source_id] = writing.terms[key]
        elif term.taxonomy != FORMAT:
            writing.report.leave_out(term.taxonomy or "term", UNKNOWN)
    parents = {
        key: parent for key, term in new.items() if (parent := _find_parent(writing, term)) is not None
    }
    for key, parent in parents.items():
        if _loops(key, parents):
            writing.tell(
                new[key].line, f'the {key[0]} "{new[key].name}" would stand above itself; it has no parent'
            )
        else:
            writing.run(
                "UPDATE terms SET parent_id = ? WHERE id = ?", writing.terms[parent], writing.terms[key]
            )


@lru_cache(maxsize=10_000)  # every item names its terms anew
def term_slug(slug: str, name: str = "") -> str:
    """Return the slug that a term of an export is stored with."""
    return clean_slug(slug) or clean_slug(name) or "term"


def find_term(writing: Writing, taxonomy: str, slug: str) -> int | None:
    """Return the id of a term by its stored slug."""
    key = (taxonomy, slug)
    if key not in writing.terms:
        row = writing.site.database.row("SELECT id FROM terms WHERE taxonomy = ? AND slug = ?", key)
        if row is None:
            return None
        writing.terms[key] = int(row["id"])
    return writing.terms[key]


def _write_term(writing: Writing, term: TermRecord, new: dict[tuple[str, str], TermRecord]) -> None:
    key = (term.taxonomy, term_slug(term.slug, term.name))
    if key in new:
        same = f'the terms "{new[key].name}" and "{term.name}" have the same slug "{key[1]}" and became one'
        writing.tell(term.line, same)
    elif (id := find_term(writing, *key)) is not None:
        writing.report.recognise(term.taxonomy)
        if writing.exact and _is_untouched(writing, id):
            columns = _columns(writing, term, key[1])
            places = ", ".join(f"{name} = ?" for name in columns)
            writing.run(f"UPDATE terms SET {places} WHERE id = ?", *columns.values(), id)  # noqa: S608 (our own names)
            new[key] = term
    else:
        writing.terms[key] = writing.insert(
            "terms",
            {
                "taxonomy": key[0],
                "slug": key[1],
                **_columns(writing, term, key[1]),
                "source_site": writing.source,
                "source_id": str(term.source_id) if term.source_id else None,
            },
        )
        new[key] = term
        writing.report.count(term.taxonomy)


def _columns(writing: Writing, term: TermRecord, slug: str) -> dict[str, str]:
    name = clean_line(term.name) or slug
    return {
        "name": name,
        "sort_name": sort_key(name),
        "description": sanitize_description(term.description),
        "meta": kept_meta(writing.site, term.taxonomy, term.more, lambda told: writing.tell(term.line, told)),
    }


def _is_untouched(writing: Writing, id: int) -> bool:
    """Tell whether a term is the default category as a new site has it."""
    return writing.site.database.row(UNTOUCHED, (id, writing.site.settings["default_category"])) is not None


def _find_parent(writing: Writing, term: TermRecord) -> tuple[str, str] | None:
    if not writing.site.catalogue.taxonomies[term.taxonomy].hierarchical or not term.parent_slug:
        return None
    parent = (term.taxonomy, term_slug(term.parent_slug))
    if find_term(writing, *parent) is None:
        told = f'the parent "{term.parent_slug}" of the {term.taxonomy} "{term.name}" isn\'t in the file'
        writing.tell(term.line, told)
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

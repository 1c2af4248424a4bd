"""Terms of an export on their way into the table of terms."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from urllib.parse import unquote

from cms.rendering.plain import clean_line
from cms.rendering.sanitising import sanitize_description
from cms.rendering.slugs import kept_slug
from cms.resources.terms.rules import text_columns, wanted_slug
from cms.transfer.importing.cleaning import clean_markup, kept_line
from cms.transfer.importing.context import ImportContext
from cms.transfer.importing.meta import meta_column
from cms.transfer.wxr.records import TermRecord

#: The taxonomy that becomes a column of its items.
FORMAT = "post_format"
UNKNOWN_TAXONOMY = "the site has no such taxonomy"

#: Taxonomy and stored slug.
Key = tuple[str, str]


def write_terms(importing: ImportContext, terms: Iterable[TermRecord]) -> None:
    """Store terms, then put the new ones below their parents, which may come later in the file."""
    new: dict[Key, TermRecord] = {}
    for term in terms:
        if not term.slug and not clean_line(term.name):
            importing.report.leave_out(term.taxonomy or "term", "it has neither a name nor a slug")
        elif term.taxonomy in importing.site.content_registry.taxonomies:
            _write_term(importing, term, new)
        elif term.taxonomy != FORMAT:
            importing.report.leave_out(term.taxonomy or "term", UNKNOWN_TAXONOMY)
    _set_parents(importing, new)


@lru_cache(maxsize=10_000)  # every item names its terms again
def term_slug(slug: str, name: str = "") -> str:
    """Return the slug that a term of an export is stored with."""
    return wanted_slug(kept_slug(slug), name)


def find_term(importing: ImportContext, taxonomy: str, slug: str) -> int | None:
    """Return the id of a term by its stored slug."""
    key, known = (taxonomy, slug), importing.terms.by_slug
    if key not in known:
        id = importing.store.find_term(taxonomy, slug)
        if id is None:
            return None
        known[key] = id
    return known[key]


def _write_term(importing: ImportContext, term: TermRecord, new: dict[Key, TermRecord]) -> None:
    key = (term.taxonomy, term_slug(term.slug, term.name))
    if key in new:
        if (new[key].name, new[key].description) != (term.name, term.description):
            names = f'"{new[key].name}" and "{term.name}"'
            importing.warn(term.line, f'the terms {names} have the same slug "{key[1]}" and became one')
    elif find_term(importing, *key) is None:
        _add(importing, term, key)
        new[key] = term
    else:
        importing.report.recognise(term.taxonomy)
        if _is_untouched(importing, key):
            source = {"source_site": importing.source, "source_id": str(term.source_id or key[1])}
            columns = {**_columns(importing, term, key[1]), **source}
            importing.store.change_term(importing.terms.by_slug[key], columns)
            new[key] = term
    if term.source_id is not None:
        importing.terms.by_source_id[term.taxonomy, term.source_id] = importing.terms.by_slug[key]


def _add(importing: ImportContext, term: TermRecord, key: Key) -> None:
    columns = {
        "taxonomy": key[0],
        "slug": key[1],
        **_columns(importing, term, key[1]),
        "source_site": importing.source,
        "source_id": str(term.source_id) if term.source_id else None,
    }
    if term.slug and key[1] != unquote(term.slug):
        importing.warn(term.line, f'the slug "{term.slug[:300]}" can\'t be one; it became "{key[1]}"')
    importing.terms.by_slug[key] = importing.store.add_term(columns)
    importing.report.count(term.taxonomy)


def _columns(importing: ImportContext, term: TermRecord, slug: str) -> dict[str, str]:
    def warn(text: str) -> None:
        importing.warn(term.line, text)

    place = f'the {term.taxonomy} "{slug}"'
    name = kept_line(term.name, f"the name of {place}", warn) or slug
    cleaned = clean_markup(
        importing.report, term.description, sanitize_description, f"the description of {place}", warn
    )
    columns = text_columns(name, cleaned)
    columns["meta"] = meta_column(importing.site, term.taxonomy, term.more, warn)
    return columns


def _is_untouched(importing: ImportContext, key: Key) -> bool:
    """Tell whether a term is the default category as a new site has it."""
    id = importing.terms.by_slug[key]
    return id == int(importing.site.settings["default_category"]) and importing.store.is_unused_term(id)


def _set_parents(importing: ImportContext, new: Mapping[Key, TermRecord]) -> None:
    parents: dict[Key, Key] = {}
    for key, term in new.items():
        parent = _find_parent(importing, term)
        if parent is not None:
            parents[key] = parent
    ids = importing.terms.by_slug
    for key, parent in list(parents.items()):
        if _is_in_loop(key, parents):
            del parents[key]  # cut here, the circle is open for the others
            notice = f'the {key[0]} "{new[key].name}" would stand above itself; it has no parent'
            importing.warn(new[key].line, notice)
        else:
            importing.store.change_term(ids[key], {"parent_id": ids[parent]})


def _find_parent(importing: ImportContext, term: TermRecord) -> Key | None:
    taxonomy = importing.site.content_registry.taxonomies[term.taxonomy]
    if not taxonomy.hierarchical or not term.parent_slug:
        return None
    parent = (term.taxonomy, term_slug(term.parent_slug))
    if find_term(importing, *parent) is None:
        notice = f'the parent "{term.parent_slug}" of the {term.taxonomy} "{term.name}" isn\'t in the file'
        importing.warn(term.line, notice)
        return None
    return parent


def _is_in_loop(key: Key, parents: Mapping[Key, Key]) -> bool:
    """Tell whether a term is in a circle of parents; only new terms can be, the others stay below theirs."""
    seen: set[Key] = set()
    above = parents.get(key)
    while above is not None and above not in seen:
        if above == key:
            return True
        seen.add(above)
        above = parents.get(above)
    return False

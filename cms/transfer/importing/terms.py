"""Terms of an export on their way into the table of terms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from urllib.parse import unquote

from cms.db.reader import Columns
from cms.rendering.plain import clean_line
from cms.rendering.sanitising import sanitize_description
from cms.rendering.slugs import imported_slug
from cms.resources.terms.rules import text_columns, wanted_slug
from cms.transfer.importing.cleaning import clean_markup, imported_line
from cms.transfer.importing.context import ImportContext
from cms.transfer.importing.exported_references import await_exported
from cms.transfer.importing.meta import imported_meta
from cms.transfer.importing.waiting_values import await_values
from cms.transfer.wxr.records import TermRecord

#: The taxonomy that becomes a column of its items.
FORMAT = "post_format"
#: The mark of a term that items alone have named.
NAMED = "named"
UNKNOWN_TAXONOMY = "the site has no such taxonomy"

#: Taxonomy and stored slug.
Key = tuple[str, str]


def write_terms(importing: ImportContext, terms: Sequence[TermRecord]) -> None:
    """Store terms, then put the new ones below their parents, which may come later in the file."""
    new: dict[Key, TermRecord] = {}
    numbers = {term.source_id for term in terms if term.source_id}
    importing.terms.free = importing.site.stores.ids.free("terms", numbers)
    for term in terms:
        if not term.slug and not clean_line(term.name):
            importing.report.leave_out(term.taxonomy or "term", "it has neither a name nor a slug")
        elif term.taxonomy in importing.site.content_registry.taxonomies:
            _write_term(importing, term, new)
        elif term.taxonomy != FORMAT:
            importing.report.leave_out(term.taxonomy or "term", UNKNOWN_TAXONOMY)
    _set_parents(importing, new)


def number_terms(importing: ImportContext) -> None:
    """Note the export's numbers of terms that others have; these may be changed elsewhere until then."""
    for id, number in importing.pending.numbers:
        importing.store.number_term(id, importing.source, number)


@lru_cache(maxsize=10_000)  # every item names its terms again
def term_slug(slug: str, name: str = "") -> str:
    """Return the slug that a term of an export is stored with."""
    return wanted_slug(imported_slug(slug), name)


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
        _complete(importing, term, key, new)
    if term.source_id is not None:
        importing.terms.by_source_id[term.taxonomy, term.source_id] = importing.terms.by_slug[key]


def _complete(importing: ImportContext, term: TermRecord, key: Key, new: dict[Key, TermRecord]) -> None:
    """Give a term that is here what the file says of it, where nobody has said that yet."""
    store, id = importing.store, importing.terms.by_slug[key]
    if _is_untouched(importing, key) or (term.listed and store.is_named_only(id, importing.source)):
        store.change_term(id, {**_columns(importing, term, key[1]), **_origin(importing, term)})
        await_values(importing, "terms", id)
        new[key] = term
    elif term.source_id and importing.source:
        importing.pending.numbers.append((id, term.source_id))


def _add(importing: ImportContext, term: TermRecord, key: Key) -> None:
    columns = {
        "taxonomy": key[0],
        "slug": key[1],
        **_columns(importing, term, key[1]),
        **_origin(importing, term),
    }
    if term.source_id in importing.terms.free:
        importing.terms.free.discard(term.source_id)
        columns["id"] = term.source_id
    if term.slug and key[1] != unquote(term.slug):
        importing.warn(term.line, f'the slug "{term.slug[:300]}" can\'t be one; it became "{key[1]}"')
    id = importing.store.add_term(columns)
    await_values(importing, "terms", id)
    await_exported(importing, "terms", id, term.more, partial(importing.warn, term.line))
    importing.terms.by_slug[key] = id
    importing.report.count(term.taxonomy)


def _origin(importing: ImportContext, term: TermRecord) -> Columns:
    return {
        "source_site": importing.source,
        "source_id": str(term.source_id) if term.source_id else None,
        "source_mark": None if term.listed else NAMED,
    }


def _columns(importing: ImportContext, term: TermRecord, slug: str) -> Columns:
    def warn(text: str) -> None:
        importing.warn(term.line, text)

    place = f'the {term.taxonomy} "{slug}"'
    name = imported_line(term.name, f"the name of {place}", warn) or slug
    name = importing.bounds.fit((term.taxonomy, "name"), name, f"the name of {place}", warn, clean_line)
    what = f"the description of {place}"
    cleaned = clean_markup(importing.report, term.description, sanitize_description, what, warn)
    fit = importing.bounds.fit
    description = fit((term.taxonomy, "description"), cleaned, what, warn, sanitize_description)
    columns: Columns = dict(text_columns(name, importing.site.own_files.store(description)))
    columns["meta"] = imported_meta(importing, term.taxonomy, term, warn)
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
        id = importing.terms.by_slug[term.taxonomy, term_slug(term.slug, term.name)]
        importing.await_reference("terms", id, "parent", f"slug:{term.taxonomy}", parent[1])
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

"""The terms of an item: the field that shows them, and which it gets when it is written."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping

from cms.context import SiteContext
from cms.db.models import ContentRow
from cms.errors import InvalidParams
from cms.i18n import Text, _
from cms.operations.results import Row
from cms.operations.serialize import SerializationContext
from cms.schema.content_types import Taxonomy
from cms.schema.fields import VIEW_EDIT, Ids, Integer
from cms.schema.resource import Arguments


def load_terms(page: SerializationContext) -> dict[str, dict[int, list[int]]]:
    """Return the ids of terms by taxonomy and item, for all items of a page at once."""
    found: dict[str, dict[int, list[int]]] = defaultdict(dict)
    for content_id, taxonomy, id in page.site.stores.terms.of_items(page.ids):
        found[taxonomy].setdefault(content_id, []).append(id)
    return found


def terms_of(taxonomy: str) -> Callable[[SerializationContext], Callable[[Row], list[int]]]:
    """Make what prepares the reader of an item's terms of one taxonomy."""

    def prepare(page: SerializationContext) -> Callable[[Row], list[int]]:
        found = page.load(load_terms)[taxonomy]
        return lambda row: found.get(row["id"], [])

    return prepare


def one_term_of(taxonomy: str) -> Callable[[SerializationContext], Callable[[Row], int]]:
    """Make what prepares the reader of the first of an item's terms of one taxonomy; 0 stands for none."""
    terms = terms_of(taxonomy)

    def prepare(page: SerializationContext) -> Callable[[Row], int]:
        read = terms(page)
        return lambda row: next(iter(read(row)), 0)

    return prepare


def term_field(taxonomy: Taxonomy) -> Ids:
    """Return the field with an item's terms of one taxonomy; that of a single one shows a number."""
    ids = Ids(
        _("Ids of the item's terms of the taxonomy %(name)s.", name=taxonomy.name),
        VIEW_EDIT,
        null=[],
        columns=("id",),
        prepare=terms_of(taxonomy.name),
        load=load_terms,
    )
    if taxonomy.single:
        return ids.copy(prepare=one_term_of(taxonomy.name), answer=Integer(Text("")))
    return ids


def chosen_terms(
    site: SiteContext, type_name: str, args: Arguments, row: ContentRow | None
) -> dict[str, list[int]]:
    """Return the terms that a write sets, by taxonomy; an item left without any gets the default one.

    Raises InvalidParams for numbers that can't be ids; ids of no term of the taxonomy are passed over.
    """
    chosen: dict[str, list[int]] = {}
    for taxonomy in site.content_registry.taxonomies_of(type_name):
        sent = args.get(taxonomy.field)
        if sent is None and taxonomy.default_option and not _has_terms(site, row, taxonomy):
            sent = [site.settings[taxonomy.default_option]]
        if sent is not None:
            _check_ids(taxonomy, sent)
            chosen[taxonomy.name] = site.stores.terms.known(taxonomy.name, sent)
    return chosen


def unknown_terms(
    site: SiteContext, type_name: str, args: Arguments, chosen: Mapping[str, list[int]]
) -> dict[str, list[int]]:
    """Return the sent ids that are passed over, because no term has them, by the names of their fields."""
    found = {}
    for taxonomy in site.content_registry.taxonomies_of(type_name):
        sent = args.get(taxonomy.field) or []
        unknown = [id for id in dict.fromkeys(sent) if id not in chosen.get(taxonomy.name, ())]
        if unknown:
            found[taxonomy.field] = unknown
    return found


def _has_terms(site: SiteContext, row: ContentRow | None, taxonomy: Taxonomy) -> bool:
    return row is not None and bool(site.stores.terms.of_item(row["id"], taxonomy.name))


def _check_ids(taxonomy: Taxonomy, sent: list[int]) -> None:
    impossible = ", ".join(str(id) for id in sent if id <= 0)
    if impossible:
        message = _("These can't be ids of terms: %(ids)s.", ids=impossible)
        raise InvalidParams({taxonomy.field: message})

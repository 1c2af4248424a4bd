"""Checks of what the database holds: its indexes, kept numbers, the search, rows without what they belong to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from cms.context import SiteContext
from cms.db.indexes import due_indexes, grown_indexes, make_index
from cms.db.search_making import make_indexes
from cms.db.sqlite.health.counts import recount, wrong_counts
from cms.db.sqlite.health.file import newest_write
from cms.db.sqlite.health.orphans import broken_references, find_orphans, remove_orphans
from cms.db.sqlite.health.schema import (
    MigratedSchema,
    bring_parts,
    bring_statistics,
    migrated_schema,
    missing_parts,
    wrong_statistics,
)
from cms.db.sqlite.health.search import wrongly_indexed
from cms.db.sqlite.search_index import is_search_index_right
from cms.doctor.checks import FAULT, NOTE, WARNING, check


def wanted_schema(site: SiteContext) -> MigratedSchema:
    """Return the indexes and triggers that a site's database should have."""
    registry = site.registry
    grown = grown_indexes(site.database, registry.indexes)
    indexes = {}
    for name, sql in due_indexes(site.database, registry.indexes).items():
        if name not in grown:
            indexes[name] = sql
    return migrated_schema(registry.migrations, indexes, site.config["search_mode"])


def numbers(found: Mapping[str, int]) -> str:
    """Return how many there are of what, as people read it."""
    return ", ".join(f"{number} of {table}" for table, number in found.items())


def _remove_orphans(site: SiteContext) -> str:
    return f"Removed {remove_orphans(site.database)} row(s)."


@check(
    "orphans",
    FAULT,
    "Rows belong to others that aren't there: links of terms, comments, revisions, details of files, tokens.",
    "Remove them: cms doctor --fix. What is gone comes back from a backup only.",
    repair=_remove_orphans,
)
def look_at_orphans(site: SiteContext) -> Iterator[str]:
    """Find rows that belong to nothing."""
    found = find_orphans(site.database)
    if found:
        yield f"Rows that belong to nothing: {numbers(found)}."


@check(
    "broken-references",
    FAULT,
    "Rows that can be read name others that aren't there, such as the author of an item.",
    "Give them others over the API, or restore a backup.",
)
def look_at_references(site: SiteContext) -> Iterator[str]:
    """Find rows that name others which aren't there, and must not be removed for it."""
    for (table, other), number in broken_references(site.database).items():
        yield f"{number} row(s) of {table} name none of {other}."


def _make_parts(site: SiteContext) -> str:
    missing = missing_parts(site.database, wanted_schema(site))
    bring_parts(site.database, missing)
    return f"Made {', '.join(sorted(missing))}."


@check(
    "schema",
    FAULT,
    "An index or a trigger of the database isn't there or is another: reading is slow, or kept numbers go wrong.",
    "Make it again: cms doctor --fix.",
    repair=_make_parts,
)
def look_at_schema(site: SiteContext) -> Iterator[str]:
    """Find indexes and triggers that the migrations made and that aren't there."""
    missing = missing_parts(site.database, wanted_schema(site))
    if missing:
        yield f"Not as the migrations made them: {', '.join(sorted(missing))}."


def _make_grown(site: SiteContext) -> str:
    grown = grown_indexes(site.database, site.registry.indexes)
    for name, sql in grown.items():
        make_index(site.database, name, sql)
    return f"Made {', '.join(sorted(grown))}."


@check(
    "grown-types",
    NOTE,
    "A type has got so many items that its filters and orders need indexes: until they are there, such lists are slow.",
    "Make them: cms doctor --fix. In sites of up to 200,000 items the timed work does so within ten minutes.",
    repair=_make_grown,
)
def look_at_grown_types(site: SiteContext) -> Iterator[str]:
    """Find indexes that were of no use as long as their types had few items."""
    grown = grown_indexes(site.database, site.registry.indexes)
    if grown:
        yield f"Not there yet: {', '.join(sorted(grown))}."


def _write_statistics(site: SiteContext) -> str:
    bring_statistics(site.database, wanted_schema(site))
    return "Wrote the statistics as the migrations do; start the site anew for all its processes to plan with them."


@check(
    "statistics",
    WARNING,
    "What SQLite takes for the size of tables isn't what the migrations wrote, as after ANALYZE: it may plan badly.",
    "Write it again: cms doctor --fix.",
    repair=_write_statistics,
)
def look_at_statistics(site: SiteContext) -> Iterator[str]:
    """Find statistics that are others than the migrations'."""
    tables = wrong_statistics(site.database, wanted_schema(site))
    if tables:
        yield f"Other statistics for {', '.join(tables)}."


def _repair_counts(site: SiteContext) -> str:
    recount(site.database)
    return "Counted items by type, author and term anew."


@check(
    "counts",
    FAULT,
    "Numbers of items that are kept don't fit the items: totals and lists by term are wrong.",
    "Count anew: cms doctor --fix.",
    repair=_repair_counts,
)
def look_at_counts(site: SiteContext) -> Iterator[str]:
    """Find kept numbers that are wrong."""
    found = wrong_counts(site.database)
    if found:
        yield f"Wrong rows: {numbers(found)}."


def reindex(site: SiteContext) -> str:
    """Make the indexes for search anew and return that in a sentence."""
    mode = site.config["search_mode"]
    make_indexes(site.database, mode)
    return f"Made the indexes for search anew, in the mode {mode}."


@check(
    "search-index",
    FAULT,
    "The indexes for search aren't those of search_mode, or don't fit the texts: searches miss items.",
    "Make them anew: cms doctor --reindex.",
    repair=reindex,
)
def look_at_search(site: SiteContext) -> Iterator[str]:
    """Find indexes that are of another mode, or have other texts than the rows."""
    mode = site.config["search_mode"]
    if not is_search_index_right(site.database, mode):
        yield f"They aren't as the mode {mode} has them."
        return
    found = wrongly_indexed(site.config.database, mode)
    if found:
        yield f"Rows with other texts than the index: {numbers(found)}."


@check(
    "clock",
    WARNING,
    "The clock is behind the newest write: scheduled items wait, and new ones come below older ones.",
    "Set the machine's clock.",
)
def look_at_clock(site: SiteContext) -> Iterator[str]:
    """Find a clock that was set back."""
    newest = newest_write(site.database)
    if newest > site.now():
        yield f"It is {site.now()}, and the newest write is of {newest}."

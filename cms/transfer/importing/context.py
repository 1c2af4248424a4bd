"""What the writers of an import share: the site, the report, and the ids that the export's names stand for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import tzinfo
from functools import cached_property, partial
from typing import NamedTuple

from cms.dates import zone
from cms.db.reader import Columns
from cms.db.sqlite.item_index import IndexedItem
from cms.db.stores import ImportStore, NewReference
from cms.site import Site
from cms.transfer.importing.bounds import Bounds
from cms.transfer.importing.cleaning import Warn, clean_markup
from cms.transfer.importing.identity import mark_item, name_item
from cms.transfer.importing.links import LinkRewriter
from cms.transfer.importing.made import MadeTexts
from cms.transfer.importing.media.file_index import Files
from cms.transfer.importing.report import Report
from cms.transfer.wxr.extension import More
from cms.transfer.wxr.records import AuthorRecord, ItemRecord, Notice

#: How many references are stored with one statement.
BATCH = 200


@dataclass
class AccountIds:
    """The accounts that the export's authors have become."""

    by_login: dict[str, int] = field(default_factory=dict)
    #: By their ids in the export.
    by_source_id: dict[int, int] = field(default_factory=dict)
    #: What the file says first of each, by the account's id.
    records: dict[int, AuthorRecord] = field(default_factory=dict)

    def add(self, login: str, source_id: int | None, id: int) -> None:
        """Note the account of an author."""
        self.by_login[login] = id
        if source_id is not None:
            self.by_source_id[source_id] = id


@dataclass
class TermIds:
    """The terms that the export's terms have become."""

    #: By taxonomy and stored slug.
    by_slug: dict[tuple[str, str], int] = field(default_factory=dict)
    #: By taxonomy and their id in the export: old exports have the same id in several taxonomies.
    by_source_id: dict[tuple[str, int], int] = field(default_factory=dict)
    #: The numbers of the export that are free here.
    free: set[int] = field(default_factory=set)


class NestedItem(NamedTuple):
    """A new item below another one: its line and number in the export, and its parent's id here."""

    line: int
    number: int | None
    parent: int


@dataclass
class PendingWork:
    """What is left to do when all items are stored."""

    #: The new items that are below others, by their id.
    nested: dict[int, NestedItem] = field(default_factory=dict)
    #: The numbers in the export of terms that the site has already, with their ids here.
    numbers: list[tuple[int, int]] = field(default_factory=list)
    #: References to what isn't here, on their way into the database.
    references: list[NewReference] = field(default_factory=list)
    #: What plugins do then.
    functions: list[Callable[[], None]] = field(default_factory=list)

    def run(self) -> None:
        """Do what plugins have left for the end."""
        for function in self.functions:
            function()


@dataclass
class ShiftedDates:
    """Items whose local dates aren't shown as they were: how many, and the first one's line and id in the file."""

    number: int = 0
    lines: list[int] = field(default_factory=list)
    items: list[int | None] = field(default_factory=list)

    def add(self, line: int, item: int | None) -> None:
        """Count an item."""
        self.number += 1
        if not self.lines:
            self.lines.append(line)
            self.items.append(item)


@dataclass
class ImportContext:
    """One import into one site, inside its transaction."""

    site: Site
    #: The address that the export's site is known by.
    source: str
    report: Report
    files: Files
    #: What an export of this system says of its site.
    extension: More
    now: str
    #: Whether texts are stored with markup that not everybody may write.
    trust_markup: bool = False
    #: The time zone of the file's local dates; empty where it isn't known.
    zone_name: str = ""
    #: What was made of the present item's texts before.
    made: MadeTexts = field(default_factory=MadeTexts)
    shifted: ShiftedDates = field(default_factory=ShiftedDates)
    accounts: AccountIds = field(default_factory=AccountIds)
    terms: TermIds = field(default_factory=TermIds)
    pending: PendingWork = field(default_factory=PendingWork)
    #: The names of the present item's pairs that plugins have made values of.
    used_meta: set[str] = field(default_factory=set)
    #: What the values of the present item or term wait for: the field of the reference, kind and number.
    waiting_values: list[tuple[str, str, int]] = field(default_factory=list)

    @property
    def store(self) -> ImportStore:
        """What finds and adds rows."""
        return self.site.stores.imports

    @property
    def exact(self) -> bool:
        """Whether the file says all that its site holds, so that what it doesn't name isn't there."""
        return self.extension.get("exact") is True

    @cached_property
    def zone(self) -> tzinfo:
        """The zone that local dates of the file are in."""
        if self.zone_name:
            return zone(self.zone_name)
        return self.site.settings.zone

    @cached_property
    def takes_zone(self) -> bool:
        """Whether the site has no time zone of its own, so that it takes that of the file."""
        return "timezone" not in self.site.settings.written_names()

    @cached_property
    def display_zone(self) -> tzinfo:
        """The zone that dates are shown in when the import has ended."""
        if self.takes_zone:
            return self.zone
        return self.site.settings.zone

    @cached_property
    def settings(self) -> Mapping[str, object]:
        """The settings as the import found them; they are read once, however often others write meanwhile."""
        return self.site.settings.all()

    @cached_property
    def administrator(self) -> int:
        """The account that owns what no author is known of."""
        return self.site.stores.users.first_administrator()

    @cached_property
    def links(self) -> LinkRewriter:
        """What rewrites links to files of the old site."""
        return LinkRewriter(self.files, self.site.context.file_url)

    @cached_property
    def bounds(self) -> Bounds:
        """How long texts may be."""
        return Bounds(self.site.registry.resources, self.site.config)

    def clean(self, text: str, sanitize: Callable[[str], str], what: str, warn: Warn) -> str:
        """Return a text without markup that not everybody may write, unless the file is trusted."""
        if self.trust_markup:
            return text
        name = f"{sanitize.__module__}.{getattr(sanitize, '__qualname__', '')}"
        made = partial(self.made.make, sanitize, name)
        return clean_markup(self.report, text, made, what, warn)

    def tidy(self, sanitize: Callable[[str], str]) -> Callable[[str], str]:
        """Return what makes a text that was cut sound again: its sanitizer, unless the file is trusted."""
        return str.strip if self.trust_markup else sanitize

    def find_item(self, source_id: int) -> int | None:
        """Return the id of a post or page of the same source, imported before, now, or later in the file."""
        return self.files.items.id_of(source_id, is_file=False)

    def find_file(self, source_id: int) -> int | None:
        """Return the id of a file of the same source, imported before, now, or later in the file."""
        return self.files.items.id_of(source_id, is_file=True)

    def find_stored(self, item: ItemRecord) -> IndexedItem:
        """Return how an item of the file is stored: its id and name here, and whether it was here before."""
        found = self.files.items.find(name_item(item), mark_item(item))
        return found or self.files.items.find_known(name_item(item))  # one that a plugin has changed

    def find_account(self, number: int) -> int:
        """Return the account of an author by their number in the source, 0 where none is here."""
        ids = self.accounts.by_source_id
        if number not in ids and self.source:
            ids[number] = self.store.find_account_by_number(self.source, number) or 0
        return ids.get(number, 0)

    def find_term(self, taxonomy: str, number: int) -> int | None:
        """Return the id of a term by its number in the source, imported now or before."""
        found = self.terms.by_source_id.get((taxonomy, number))
        if found is None and self.source:
            found = self.store.find_term_by_number(taxonomy, self.source, number)
        return found

    def add_item(self, stored: IndexedItem, columns: Columns) -> int:
        """Add an item that isn't here, under its id, and return that."""
        place, id = stored["place"], stored["content_id"]
        source = {
            "source_site": self.source,
            "source_id": stored["stored_name"],
            "source_mark": stored["mark"],
        }
        if place:
            self.files.items.mark_written(place)
        return self.store.add_item({**columns, **source} if id is None else {"id": id, **columns, **source})

    def await_reference(self, holder: str, id: int, field: str, kind: str, name: object) -> None:
        """Keep a reference to what isn't here: a later import of the same source that brings it ties it.

        `holder` is the table of what has the reference, `field` is `parent`, `featured`, `text`, `meta:` and the name
        of a value, `value:` and the way to an id inside one, or `markup:` and that to a text; `kind` is `item`,
        `comment`, `user`, or `term:` or `slug:` and a taxonomy.
        """
        if not self.source:
            return
        reference = NewReference(
            holder=holder, holder_id=id, field=field, source_site=self.source, kind=kind, name=str(name)
        )
        self.add_reference(reference)

    def add_reference(self, reference: NewReference) -> None:
        """Have a reference stored together with others."""
        self.pending.references.append(reference)
        if len(self.pending.references) >= BATCH:
            self.store_references()

    def store_references(self) -> None:
        """Store the references that wait so far."""
        self.site.stores.awaited.add(self.pending.references)
        self.pending.references.clear()

    def await_value(self, path: str, kind: str, number: int) -> None:
        """Have an id be put into a value of the present item or term when what has a number in the export is here.

        `path` leads to its place: `chef`, `similar[1]` for the second of a list, `steps[0].cook`; `kind` is `item`, or
        `term:` and a taxonomy. Where somebody has put another one there meanwhile, that stays.
        """
        self.waiting_values.append((f"value:{path}", kind, number))

    def rewrite_ids(self, text: str, path: str) -> str:
        """Return markup of a value with the ids that media have here, in classes and blocks as in texts of items.

        Those of media that come with a later export are put in then; `path` leads to the text, as for `await_value`.
        """
        found, unknown = self.links.rewrite_ids(text)
        for number, places in unknown.items():
            if not self.exact:
                mark = "" if places is None else f":{places.write()}"
                self.waiting_values.append((f"markup:{path}{mark}", "item", number))
        return found

    def use_meta(self, name: str) -> None:
        """Say that a value was made of a pair of the present item, so that it isn't counted as left out."""
        self.used_meta.add(name)

    def later(self, function: Callable[[], None]) -> None:
        """Call a function at the end of the import, when every item has its id here."""
        self.pending.functions.append(function)

    def warn(self, line: int, text: str, item: int | None = None) -> None:
        """Report what was stored differently from what the file says; `item` is its id in the export."""
        self.report.notify(Notice(line, item, text))

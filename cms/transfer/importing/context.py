"""What the writers of an import share: the site, the report, and the ids that the export's names stand for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import tzinfo
from functools import cached_property

from cms.db.stores import ImportStore
from cms.resources.settings import known_zone
from cms.site import Site
from cms.transfer.importing.cleaning import Warn, clean_markup
from cms.transfer.importing.links import LinkRewriter
from cms.transfer.importing.media.file_index import Files
from cms.transfer.importing.report import Report
from cms.transfer.wxr.extension import More, text_of
from cms.transfer.wxr.records import AuthorRecord, Notice


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


@dataclass
class PendingWork:
    """What is left to do when all items are stored."""

    #: The lines of the new items that wait for a parent, by their id.
    lines: dict[int, int] = field(default_factory=dict)
    #: What plugins do then.
    functions: list[Callable[[], None]] = field(default_factory=list)

    def run(self) -> None:
        """Do what plugins have left for the end."""
        for function in self.functions:
            function()


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
    #: The highest id of content before this import.
    last_id: int
    #: Whether texts are stored with markup that not everybody may write.
    trust_markup: bool = False
    accounts: AccountIds = field(default_factory=AccountIds)
    terms: TermIds = field(default_factory=TermIds)
    pending: PendingWork = field(default_factory=PendingWork)

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
        name = text_of(self.extension, "timezone")
        found = known_zone(name) if name else None
        return found or self.site.settings.zone

    @cached_property
    def administrator(self) -> int:
        """The account that owns what no author is known of."""
        return self.site.stores.users.first_administrator()

    @cached_property
    def links(self) -> LinkRewriter:
        """What rewrites links to files of the old site."""
        return LinkRewriter(self.files, self.site.context.file_url)

    def clean(self, text: str, sanitize: Callable[[str], str], what: str, warn: Warn) -> str:
        """Return a text without markup that not everybody may write, unless the file is trusted."""
        return text if self.trust_markup else clean_markup(self.report, text, sanitize, what, warn)

    def find_item(self, source_id: int) -> int | None:
        """Return the id of a post or page of the same source, imported now or before."""
        return self.store.find_parent(self.source, source_id)

    def later(self, function: Callable[[], None]) -> None:
        """Call a function at the end of the import, when every item has its id here."""
        self.pending.functions.append(function)

    def warn(self, line: int, text: str, item: int | None = None) -> None:
        """Report what was stored differently from what the file says; `item` is its id in the export."""
        self.report.notify(Notice(line, item, text))

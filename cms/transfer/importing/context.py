"""What the writers of an import share: the site, the report, and the ids that the export's names stand for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, tzinfo
from functools import cached_property
from typing import Any

from cms.resources.settings import known_zone
from cms.site import Site
from cms.transfer.importing.media.file_index import Files
from cms.transfer.importing.media.ids import IdRewriter
from cms.transfer.importing.media.urls import UrlRewriter
from cms.transfer.importing.report import Report
from cms.transfer.wxr.extension import More, text_of
from cms.transfer.wxr.records import Notice

__all__ = ["UTC", "ImportContext"]

FIRST_ADMINISTRATOR = """
SELECT id FROM users WHERE EXISTS (SELECT 1 FROM json_each(roles) WHERE value = 'administrator') ORDER BY id LIMIT 1
"""
OF_SOURCE = "SELECT id FROM content WHERE source_site = ? AND source_id = ? AND type <> 'attachment'"


@dataclass
class ImportContext:
    """One import on its way into one site."""

    site: Site
    source: str
    report: Report
    now: str
    files: Files
    #: What an export of ours tells of itself.
    more: More = field(default_factory=dict)
    #: Accounts by the export's login, terms by taxonomy and stored slug.
    users: dict[str, int] = field(default_factory=dict)
    terms: dict[tuple[str, str], int] = field(default_factory=dict)
    #: Accounts by their id in the export.
    accounts: dict[int, int] = field(default_factory=dict)
    #: Where in the file the new pages stand that have a parent, by their id.
    lines: dict[int, int] = field(default_factory=dict)

    #: Terms by taxonomy and their id in the export, which old ones share among taxonomies.
    term_ids: dict[tuple[str, int], int] = field(default_factory=dict)
    #: What plugins do when all items are here.
    waiting: list[Callable[[], None]] = field(default_factory=list)

    #: The highest id of content before this import.
    newest: int = 0

    def begin(self) -> None:
        """Look at what the site has; to be called in the transaction."""
        self.newest = int(self.site.database.scalar("SELECT COALESCE(MAX(id), 0) FROM content"))

    @property
    def exact(self) -> bool:
        """Whether the file says all that its site holds, so that what it doesn't name isn't there."""
        return self.more.get("exact") is True

    @cached_property
    def zone(self) -> tzinfo:
        """The zone that local dates of the file are in."""
        name = text_of(self.more, "timezone")
        return (known_zone(name) if name else None) or self.site.settings.zone

    @cached_property
    def administrator(self) -> int:
        """The account that owns what no author is known of."""
        row = self.site.database.row(FIRST_ADMINISTRATOR)
        return int(row["id"]) if row else 0

    @cached_property
    def addresses(self) -> UrlRewriter:
        """What leads addresses of the old site's files to ours."""
        return UrlRewriter(self.files, self.site.context.file_url)

    @cached_property
    def references(self) -> IdRewriter:
        """What gives media their ids here."""
        return IdRewriter(self.files.id_of)

    def rewrite_links(self, text: str) -> str:
        """Return a text of the export with the addresses and ids that its media have here."""
        return self.references.rewrite(self.addresses.rewrite(text))

    def find_item(self, source_id: int) -> int | None:
        """Return the id of a post or page of the same source, imported now or before."""
        row = self.site.database.row(OF_SOURCE, (self.source, str(source_id)))
        return int(row["id"]) if row else None

    def later(self, finish: Callable[[], None]) -> None:
        """Call a function at the end of the import, when every item has its id here."""
        self.waiting.append(finish)

    def insert(self, table: str, values: Mapping[str, Any]) -> int:
        """Add a row and return its id; the statement's text is the same for all rows of a kind."""
        return self.site.database.insert(table, values)

    def run(self, sql: str, *values: Any) -> None:
        """Run a writing statement."""
        self.site.database.peewee.execute_sql(sql, values)

    def tell(self, line: int, text: str, item: int | None = None) -> None:
        """Report something that became different from what the file says."""
        self.report.notify(Notice(line, item, text))

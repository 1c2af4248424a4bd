"""What the writers of an import share: the site, the report, and the ids that the export's names stand for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, tzinfo
from functools import cached_property
from typing import Any

from cms.resources.settings import known_zone
from cms.site import Site
from cms.transfer.records import Notice
from cms.transfer.report import Report

__all__ = ["UTC", "Writing"]

FIRST_ADMINISTRATOR = """
SELECT id FROM users WHERE EXISTS (SELECT 1 FROM json_each(roles) WHERE value = 'administrator') ORDER BY id LIMIT 1
"""


@dataclass
class Writing:
    """One import on its way into one site."""

    site: Site
    source: str
    report: Report
    now: str
    #: Whether the file says all that its site holds, so that what it doesn't name isn't there; and the zone of its
    #: local dates, where it names one.
    exact: bool = False
    zone_name: str = ""
    #: Accounts by the export's login, terms by taxonomy and stored slug.
    users: dict[str, int] = field(default_factory=dict)
    terms: dict[tuple[str, str], int] = field(default_factory=dict)
    #: Accounts by their id in the export, and items by theirs.
    accounts: dict[int, int] = field(default_factory=dict)
    items: dict[int, int] = field(default_factory=dict)
    #: Where in the file the new pages stand that have a parent.
    lines: dict[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        #: The highest id of content before this import.
        self.newest = int(self.site.database.rows("SELECT COALESCE(MAX(id), 0) FROM content")[0][0])

    @cached_property
    def zone(self) -> tzinfo:
        """The zone that local dates of the file are in."""
        return (known_zone(self.zone_name) if self.zone_name else None) or self.site.settings.zone

    @cached_property
    def administrator(self) -> int:
        """The account that owns what no author is known of."""
        row = self.site.database.row(FIRST_ADMINISTRATOR)
        return int(row["id"]) if row else 0

    def insert(self, table: str, values: Mapping[str, Any]) -> int:
        """Add a row and return its id; the statement's text is the same for all rows of a kind."""
        columns, marks = ", ".join(values), ", ".join("?" * len(values))
        sql = f"INSERT INTO {table} ({columns}) VALUES ({marks})"  # noqa: S608 (our own names)
        return int(self.site.database.peewee.execute_sql(sql, tuple(values.values())).lastrowid)

    def run(self, sql: str, *values: Any) -> None:
        """Run a writing statement."""
        self.site.database.peewee.execute_sql(sql, values)

    def tell(self, line: int, text: str, item: int | None = None) -> None:
        """Report something that became different from what the file says."""
        self.report.notify(Notice(line, item, text))

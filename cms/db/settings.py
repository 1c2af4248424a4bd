"""The site's settings: what its owners may change while it runs, stored in the table of options."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import tzinfo
from typing import Any

import orjson

from cms.dates import Clock, zone
from cms.db.cache import DataCache
from cms.db.connection import Database

#: The name of all settings among the values that are kept.
ALL = "settings"
SELECT_ALL = "SELECT name, value FROM options"
UPSERT = """
INSERT INTO options (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value
"""


class Settings:
    """Read and write settings; what was read is kept until the database changes, and in a request to its end."""

    def __init__(
        self, database: Database, cache: DataCache, clock: Clock, defaults: Mapping[str, Any]
    ) -> None:
        self._defaults = defaults
        self._database = database
        self._cache = cache
        self._clock = clock

    def all(self) -> Mapping[str, Any]:
        """Return every setting, those that were never written with their defaults."""
        return self._cache.get_for_request(ALL, self._clock.now(), self._load)

    def __getitem__(self, name: str) -> Any:
        return self.all()[name]

    @property
    def zone(self) -> tzinfo:
        """The site's time zone."""
        name = self["timezone"]
        if name == "UTC":
            name = ""
        return zone(name)

    def localized(self, name: str, language: str) -> Any:
        """Return a text as it is in a language; without one of its own the site's applies."""
        stored = self.all()
        own = None
        if language:
            own = stored.get(f"{name}:{language}")
        if own is None:
            return stored[name]
        return own

    def written_names(self) -> set[str]:
        """Return the names of the settings that were ever written."""
        return set(self._database.column("SELECT name FROM options"))

    def write(self, values: Mapping[str, Any]) -> None:
        """Store settings by name."""
        rows = [(name, orjson.dumps(value).decode()) for name, value in values.items()]
        with self._database.write():
            self._cache.forget_in_request(ALL)
            for row in rows:
                self._database.execute(UPSERT, row)

    def _load(self) -> Mapping[str, Any]:
        return self.read(self._database.rows(SELECT_ALL))

    def read(self, rows: Iterable[Any]) -> Mapping[str, Any]:
        """Return every setting as rows of the table of options say, past what is kept."""
        return {**self._defaults, **{row["name"]: orjson.loads(row["value"]) for row in rows}}

"""A site: its configuration, its database and what is registered, put together for one application."""

from __future__ import annotations

import os
import threading
from dataclasses import dataclass
from functools import cached_property
from gettext import NullTranslations
from pathlib import Path
from typing import Any
from urllib.parse import quote

from cms.access.authentication import Authentication
from cms.background.outbox import Outbox
from cms.background.publications import Schedule
from cms.background.worker import Worker
from cms.config import Config
from cms.dates import in_days, now_gmt
from cms.db import Database, Statements
from cms.db.cache import DataCache, DataVersion
from cms.db.runtime import RuntimeStore
from cms.db.settings import Settings
from cms.hooks import Plugins, collect
from cms.hooks.reading import Hooks
from cms.hooks.registry import Registry
from cms.hooks.writing import WriteHooks
from cms.i18n import ENGLISH, load_translations
from cms.media.storage import LocalStorage, Storage
from cms.operations.crud import Operations
from cms.operations.renderer import Renderer
from cms.resources.content.rerender import render_stale
from cms.resources.media.cleanup import remove_abandoned, remove_unused
from cms.schema.content_types import NAMESPACE, ContentRegistry
from cms.site_api import ResourceClient

NEXT_DATE = "SELECT MIN(date_gmt) FROM content WHERE type = ? AND status = 'publish' AND date_gmt > ?"


@dataclass(eq=False)
class Site:
    """Everything that serves one database file; two sites in one process share nothing."""

    config: Config
    database: Database
    plugins: Plugins
    registry: Registry
    base: str = ""
    url: str = ""
    api_url: str = ""
    #: Where the core's own routes lie.
    root: str = ""

    def __post_init__(self) -> None:
        self.url = self.config["url"].rstrip("/")
        self.api_url = f"{self.url}{self.base}/api"
        self.root = f"{self.api_url}/{NAMESPACE}"
        self.roles: dict[str, frozenset[str]] = dict(self.content_registry.roles)
        #: The process in which plugins were told that the site is served.
        self.started_in = 0
        self._rendered = ""
        self._starting = threading.Lock()
        self.statements = Statements(self.database)
        self.runtime = RuntimeStore(self.config.state)
        self.version = DataVersion(self.database.path)
        self.cache = DataCache(self.version, self._next_date, self.database.peewee.in_transaction)
        self.settings = Settings(self.database, self.cache, self.now, self._defaults())
        elsewhere = (
            found for _plugin, found in collect(self.plugins, "media_storage", config=self.config) if found
        )
        self.storage: Storage = next(elsewhere, None) or LocalStorage(self.config.uploads)
        self.renderer = Renderer(self.plugins, self.settings)
        self.hooks, self.write_hooks, self.outbox = Hooks(self), WriteHooks(self), Outbox(self)
        self.schedule = Schedule(self)
        self.worker = Worker(self.config.work_lock, self.runtime, self.database.close)
        self.translations: dict[str, NullTranslations] = {
            locale.code: load_translations(
                locale.code, [Path(locale.folder), *map(Path, self._folders_of_texts())]
            )
            for locale in self.content_registry.locales.values()
        }

    @property
    def content_registry(self) -> ContentRegistry:
        """The kinds, taxonomies, states and locales of this site."""
        return self.registry.content_registry

    def translation(self, language: str) -> NullTranslations:
        """Return the catalogue of a language, or of the site's own where none is asked for."""
        return self.translations.get(language or self.settings["language"], ENGLISH)

    @cached_property
    def authentication(self) -> Authentication:
        """What turns credentials into principals."""
        return Authentication(self)

    @property
    def migration_folders(self) -> dict[str, Path]:
        """Folders of migrations besides the core's, by the plugin that brings them."""
        return self.registry.migrations

    @cached_property
    def addresses(self) -> dict[str, str]:
        """Where the collection of each type, taxonomy and other resource lies, by name."""
        things: dict[str, Any] = {
            **self.content_registry.types,
            **self.content_registry.taxonomies,
            **self.registry.resources,
        }
        return {name: f"{self.api_url}/{thing.namespace}/{thing.base}" for name, thing in things.items()}

    @cached_property
    def operations(self) -> dict[str, Operations]:
        """The operations of every resource, by the resource's name."""
        return {
            name: resource.operations(self, resource) for name, resource in self.registry.resources.items()
        }

    def __getattr__(self, name: str) -> ResourceClient:
        """Return a resource's operations as Python calls, under its segment in addresses: `site.posts`."""
        base = name.replace("_", "-")
        found = next(
            (each for each in self.__dict__["registry"].resources.values() if each.base in (name, base)), None
        )
        if found is None:
            raise AttributeError(f"a site has no {name!r}")
        return ResourceClient(self, self.operations[found.name])

    def file_address(self, key: str) -> str:
        """Return where visitors fetch an uploaded file."""
        return self.storage.address(key) or f"{self.url}{self.base}/uploads/{quote(key)}"

    def due_for_removal(self) -> str:
        """Return when a file that nothing needs from now on is removed."""
        return in_days(self.now(), self.config["unused_files_days"])

    def start(self, *, background: bool = True) -> None:
        """Let plugins do what they do once in each process, then begin timed work; called again it does nothing."""
        with self._starting:
            if self.started_in == os.getpid():
                return
            self.worker.clear()
            self._register_work()
            for _plugin, _nothing in collect(self.plugins, "startup", site=self):
                pass
            self.started_in = os.getpid()
        if background and self.config["background"]:
            self.worker.start()

    def _register_work(self) -> None:
        self.worker.schedule_every(
            1, "publications", lambda: self.schedule.sweep(lambda: self.worker.stopping)
        )
        self.worker.schedule_every(1, "events", lambda: self.outbox.deliver(lambda: self.worker.stopping))
        self.worker.schedule_every(10, "rendering", self._render_stale)
        self.worker.schedule_every(3_600, "files", lambda: (remove_unused(self), remove_abandoned(self)))

    def _render_stale(self) -> None:
        mark = self.renderer.mark
        if mark != self._rendered:  # a look at every row, so once for each set of rules
            render_stale(self, lambda: self.worker.stopping)
            self._rendered = "" if self.worker.stopping else mark

    def now(self) -> str:
        """Return this second in GMT, as dates are stored."""
        return now_gmt()

    def close(self) -> None:
        """End timed work and close the connections of this thread."""
        self.worker.stop()
        self.database.close()
        self.version.close()
        self.runtime.close()

    def _defaults(self) -> dict[str, Any]:
        return {name: field.load_default for name, field in self.content_registry.settings.items()}

    def _folders_of_texts(self) -> list[str]:
        """Return every folder that may hold texts in a language besides that of the language itself."""
        return [
            *(locale.folder for locale in self.content_registry.locales.values()),
            *self.content_registry.translations,
        ]

    def _next_date(self, now: str) -> str | None:
        """Return when the next scheduled item becomes visible."""
        dates = [self.database.scalar(NEXT_DATE, (name, now)) for name in self.content_registry.types]
        return min((date for date in dates if date), default=None)

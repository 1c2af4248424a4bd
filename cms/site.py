"""A site: its ground services with all that is built on them, put together for one application."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping
from functools import cached_property
from gettext import NullTranslations
from pathlib import Path

from cms import forks
from cms.access.authentication import Authentication
from cms.access.second_factor import SecondFactors
from cms.access.tokens import Tokens
from cms.background.outbox import Outbox
from cms.background.password_mails import PasswordMails
from cms.background.publications import Publications
from cms.background.sender import Sender
from cms.background.worker import Worker
from cms.backup.schedule import INTERVAL, BackupSchedule
from cms.config import Config
from cms.context import SiteContext
from cms.db import Database
from cms.db.answer_cache import AnswerCache
from cms.db.cache import DataCache
from cms.db.settings import Settings
from cms.db.stores import Stores
from cms.hooks import Hooks, Plugins
from cms.i18n import ENGLISH, load_translations
from cms.operations.crud import Operations
from cms.operations.embedding import Embedding
from cms.operations.notify import WriteNotifier
from cms.operations.renderer import Renderer
from cms.operations.services import Services, build_services
from cms.rendering.own_files import OwnFiles
from cms.schema.content_types import ContentRegistry
from cms.schema.registry import Registry
from cms.site_api import ResourceClient


class Site:
    """Everything that serves one database file; two sites in one process share nothing.

    `context` holds the ground services; those that plugins use most are attributes here too. `site.posts`, and so
    on for every resource, are its operations as Python calls.
    """

    def __init__(self, context: SiteContext, plugins: Plugins) -> None:
        self.context = context
        self.plugins = plugins
        self.clock = context.clock
        self.hooks = Hooks(plugins, self)
        self.tokens = Tokens(
            context.stores.tokens, context.runtime, context.clock, self.hooks.actions.after_action
        )
        self.authentication = self._make_authentication()
        self.renderer = Renderer(
            self.hooks, context.settings, context.content_registry.shortcodes, context.own_files
        )
        self.outbox = Outbox(context, self.hooks)
        self.publications = Publications(context, self.hooks, self.outbox)
        self.services: Services = build_services(
            context, self.hooks, self.renderer, self.outbox, self.publications, self.authentication.passwords
        )
        self.worker = Worker(context.config.work_lock, context.runtime, context.database.close)
        self.sender = Sender(context, self.hooks, self.worker)
        self.backups = BackupSchedule(context, self.outbox, self.worker.is_stopping)
        self.translations = self._load_translations()
        self.password_mails = PasswordMails(context, self.authentication.links, self.translation)
        #: The process in which plugins were told that the site is served.
        self.started_in = 0
        self._starting = threading.Lock()
        forks.register(self)

    # Ground services, as plugins reach them.

    @property
    def config(self) -> Config:
        """The settings of the installation."""
        return self.context.config

    @property
    def database(self) -> Database:
        """The site's database file."""
        return self.context.database

    @property
    def stores(self) -> Stores:
        """The statements on the site's tables, by subject."""
        return self.context.stores

    @property
    def cache(self) -> DataCache:
        """Values that hold until the data changes."""
        return self.context.cache

    @property
    def settings(self) -> Settings:
        """The settings that the site's owners change while it runs."""
        return self.context.settings

    @property
    def registry(self) -> Registry:
        """What the core and all plugins have registered."""
        return self.context.registry

    @property
    def content_registry(self) -> ContentRegistry:
        """The types, taxonomies, statuses and locales of the site."""
        return self.context.content_registry

    @property
    def base(self) -> str:
        """The prefix of the site's addresses inside another application."""
        return self.context.base

    @property
    def url(self) -> str:
        """The address of the site itself."""
        return self.context.url

    @property
    def front_url(self) -> str:
        """The address of the front end, where visitors see items."""
        return self.context.front_url

    @property
    def api_url(self) -> str:
        """The address of the API."""
        return self.context.api_url

    @property
    def core_url(self) -> str:
        """The address of the core's own routes."""
        return self.context.core_url

    @property
    def collection_urls(self) -> Mapping[str, str]:
        """The address of each collection, by the name of its type, taxonomy or resource."""
        return self.context.collection_urls

    @property
    def own_files(self) -> OwnFiles:
        """What turns the texts of rows, stored without the site's address, into what is read, and back."""
        return self.context.own_files

    def now(self) -> str:
        """Return this second in GMT, as dates are stored."""
        return self.context.now()

    # What is built on them.

    @property
    def notifier(self) -> WriteNotifier:
        """What tells plugins and the outbox of writes."""
        return self.services.notifier

    @cached_property
    def operations(self) -> dict[str, Operations]:
        """The operations of every resource, by the resource's name."""
        return {
            name: Operations(self.services, resource) for name, resource in self.registry.resources.items()
        }

    @cached_property
    def answers(self) -> AnswerCache:
        """Whole answers to visitors, kept as long as the data stays as it is."""
        context = self.context
        return AnswerCache(context.version, context.clock, self._next_change, context.config["answer_cache"])

    @cached_property
    def embedding(self) -> Embedding:
        """What follows the links of items to other items."""
        return Embedding(self.context, self.operations, changes_by_itself=self.hooks.has("next_change"))

    def client(self, base: str) -> ResourceClient:
        """Return a resource's operations as Python calls, by its segment in addresses; raises LookupError."""
        for resource in self.registry.resources.values():
            if resource.base in (base, base.replace("_", "-")):
                return ResourceClient(
                    self.operations[resource.name],
                    self.context,
                    self.embedding,
                    self.authentication.by_login,
                    self.translation,
                )
        raise LookupError(f"a site has no resource under {base!r}")

    def __getattr__(self, name: str) -> ResourceClient:
        """Return a resource's operations as Python calls: `site.posts`."""
        if name.startswith("_") or "context" not in self.__dict__:
            raise AttributeError(name)
        try:
            return self.client(name)
        except LookupError as error:
            raise AttributeError(str(error)) from None

    def translation(self, language: str = "") -> NullTranslations:
        """Return the translations of a language, or of the site's own where none is asked for."""
        return self.translations.get(language or self.settings["language"], ENGLISH)

    def _next_change(self, now: str) -> str | None:
        moments = (self.cache.horizon(now), self.hooks.next_change(now))
        return min(filter(None, moments), default=None)

    def start(self, *, background: bool = True) -> None:
        """Let plugins do what they do once in each process, then begin timed work; called again it does nothing.

        Raises PluginError where a plugin can't start.
        """
        with self._starting:
            if self.started_in == os.getpid():
                return
            self.worker.clear()
            self._schedule_jobs()
            self.hooks.startup()
            self.started_in = os.getpid()
        if background and self.config["background"]:
            self.worker.start()

    def leave_to_parent(self) -> None:
        """Forget, in a forked child, that a thread of the parent may just have been starting the site."""
        self._starting = threading.Lock()

    def close(self) -> None:
        """End timed work and close the connections of this thread."""
        self.worker.stop()
        self.context.close()

    def _schedule_jobs(self) -> None:
        worker = self.worker
        worker.schedule_every(1, "publications", lambda: self.publications.publish_due(worker.is_stopping))
        worker.schedule_every(1, "events", lambda: self.outbox.deliver(worker.is_stopping))
        if self.hooks.events.with_targets:
            worker.schedule_every(1, "deliveries", self.sender.send_due)
        if self.password_mails.is_on:
            worker.schedule_every(2, "password mails", lambda: self.password_mails.send(worker.is_stopping))
        worker.schedule_every(INTERVAL, "backup", self.backups.run_due)

    def _make_authentication(self) -> Authentication:
        context, tell = self.context, self.hooks.actions.after_action
        factors = SecondFactors(
            context.stores.second_factors, context.runtime, self._factor_key, context.clock, tell
        )
        return Authentication(
            context.config,
            context.stores.users,
            context.runtime,
            context.roles,
            self.tokens,
            factors,
            self.hooks.authenticate,
            self.hooks.actions.after_sign_in,
        )

    def _factor_key(self) -> bytes:
        """Return what secrets of second factors are sealed with."""
        return bytes.fromhex(self.settings["factor_key"])

    def _load_translations(self) -> dict[str, NullTranslations]:
        """Return the translations of each locale, its own folder before those of all others and of plugins."""
        locales = self.content_registry.locales.values()
        others = [Path(locale.folder) for locale in locales]
        others += [Path(folder) for folder in self.content_registry.translations]
        return {
            locale.code: load_translations(locale.code, [Path(locale.folder), *others]) for locale in locales
        }

"""The ground services of one site: what everything above works with, and nothing that lies above it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib.util import find_spec
from typing import TYPE_CHECKING, Protocol
from urllib.parse import quote

from cms.config import Config, ConfigError
from cms.config.server import most_connections, timed_address
from cms.dates import Clock, in_days
from cms.db import Database, Statements
from cms.db.cache import DataCache, DataVersion
from cms.db.settings import Settings
from cms.db.sqlite.data_version import FileVersion
from cms.db.sqlite.runtime import RuntimeStore
from cms.db.stores import Stores, open_stores
from cms.media.storage import Storage
from cms.rendering.own_files import OwnFiles
from cms.schema.content_types import ContentRegistry
from cms.schema.registry import Registry
from cms.schema.resource import NAMESPACE

if TYPE_CHECKING:
    from cms.db.postgres.replicas import Replicas


class Addressed(Protocol):
    """What has a collection below the API: a type, a taxonomy or another resource."""

    @property
    def namespace(self) -> str: ...

    @property
    def base(self) -> str: ...


@dataclass(frozen=True, eq=False)
class SiteContext:
    """Configuration, database, registry, settings, storage, addresses and clock of one site.

    `base` is the prefix of the site's addresses inside another application; dates are GMT as they are stored.
    """

    config: Config
    database: Database
    statements: Statements
    version: DataVersion
    cache: DataCache
    stores: Stores
    runtime: RuntimeStore
    settings: Settings
    storage: Storage
    registry: Registry
    base: str = ""
    clock: Clock = field(default_factory=Clock)
    #: What visitors' reads are answered from besides the database; None where the settings name nothing.
    replicas: Replicas | None = None

    def now(self) -> str:
        """Return this second in GMT, as dates are stored."""
        return self.clock.now()

    @cached_property
    def content_registry(self) -> ContentRegistry:
        """The types, taxonomies, statuses, locales and roles of this site."""
        return self.registry.content_registry

    @cached_property
    def roles(self) -> Mapping[str, frozenset[str]]:
        """The capabilities of each role."""
        return self.content_registry.roles

    @cached_property
    def url(self) -> str:
        """The address of the site itself, without a slash at its end."""
        return str(self.config["url"]).rstrip("/")

    @cached_property
    def front_url(self) -> str:
        """The address of the front end, which shows items, without a slash at its end."""
        return str(self.config["front_url"]).rstrip("/") or self.url

    @cached_property
    def api_url(self) -> str:
        """The address of the API."""
        return f"{self.url}{self.base}/api"

    @cached_property
    def core_url(self) -> str:
        """The address of the core's own routes."""
        return f"{self.api_url}/{NAMESPACE}"

    @cached_property
    def collection_urls(self) -> dict[str, str]:
        """The address of the collection of each type, taxonomy and other resource, by name."""
        registered: dict[str, Addressed] = {
            **self.content_registry.types,
            **self.content_registry.taxonomies,
            **self.registry.resources,
        }
        return {name: f"{self.api_url}/{each.namespace}/{each.base}" for name, each in registered.items()}

    @cached_property
    def link_patterns(self) -> dict[str, str]:
        """The pattern of the addresses of a type's items, by the type: that of the settings, else the type's own."""
        own = {type.name: type.address for type in self.content_registry.types.values() if type.address}
        return {**own, **self.config["links"]}

    @cached_property
    def own_files(self) -> OwnFiles:
        """What keeps the site's address out of stored texts that show its files."""
        return OwnFiles(self.uploads_url)

    @property
    def uploads_url(self) -> str:
        """The address of uploaded files that lie in the site's own folder, with a slash at its end."""
        return f"{self.url}{self.base}/uploads/"

    def file_url(self, key: str) -> str:
        """Return where visitors fetch an uploaded file."""
        return self.storage.address(key) or f"{self.uploads_url}{quote(key)}"

    def removal_date(self) -> str:
        """Return when a file that nothing needs from now on is removed: at the end of the retention period."""
        return in_days(self.now(), self.config["unused_files_days"])

    def close(self) -> None:
        """Close the connections of this thread, and those of the process to the small files beside the database."""
        self.database.close()
        self.version.close()
        self.runtime.close()
        if self.replicas is not None:
            self.replicas.close()


def open_context(config: Config, registry: Registry, storage: Storage, base: str = "") -> SiteContext:
    """Return the ground services of a site, the database untouched; raises ConfigError for a server it can't use."""
    clock = Clock()
    version, runtime = _beside(config)
    database = open_database(config)
    statements = Statements(database)
    stores = open_stores(database, statements)
    types = tuple(registry.content_registry.types)

    def next_date(now: str) -> str | None:
        return stores.content.next_publication(types, now)

    cache, replicas = _read_by(config, database, version, next_date)
    defaults = {name: field.load_default for name, field in registry.content_registry.settings.items()}
    return SiteContext(
        config=config,
        database=database,
        statements=statements,
        version=version,
        cache=cache,
        stores=stores,
        runtime=runtime,
        settings=Settings(database, cache, clock, defaults),
        clock=clock,
        storage=storage,
        registry=registry,
        base=base,
        replicas=replicas,
    )


def open_database(config: Config) -> Database:
    """Return the database of a site, untouched; raises ConfigError for a server it can't use."""
    _require_usable(config)
    slow = config["slow_milliseconds"] / 1000
    server = timed_address(config.values, config.server) if config.server else ""
    most = most_connections(config.values)
    return Database(config.database, config["synchronous"], slow, server, most)


def _beside(config: Config) -> tuple[DataVersion, RuntimeStore]:
    """Return what tells of changes of the data, and the store of runtime data; raises ConfigError."""
    if not config.server:
        return FileVersion(config.database), RuntimeStore(config.state)
    _require_usable(config)
    from cms.db.postgres import opening

    server = timed_address(config.values, config.server)
    return opening.version(server), opening.runtime(server)


def _read_by(
    config: Config, database: Database, version: DataVersion, next_date: Callable[[str], str | None]
) -> tuple[DataCache, Replicas | None]:
    """Return the cache of what is read, and the replicas that it may come from."""
    made_of = version, next_date, database.peewee.in_transaction, database.changes
    if not config["database_replicas"]:
        return DataCache(*made_of), None
    from cms.db.postgres import replicating

    servers = [timed_address(config.values, address) for address in config["database_replicas"]]
    return replicating.open_replicas(
        servers, database, made_of, config["threads"], config["replica_staleness_seconds"]
    )


def _require_usable(config: Config) -> None:
    """Raise ConfigError for what a server can't do, and where its driver isn't installed."""
    if not config.server:
        if config["database_replicas"]:
            raise ConfigError("database_replicas needs a database of PostgreSQL (database)")
        return
    if find_spec("psycopg") is None:
        raise ConfigError(
            "a database of PostgreSQL needs the extra postgres: pip install 'headless-cms[postgres]'"
        )

"""Putting a site together from its configuration: plugins, the core among them, registry, database."""

from __future__ import annotations

from cms import resources
from cms.config import Config, ConfigError
from cms.db import Database
from cms.hooks import load_plugins
from cms.hooks.registry import build_registry
from cms.media.svg import can_clean
from cms.plugin import specs
from cms.site import Site


def open_site(config: Config, base: str = "") -> Site:
    """Put a site together from its configuration; the database isn't touched yet."""
    if "svg" in config["upload_types"] and not can_clean():
        raise ConfigError("upload_types has svg, which needs a library: pip install 'headless-cms[svg]'")
    manager = load_plugins(config, resources, specs)
    database = Database(config.database, config["synchronous"])
    return Site(config, database, manager, build_registry(manager), base)

"""Putting a site together from its configuration: plugins, the core among them, registry, ground services."""

from __future__ import annotations

import gc
import logging
import os
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from cms import resources
from cms.config import Config, ConfigError
from cms.context import open_context
from cms.hooks import CORE, PluginError, choose_media_storage, load_plugins
from cms.hooks.registry import build_commands, build_registry
from cms.media.object_storage import ObjectStorage
from cms.media.storage import LocalStorage, Storage
from cms.plugin import specs
from cms.site import Site

log = logging.getLogger("cms")

#: This package, and files that lie in it where django-cms, whose package has the same name, is installed beside it.
PACKAGE = Path(__file__).parent
FOREIGN = ("plugin_pool.py", "toolbar_pool.py", "cms_plugins.py")


@contextmanager
def without_collecting() -> Iterator[None]:
    """Look for no garbage inside, unless the interpreter doesn't anyway.

    Nearly all that a start makes stays; to look through it again and again would take a quarter of the start's time.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def list_commands(config: Config) -> Iterator[click.Command | PluginError]:
    """Yield what plugins keep from being asked, then the commands of the others; no site is put together for them.

    Raises ConfigError or PluginError where leaving a plugin out doesn't help.
    """
    left_out: list[str] = []
    while True:
        try:
            found = build_commands(load_plugins(config, resources, specs, left_out))
        except PluginError as error:
            if error.plugin in (CORE, *left_out):
                raise
            left_out.append(error.plugin)
            yield error
        else:
            yield from (command for _plugin, command in found)
            return


@without_collecting()
def open_site(config: Config, base: str = "", left_out: Collection[str] = ()) -> Site:
    """Put a site together from its configuration, without the plugins of some names; the database isn't touched yet.

    Raises ConfigError or PluginError with one sentence that says what to do.
    """
    if any((PACKAGE / name).exists() for name in FOREIGN):
        log.warning(
            "Files of django-cms lie in %s and may replace some of ours. Install the two into separate environments.",
            PACKAGE,
        )
    if "svg" in config["upload_types"]:
        _require_cleaner()
    plugins = load_plugins(config, resources, specs, left_out)
    registry = build_registry(plugins)
    for name in config["links"]:
        if name not in registry.content_registry.types:
            log.warning(
                "the configuration has a pattern in links for %s, but there is no type of this name", name
            )
    storage = choose_media_storage(plugins, config) or open_storage(config)
    return Site(open_context(config, registry, storage, base), plugins)


def open_storage(config: Config) -> Storage:
    """Return the storage that the settings name; a bucket isn't asked for anything yet. Raises ConfigError."""
    if config.bucket is None:
        return LocalStorage(config.uploads)
    endpoint = config["uploads_endpoint"] or first_set("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL")
    region = config["uploads_region"] or first_set("AWS_REGION", "AWS_DEFAULT_REGION")
    if not endpoint and not region:
        raise ConfigError(
            "uploads is a bucket at Amazon, whose region isn't set. Set uploads_region, or AWS_REGION"
        )
    pair = ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY")
    for one, other in (pair, pair[::-1]):
        if first_set(one) and not first_set(other):
            raise ConfigError(f"the environment has {one}, but not {other}, which belongs to it")
    try:
        return ObjectStorage(config.bucket, endpoint, region, config["uploads_address"] == "presigned")
    except ImportError:
        raise ConfigError(
            "uploads is a bucket, which needs a library: pip install 'headless-cms[s3]'"
        ) from None


def first_set(*names: str) -> str:
    """Return the first of some variables that the environment has, empty where it has none of them."""
    for name in names:
        if os.environ.get(name):
            return os.environ[name]
    return ""


def _require_cleaner() -> None:
    """Raise ConfigError where the library that cleans SVG isn't installed."""
    from cms.media.svg import can_clean

    if not can_clean():
        raise ConfigError("upload_types has svg, which needs a library: pip install 'headless-cms[svg]'")

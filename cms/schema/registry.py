"""What the core and the plugins of a site have registered, frozen."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import click

from cms.schema.checks import Check
from cms.schema.content_types import ContentRegistry
from cms.schema.endpoint import Route
from cms.schema.page_editors import PageEditor
from cms.schema.resource import Resource


@dataclass(frozen=True)
class Registry:
    """What is registered on one site.

    `migrations` are the plugins' folders by plugin, `indexes` the statements that make the indexes of plugins'
    fields by the index's name, `commands` by the plugin that brings them, `route_owners` plugins by their rules,
    `uncached_resources` those whose answers depend on more than the stored data, `checks` those of plugins, whose names
    begin with their plugin's, `editors` those of the editing page by the names of types.
    """

    resources: dict[str, Resource]
    routes: tuple[Route, ...]
    content_registry: ContentRegistry
    migrations: dict[str, Path] = field(default_factory=dict)
    indexes: dict[str, str] = field(default_factory=dict)
    commands: tuple[tuple[str, click.Command], ...] = ()
    route_owners: dict[str, str] = field(default_factory=dict)
    uncached_resources: frozenset[str] = frozenset()
    checks: tuple[Check, ...] = ()
    editors: dict[str, PageEditor] = field(default_factory=dict)

"""Putting the catalogue of a site together: rights, states, types, taxonomies, languages, settings."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from marshmallow import missing

from cms.access.capabilities import ROLES, VERBS, Capability
from cms.config import link_patterns
from cms.hooks.calling import registrations
from cms.hooks.manager import Plugins, one_line
from cms.hooks.registry.names import NameRegistry, listed, named_fields, registration_error
from cms.hooks.registry.shortcodes import register_shortcodes
from cms.i18n import has_translations, load_translations
from cms.schema.content_types import ContentRegistry, ContentType, Locale, Status, Taxonomy
from cms.schema.fields import Field

NAME = re.compile(r"[a-z][a-z0-9_-]{0,31}", re.ASCII)
BASE = re.compile(r"[a-z0-9][a-z0-9_-]*", re.ASCII)
SPACE = re.compile(r"[a-z0-9][a-z0-9._-]*(/[a-z0-9][a-z0-9._-]*)+", re.ASCII)
CODE = re.compile(r"[a-z]{2,3}(_[A-Z][a-z]{3})?(_([A-Z]{2}|\d{3}))?", re.ASCII)
PREFIX = re.compile(r"[a-z][a-z0-9-]*", re.ASCII)
FEATURES = (
    "title",
    "editor",
    "author",
    "excerpt",
    "thumbnail",
    "comments",
    "revisions",
    "post-formats",
    "page-attributes",
    "custom-fields",
)


def build_content_registry(plugins: Plugins, names: NameRegistry) -> ContentRegistry:
    """Ask the hooks for all that is told apart by name alone; raises PluginError for what can't be used."""
    statuses = _statuses(plugins, names)
    types, taxonomies = _types(plugins, names, statuses.values()), _taxonomies(plugins, names)
    _join(names, types, taxonomies)
    capabilities = _capabilities(plugins, names)
    roles = _roles(capabilities, types.values())
    known = frozenset().union(*roles.values())
    for taxonomy in taxonomies.values():
        for name in (taxonomy.manage, taxonomy.create, taxonomy.assign):
            if name not in known:
                fault = f"{taxonomy.name!r} asks for the capability {name!r}, which nothing registers"
                raise registration_error(
                    names.owner("taxonomies", taxonomy.name), "register_taxonomies", fault
                )
    return ContentRegistry(
        types,
        taxonomies,
        statuses,
        _locales(plugins, names),
        _settings(plugins, names),
        roles,
        known,
        _translations(plugins),
        register_shortcodes(names),
    )


def _checked(plugin: str, hook: str, thing: Any, pattern: re.Pattern[str] = NAME) -> None:
    """Refuse names that can't stand in an address or a statement, and what has no name for people."""
    if not isinstance(thing.name, str) or not pattern.fullmatch(thing.name):
        raise registration_error(
            plugin, hook, f"{thing.name!r} can't be a name: take small letters, digits, underscores, hyphens"
        )
    for attribute in ("supports", "taxonomies", "types", "roles"):
        if isinstance(getattr(thing, attribute, None), str):
            fault = f"{thing.name!r} has {attribute}={getattr(thing, attribute)!r}, a text. It takes a list of texts"
            raise registration_error(plugin, hook, fault)
    if not getattr(thing, "label", "some"):
        raise registration_error(plugin, hook, f"{thing.name!r} has no label")
    if hasattr(thing, "base") and not (isinstance(thing.base, str) and BASE.fullmatch(thing.base)):
        raise registration_error(
            plugin, hook, f"{thing.name!r} has the base {thing.base!r}, which can't stand in an address"
        )
    if hasattr(thing, "namespace") and not SPACE.fullmatch(thing.namespace):
        raise registration_error(
            plugin, hook, f"{thing.name!r} has the namespace {thing.namespace!r}; it takes one like acme/v1"
        )


def _statuses(plugins: Plugins, names: NameRegistry) -> dict[str, Status]:
    found: dict[str, Status] = {}
    for plugin, status in listed(plugins, "register_statuses", Status):
        _checked(plugin, "register_statuses", status)
        if sum((status.public, status.protected, status.private, status.internal)) != 1:
            fault = f"{status.name!r} must be one of public, protected, private and internal"
            raise registration_error(plugin, "register_statuses", fault)
        names.claim(plugin, "register_statuses", "statuses", status.name)
        found[status.name] = status
    return found


def _group_statuses(
    statuses: Iterable[Status],
) -> tuple[tuple[str, ...], frozenset[str], frozenset[str]]:
    """Return the names of the statuses that items may be given, of the public and of the private ones."""
    states, public, private = [], set(), set()
    for status in statuses:
        if not status.internal:
            states.append(status.name)
        if status.public:
            public.add(status.name)
        if status.private:
            private.add(status.name)
    return tuple(states), frozenset(public), frozenset(private)


def _types(plugins: Plugins, names: NameRegistry, statuses: Iterable[Status]) -> dict[str, ContentType]:
    states, public, private = _group_statuses(statuses)
    found: dict[str, ContentType] = {}
    for plugin, kind in listed(plugins, "register_types", ContentType):
        _checked(plugin, "register_types", kind)
        for feature in kind.supports:
            if feature not in FEATURES:
                fault = f"{kind.name!r} supports {feature!r}, which isn't one of {', '.join(FEATURES)}"
                raise registration_error(plugin, "register_types", fault)
        _check_address(plugin, kind)
        named_fields(plugin, "register_types", kind.fields, repr(kind.name), of_items=True)
        named_fields(plugin, "register_types", kind.filters, repr(kind.name))
        names.claim(plugin, "register_types", "types", kind.name)
        found[kind.name] = replace(kind, states=states, public_states=public, private_states=private)
    return found


def _check_address(plugin: str, kind: ContentType) -> None:
    try:
        if kind.address:
            link_patterns({kind.name: kind.address})
    except ValueError as error:
        fault = f"{kind.name!r} has the address {kind.address!r}; it takes {error}"
        raise registration_error(plugin, "register_types", fault) from None


def _taxonomies(plugins: Plugins, names: NameRegistry) -> dict[str, Taxonomy]:
    found: dict[str, Taxonomy] = {}
    for plugin, taxonomy in listed(plugins, "register_taxonomies", Taxonomy):
        _checked(plugin, "register_taxonomies", taxonomy)
        names.claim(plugin, "register_taxonomies", "taxonomies", taxonomy.name)
        found[taxonomy.name] = replace(taxonomy, field=taxonomy.field or taxonomy.base.replace("-", "_"))
    return found


def _join(names: NameRegistry, types: dict[str, ContentType], taxonomies: dict[str, Taxonomy]) -> None:
    """Tell each taxonomy of all types that it groups, whichever of the two names the other."""
    for kind in types.values():
        for name in kind.taxonomies:
            if name not in taxonomies:
                fault = f"{kind.name!r} names the taxonomy {name!r}, which nothing registers"
                raise registration_error(names.owner("types", kind.name), "register_types", fault)
            if kind.name not in taxonomies[name].types:
                taxonomies[name] = replace(taxonomies[name], types=(*taxonomies[name].types, kind.name))
    for taxonomy in taxonomies.values():
        for name in taxonomy.types:
            if name not in types:
                fault = f"{taxonomy.name!r} names the type {name!r}, which nothing registers"
                raise registration_error(
                    names.owner("taxonomies", taxonomy.name), "register_taxonomies", fault
                )


def _capabilities(plugins: Plugins, names: NameRegistry) -> list[Capability]:
    found = []
    for plugin, capability in listed(plugins, "register_capabilities", Capability):
        _checked(plugin, "register_capabilities", capability)
        unknown = [role for role in capability.roles if role not in ROLES]
        if unknown or isinstance(capability.roles, str):
            fault = f"{capability.name!r} names the roles {capability.roles!r}. Roles: {', '.join(ROLES)}"
            raise registration_error(plugin, "register_capabilities", fault)
        names.claim(plugin, "register_capabilities", "capabilities", capability.name)
        found.append(capability)
    return found


def _roles(capabilities: Iterable[Capability], types: Iterable[ContentType]) -> dict[str, frozenset[str]]:
    """Return what each role may do; a type of whose capabilities none is registered is given to roles as posts are."""
    roles: dict[str, set[str]] = {role: set() for role in ROLES}
    for capability in capabilities:
        for role in {"administrator", *capability.roles}:
            roles[role].add(capability.name)
    for plural in {kind.policy.plural for kind in types}:
        if not any(f"{verb}_{plural}" in roles["administrator"] for verb in VERBS):
            for held in roles.values():
                held |= {f"{verb}_{plural}" for verb in VERBS if f"{verb}_posts" in held}
    return {role: frozenset(held) for role, held in roles.items()}


def _locales(plugins: Plugins, names: NameRegistry) -> dict[str, Locale]:
    found: dict[str, Locale] = {}
    for plugin, locale in listed(plugins, "register_locales", Locale):
        hook = "register_locales"
        if not CODE.fullmatch(locale.code):
            raise registration_error(
                plugin, hook, f"{locale.code!r} isn't the code of a language; it takes one like de_DE"
            )
        if not PREFIX.fullmatch(locale.prefix) or locale.prefix == "api":
            raise registration_error(
                plugin, hook, f"{locale.prefix!r} can't be the first segment of an address"
            )
        if not locale.code.startswith("en") and not has_translations(locale.code, Path(locale.folder)):
            raise registration_error(
                plugin, hook, f"there is no {locale.code}/LC_MESSAGES/cms.po or cms.mo in {locale.folder}"
            )
        if plugin != "core":
            _check_texts(plugin, hook, locale.code, Path(locale.folder))
        names.claim(plugin, hook, "locales", locale.code)
        names.claim(plugin, hook, "prefixes", locale.prefix)
        found[locale.prefix] = locale
    return found


def _check_texts(plugin: str, hook: str, code: str, folder: Path) -> None:
    try:
        load_translations(code, [folder])
    except Exception as error:  # whatever the libraries that read catalogues raise
        raise registration_error(
            plugin, hook, f"a catalogue in {folder} can't be read: {one_line(error)}"
        ) from None


def _translations(plugins: Plugins) -> tuple[str, ...]:
    folders = []
    for plugin, folder in registrations(plugins, "register_translations"):
        if not isinstance(folder, (str, Path)) or not Path(folder).is_dir():
            raise registration_error(plugin, "register_translations", f"there is no folder {str(folder)!r}")
        for path in Path(folder).glob("*/LC_MESSAGES"):
            _check_texts(plugin, "register_translations", path.parent.name, Path(folder))
        plugins.loaded[plugin].note("translations", str(folder))
        folders.append(str(folder))
    return tuple(folders)


def _settings(plugins: Plugins, names: NameRegistry) -> dict[str, Field]:
    found: dict[str, Field] = {}
    for plugin, fields in registrations(plugins, "register_settings"):
        for name, field in named_fields(plugin, "register_settings", fields).items():
            if field.load_default is missing:
                raise registration_error(plugin, "register_settings", f"{name!r} has no default")
            names.claim(plugin, "register_settings", "settings", name)
            found[name] = field
    return found

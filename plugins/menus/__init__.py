"""Menus for front ends: items in levels that point at content, terms or addresses, and the places of menus."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cms import _, hookimpl
from cms.plugin import (
    VERBS,
    VIEW_EDIT,
    Boolean,
    Capability,
    ContentRegistry,
    ContentRow,
    ContentType,
    Field,
    ImportContext,
    ItemRecord,
    List,
    Principal,
    Resource,
    Route,
    Site,
    String,
    Taxonomy,
    TermRow,
    Text,
)

from .imports import import_menu_item
from .joining import add_page
from .locations import check_locations, location_routes, take_locations
from .names import CAPABILITY, ITEM, LOCATIONS, MENU
from .resource import item_resource
from .store import MenuStore
from .targets import raise_versions

__version__ = "1.0"
cms_api = 1


@hookimpl
def register_capabilities() -> list[Capability]:
    """Let editors and administrators arrange menus."""
    return [Capability(f"{verb}_menu_items", ("editor",)) for verb in VERBS]


@hookimpl
def register_types() -> list[ContentType]:
    """Add the items of menus."""
    return [
        ContentType(
            ITEM,
            "menu-items",
            _("Menu items"),
            "menu_items",
            hierarchical=True,
            supports=("title",),
            public=False,
            discussed=False,
            resource=item_resource,
        )
    ]


@hookimpl
def register_taxonomies() -> list[Taxonomy]:
    """Add menus, which group their items."""
    return [
        Taxonomy(
            MENU,
            "menus",
            _("Menus"),
            (ITEM,),
            "menus",
            manage=CAPABILITY,
            create=CAPABILITY,
            assign=CAPABILITY,
            single=True,
        )
    ]


@hookimpl
def register_settings() -> Mapping[str, Field]:
    """Let the site's owners name the places that the front end has for menus."""
    return {
        LOCATIONS: List(
            _("Names of the places that the front end has for menus."),
            default=["primary", "footer"],
            items=String(Text("")),
        )
    }


@hookimpl
def register_fields(content_registry: ContentRegistry) -> Mapping[str, Mapping[str, Field]]:
    """Add to menus the places that have them, and whether new pages join them."""
    return {
        MENU: {
            "locations": List(
                _("Places that show the menu."),
                VIEW_EDIT,
                default=[],
                items=String(Text("")),
                codes={400: ("rest_invalid_menu_location",)},
            ),
            "auto_add": Boolean(
                _("Whether pages without a parent join the menu when they are published."),
                VIEW_EDIT,
                default=False,
            ),
        }
    }


@hookimpl
def register_routes(content_registry: ContentRegistry, resources: Mapping[str, Resource]) -> list[Route]:
    """Add the routes of the places."""
    return location_routes()


@hookimpl
def before_write(action: str, resource: str, values: dict[str, Any], row: TermRow | None, site: Site) -> None:
    """Refuse unknown places; delete the items of a menu with it."""
    if resource != MENU:
        return
    if values.get("locations"):
        check_locations(site, values["locations"])
    if action == "delete" and row is not None:
        MenuStore(site.database).delete_items(row["id"])


@hookimpl
def after_write(
    action: str, resource: str, row: TermRow | None, previous: TermRow | None, site: Site
) -> None:
    """Give a place to one menu alone, the last one that asked for it; items show something else when targets change."""
    if resource == MENU and row is not None:
        take_locations(site, row)
    target = row or previous
    if target is not None:
        raise_versions(site, resource, target["id"])


@hookimpl
def transition_status(
    resource: str, row: ContentRow, old: str | None, new: str | None, principal: Principal, site: Site
) -> None:
    """Let a page join the menus that want new pages."""
    if resource == "page" and new == "publish" and not row["parent_id"]:
        add_page(site, row)


@hookimpl
def import_item(item: ItemRecord, importing: ImportContext) -> bool | None:
    """Bring in the menu items of an export."""
    if item.type != ITEM:
        return None
    import_menu_item(item, importing)
    return True


@hookimpl
def register_migrations() -> Path:
    """Bring the index of what menu items lead to."""
    return Path(__file__).parent / "migrations"


@hookimpl
def register_translations() -> Path:
    """Bring the texts of menus in other languages."""
    return Path(__file__).parent / "locales"

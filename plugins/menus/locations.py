"""The places that a front end has for menus, and which menu each of them has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import orjson

from cms import _
from cms.plugin import (
    ALWAYS,
    GET,
    PUBLIC,
    Answer,
    AnswerShape,
    ApiError,
    Call,
    ContextArgs,
    Endpoint,
    Integer,
    ItemSchema,
    Route,
    Site,
    String,
    TermRow,
)

from .names import LOCATIONS, MENU
from .store import MenuStore

COLLECTION = "menu-locations"


class LocationSchema(ItemSchema):
    """The fields of a place."""

    name = String(_("Name of the place."), ALWAYS, readonly=True)
    description = String(_("The place's name for people."), ALWAYS, readonly=True)
    menu = Integer(_("Id of the menu that stands there; 0 for none."), ALWAYS, readonly=True)


def check_locations(site: Site, wanted: Sequence[str]) -> None:
    """Raise ApiError for a place that the front end doesn't have."""
    known = site.settings[LOCATIONS]
    for name in wanted:
        if name not in known:
            message = _("There is no place %(name)s. Places: %(names)s.", name=name, names=", ".join(known))
            raise ApiError("rest_invalid_menu_location", message, 400, location=name)


def take_locations(site: Site, menu: TermRow) -> None:
    """Take the places of a menu away from all other menus."""
    taken = set(_locations_of(menu["meta"]))
    if not taken:
        return
    for other in MenuStore(site.database).menus():
        present = _locations_of(other["meta"])
        left = [name for name in present if name not in taken]
        if other["id"] != menu["id"] and left != present:
            meta = {**orjson.loads(other["meta"]), "locations": left}
            site.stores.items.update("terms", other["id"], {"meta": orjson.dumps(meta).decode()})


def location_routes() -> list[Route]:
    """Return the routes of all places and of one."""
    name = {"location": String(_("Name of the place."))}
    get_all = Endpoint(GET, _list, PUBLIC, ContextArgs, answers=AnswerShape("by name"))
    get_one = Endpoint(GET, _get, PUBLIC, ContextArgs, name, codes={404: ("rest_menu_location_invalid",)})
    return [
        Route(f"/{COLLECTION}", (get_all,), schema=LocationSchema, title="menu-location"),
        Route(f"/{COLLECTION}/<name:location>", (get_one,), schema=LocationSchema, title="menu-location"),
    ]


def _list(call: Call) -> Answer:
    return Answer(_serialize_all(call.site))


def _get(call: Call) -> Answer:
    found = _serialize_all(call.site).get(call.path["location"])
    if found is None:
        raise ApiError("rest_menu_location_invalid", _("There is no place for menus with this name."), 404)
    return Answer(found)


def _serialize_all(site: Site) -> dict[str, dict[str, Any]]:
    menus: dict[str, int] = {}
    for menu in MenuStore(site.database).menus():
        for name in _locations_of(menu["meta"]):
            menus[name] = menu["id"]
    return {name: _serialize(site, name, menus.get(name, 0)) for name in site.settings[LOCATIONS]}


def _serialize(site: Site, name: str, menu: int) -> dict[str, Any]:
    collection = f"{site.core_url}/{COLLECTION}"
    links: dict[str, Any] = {"self": [{"href": f"{collection}/{name}"}], "collection": [{"href": collection}]}
    if menu:
        href = f"{site.collection_urls[MENU]}/{menu}"
        links["https://api.w.org/menu"] = [{"embeddable": True, "href": href}]
    description = name.replace("-", " ").replace("_", " ").capitalize()
    return {"name": name, "description": description, "menu": menu, "_links": links}


def _locations_of(meta: str) -> list[str]:
    found = orjson.loads(meta).get("locations", [])
    return found if isinstance(found, list) else []

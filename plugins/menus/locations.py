"""The places that a front end has for menus, and which menu stands in which."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import orjson

from cms import _
from cms.call import Call
from cms.errors import ApiError
from cms.schema.endpoint import GET, PUBLIC, Answer, Endpoint, Route
from cms.schema.fields import ALWAYS, Integer, String
from cms.schema.schemas import ContextArgs, ItemSchema
from cms.site import Site

LOCATIONS = "menu_locations"
MENUS = "SELECT id, meta FROM terms WHERE taxonomy = 'nav_menu' ORDER BY id"


class LocationSchema(ItemSchema):
    """What is told of a place."""

    name = String(_("Name of the place."), ALWAYS, readonly=True)
    description = String(_("The place's name for people."), ALWAYS, readonly=True)
    menu = Integer(_("Id of the menu that stands there; 0 for none."), ALWAYS, readonly=True)


def check_locations(site: Site, wanted: Sequence[str]) -> None:
    """Refuse a place that the front end doesn't have."""
    known = site.settings[LOCATIONS]
    for name in wanted:
        if name not in known:
            message = _("There is no place %(name)s. Places: %(names)s.", name=name, names=", ".join(known))
            raise ApiError("rest_invalid_menu_location", message, 400, location=name)


def take_locations(site: Site, menu: Any) -> None:
    """Take the places of a menu away from the others."""
    taken = set(_places(menu["meta"]))
    for other in site.database.rows(MENUS) if taken else ():
        meta = orjson.loads(other["meta"])
        kept = [name for name in _places(other["meta"]) if name not in taken]
        if other["id"] != menu["id"] and kept != meta.get("locations", []):
            meta["locations"] = kept
            site.database.execute(
                "UPDATE terms SET meta = ?, version = version + 1 WHERE id = ?",
                (orjson.dumps(meta).decode(), other["id"]),
            )


def _places(meta: str) -> list[str]:
    found = orjson.loads(meta).get("locations", [])
    return found if isinstance(found, list) else []


def _all(site: Site) -> dict[str, dict[str, Any]]:
    standing = {name: row["id"] for row in site.database.rows(MENUS) for name in _places(row["meta"])}
    return {name: _shown(site, name, standing.get(name, 0)) for name in site.settings[LOCATIONS]}


def _shown(site: Site, name: str, menu: int) -> dict[str, Any]:
    collection = f"{site.core_url}/menu-locations"
    links: dict[str, Any] = {"self": [{"href": f"{collection}/{name}"}], "collection": [{"href": collection}]}
    if menu:
        links["https://api.w.org/menu"] = [
            {"embeddable": True, "href": f"{site.collection_urls['nav_menu']}/{menu}"}
        ]
    described = name.replace("-", " ").replace("_", " ").capitalize()
    return {"name": name, "description": described, "menu": menu, "_links": links}


def _list(call: Call) -> Answer:
    return Answer(_all(call.site))


def _get(call: Call) -> Answer:
    found = _all(call.site).get(call.path["location"])
    if found is None:
        raise ApiError("rest_menu_location_invalid", _("There is no place for menus with this name."), 404)
    return Answer(found)


def location_routes() -> list[Route]:
    """Return the routes of all places and of one."""
    declared: dict[str, Any] = {"schema": LocationSchema, "title": "menu-location"}
    name = {"location": String(_("Name of the place."))}
    return [
        Route("/menu-locations", (Endpoint(GET, _list, PUBLIC, ContextArgs),), **declared),
        Route(
            "/menu-locations/<name:location>", (Endpoint(GET, _get, PUBLIC, ContextArgs, name),), **declared
        ),
    ]

"""Every route of the editing page as a Flask blueprint."""

from __future__ import annotations

from flask import Blueprint

from cms.admin import crop, forgot, replacing, reset, session, texts, two_factor, upkeep
from cms.admin.files import PageFiles
from cms.admin.views import AdminView
from cms.api.blueprint import ALL_METHODS
from cms.site import Site

#: The methods of routes that need no session.
OPEN = {
    "/session": ("GET", "HEAD", "POST"),
    "/forgot": ("POST",),
    "/reset": ("POST",),
    "/texts": ("GET", "HEAD"),
}
ROUTES = (
    *session.ROUTES,
    *two_factor.ROUTES,
    *forgot.ROUTES,
    *reset.ROUTES,
    *texts.ROUTES,
    *crop.ROUTES,
    *replacing.ROUTES,
    *upkeep.ROUTES,
)


def build_admin(site: Site) -> Blueprint:
    """Return a blueprint with the page, its files and its own routes."""
    blueprint = Blueprint("cms_admin", __name__)
    files = PageFiles(site)
    for rule, name, view in (
        ("", "forward", files.forward),
        ("/", "page", files.page),
        ("/assets/<path:name>", "asset", files.asset),
    ):
        blueprint.add_url_rule(
            rule,
            name,
            view,
            methods=["GET", "HEAD"],
            provide_automatic_options=False,
            strict_slashes=True,
            merge_slashes=False,
        )
    for route in ROUTES:
        blueprint.add_url_rule(
            f"/api{route.rule}",
            route.pattern,
            AdminView(site, route, OPEN.get(route.rule, ())),
            methods=ALL_METHODS,
            provide_automatic_options=False,
        )
    return blueprint

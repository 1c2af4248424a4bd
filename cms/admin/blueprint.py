"""Every route of the editing page as a Flask blueprint."""

from __future__ import annotations

from flask import Blueprint

from cms.admin.files import PageFiles
from cms.site import Site


def build_admin(site: Site) -> Blueprint:
    """Return a blueprint with the page and its files."""
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
    return blueprint

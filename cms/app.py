"""The only place where the parts meet: a site, its routes, a Flask application."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from flask import Flask

from cms.api.blueprint import build_blueprint
from cms.api.entrance import Entrance
from cms.api.files import build_files
from cms.api.home import home_page
from cms.assembly import open_site
from cms.config import load_config
from cms.db.indexes import missing_indexes
from cms.db.migrate import require_migrated
from cms.site import Site

log = logging.getLogger("cms")


def create_app(config: Mapping[str, Any] | None = None, instance: Path | str = "instance") -> Flask:
    """Return the application that serves one site.

    `config` overrides the environment and the instance's file. Raises ConfigError, PluginError or PendingMigrations
    with one sentence that says what to do.
    """
    app = Flask(__name__, static_folder=None)
    # A redirect to the address without double slashes would be made of the Host header.
    app.url_map.merge_slashes = False
    site = init_app(app, config, instance)
    app.add_url_rule("/", "home", home_page(site), methods=["GET", "HEAD"], provide_automatic_options=False)
    return app


def init_app(
    app: Flask, config: Mapping[str, Any] | None = None, instance: Path | str = "instance", base: str = ""
) -> Site:
    """Add a site's API to an application, under `base`, and return the site.

    `app.extensions["cms"]` is the first site that an application got.
    """
    site = open_site(load_config(instance, config), base)
    require_migrated(site.database, site.registry.migrations)
    _warn_of_missing_indexes(site)
    blueprint = build_blueprint(site)
    languages, name = ",".join(site.content_registry.locales), "cms" + re.sub(r"\W", "_", base)
    app.register_blueprint(blueprint, url_prefix=f"{base}/api", name=name)
    app.register_blueprint(
        blueprint, url_prefix=f"{base}/<any({languages}):language>/api", name=f"{name}_language"
    )
    app.register_blueprint(build_files(site), url_prefix=f"{base}/uploads", name=f"{name}_files")
    app.extensions.setdefault("cms", site)
    application = site.hooks.wrap_wsgi(app.wsgi_app)
    app.wsgi_app = Entrance(application, site)  # type: ignore[method-assign]  # Flask's own way
    # The first worker's connections must not be the ones that this process opened.
    site.close()
    return site


def _warn_of_missing_indexes(site: Site) -> None:
    """Say where a plugin's field has no index yet: its lists are right all the same, but slow on a large site."""
    for name in missing_indexes(site.database, site.registry.indexes):
        log.warning("The index %s isn't there yet. Run: cms migrate", name)

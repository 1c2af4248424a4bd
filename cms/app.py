"""The only place where the parts meet: a site, its routes, a Flask application."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from wsgiref.types import WSGIApplication

from flask import Flask
from werkzeug.exceptions import HTTPException

from cms.admin.blueprint import build_admin
from cms.api.application import Application
from cms.api.blueprint import build_blueprint, unrouted
from cms.api.cached_answers import COUNTED, EXTENSION, AnswerCacheMiddleware
from cms.api.docs_page import build_docs_page
from cms.api.entrance import Entrance
from cms.api.failures import respond_unavailable
from cms.api.files import build_files
from cms.api.health import build_health
from cms.api.home import fault_page, home_page
from cms.assembly import open_site, without_collecting
from cms.config import Config, ConfigError, load_config
from cms.db.errors import DATABASE_ERRORS, ServerUnavailable
from cms.db.file_systems import REMOTE, file_system_of
from cms.db.indexes import missing_indexes
from cms.db.migrate import PendingMigrations, require_migrated
from cms.install.bootstrap import set_up
from cms.site import Site

log = logging.getLogger("cms")


def create_app(config: Mapping[str, Any] | None = None, instance: Path | str = "instance") -> Flask:
    """Return the application that serves one site.

    `config` overrides the environment and the instance's file. Raises ConfigError, PluginError or PendingMigrations
    with one sentence that says what to do.
    """
    app = Application(__name__, static_folder=None)
    # A redirect to the address without double slashes would be made of the Host header.
    app.url_map.merge_slashes = False
    site = _add_site(app, config, instance, keeps_answers=True)
    app.add_url_rule("/", "home", home_page(site), methods=["GET", "HEAD"], provide_automatic_options=False)
    app.register_blueprint(build_health(site))
    if site.config["metrics_token"]:
        _add_metrics(app, site)
    app.register_error_handler(HTTPException, fault_page)
    return app


def init_app(
    app: Flask, config: Mapping[str, Any] | None = None, instance: Path | str = "instance", base: str = ""
) -> Site:
    """Add a site's API to an application, under `base`, and return the site.

    `app.extensions["cms"]` is the first site that an application got. Raises ConfigError, PluginError or
    PendingMigrations with one sentence that says what to do.
    """
    return _add_site(app, config, instance, base)


@without_collecting()
def _add_site(
    app: Flask,
    config: Mapping[str, Any] | None,
    instance: Path | str,
    base: str = "",
    *,
    keeps_answers: bool = False,
) -> Site:
    """Add a site; it answers before Flask what it has kept, where the application is nothing but this site."""
    settings, name = load_config(instance, config), "cms" + re.sub(r"[./]", "_", base)
    _check_base(app, base, name)
    site = _open_migrated(settings, base)
    _warn_of_missing_indexes(site)
    _register_blueprints(app, site, base, name)
    app.register_error_handler(ServerUnavailable, respond_unavailable)
    app.before_request(unrouted(site))
    app.extensions.setdefault("cms", site)
    application: WSGIApplication = app.wsgi_app
    if keeps_answers and site.answers:
        application = AnswerCacheMiddleware(app, application, site)
        if not site.hooks.has("wrap_wsgi"):
            app.extensions[EXTENSION] = application
    application = site.hooks.wrap_wsgi(application)
    app.wsgi_app = Entrance(application, site)  # type: ignore[method-assign]  # Flask's own way
    # The first worker's connections must not be the ones that this process opened.
    site.close()
    return site


def _add_metrics(app: Application, site: Site) -> None:
    """Count requests; raises ConfigError where the library for it isn't there."""
    try:
        from cms.api.metrics import Metrics
    except ImportError:
        raise ConfigError("metrics_token needs a library. Run: pip install 'headless-cms[metrics]'") from None
    metrics = Metrics(app, site)
    app.wsgi_app = metrics  # type: ignore[method-assign]  # Flask's own way
    app.extensions[COUNTED] = metrics.count
    app.register_blueprint(metrics.blueprint())


def _open_migrated(settings: Config, base: str) -> Site:
    if not settings.database.exists():
        raise ConfigError(
            f"There is no site at {settings.database} yet. Make one: cms --instance {settings.instance} init, "
            f"or in Python cms.create_site(instance={str(settings.instance)!r})"
        )
    _refuse_network_disk(settings)
    site = open_site(settings, base)
    try:
        require_migrated(site.database, site.registry.migrations, site.config["search_mode"])
    except PendingMigrations:
        site.close()  # who migrates now finds nobody there
        raise
    except DATABASE_ERRORS as error:
        site.close()
        raise ConfigError(f"{settings.database} can't be used as the site's database: {error}") from error
    return site


def _refuse_network_disk(settings: Config) -> None:
    """Raise ConfigError where processes on two machines might write to one database, and damage it."""
    kind = file_system_of(settings.database)
    if kind in REMOTE and not settings.server and not settings["allow_network_disk"]:
        raise ConfigError(
            f"{settings.database} lies on a network file system ({kind}), where SQLite may lose or damage it. Move the "
            "instance folder to a disk of this machine. Where it is certain that no other machine opens it, set "
            "allow_network_disk = true"
        )


def _register_blueprints(app: Flask, site: Site, base: str, name: str) -> None:
    blueprint = build_blueprint(site)
    languages = ",".join(site.content_registry.locales)
    app.register_blueprint(blueprint, url_prefix=f"{base}/api", name=name)
    app.register_blueprint(
        blueprint, url_prefix=f"{base}/<any({languages}):language>/api", name=f"{name}_language"
    )
    if site.config["api_docs"]:
        pages = build_docs_page(site)
        app.register_blueprint(pages, url_prefix=f"{base}/docs", name=f"{name}_docs")
        app.register_blueprint(
            pages, url_prefix=f"{base}/<any({languages}):language>/docs", name=f"{name}_docs_language"
        )
    if site.config["admin"]:
        app.register_blueprint(build_admin(site), url_prefix=f"{base}/admin", name=f"{name}_admin")
    app.register_blueprint(build_files(site), url_prefix=f"{base}/uploads", name=f"{name}_files")


def create_site(
    config: Mapping[str, Any] | None = None,
    instance: Path | str = "instance",
    *,
    login: str = "admin",
    email: str = "admin@example.org",
    password: str | None = None,
    title: str | None = None,
) -> str | None:
    """Make a site as `cms init` does and return its administrator's password, None where there is a site already.

    Without a `password` one is made up. A site that is there is migrated, if it has to be. Raises ConfigError,
    PluginError, or ApiError where the account can't be made.
    """
    site = open_site(load_config(instance, config))
    try:
        return set_up(site, login, email, password, title)
    finally:
        site.close()


def _check_base(app: Flask, base: str, name: str) -> None:
    """Refuse a prefix that can't be one, and that of another site."""
    if base and not re.fullmatch(r"(/[\w.~-]+)+", base, re.ASCII):
        raise ConfigError(
            f"base can't be {base!r}. It takes a prefix such as '/backend', without a slash at the end"
        )
    if name in app.blueprints:
        where = f"below {base}" if base else "without a base"
        raise ConfigError(
            f"The application has a site {where} already. Give this one another base, such as '/backend'"
        )


def _warn_of_missing_indexes(site: Site) -> None:
    """Say where a plugin's field has no index yet: its lists are right all the same, but slow on a large site."""
    for name in missing_indexes(site.database, site.registry.indexes):
        log.warning("The index %s isn't there yet. Run: cms migrate", name)

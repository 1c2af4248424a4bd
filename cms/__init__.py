"""A headless content-management backend: what applications and plugins may import."""

from cms.app import create_app, create_site, init_app
from cms.hooks.markers import API_VERSION, hookimpl
from cms.i18n import _
from cms.plugin.commands import pass_site
from cms.version import __version__

__all__ = [
    "API_VERSION",
    "_",
    "__version__",
    "create_app",
    "create_site",
    "hookimpl",
    "init_app",
    "pass_site",
]

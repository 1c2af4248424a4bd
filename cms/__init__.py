"""A headless content-management backend: what applications and plugins may import."""

from cms.commands import pass_site
from cms.factory import create_app, init_app
from cms.hookspecs import API_VERSION, hookimpl
from cms.i18n import _

__all__ = ["API_VERSION", "_", "create_app", "hookimpl", "init_app", "pass_site"]
__version__ = "0.1.0"

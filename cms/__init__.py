"""A headless content-management backend: what applications and plugins may import."""

from cms.factory import create_app, init_app
from cms.hookspecs import hookimpl
from cms.i18n import _

__all__ = ["_", "create_app", "hookimpl", "init_app"]
__version__ = "0.1.0"

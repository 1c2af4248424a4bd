"""A headless content-management backend: what applications and plugins may import.

Each name is imported when it is first asked for, so that `import cms` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cms.api.health import build_health
    from cms.app import create_app, create_site, init_app
    from cms.hooks.markers import API_VERSION, hookimpl
    from cms.i18n import _
    from cms.plugin.commands import pass_site
    from cms.version import __version__

__all__ = [
    "API_VERSION",
    "_",
    "__version__",
    "build_health",
    "create_app",
    "create_site",
    "hookimpl",
    "init_app",
    "pass_site",
]

#: The module that has each name.
MODULES = {
    "API_VERSION": "cms.hooks.markers",
    "_": "cms.i18n",
    "__version__": "cms.version",
    "build_health": "cms.api.health",
    "create_app": "cms.app",
    "create_site": "cms.app",
    "hookimpl": "cms.hooks.markers",
    "init_app": "cms.app",
    "pass_site": "cms.plugin.commands",
}


def __getattr__(name: str) -> Any:
    """Import a name of the interface, and keep it."""
    if name not in MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(MODULES[name]), name)
    return found

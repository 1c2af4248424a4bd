"""The plugins of one site: where they are found, how they are loaded and asked, who is to blame."""

from cms.hooks.dispatch import Hooks, choose_media_storage
from cms.hooks.loader import load_plugins
from cms.hooks.manager import CORE, NoSuchPlugin, Plugin, PluginError, Plugins, one_line, version_of

__all__ = [
    "CORE",
    "Hooks",
    "NoSuchPlugin",
    "Plugin",
    "PluginError",
    "Plugins",
    "choose_media_storage",
    "load_plugins",
    "one_line",
    "version_of",
]

"""The plugins of one site: where they are found, how they are loaded and asked, who is to blame."""

from cms.hooks.dispatch import ask, call, collect, hand_on, wrap
from cms.hooks.loader import load_plugins
from cms.hooks.manager import Plugin, PluginError, Plugins, one_line, version_of

__all__ = [
    "Plugin",
    "PluginError",
    "Plugins",
    "ask",
    "call",
    "collect",
    "hand_on",
    "load_plugins",
    "one_line",
    "version_of",
    "wrap",
]

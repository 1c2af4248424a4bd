"""The plugins of one site: where they are found, how they are loaded and asked, who is to blame."""

from cms.plugins.calling import ask, call, collect, hand_on, wrap
from cms.plugins.loaded import Plugin, PluginError, Plugins, one_line, version_of
from cms.plugins.loading import load_plugins

__all__ = ["Plugin", "PluginError", "Plugins", "ask", "call", "collect", "hand_on", "load_plugins", "one_line",
           "version_of", "wrap"]

"""The settings of an installation."""

from cms.config.loading import FILE, PREFIX, Config, ConfigError, load_config
from cms.config.setting import Setting
from cms.config.settings import SETTINGS
from cms.config.template import write_template
from cms.config.values import SOCKET_FILE, Network, link_patterns, names, proxies

__all__ = [
    "FILE",
    "PREFIX",
    "SETTINGS",
    "SOCKET_FILE",
    "Config",
    "ConfigError",
    "Network",
    "Setting",
    "link_patterns",
    "load_config",
    "names",
    "proxies",
    "write_template",
]

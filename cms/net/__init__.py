"""HTTP requests from the site to other hosts, never to addresses of the site's own network."""

from cms.net.client import Client, Failed
from cms.net.hosts import Refused

__all__ = ["Client", "Failed", "Refused"]

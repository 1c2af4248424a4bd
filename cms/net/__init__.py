"""HTTP from the site to others, kept away from addresses that only the site's own network should reach."""

from cms.net.client import Client, Failed
from cms.net.hosts import Refused

__all__ = ["Client", "Failed", "Refused"]

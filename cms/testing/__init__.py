"""For the tests of plugins: a site, a client that acts as accounts of each role, what the database was asked.

Installed, the fixtures of `cms.testing.fixtures` are there in every pytest by themselves; so nothing is imported here
until it is used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cms.testing.client import PASSWORD, URL, Client, basic, make_client

__all__ = ["PASSWORD", "URL", "Client", "basic", "make_client"]


def __getattr__(name: str) -> Any:
    """Import what tests use when it is first asked for."""
    if name not in (*__all__, "SETTINGS"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module("cms.testing.client"), name)

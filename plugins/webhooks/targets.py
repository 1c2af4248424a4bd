"""Where deliveries may go: the open internet, and those places of its own network that an installation names."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from cms.plugin import Client, Config, ConfigError, Failed, InvalidParams, Refused, _

TABLE = "webhooks"
#: Seconds for connecting, and for each wait for bytes.
TIMEOUT = 10
PORTS = {"http": 80, "https": 443}
EVERYWHERE = ("0.0.0.0/0", "::/0")

Place = tuple[str, int]


class Targets:
    """The clients that deliver; neither follows a redirect, which would lead to an address that nobody has named."""

    def __init__(self, config: Config) -> None:
        self._allowed = _allowed(config.of(TABLE))
        self._guarded = Client(timeout=TIMEOUT, redirects=0)
        self._open = Client(timeout=TIMEOUT, redirects=0, exempt=EVERYWHERE)

    def client(self, url: str) -> Client:
        """Return what connects to an address: guarded, unless its host and port are on the list."""
        return self._open if _place(url) in self._allowed else self._guarded

    def check(self, url: str) -> None:
        """Refuse an address that nothing can be delivered to; a name that can't be looked up just now may pass."""
        try:
            self.client(url).check(url)
        except Refused as error:
            raise _invalid(error) from None
        except Failed as error:
            if error.lasting:
                raise _invalid(error) from None


def _invalid(error: Exception) -> InvalidParams:
    return InvalidParams({"url": _("Nothing can be delivered there: %(why)s.", why=str(error))})


def _place(url: str) -> Place | None:
    try:
        parts = urlsplit(url)
        return (parts.hostname or "").lower(), parts.port or PORTS.get(parts.scheme, 0)
    except ValueError:
        return None


def _allowed(table: Any) -> frozenset[Place]:
    """Read the table of the configuration: under `allow`, a list of hosts with their ports."""
    unknown = sorted(set(table) - {"allow"})
    if unknown:
        raise ConfigError(f"[{TABLE}] sets {', '.join(unknown)}; it takes allow alone")
    allowed = table.get("allow", [])
    if not isinstance(allowed, (list, tuple)):
        raise ConfigError(f"[{TABLE}] sets allow to {allowed!r}; it takes a list")
    return frozenset(map(_read, allowed))


def _read(entry: object) -> Place:
    try:
        parts = urlsplit(f"//{entry}")
        if parts.hostname and parts.port and f"//{parts.netloc}" == f"//{entry}" and "@" not in parts.netloc:
            return parts.hostname, parts.port
    except ValueError:
        pass
    raise ConfigError(f"[{TABLE}] allows {entry!r}; it takes hosts with ports, such as build.internal:8080")

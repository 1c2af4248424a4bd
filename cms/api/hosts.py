"""Which hosts a site answers to: that of its own address, and those that the setting allowed_hosts names."""

from __future__ import annotations

from collections.abc import Collection
from urllib.parse import urlsplit

from werkzeug.sansio.utils import host_is_trusted


class AllowedHosts:
    """The hosts of a site; without a setting all are allowed."""

    def __init__(self, allowed: Collection[str], url: str) -> None:
        self._hosts = list(allowed)
        if self._hosts:
            self._hosts.append(urlsplit(url).hostname or "")

    def __bool__(self) -> bool:
        return bool(self._hosts)

    def admit(self, host: str | None) -> bool:
        """Tell whether a request may ask for a host, None where it names none."""
        return host is None or not self._hosts or host_is_trusted(host.lower(), self._hosts)

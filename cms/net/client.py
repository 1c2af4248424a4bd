"""A client for addresses that others chose: it connects to the very address that was checked, and to no private one."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from ipaddress import ip_network
from typing import Any
from urllib.parse import quote, urljoin, urlsplit

import urllib3
from urllib3.exceptions import HTTPError, NewConnectionError

from cms.net.hosts import Refused, Resolver, clean_host, public_addresses, resolve

REDIRECTS = (301, 302, 303, 307, 308)
#: The methods that a redirect of these kinds turns into GET.
TURNED = {301: ("POST",), 302: ("POST",), 303: ("POST", "PUT", "PATCH", "DELETE")}
_PORTS = {"http": 80, "https": 443}
_KEPT_SIGNS = "/%:@!$&'()*+,;=~-._"
#: Addresses of one host that are tried before it counts as out of reach.
MOST_TRIED = 4


class Failed(Exception):
    """Say that nothing was received, though the address may be visited; where it is `lasting`, a retry is in vain."""

    def __init__(self, reason: str, lasting: bool = False) -> None:
        super().__init__(reason)
        self.lasting = lasting


@dataclass(frozen=True)
class _Target:
    """An address taken apart: where to connect, which host to name there, what to ask for."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def header(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORTS[self.scheme] else f"{host}:{self.port}"


class Client:
    """Send requests to public hosts over HTTP and HTTPS; usable from several threads.

    `timeout` bounds, in seconds, connecting and each wait for bytes. With no `redirects` a redirect is an answer like
    any other. Settings of proxies in the environment are ignored: a proxy would resolve names itself. `exempt` names
    networks that may be reached although they are private.
    """

    def __init__(
        self,
        *,
        timeout: float = 20,
        redirects: int = 5,
        resolver: Resolver | None = None,
        exempt: Sequence[str] = (),
    ) -> None:
        self._redirects = redirects
        self._resolver = resolver
        self._exempt = tuple(map(ip_network, exempt))
        self._pools = urllib3.PoolManager(
            num_pools=16,
            maxsize=8,
            retries=False,
            timeout=urllib3.Timeout(connect=min(timeout, 10), read=timeout),
        )
        self._open: set[Any] = set()
        self._lock = threading.Lock()
        self._stopped = False

    def check(self, address: str) -> None:
        """Raise what `open` would before it connects: Refused, or Failed where the host has no address."""
        self._addresses(_take_apart(address))

    @contextmanager
    def open(
        self,
        method: str,
        address: str,
        *,
        headers: Mapping[str, str] | None = None,
        body: bytes | None = None,
    ) -> Iterator[urllib3.BaseHTTPResponse]:
        """Send a request and give its answer, the body still to be read with `stream`; follows redirects.

        Raises Refused for an address that isn't visited, Failed where there is no answer.
        """
        answer = self._follow(method, address, dict(headers or {}), body)
        try:
            with self._lock:
                self._open.add(answer)
            yield answer
        finally:
            with self._lock:
                self._open.discard(answer)
            answer.close()  # what wasn't read isn't waited for

    def stop(self) -> None:
        """End all requests that are under way, from any thread, and refuse new ones."""
        with self._lock:
            self._stopped = True
            for answer in self._open:
                with suppress(ValueError, RuntimeError, OSError):  # it has ended by itself
                    answer.shutdown()
        self._pools.clear()

    def _follow(
        self, method: str, address: str, headers: dict[str, str], body: bytes | None
    ) -> urllib3.BaseHTTPResponse:
        for _ in range(self._redirects + 1):
            answer = self._send(method, _take_apart(address), headers, body)
            onward = answer.headers.get("Location")
            if answer.status not in REDIRECTS or not onward or not self._redirects:
                return answer
            answer.close()
            if method in TURNED.get(answer.status, ()):
                method, body = "GET", None
            if _origin(address) != _origin(onward := _join(address, onward)):
                headers = {name: value for name, value in headers.items() if name.lower() not in _SECRET}
            address = onward
        raise Failed(f"it was redirected more than {self._redirects} times", lasting=True)

    def _send(
        self, method: str, target: _Target, headers: dict[str, str], body: bytes | None
    ) -> urllib3.BaseHTTPResponse:
        reason = "it can't be reached"
        for address in self._addresses(target)[:MOST_TRIED]:
            if self._stopped:
                raise Failed("stopped", lasting=True)
            # The pool is given an address, so nothing is resolved a second time; TLS checks the name all the same.
            names = (
                {"server_hostname": target.host, "assert_hostname": target.host}
                if target.scheme == "https"
                else None
            )
            pool = self._pools.connection_from_host(address, target.port, target.scheme, pool_kwargs=names)
            try:
                return pool.urlopen(
                    method,
                    target.path,
                    body=body,
                    headers={**headers, "Host": target.header},
                    retries=False,
                    redirect=False,
                    preload_content=False,
                    assert_same_host=False,
                    decode_content=False,
                )
            except NewConnectionError as error:
                reason = f"it can't be reached ({_last_part(error)})"
            except (HTTPError, OSError, ValueError) as error:
                raise Failed(f"it gave no answer ({_last_part(error)})") from error
        raise Failed(reason)

    def _addresses(self, target: _Target) -> list[str]:
        try:
            return public_addresses(target.host, self._resolver or resolve, self._exempt)
        except OSError as error:
            lasting = error.errno == socket.EAI_NONAME
            raise Failed(f'there is no host "{target.host}" ({error.strerror or error})', lasting) from error


_SECRET = ("authorization", "cookie")


def _take_apart(address: str) -> _Target:
    try:
        parts = urlsplit(address.strip())
        port = parts.port
    except ValueError as error:
        raise Refused(f"it isn't an address ({error})") from error
    scheme = parts.scheme.lower()
    if scheme not in _PORTS:
        raise Refused("it doesn't begin with http:// or https://")
    if "@" in parts.netloc:
        raise Refused("it holds a user name or a password")
    if not parts.hostname or port == 0:
        raise Refused("it names no host")
    path = quote(parts.path or "/", safe=_KEPT_SIGNS)
    query = f"?{quote(parts.query, safe=_KEPT_SIGNS + '?')}" if parts.query else ""
    return _Target(scheme, clean_host(parts.hostname), port or _PORTS[scheme], path + query)


def _join(address: str, onward: str) -> str:
    try:
        return urljoin(address, onward)
    except ValueError as error:
        raise Refused(f"it leads to what isn't an address ({error})") from error


def _origin(address: str) -> tuple[str, str]:
    try:
        parts = urlsplit(address)
    except ValueError:
        return "", ""
    return parts.scheme, parts.netloc


def _last_part(error: Exception) -> str:
    """Return what a library says of an error, without the addresses and objects that it names first."""
    return str(error).rpartition(": ")[2].rstrip(")'\"") or type(error).__name__

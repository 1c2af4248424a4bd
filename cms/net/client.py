"""An HTTP client for addresses that others chose: it connects to the address that was checked, never a private one."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from ipaddress import ip_network
from urllib.parse import quote, urljoin, urlsplit

import urllib3
from urllib3.exceptions import HTTPError, NewConnectionError

from cms import forks
from cms.net.hosts import Refused, Resolver, clean_host, public_addresses, resolve

REDIRECTS = (301, 302, 303, 307, 308)
#: By the status of a redirect, the methods that it changes to GET.
CHANGED_TO_GET = {301: ("POST",), 302: ("POST",), 303: ("POST", "PUT", "PATCH", "DELETE")}
_PORTS = {"http": 80, "https": 443}
_UNQUOTED = "/%:@!$&'()*+,;=~-._"
#: Headers that are sent to the host that they were meant for alone.
_CREDENTIALS = ("authorization", "cookie")
#: Addresses of one host that are tried before it counts as unreachable.
MAX_TRIED = 4


class Failed(Exception):
    """A request to an allowed address without an answer; where it is `lasting`, a retry would fail too."""

    def __init__(self, reason: str, lasting: bool = False) -> None:
        super().__init__(reason)
        self.lasting = lasting


@dataclass(frozen=True)
class _Target:
    """The parts of an address: where to connect, the host to name there, the path to request."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def host_header(self) -> str:
        host = self.host
        if ":" in host:
            host = f"[{host}]"
        if self.port != _PORTS[self.scheme]:
            host = f"{host}:{self.port}"
        return host


class Client:
    """Send requests to public hosts over HTTP and HTTPS; usable from several threads.

    `timeout` bounds, in seconds, connecting and each wait for bytes. With 0 `redirects` a redirect is an answer like
    any other. Settings of proxies in the environment are ignored: a proxy would resolve names itself. `exempt` are
    networks (`10.0.0.0/8`) that may be reached although they are private.
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
        self._timeout = urllib3.Timeout(connect=min(timeout, 10), read=timeout)
        self._inherited: list[urllib3.PoolManager] = []
        self._stopped = False
        self._begin()
        forks.register(self)

    def _begin(self) -> None:
        """Begin without connections."""
        self._pools = urllib3.PoolManager(num_pools=16, maxsize=8, retries=False, timeout=self._timeout)
        self._open: set[urllib3.BaseHTTPResponse] = set()
        self._lock = threading.Lock()

    def leave_to_parent(self) -> None:
        """Forget the parent's connections and lock in a forked child; closing them there would end the parent's."""
        self._inherited.append(self._pools)
        self._begin()

    def check(self, address: str) -> None:
        """Check an address without a connection; raises Refused, or Failed where the host has no address."""
        self._addresses(_parse(address))

    @contextmanager
    def open(
        self,
        method: str,
        address: str,
        *,
        headers: Mapping[str, str] | None = None,
        body: bytes | None = None,
    ) -> Iterator[urllib3.BaseHTTPResponse]:
        """Send a request, follow redirects and yield the response, whose body is still to be read with `stream`.

        Raises Refused for an address that isn't allowed, Failed where there is no answer.
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
        """End all running requests, from any thread; later ones raise Failed."""
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
            answer = self._send(method, _parse(address), headers, body)
            location = answer.headers.get("Location")
            if answer.status not in REDIRECTS or not location or not self._redirects:
                return answer
            answer.close()
            if method in CHANGED_TO_GET.get(answer.status, ()):
                method, body = "GET", None
            following = _join(address, location)
            if _origin(address) != _origin(following):
                headers = _without_credentials(headers)
            address = following
        raise Failed(f"it was redirected more than {self._redirects} times", lasting=True)

    def _send(
        self, method: str, target: _Target, headers: dict[str, str], body: bytes | None
    ) -> urllib3.BaseHTTPResponse:
        headers = {**headers, "Host": target.host_header}
        reason = "it can't be reached"
        for address in self._addresses(target)[:MAX_TRIED]:
            if self._stopped:
                raise Failed("stopped", lasting=True)
            pool = self._pool(address, target)
            try:
                return _request(pool, method, target.path, headers, body)
            except NewConnectionError as error:
                reason = f"it can't be reached ({_last_part(error)})"
            except (HTTPError, OSError, ValueError) as error:
                raise Failed(f"it gave no answer ({_last_part(error)})") from error
        raise Failed(reason)

    def _pool(self, address: str, target: _Target) -> urllib3.HTTPConnectionPool:
        """Return the connections to an address, so that no name is resolved again; TLS checks the name all the same."""
        names = None
        if target.scheme == "https":
            names = {"server_hostname": target.host, "assert_hostname": target.host}
        return self._pools.connection_from_host(address, target.port, target.scheme, pool_kwargs=names)

    def _addresses(self, target: _Target) -> list[str]:
        try:
            return public_addresses(target.host, self._resolver or resolve, self._exempt)
        except OSError as error:
            lasting = error.errno == socket.EAI_NONAME
            raise Failed(f'there is no host "{target.host}" ({error.strerror or error})', lasting) from error


def _request(
    pool: urllib3.HTTPConnectionPool, method: str, path: str, headers: dict[str, str], body: bytes | None
) -> urllib3.BaseHTTPResponse:
    return pool.urlopen(
        method,
        path,
        body=body,
        headers=headers,
        retries=False,
        redirect=False,
        preload_content=False,
        assert_same_host=False,
        decode_content=False,
    )


def _without_credentials(headers: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in headers.items() if name.lower() not in _CREDENTIALS}


def _parse(address: str) -> _Target:
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
    path = quote(parts.path or "/", safe=_UNQUOTED)
    if parts.query:
        path += "?" + quote(parts.query, safe=_UNQUOTED + "?")
    return _Target(scheme, clean_host(parts.hostname), port or _PORTS[scheme], path)


def _join(address: str, location: str) -> str:
    try:
        return urljoin(address, location)
    except ValueError as error:
        raise Refused(f"it leads to what isn't an address ({error})") from error


def _origin(address: str) -> tuple[str, str]:
    try:
        parts = urlsplit(address)
    except ValueError:
        return "", ""
    return parts.scheme, parts.netloc


def _last_part(error: Exception) -> str:
    """Return the message of a library's error without the addresses and objects that come first in it."""
    return str(error).rpartition(": ")[2].rstrip(")'\"") or type(error).__name__

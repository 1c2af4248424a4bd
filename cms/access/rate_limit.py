"""How often something may be tried, counted over all workers."""

from __future__ import annotations

import hashlib
import ipaddress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cms.config import Config
from cms.db.reader import Connection
from cms.db.sqlite.runtime import RuntimeStore
from cms.errors import ApiError
from cms.i18n import _

if TYPE_CHECKING:
    from cms.access.bucket import Bucket


@dataclass(frozen=True)
class Limit:
    """How many attempts fit into how many seconds; none at all are counted where `max_attempts` is 0."""

    max_attempts: int
    seconds: int


class Throttle:
    """Counts attempts under a name, by key; neither is stored readably."""

    def __init__(self, runtime: RuntimeStore, name: str, limit: Limit) -> None:
        self._runtime, self._name, self._limit = runtime, name, limit

    def take(self, key: str) -> int:
        """Count an attempt if it fits and return 0, or return the seconds after which one will."""
        return self._runtime.write(lambda connection: self.take_in(connection, key), 0)

    def wait(self, key: str) -> int:
        """Return the seconds after which an attempt fits, without counting one."""
        return self._runtime.read(lambda connection: self.wait_in(connection, key), 0)

    def settle(self, key: str, *, failed: bool) -> int:
        """Return 0 where an attempt whose outcome is known fits, counting it if it failed, else what `take` returns.

        The outcome may be told where this returns 0 alone: of attempts made at once no more than the limit fail.
        """

        def settle_in(connection: Connection) -> int:
            if failed:
                return self.take_in(connection, key)
            return self.wait_in(connection, key)

        # Both under the lock: who is right mustn't get ahead of those who wait to be counted.
        return self._runtime.write(settle_in, 0)

    def take_in(self, connection: Connection, key: str) -> int:
        """Do as `take` inside a transaction of the caller's."""
        if self._limit.max_attempts <= 0:
            return 0
        bucket = self._bucket(connection, key)
        item = bucket.item()
        bucket.leak()
        return 0 if bucket.put(item) else bucket.seconds(item)

    def wait_in(self, connection: Connection, key: str) -> int:
        """Do as `wait` inside a transaction of the caller's."""
        if self._limit.max_attempts <= 0:
            return 0
        bucket = self._bucket(connection, key)
        item = bucket.item()
        return 0 if bucket.fits(item) else bucket.seconds(item)

    def any_in(self, connection: Connection, key: str) -> bool:
        """Return whether any attempt counts now, inside a transaction of the caller's."""
        return self._limit.max_attempts > 0 and self._bucket(connection, key).count() > 0

    def _bucket(self, connection: Connection, key: str) -> Bucket:
        from cms.access.bucket import Bucket

        digest = hashlib.blake2b(f"{self._name}\0{key}".encode(), digest_size=16).digest()
        now = int(self._runtime.now() * 1000)
        return Bucket(connection, digest, self._limit.max_attempts, self._limit.seconds, now)


class SignInThrottle:
    """Limits failed sign-ins: by account and address, by address alone, by account alone.

    Many failures of an account bar only addresses that have failed themselves, so that nobody can lock others out.
    Codes come after the right password, so those of an account are counted from wherever they are sent.
    """

    def __init__(self, runtime: RuntimeStore, config: Config) -> None:
        self._runtime = runtime
        seconds = config["sign_in_window"]

        def throttle(name: str) -> Throttle:
            return Throttle(runtime, name, Limit(config[name], seconds))

        self._pair, self._address = throttle("sign_in_failures"), throttle("sign_in_failures_address")
        self._account = throttle("sign_in_failures_account")
        #: Failed codes of second factors by account.
        self.codes = Throttle(runtime, "second_factor_failures", Limit(config["sign_in_failures"], seconds))

    def check(self, account: str, address: str) -> None:
        """Raise ApiError with status 429 where too many attempts have failed.

        `account` stands for the account, or is the name that there is none of.
        """
        account, place = account.casefold(), network(address)
        require_room(self._runtime.read(lambda connection: self._wait_in(connection, account, place), 0))

    def settle(self, account: str, address: str, *, failed: bool) -> None:
        """Count an attempt whose outcome is known, if it failed; raises as `check` does, and then counts nothing.

        The outcome may be told where this doesn't raise: of attempts made at once no more than the limits fail.
        """
        account, place = account.casefold(), network(address)

        def settle_in(connection: Connection) -> int:
            seconds = self._wait_in(connection, account, place)
            if failed and not seconds:
                self._pair.take_in(connection, f"{account}\0{place}")
                self._address.take_in(connection, place)
                self._account.take_in(connection, account)
            return seconds

        # Under the lock also where nothing is counted: who is right mustn't get ahead of those who wait for it.
        require_room(self._runtime.write(settle_in, 0))

    def _wait_in(self, connection: Connection, account: str, place: str) -> int:
        pair = f"{account}\0{place}"
        waits = [self._pair.wait_in(connection, pair), self._address.wait_in(connection, place)]
        if self._pair.any_in(connection, pair) or self._address.any_in(connection, place):
            waits.append(self._account.wait_in(connection, account))
        return max(waits)


def network(address: str) -> str:
    """Return what stands for an address: itself, or the network of 64 bits that an IPv6 host has for its own."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv4Address):
        return str(parsed)
    return str(parsed.ipv4_mapped or ipaddress.ip_network((parsed, 64), strict=False))


def require_room(seconds: int) -> None:
    """Raise ApiError with status 429 for an attempt that fits after some seconds only; 0 stands for now."""
    if seconds:
        raise too_many_attempts(seconds)


def too_many_attempts(seconds: int) -> ApiError:
    """Build the refusal of an attempt that comes too early."""
    message = _("Too many attempts. Try again in %(seconds)s seconds.", seconds=seconds)
    return ApiError("rest_too_many_attempts", message, 429, retry_after=seconds)

"""The second factor of accounts: codes of an authenticator app (RFC 6238), each good for once, and recovery codes."""

from __future__ import annotations

import hmac
import secrets
from base64 import b32encode
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import orjson
import pyotp

from cms.access.actions import Action
from cms.access.capabilities import Principal
from cms.access.sealing import seal, unseal
from cms.access.sessions import digest_of, unavailable
from cms.dates import Clock
from cms.db import session_rows
from cms.db.models import UserRow
from cms.db.sqlite.runtime import RuntimeStore
from cms.db.stores import SecondFactorStore
from cms.errors import ApiError, InvalidParams
from cms.i18n import _

#: How many steps of time a code may be early or late, and how long one is.
WINDOW, STEP = 1, 30
#: How many recovery codes there are, and of how many random bytes each is made.
RECOVERY_CODES, RECOVERY_BYTES = 10, 10


@dataclass(frozen=True)
class NewFactor:
    """What an authenticator app is given: the secret, and the address that tells it the same."""

    secret: str
    uri: str


class SecondFactors:
    """The second factors of one site's accounts."""

    def __init__(
        self,
        store: SecondFactorStore,
        runtime: RuntimeStore,
        key: Callable[[], bytes],
        clock: Clock,
        tell: Callable[[Action], None],
    ) -> None:
        """Prepare for one site; `key` returns what secrets are sealed with, `tell` hears of each that is on or off."""
        self._store, self._runtime, self._key, self._clock = store, runtime, key, clock
        self._tell = tell

    def is_on(self, user_id: int) -> bool:
        """Tell whether an account signs in with a second factor."""
        return self._store.is_confirmed(user_id)

    def begin(self, user_id: int, login: str, issuer: str) -> NewFactor:
        """Make a secret for an account's app, which counts once it is confirmed; raises ApiError where one is on."""
        if self.is_on(user_id):
            message = _("This account has a second factor already. Turn it off first.")
            raise ApiError("cms_second_factor_on", message, 409)
        secret = pyotp.random_base32()
        self._store.replace(user_id, seal(self._key(), secret.encode(), _purpose(user_id)), self._clock.now())
        return NewFactor(secret, pyotp.TOTP(secret).provisioning_uri(name=login, issuer_name=issuer))

    def confirm(self, account: UserRow, code: str, by: Principal) -> list[str]:
        """Turn an account's second factor on by its first code and return recovery codes, which nothing can show again.

        Raises ApiError where there is nothing to confirm, or the code is wrong.
        """
        id = account["id"]
        row = self._store.find(id)
        if row is None or row["confirmed_gmt"]:
            message = _("There is no second factor to confirm. Begin with a new secret.")
            raise ApiError("cms_second_factor_absent", message, 409)
        if not self._takes_code(id, row["secret"], code):
            raise InvalidParams({"code": wrong_code().message})
        codes, digests = [], []
        for _number in range(RECOVERY_CODES):
            made = _recovery_code()
            codes.append(made)
            digests.append(_recovery_digest(made))
        with self._store.write():
            self._store.confirm(id, self._clock.now(), orjson.dumps(digests).decode())
            self._tell(Action("second_factor.on", "user", id, account["login"], by))
        return codes

    def accepts(self, user_id: int, code: str) -> bool:
        """Tell whether a code of the app or a recovery code fits, which then fits no more."""
        row = self._store.find(user_id)
        if row is None:
            return False
        return self._takes_code(user_id, row["secret"], code) or self._takes_recovery(user_id, code)

    def remove(self, account: UserRow, by: Principal) -> bool:
        """Turn an account's second factor off, and tell whether it was on."""
        id = account["id"]
        with self._store.write():
            was_on = self.is_on(id)
            self._store.remove(id)
            if was_on:
                self._tell(Action("second_factor.off", "user", id, account["login"], by))
        return was_on

    def _takes_code(self, user_id: int, sealed: str, code: str) -> bool:
        sent = "".join(code.split())
        totp = pyotp.TOTP(unseal(self._key(), sealed, _purpose(user_id)).decode(), interval=STEP)
        now, found = int(self._runtime.now()), None
        for offset in range(-WINDOW, WINDOW + 1):
            if hmac.compare_digest(totp.at(now, counter_offset=offset).encode(), sent.encode()):
                found = now // STEP + offset
        return found is not None and self._is_new(f"{user_id} {found}", now)

    def _is_new(self, step: str, now: int) -> bool:
        """Note that the code of a step was used, and tell whether it hadn't been."""
        until = now + (2 * WINDOW + 2) * STEP
        taken = self._runtime.write(partial(session_rows.take_code, digest=step, until=until, now=now), None)
        if taken is None:
            raise unavailable()
        return taken

    def _takes_recovery(self, user_id: int, code: str) -> bool:
        digest = _recovery_digest(code)
        with self._store.write():
            row = self._store.find(user_id)
            left: list[str] = orjson.loads(row["recovery"]) if row else []
            if digest not in left:
                return False
            left.remove(digest)
            self._store.set_recovery(user_id, orjson.dumps(left).decode())
        return True


def _purpose(user_id: int) -> bytes:
    return b"second factor %d" % user_id


def _recovery_code() -> str:
    """Return a code of 80 random bits in four groups."""
    text = b32encode(secrets.token_bytes(RECOVERY_BYTES)).decode().lower()
    return "-".join((text[:4], text[4:8], text[8:12], text[12:]))


def _recovery_digest(code: str) -> str:
    """Return what is stored of a recovery code; spaces and hyphens don't count, nor does case."""
    return digest_of("".join(code.split()).replace("-", "").lower())


def code_required() -> ApiError:
    """Build the answer to a right password of an account that signs in with a second factor."""
    message = _(
        "This account signs in with a second factor. Send its code, or use an application password or a token."
    )
    return ApiError("cms_second_factor_required", message, 401)


def wrong_code() -> ApiError:
    """Build the answer to a code that doesn't fit, or was used already."""
    message = _("This code is wrong, or was used already. Send the next one.")
    return ApiError("cms_second_factor_wrong", message, 401)

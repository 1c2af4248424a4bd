"""What can go wrong with a request: one exception with a code, a message and a status.

ApiError
├── InvalidParams   values of arguments that the declaration doesn't allow
└── NotAllowed      401 for visitors, 403 for those who are signed in
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from cms.i18n import Text, _


class Requester(Protocol):
    """The account that sent a request; the id of a visitor is 0."""

    @property
    def id(self) -> int: ...


class ApiError(Exception):
    """A refused request: its error code, message and HTTP status; `data` is added to the answer's `data`."""

    def __init__(self, code: str, message: Text, status: int = 400, **data: object) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.status = status
        self.data: dict[str, Any] = data  # JSON values of any type

    def __str__(self) -> str:
        """The message, or what is wrong with each argument where that is known."""
        faults = self.data.get("params")
        if isinstance(faults, Mapping):
            return "; ".join(f"{name}: {fault}" for name, fault in faults.items())
        return str(self.message)


class InvalidParams(ApiError):
    """Arguments whose values aren't allowed: `faults` has the reason for each by its name."""

    def __init__(self, faults: Mapping[str, Text]) -> None:
        names = ", ".join(faults)
        message = _("Invalid parameter(s): %(names)s. See the details of each.", names=names)
        super().__init__("rest_invalid_param", message, 400, params=dict(faults))


class NotAllowed(ApiError):
    """An action that the requester has no permission for."""

    def __init__(self, requester: Requester, code: str, message: Text) -> None:
        if requester.id:
            super().__init__(code, message, 403)
        else:
            super().__init__(code, _("%(reason)s Sign in with an account that may.", reason=message), 401)


def missing_params(names: list[str]) -> ApiError:
    """Return the error of a request that lacks required arguments."""
    message = _("Missing parameter(s): %(names)s. Send them and try again.", names=", ".join(names))
    return ApiError("rest_missing_callback_param", message, 400, params=names)


def no_route() -> ApiError:
    """Return the error of a request whose path and method no route has."""
    message = _("No route takes this address and method. The discovery document lists all routes.")
    return ApiError("rest_no_route", message, 404)

"""What can go wrong with a request: one exception with a code, a message and a status.

ApiError
├── InvalidParams   values of arguments that the declaration doesn't allow
└── NotAllowed      401 for visitors, 403 for those who are signed in
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from cms.i18n import Text, _

if TYPE_CHECKING:
    from cms.access.capabilities import Principal


class ApiError(Exception):
    """Carry the outcome of a request that was refused; `data` is added to the answer's `data`."""

    def __init__(self, code: str, message: Text, status: int = 400, **data: Any) -> None:
        super().__init__(code)
        self.code = code
        self.message = message
        self.status = status
        self.data = data


class InvalidParams(ApiError):
    """Name every argument whose value isn't allowed, with what is wrong about it."""

    def __init__(self, faults: Mapping[str, Text]) -> None:
        names = ", ".join(faults)
        message = _("Invalid parameter(s): %(names)s. See the details of each.", names=names)
        super().__init__("rest_invalid_param", message, 400, params=dict(faults))


class NotAllowed(ApiError):
    """Refuse what the principal may not do."""

    def __init__(self, principal: Principal, code: str, message: Text) -> None:
        super().__init__(code, message, 403 if principal.id else 401)


def missing_params(names: list[str]) -> ApiError:
    """Build the refusal of a request that lacks required arguments."""
    message = _("Missing parameter(s): %(names)s. Send them and try again.", names=", ".join(names))
    return ApiError("rest_missing_callback_param", message, 400, params=names)


def no_route() -> ApiError:
    """Build the answer to an address or method that no route takes."""
    message = _("No route takes this address and method. The discovery document lists all routes.")
    return ApiError("rest_no_route", message, 404)

"""The routes of `users/me`: the operations on accounts, on the one that sends the request."""

from __future__ import annotations

from typing import Any

from cms.call import Call
from cms.errors import ApiError, NotAllowed
from cms.i18n import _
from cms.operations.permissions import READ
from cms.schema.endpoint import CHECKED_BY_HANDLER, DELETE, GET, UPDATE, Answer, Endpoint, Route
from cms.schema.fields import VIEW
from cms.schema.resource import Resource
from cms.schema.schemas import ContextArgs, writable


def _get(call: Call) -> Answer:
    if not call.principal.id:
        raise NotAllowed(call.principal, "rest_not_logged_in", _("This shows your own account."))
    operations = call.site.operations["user"]
    item = operations.get(call.principal.id, call.args, call.principal)
    return Answer(
        item.data, allow=operations.permissions.allowed(call.principal, item.row), version=item.row["version"]
    )


def _update(call: Call) -> Answer:
    operations = call.site.operations["user"]
    item = operations.update(_own_id(call), call.args, call.principal, call.versions)
    return Answer(
        item.data,
        allow=operations.permissions.allowed(call.principal, item.row),
        version=item.row["version"],
        ignored=item.ignored,
    )


def _delete(call: Call) -> Answer:
    return Answer(
        call.site.operations["user"].delete(_own_id(call), call.args, call.principal, call.versions).data
    )


def _own_id(call: Call) -> Any:
    if not call.principal.id:
        raise ApiError("rest_user_invalid_id", _("Sign in first: a visitor has no account."), 404)
    return call.principal.id


def _allowed(call: Call) -> tuple[str, ...]:
    operations = call.site.operations["user"]
    row = operations.find_permitted(_own_id(call), READ, {"context": VIEW}, call.principal)
    return operations.permissions.allowed(call.principal, row)


def me_route(accounts: Resource) -> Route:
    """Return the route, with all fields that accounts have on this site."""
    return Route(
        "/users/me",
        (
            Endpoint(GET, _get, CHECKED_BY_HANDLER, ContextArgs),
            Endpoint(UPDATE, _update, CHECKED_BY_HANDLER, writable(accounts.schema, creating=False)),
            Endpoint(DELETE, _delete, CHECKED_BY_HANDLER, accounts.delete_args),
        ),
        schema=accounts.schema,
        title="user",
        allowed=_allowed,
    )

"""Application passwords as they are stored: the core's tokens, and the application that each belongs to."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, NotRequired, cast
from uuid import UUID, uuid5

from cms.plugin import ApiError, InvalidParams, ListedToken, Principal, Site, _, to_gmt

from .store import add_application, applications_of

SOURCE = "application"
#: How many tokens an account may have before it must revoke some: they are listed all at once.
MOST = 100
SPACE = UUID("6f1b7f6e-5d43-4a0f-8f0b-7d9a5c3f2b11")


class PasswordRow(ListedToken):
    """A token with its identifier and its application; `password` is there for a new one alone."""

    uuid: str
    app_id: str
    password: NotRequired[str]


def list_passwords(site: Site, user_id: int) -> list[PasswordRow]:
    """Return an account's tokens as rows of the schema, the oldest first."""
    applications = applications_of(site.database, user_id)
    rows = []
    for token in site.tokens.list(user_id):
        values = {**token, "uuid": uuid_of(token), "app_id": applications.get(token["id"], "")}
        rows.append(cast(PasswordRow, values))
    return rows


def uuid_of(token: ListedToken) -> str:
    """Return a token's identifier, made of what never changes about it; tokens made by the command have one too."""
    return str(uuid5(SPACE, f"{token['id']} {token['created_gmt']}"))


def find_password(site: Site, user_id: int, uuid: str) -> PasswordRow:
    """Return one of an account's tokens by its identifier; raises when there is none."""
    found = next((row for row in list_passwords(site, user_id) if row["uuid"] == uuid.lower()), None)
    if found is None:
        message = _("This account has no application password with this identifier.")
        raise ApiError("rest_application_password_not_found", message, 404)
    return found


def make_password(site: Site, principal: Principal, user_id: int, args: Mapping[str, Any]) -> PasswordRow:
    """Store a token and return its row, with the token itself as `password`.

    Raises ApiError where the account has too many, and for an expiry that has passed.
    """
    with site.database.write():
        present = site.tokens.list(user_id)
        if len(present) >= MOST:
            message = _(
                "An account has %(most)s application passwords at most. Revoke some first.", most=MOST
            )
            raise ApiError("rest_application_password_limit", message)
        expires = _expiry(site, principal, args.get("expires"))
        id, password = site.tokens.create(user_id, args["name"], args["scope"], expires, SOURCE, principal)
        if args.get("app_id"):
            add_application(site.database, id, args["app_id"])
        row = next(row for row in list_passwords(site, user_id) if row["id"] == id)
    return {**row, "password": password}


def _expiry(site: Site, principal: Principal, sent: datetime | None) -> str | None:
    """Return when the new token expires: not after the one that asks for it."""
    wanted = to_gmt(sent if sent.tzinfo else sent.replace(tzinfo=UTC), UTC) if sent else None
    if wanted is not None and wanted <= site.now():
        raise InvalidParams({"expires": _("This must lie ahead.")})
    own = None
    if principal.token:
        own = next(
            (t["expires_gmt"] for t in site.tokens.list(principal.id) if t["id"] == principal.token), None
        )
    return min((each for each in (wanted, own) if each), default=None)

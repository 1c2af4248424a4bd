"""Application passwords as they are stored: the core's tokens, and the application that each belongs to."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid5

from cms import _
from cms.access.capabilities import Principal
from cms.access.tokens import create_token, list_tokens
from cms.dates import to_gmt
from cms.errors import ApiError, InvalidParams
from cms.site import Site

SOURCE = "application"
#: How many tokens an account may have before it must revoke some: they are listed all at once.
MOST = 100
SPACE = UUID("6f1b7f6e-5d43-4a0f-8f0b-7d9a5c3f2b11")

APPLICATIONS = """
SELECT token_id, app_id FROM token_applications JOIN tokens ON tokens.id = token_id WHERE tokens.user_id = ?
"""


def list_passwords(site: Site, user_id: int) -> list[dict[str, Any]]:
    """Return an account's tokens as rows of the schema, the oldest first."""
    applications = {row["token_id"]: row["app_id"] for row in site.database.rows(APPLICATIONS, (user_id,))}
    return [
        {**row, "uuid": uuid_of(row), "app_id": applications.get(row["id"], "")}
        for row in list_tokens(site, user_id)
    ]


def uuid_of(row: Any) -> str:
    """Return a token's identifier, made of what never changes about it; tokens made by the command have one too."""
    return str(uuid5(SPACE, f"{row['id']} {row['created_gmt']}"))


def find_password(site: Site, user_id: int, uuid: str) -> dict[str, Any]:
    """Return one of an account's tokens by its identifier; raises when there is none."""
    found = next((row for row in list_passwords(site, user_id) if row["uuid"] == uuid.lower()), None)
    if found is None:
        message = _("This account has no application password with this identifier.")
        raise ApiError("rest_application_password_not_found", message, 404)
    return found


def make_password(site: Site, principal: Principal, user_id: int, args: Any) -> dict[str, Any]:
    """Store a token and return its row, with the token itself as `password`."""
    with site.database.write():
        present = list_tokens(site, user_id)
        if len(present) >= MOST:
            message = _(
                "An account has %(most)s application passwords at most. Revoke some first.", most=MOST
            )
            raise ApiError("rest_application_password_limit", message)
        expires = _expiry(site, principal, args.get("expires"))
        id, password = create_token(site, user_id, args["name"], args["scope"], expires, SOURCE)
        if args.get("app_id"):
            site.database.execute(
                "INSERT INTO token_applications (token_id, app_id) VALUES (?, ?)", (id, args["app_id"])
            )
        row = next(row for row in list_passwords(site, user_id) if row["id"] == id)
    return {**row, "password": password}


def _expiry(site: Site, principal: Principal, sent: datetime | None) -> str | None:
    """Return when the new token expires: not after the one that asks for it."""
    wanted = to_gmt(sent if sent.tzinfo else sent.replace(tzinfo=UTC), UTC) if sent else None
    if wanted is not None and wanted <= site.now():
        raise InvalidParams({"expires": _("This must lie ahead.")})
    own = (
        site.database.row("SELECT expires_gmt FROM tokens WHERE id = ?", (principal.token,))
        if principal.token
        else None
    )
    return min((each for each in (wanted, own and own["expires_gmt"]) if each), default=None)

"""Links that show one item to whoever has them, until they expire or are revoked.

A link is signed with a secret of the item, so that revoking an item's links is forgetting its secret.
"""

from __future__ import annotations

import hashlib
import secrets
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from itsdangerous import BadData, URLSafeSerializer

from cms import _
from cms.call import Call
from cms.dates import FORM
from cms.errors import ApiError
from cms.schema.content_types import ContentType
from cms.schema.endpoint import CHECKED_BY_HANDLER, CREATE, DELETE, Answer, Endpoint, Route
from cms.schema.fields import ALWAYS, DateTime, Integer, String
from cms.schema.schemas import ArgumentSchema, ItemSchema
from cms.site import Site

from .items import editable

DAY = 24 * 3600
NEW = "INSERT OR IGNORE INTO preview_secrets (content_id, secret) VALUES (?, ?)"
ONE = "SELECT secret FROM preview_secrets WHERE content_id = ?"
FORGET = "DELETE FROM preview_secrets WHERE content_id = ? RETURNING content_id"


class PreviewSchema(ItemSchema):
    """What is told of a link."""

    token = String(_("What opens the item, sent as preview when it is read."), ALWAYS, readonly=True)
    url = String(_("Where the item is read with the token."), ALWAYS, readonly=True, format="uri")
    link = String(_("Where a front end is asked to show the preview."), ALWAYS, readonly=True, format="uri")
    expires = DateTime(_("Until when the link works, in GMT."), ALWAYS, readonly=True)


class LinkArgs(ArgumentSchema):
    """The argument of making a link."""

    expires_in = Integer(_("For how many seconds the link works."), default=DAY, minimum=60, maximum=30 * DAY)


def _signer(secret: str) -> URLSafeSerializer:
    return URLSafeSerializer(secret, salt="preview", signer_kwargs={"digest_method": hashlib.sha256})


def make_token(site: Site, id: int, expires: str) -> str:
    """Return a token that opens an item until a moment in GMT; the item's secret is made with its first one."""
    with site.database.write():
        site.database.execute(NEW, (id, secrets.token_hex(32)))
        secret = site.database.rows(ONE, (id,))[0]["secret"]
    token = _signer(secret).dumps([id, expires])
    return token if isinstance(token, str) else token.decode()


def check_token(site: Site, row: Any, token: str) -> None:
    """Refuse a token that doesn't open this item now; what is in the trash isn't shown to anybody."""
    known = site.database.row(ONE, (row["id"],))
    try:
        named, expires = _signer(known["secret"]).loads(token) if known is not None else (0, "")
    except BadData:
        named, expires = 0, ""
    if named != row["id"] or row["status"] == "trash":
        raise ApiError(
            "rest_preview_invalid", _("This preview link isn't valid. Ask an editor for a new one."), 403
        )
    if expires <= site.now():
        raise ApiError(
            "rest_preview_expired", _("This preview link has expired. Ask an editor for a new one."), 403
        )


def _make(kind: ContentType, call: Call) -> Answer:
    site = call.site
    row = editable(call, kind, call.path["id"])
    moment = datetime.fromisoformat(site.now()).replace(tzinfo=UTC) + timedelta(
        seconds=call.args["expires_in"]
    )
    expires = moment.strftime(FORM)
    token = make_token(site, row["id"], expires)
    body = {
        "token": token,
        "url": f"{site.collection_urls[kind.name]}/{row['id']}?preview={token}",
        "link": f"{site.url}/?p={row['id']}&preview={token}",
        "expires": expires,
    }
    return Answer(body, 201, allow=(*CREATE, *DELETE))


def _revoke(kind: ContentType, call: Call) -> Answer:
    row = editable(call, kind, call.path["id"])
    with call.site.database.write():
        gone = call.site.database.rows(FORGET, (row["id"],))
    return Answer({"deleted": bool(gone)}, allow=(*CREATE, *DELETE))


def _allowed(kind: ContentType, call: Call) -> tuple[str, ...]:
    editable(call, kind, call.path["id"])
    return (*CREATE, *DELETE)


def preview_routes(kind: ContentType) -> list[Route]:
    """Return the route that makes and revokes links to a type's items."""
    path = {"id": Integer(_("Id of the item."))}
    return [
        Route(
            f"/{kind.base}/<digits:id>/preview-link",
            (
                Endpoint(CREATE, partial(_make, kind), CHECKED_BY_HANDLER, LinkArgs, path),
                Endpoint(DELETE, partial(_revoke, kind), CHECKED_BY_HANDLER, None, path),
            ),
            kind.namespace,
            PreviewSchema,
            f"{kind.name}-preview",
            partial(_allowed, kind),
        )
    ]

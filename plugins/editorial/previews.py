"""Links that show one item to whoever has them, until they expire or are revoked.

A link is signed with a secret of the item, so that revoking an item's links is deleting its secret.
"""

from __future__ import annotations

import hashlib
import secrets
from functools import partial

from itsdangerous import BadData, URLSafeSerializer

from cms import _
from cms.plugin import (
    ALWAYS,
    CHECKED_BY_HANDLER,
    CREATE,
    DELETE,
    Action,
    Answer,
    AnswerShape,
    ApiError,
    ArgumentSchema,
    Boolean,
    Call,
    ContentRow,
    ContentType,
    DateTime,
    Endpoint,
    Integer,
    ItemSchema,
    Route,
    Site,
    String,
    in_seconds,
)

from .items import find_editable
from .store import SecretStore

DAY = 24 * 3600


class PreviewSchema(ItemSchema):
    """The fields of a link."""

    token = String(_("What opens the item, sent as preview when it is read."), ALWAYS, readonly=True)
    url = String(_("Where the item is read with the token."), ALWAYS, readonly=True, format="uri")
    link = String(_("Where a front end is asked to show the preview."), ALWAYS, readonly=True, format="uri")
    expires = DateTime(_("Until when the link works, in GMT."), ALWAYS, readonly=True)


class RevocationSchema(ItemSchema):
    """What revoking an item's links is answered with."""

    deleted = Boolean(_("Whether there was one."), ALWAYS, readonly=True)


#: What refuses a link.
CLOSED = {403: ("rest_preview_invalid", "rest_preview_expired")}
MADE = AnswerShape(status=201)
REVOCATION = AnswerShape(schema=RevocationSchema, title="preview-revocation")


class LinkArgs(ArgumentSchema):
    """The argument of making a link."""

    expires_in = Integer(_("For how many seconds the link works."), default=DAY, minimum=60, maximum=30 * DAY)


def preview_routes(content_type: ContentType) -> list[Route]:
    """Return the route that makes and revokes links to a type's items."""
    path = {"id": Integer(_("Id of the item."))}
    make = Endpoint(CREATE, partial(_make, content_type), CHECKED_BY_HANDLER, LinkArgs, path, answers=MADE)
    revoke = Endpoint(
        DELETE, partial(_revoke, content_type), CHECKED_BY_HANDLER, None, path, answers=REVOCATION
    )
    return [
        Route(
            f"/{content_type.base}/<digits:id>/preview-link",
            (make, revoke),
            content_type.namespace,
            PreviewSchema,
            f"{content_type.name}-preview",
            partial(_allowed, content_type),
        )
    ]


def make_token(site: Site, id: int, expires: str) -> str:
    """Return a token that opens an item until a moment in GMT; the item's secret is made with its first one."""
    with site.database.write():
        secret = SecretStore(site.database).find_or_add(id, secrets.token_hex(32))
    token = _signer(secret).dumps([id, expires])
    return token if isinstance(token, str) else token.decode()


def check_token(site: Site, row: ContentRow, token: str) -> None:
    """Raise ApiError for a token that doesn't open this item now; nobody is shown what is in the trash."""
    id, expires = _read_token(SecretStore(site.database).find(row["id"]), token)
    if id != row["id"] or row["status"] == "trash":
        message = _("This preview link isn't valid. Ask an editor for a new one.")
        raise ApiError("rest_preview_invalid", message, 403)
    if expires <= site.now():
        message = _("This preview link has expired. Ask an editor for a new one.")
        raise ApiError("rest_preview_expired", message, 403)


def _read_token(secret: str | None, token: str) -> tuple[int, str]:
    """Return the id and the moment that a token names, or no item's id where it isn't signed with the secret."""
    if secret is None:
        return 0, ""
    try:
        id, expires = _signer(secret).loads(token)
    except BadData:
        return 0, ""
    return int(id), str(expires)


def _signer(secret: str) -> URLSafeSerializer:
    return URLSafeSerializer(secret, salt="preview", signer_kwargs={"digest_method": hashlib.sha256})


def _make(content_type: ContentType, call: Call) -> Answer:
    site = call.site
    id = find_editable(call, content_type, call.path["id"])["id"]
    expires = in_seconds(site.now(), call.args["expires_in"])
    with site.database.write():
        token = make_token(site, id, expires)
        _tell(call, content_type, "preview.made", id)
    body = {
        "token": token,
        "url": f"{site.operations[content_type.name].serializer.item_url(id)}?preview={token}",
        "link": f"{site.front_url}/?p={id}&preview={token}",
        "expires": expires,
    }
    return Answer(body, 201, allow=(*CREATE, *DELETE))


def _revoke(content_type: ContentType, call: Call) -> Answer:
    row = find_editable(call, content_type, call.path["id"])
    with call.site.database.write():
        is_deleted = SecretStore(call.site.database).delete(row["id"])
        if is_deleted:
            _tell(call, content_type, "preview.revoked", row["id"])
    return Answer({"deleted": is_deleted}, allow=(*CREATE, *DELETE))


def _tell(call: Call, content_type: ContentType, name: str, id: int) -> None:
    call.site.hooks.actions.after_action(Action(name, content_type.name, id, principal=call.principal))


def _allowed(content_type: ContentType, call: Call) -> tuple[str, ...]:
    find_editable(call, content_type, call.path["id"])
    return (*CREATE, *DELETE)

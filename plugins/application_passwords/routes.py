"""The routes of application passwords, and what their answers are made of."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from marshmallow import ValidationError

from cms.plugin import (
    ALL_SCOPES,
    ALWAYS,
    CHECKED_BY_HANDLER,
    CREATE,
    DELETE,
    EDIT,
    EDIT_ONLY,
    GET,
    MAX_NAME_LENGTH,
    SCOPES,
    UPDATE,
    VIEW_EDIT,
    Answer,
    AnswerShape,
    ApiError,
    ArgumentSchema,
    Boolean,
    Call,
    ContextArgs,
    DateTime,
    Endpoint,
    Integer,
    ItemSchema,
    NotAllowed,
    Route,
    SerializationContext,
    String,
    Text,
    _,
    compile_serializer,
    plain_line,
    writable,
)

from .stored import PasswordRow, find_password, list_passwords, make_password

PATH = "/users/<name:user_id>/application-passwords"
WHOSE = {"user_id": String(_("Id of the account, or me for one's own."))}
WHICH = {**WHOSE, "uuid": String(_("Identifier of the application password."))}
TITLE = "application-password"

REFUSED = {
    "list": _("You may not list the application passwords of this account."),
    "create": _("You may not make application passwords for this account."),
    "read": _("You may not see this application password."),
    "edit": _("You may not rename this application password."),
    "delete": _("You may not revoke this application password."),
}
#: Actions that concern all passwords of an account, whose codes end in the plural.
PLURAL = ("list", "create")


class Uuid(String):
    """An identifier in the form of a UUID, or nothing."""

    def _deserialize(self, value: object, attr: str | None, data: object, **kwargs: object) -> Any:
        text = super()._deserialize(value, attr, data, **kwargs)
        try:
            return str(UUID(text)) if text else ""
        except ValueError:
            raise ValidationError([_("This must be a UUID.")]) from None


class Name(String):
    """A name of more than space and markup."""

    def _deserialize(self, value: object, attr: str | None, data: object, **kwargs: object) -> Any:
        name = plain_line(super()._deserialize(value, attr, data, **kwargs))
        if not name or len(name) > MAX_NAME_LENGTH:
            raise ValidationError(
                [_("This must be a name of %(most)s characters at most.", most=MAX_NAME_LENGTH)]
            )
        return name


class PasswordSchema(ItemSchema):
    """The fields of an application password."""

    uuid = String(_("Identifier of the application password."), ALWAYS, readonly=True, format="uuid")
    app_id = Uuid(
        _("UUID by which the application knows itself again; given when the password is made."),
        ALWAYS,
        format="uuid",
        answer=String(Text("")),
    )
    name = Name(_("What the application password is for."), ALWAYS, required=True)
    password = String(
        _("The password itself; only in the answer that made it."),
        EDIT_ONLY,
        readonly=True,
        optional=True,
        read=lambda row, page: row.get("password"),
    )
    created = DateTime(
        _("When the application password was made, in GMT."), VIEW_EDIT, readonly=True, column="created_gmt"
    )
    last_used = DateTime(
        _("When it was last used, in GMT; null where that isn't known."),
        VIEW_EDIT,
        readonly=True,
        nullable=True,
        column="used_gmt",
    )
    last_ip = String(
        _("From which address it was last used; null where that isn't known."),
        VIEW_EDIT,
        readonly=True,
        nullable=True,
        column="used_from",
    )
    scope = String(
        _("What it opens: read changes nothing, all may do what the account may."),
        VIEW_EDIT,
        enum=SCOPES,
        default=ALL_SCOPES,
    )
    expires = DateTime(
        _("When it stops working, in GMT; null for never."), VIEW_EDIT, nullable=True, column="expires_gmt"
    )


class RevocationSchema(ItemSchema):
    """What revoking all of them is answered with."""

    deleted = Boolean(_("Always true."), ALWAYS, readonly=True)
    count = Integer(_("How many have been revoked."), ALWAYS, readonly=True)


CREATION_ARGS = writable(PasswordSchema, creating=True)
ALL_OF_THEM = AnswerShape("list", is_counted=False)
REVOCATION = AnswerShape(schema=RevocationSchema, title="application-password-revocation")


class RenameArgs(ArgumentSchema):
    """The argument of changing an application password: nothing but its name can be changed."""

    name = writable(PasswordSchema, creating=False)._declared_fields["name"]


def _account(call: Call) -> int:
    """Return the id of the account in the address; raises when there is none."""
    sent = call.path["user_id"]
    if sent == "me":
        if not call.principal.id:
            raise NotAllowed(call.principal, "rest_not_logged_in", _("This shows your own account."))
        return call.principal.id
    id = int(sent) if sent.isdecimal() and len(sent) < 19 else 0
    if not call.site.stores.users.exists(id):
        raise ApiError("rest_user_invalid_id", _("There is no account with this id."), 404)
    return id


def _permitted_account(call: Call, action: str, whole: bool = False) -> int:
    """Return the account, whose own passwords these must be unless the principal may edit accounts."""
    account = _account(call)
    if call.principal.id != account and not call.principal.may("edit_users"):
        many = "s" if whole or action in PLURAL else ""
        raise NotAllowed(call.principal, f"rest_cannot_{action}_application_password{many}", REFUSED[action])
    return account


def _serialize(call: Call, account: int, row: PasswordRow, context: str) -> dict[str, Any]:
    page = SerializationContext(
        call.site.context, call.site.renderer, call.principal, context, [row], call.site.now()
    )
    item = compile_serializer(PasswordSchema, context).serialize(row, page)
    if "password" not in row:
        item.pop("password", None)
    address = f"{call.site.core_url}/users/{account}/application-passwords/{row['uuid']}"
    return {**item, "_links": {"self": [{"href": address}]}}


def _list(call: Call) -> Answer:
    account = _permitted_account(call, "list")
    found = list_passwords(call.site, account)
    return Answer(
        [_serialize(call, account, row, call.args["context"]) for row in found],
        allow=(*GET, *CREATE, *DELETE),
    )


def _create(call: Call) -> Answer:
    account = _permitted_account(call, "create")
    item = _serialize(call, account, make_password(call.site, call.principal, account, call.args), EDIT)
    return Answer(item, 201, allow=(*GET, *CREATE, *DELETE), location=item["_links"]["self"][0]["href"])


def _revoke_all(call: Call) -> Answer:
    account = _permitted_account(call, "delete", whole=True)
    with call.site.database.write():
        gone = [
            call.site.tokens.revoke(row["id"], account, call.principal)
            for row in list_passwords(call.site, account)
        ]
    return Answer({"deleted": True, "count": sum(gone)}, allow=None)


def _get(call: Call) -> Answer:
    account = _permitted_account(call, "read")
    row = find_password(call.site, account, call.path["uuid"])
    return Answer(_serialize(call, account, row, call.args["context"]), allow=(*GET, *UPDATE, *DELETE))


def _rename(call: Call) -> Answer:
    account = _permitted_account(call, "edit")
    with call.site.database.write():
        row = find_password(call.site, account, call.path["uuid"])
        if "name" in call.args:
            call.site.tokens.rename(row["id"], account, call.args["name"], call.principal)
        changed = find_password(call.site, account, call.path["uuid"])
    return Answer(_serialize(call, account, changed, EDIT), allow=(*GET, *UPDATE, *DELETE))


def _revoke(call: Call) -> Answer:
    account = _permitted_account(call, "delete")
    with call.site.database.write():
        row = find_password(call.site, account, call.path["uuid"])
        call.site.tokens.revoke(row["id"], account, call.principal)
    previous = {
        name: value for name, value in _serialize(call, account, row, EDIT).items() if name != "_links"
    }
    return Answer({"deleted": True, "previous": previous}, allow=None)


def _introspect(call: Call) -> Answer:
    account = _account(call)
    if account != call.principal.id:
        message = _("Only the application password that signs in the request can be looked into.")
        raise NotAllowed(
            call.principal, "rest_cannot_introspect_app_password_for_non_authenticated_user", message
        )
    row = next((row for row in list_passwords(call.site, account) if row["id"] == call.principal.token), None)
    if row is None:
        message = _("This request isn't signed in by an application password.")
        raise ApiError("rest_no_authenticated_app_password", message, 404)
    return Answer(_serialize(call, account, row, call.args["context"]))


def _allowed(*methods: str) -> Any:
    def allowed(call: Call) -> tuple[str, ...]:
        _permitted_account(call, "read")
        return methods

    return allowed


def password_routes() -> list[Route]:
    """Return the routes of an account's passwords, of the one in use, and of one of them."""
    return [_all_passwords(), _password_in_use(), _one_password()]


def _all_passwords() -> Route:
    return Route(
        PATH,
        (
            Endpoint(GET, _list, CHECKED_BY_HANDLER, ContextArgs, WHOSE, answers=ALL_OF_THEM),
            Endpoint(
                CREATE, _create, CHECKED_BY_HANDLER, CREATION_ARGS, WHOSE, answers=AnswerShape(status=201)
            ),
            Endpoint(DELETE, _revoke_all, CHECKED_BY_HANDLER, None, WHOSE, answers=REVOCATION),
        ),
        allowed=_allowed(*GET, *CREATE, *DELETE),
        schema=PasswordSchema,
        title=TITLE,
    )


def _password_in_use() -> Route:
    return Route(
        f"{PATH}/introspect",
        (Endpoint(GET, _introspect, CHECKED_BY_HANDLER, ContextArgs, WHOSE),),
        allowed=_allowed(*GET),
        schema=PasswordSchema,
        title=TITLE,
    )


def _one_password() -> Route:
    return Route(
        f"{PATH}/<name:uuid>",
        (
            Endpoint(GET, _get, CHECKED_BY_HANDLER, ContextArgs, WHICH),
            Endpoint(UPDATE, _rename, CHECKED_BY_HANDLER, RenameArgs, WHICH),
            Endpoint(DELETE, _revoke, CHECKED_BY_HANDLER, None, WHICH),
        ),
        allowed=_allowed(*GET, *UPDATE, *DELETE),
        schema=PasswordSchema,
        title=TITLE,
    )

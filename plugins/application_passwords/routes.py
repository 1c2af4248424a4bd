"""The routes of application passwords."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cms.plugin import (
    CHECKED_BY_HANDLER,
    CREATE,
    DELETE,
    EDIT,
    GET,
    UPDATE,
    Answer,
    AnswerShape,
    ApiError,
    Call,
    ContextArgs,
    Endpoint,
    NotAllowed,
    Route,
    SerializationContext,
    String,
    _,
    compile_serializer,
)

from .schema import CREATION_ARGS, PasswordSchema, RenameArgs, RevocationSchema
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
LIMIT = {400: ("rest_application_password_limit",)}
#: The codes of looking into a password that doesn't sign in the request.
NOT_IN_USE = {
    401: ("rest_cannot_introspect_app_password_for_non_authenticated_user",),
    403: ("rest_cannot_introspect_app_password_for_non_authenticated_user",),
    404: ("rest_no_authenticated_app_password",),
}
ALL_OF_THEM = AnswerShape("list", is_counted=False)
REVOCATION = AnswerShape(schema=RevocationSchema, title="application-password-revocation")


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


def _codes(
    action: str, plural: str, more: Mapping[int, tuple[str, ...]] | None = None
) -> Mapping[int, tuple[str, ...]]:
    """Return the codes that an action refuses with."""
    return {
        401: (f"rest_cannot_{action}_application_password{plural}",),
        403: (f"rest_cannot_{action}_application_password{plural}",),
        **(more or {}),
    }


def password_routes() -> list[Route]:
    """Return the routes of an account's passwords, of the one in use, and of one of them."""
    return [_all_passwords(), _password_in_use(), _one_password()]


def _all_passwords() -> Route:
    listed, created, revoked = _codes("list", "s"), _codes("create", "s", LIMIT), _codes("delete", "s")
    checked, made = CHECKED_BY_HANDLER, AnswerShape(status=201)
    return Route(
        PATH,
        (
            Endpoint(GET, _list, checked, ContextArgs, WHOSE, answers=ALL_OF_THEM, codes=listed),
            Endpoint(CREATE, _create, checked, CREATION_ARGS, WHOSE, answers=made, codes=created),
            Endpoint(DELETE, _revoke_all, checked, None, WHOSE, answers=REVOCATION, codes=revoked),
        ),
        allowed=_allowed(*GET, *CREATE, *DELETE),
        schema=PasswordSchema,
        title=TITLE,
    )


def _password_in_use() -> Route:
    return Route(
        f"{PATH}/introspect",
        (Endpoint(GET, _introspect, CHECKED_BY_HANDLER, ContextArgs, WHOSE, codes=NOT_IN_USE),),
        allowed=_allowed(*GET),
        schema=PasswordSchema,
        title=TITLE,
    )


def _one_password() -> Route:
    missing = {404: ("rest_application_password_not_found",)}
    read, edit, delete = (_codes(action, "", missing) for action in ("read", "edit", "delete"))
    return Route(
        f"{PATH}/<name:uuid>",
        (
            Endpoint(GET, _get, CHECKED_BY_HANDLER, ContextArgs, WHICH, codes=read),
            Endpoint(UPDATE, _rename, CHECKED_BY_HANDLER, RenameArgs, WHICH, codes=edit),
            Endpoint(DELETE, _revoke, CHECKED_BY_HANDLER, None, WHICH, codes=delete),
        ),
        allowed=_allowed(*GET, *UPDATE, *DELETE),
        schema=PasswordSchema,
        title=TITLE,
    )

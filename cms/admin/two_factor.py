"""The second factor of the account that is signed in on the editing page."""

from __future__ import annotations

import html

from flask import request

from cms.admin.session import Exact, account_in_session, current_session
from cms.call import Call
from cms.db.models import UserRow
from cms.errors import ApiError, InvalidParams
from cms.i18n import _
from cms.schema.endpoint import DELETE, PUBLIC, Answer, Endpoint, Route
from cms.schema.schemas import ArgumentSchema
from cms.schema.texts import String


class PasswordArgs(ArgumentSchema):
    """The password that a change of how an account signs in asks for again."""

    password = Exact(_("Password of the account."), required=True)


class CodeArgs(ArgumentSchema):
    """The first code of an authenticator app."""

    code = String(_("Code of the second factor."), required=True)


def _begin(call: Call) -> Answer:
    site, account = call.site, _account_with_password(call)
    title = html.unescape(site.settings["title"] or "")
    made = site.authentication.factors.begin(account["id"], account["login"], title)
    return Answer({"secret": made.secret, "uri": made.uri, "picture": _scannable(made.uri)}, allow=None)


def _scannable(uri: str) -> str:
    """Return an address as a QR code: a small SVG picture in a `data:` address, dark on light in all colour schemes."""
    # Imported where somebody turns a second factor on: a site's start doesn't wait for it.
    import segno

    return segno.make(uri, error="m", micro=False).svg_data_uri(scale=4, border=4, dark="#000", light="#fff")


def _confirm(call: Call) -> Answer:
    site, account, session = call.site, account_in_session(call), current_session(call)
    codes = site.authentication.factors.confirm(account, call.args["code"], call.principal)
    # The others were begun without it.
    site.authentication.sessions.end_all(account["id"], but=session.id)
    return Answer({"recovery_codes": codes}, allow=None)


def _turn_off(call: Call) -> Answer:
    was_on = call.site.authentication.factors.remove(_account_with_password(call), call.principal)
    return Answer({"deleted": was_on}, allow=None)


def _account_with_password(call: Call) -> UserRow:
    """Return the account in the session; raises ApiError where its password isn't sent with the request."""
    account = account_in_session(call)
    address = request.remote_addr or ""
    try:
        return call.site.authentication.account_of(account["login"], call.args["password"], address)
    except ApiError as error:
        if error.status != 401:
            raise
        # The session goes on: what is wrong is what was typed.
        raise InvalidParams({"password": error.message}) from None


ROUTES = (
    Route(
        "/two-factor",
        (
            Endpoint(("POST",), _begin, PUBLIC, PasswordArgs),
            Endpoint(("PUT",), _confirm, PUBLIC, CodeArgs),
            Endpoint(DELETE, _turn_off, PUBLIC, PasswordArgs),
        ),
        namespace="",
    ),
)

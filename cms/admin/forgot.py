"""Asking for a link to a new password by mail."""

from __future__ import annotations

from flask import request

from cms.admin.session import Exact
from cms.call import Call
from cms.errors import ApiError
from cms.i18n import _
from cms.schema.endpoint import PUBLIC, Answer, Endpoint, Route
from cms.schema.schemas import ArgumentSchema

#: The longest login or e-mail address that is asked about.
LONGEST = 320


class ForgotArgs(ArgumentSchema):
    """Whose password was forgotten."""

    username = Exact(_("Login or e-mail address of the account."), required=True, max_length=LONGEST)


def _forgot(call: Call) -> Answer:
    mails = call.site.password_mails
    if not mails.is_on:
        message = _("This site sends no mail. Ask whoever runs it for a link to a new password.")
        raise ApiError("cms_no_mail", message, 501)
    mails.ask(call.args["username"], request.remote_addr or "")
    return Answer({"accepted": True}, status=202, allow=None)


ROUTES = (Route("/forgot", (Endpoint(("POST",), _forgot, PUBLIC, ForgotArgs),), namespace=""),)

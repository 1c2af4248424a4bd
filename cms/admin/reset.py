"""A new password by a link that the command, or a mail, has."""

from __future__ import annotations

from dataclasses import replace

from flask import request

from cms.admin.session import Exact
from cms.call import Call
from cms.i18n import _
from cms.schema.endpoint import PUBLIC, Answer, Endpoint, Route
from cms.schema.schemas import ArgumentSchema
from cms.schema.texts import String


class ResetArgs(ArgumentSchema):
    """What a link's page sends."""

    token = String(_("Token of the link."), required=True)
    password = Exact(_("Password to set."), required=True)


def _reset(call: Call) -> Answer:
    site, operations = call.site, call.site.operations["user"]
    account = site.authentication.links.account_of(call.args["token"])
    values = operations.update_loader.load({"password": call.args["password"]})
    # The link was made for the password that the account had when it was read; whoever comes second finds another.
    owner = replace(
        site.authentication.principal_of(account), sign_in="link", address=request.remote_addr or ""
    )
    item = operations.update(account["id"], values, owner, frozenset({account["version"]}))
    site.authentication.links.end(call.args["token"])
    site.authentication.sessions.end_all(account["id"])
    return Answer({"id": item.row["id"]}, allow=None)


ROUTES = (Route("/reset", (Endpoint(("POST",), _reset, PUBLIC, ResetArgs),), namespace=""),)

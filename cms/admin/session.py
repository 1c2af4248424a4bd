"""Signing in and out on the editing page, and what the page is told of the account and the site."""

from __future__ import annotations

import html
from typing import Any
from urllib.parse import urlsplit

from flask import Response, after_this_request, request

from cms.access.sessions import digest_of, ended, nonce_of
from cms.api.session_cookie import public_path, sent_secret, set_session
from cms.call import Call
from cms.dates import format_seconds
from cms.db.models import UserRow
from cms.db.session_rows import SessionRow
from cms.errors import ApiError
from cms.hooks import CORE
from cms.i18n import _
from cms.schema.endpoint import DELETE, GET, PUBLIC, Answer, Endpoint, Route
from cms.schema.resource import NAMESPACE
from cms.schema.schemas import ArgumentSchema
from cms.schema.texts import String
from cms.site import Site


class Exact(String):
    """A text that is taken as it was typed."""

    exact = True


class SignInArgs(ArgumentSchema):
    """What people sign in with."""

    username = Exact(_("Login or e-mail address of the account."), required=True)
    password = Exact(_("Password of the account."), required=True)
    code = String(_("Code of the second factor, or a recovery code."), default="")


def account_in_session(call: Call) -> UserRow:
    """Return the account that acts in a session; raises ApiError without one."""
    row = None
    if call.principal.sign_in == "session":
        row = call.site.stores.users.find(call.principal.id)
    if row is None:
        raise ended()
    return row


def current_session(call: Call) -> SessionRow:
    """Return the session that the request acts in; raises ApiError without one."""
    row = call.site.authentication.sessions.find(sent_secret(call.site, request))
    if row is None:
        raise ended()
    return row


def give_secret(site: Site, secret: str) -> None:
    """Have the answer to this request give the browser the secret of a session, or take it away where it is empty."""

    @after_this_request
    def give(response: Response) -> Response:
        set_session(site, request, response, secret)
        return response


def _read(call: Call) -> Answer:
    secret = sent_secret(call.site, request)
    return Answer(_described(call.site, call.site.authentication.account_in(secret), secret), allow=None)


def _sign_in(call: Call) -> Answer:
    site, args, address = call.site, call.args, request.remote_addr or ""
    authentication = site.authentication
    account = authentication.sign_in(args["username"], args["password"], args["code"], address)
    secret = authentication.sessions.begin(account, address, request.headers.get("User-Agent", ""))
    former = authentication.sessions.find(sent_secret(site, request))
    if former is not None:
        authentication.sessions.end(former.id, former.user_id)
    give_secret(site, secret)
    return Answer(_described(site, account, secret), allow=None)


def _sign_out(call: Call) -> Answer:
    account, session = account_in_session(call), current_session(call)
    call.site.authentication.sessions.end(session.id, account["id"])
    give_secret(call.site, "")
    return Answer(_described(call.site, None, ""), allow=None)


def _list(call: Call) -> Answer:
    own, found = digest_of(sent_secret(call.site, request)), []
    for row in call.site.authentication.sessions.of_account(account_in_session(call)):
        shown = {
            "id": row.id,
            "created_gmt": format_seconds(row.created),
            "used_gmt": format_seconds(row.used),
            "address": row.address,
            "agent": row.agent,
            "current": row.digest == own,
        }
        found.append(shown)
    return Answer(found, allow=None)


def _end(call: Call) -> Answer:
    account = account_in_session(call)
    is_current = current_session(call).id == call.path["id"]
    if not call.site.authentication.sessions.end(call.path["id"], account["id"]):
        raise ApiError("cms_no_session", _("There is no session with this id."), 404)
    if is_current:
        give_secret(call.site, "")
    return Answer({"deleted": True}, allow=None)


def _end_all(call: Call) -> Answer:
    call.site.authentication.sessions.end_all(account_in_session(call)["id"])
    give_secret(call.site, "")
    return Answer({"deleted": True}, allow=None)


def _described(site: Site, account: UserRow | None, secret: str) -> dict[str, Any]:
    """Return what the page is told: more of the site where somebody is signed in."""
    languages = []
    for locale in site.content_registry.locales.values():
        languages.append({"code": locale.code, "prefix": locale.prefix, "name": locale.name})
    described = {
        "signed_in": account is not None,
        "title": html.unescape(site.settings["title"] or ""),
        "languages": languages,
        "language": site.settings["language"],
        "sends_mail": site.password_mails.is_on,
    }
    return described if account is None else {**described, **_details(site, account, secret)}


def _details(site: Site, account: UserRow, secret: str) -> dict[str, Any]:
    principal = site.authentication.principal_of(account)
    editors = {}
    for name, editor in site.registry.editors.items():
        editors[name] = f"assets/{editor.place}/{editor.module}"
    root = f"{public_path(site, request)}/api"
    user = {
        "id": account["id"],
        "name": html.unescape(account["name"]),
        "username": account["login"],
        "slug": account["slug"],
        "roles": principal.roles,
        "capabilities": dict.fromkeys(sorted(principal.capabilities), True),
    }
    return {
        "user": user,
        "nonce": nonce_of(secret),
        "two_factor": site.authentication.factors.is_on(account["id"]),
        "language": account["locale"] or site.settings["language"],
        "api": f"{root}/{NAMESPACE}",
        "root": root,
        "zone": site.settings["timezone"],
        "preview": site.config["preview_url"] or None,
        "has_front_end": _has_front_end(site),
        "editors": editors,
        "roles": list(site.content_registry.roles),
        "term_fields": {each.name: each.field for each in site.content_registry.taxonomies.values()},
        "plugins": sorted(site.plugins.loaded.keys() - {CORE}),
    }


def _has_front_end(site: Site) -> bool:
    """Tell whether visitors may be led to items: a site on this machine alone has mostly nothing there but JSON."""
    is_here = urlsplit(site.url).hostname in ("127.0.0.1", "::1", "localhost")
    return bool(site.config["front_url"]) or not is_here


ROUTES = (
    Route(
        "/session",
        (
            Endpoint(GET, _read, PUBLIC),
            Endpoint(("POST",), _sign_in, PUBLIC, SignInArgs),
            Endpoint(DELETE, _sign_out, PUBLIC),
        ),
        namespace="",
    ),
    Route("/sessions", (Endpoint(GET, _list, PUBLIC), Endpoint(DELETE, _end_all, PUBLIC)), namespace=""),
    Route("/sessions/<digits:id>", (Endpoint(DELETE, _end, PUBLIC),), namespace=""),
)

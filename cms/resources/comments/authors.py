"""Who a comment is by: an account, or the name and address that were given."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

from cms.access.capabilities import Principal
from cms.errors import ApiError
from cms.i18n import _
from cms.rendering.plain import clean_line
from cms.resources.users import clean_url

if TYPE_CHECKING:
    from cms.site import Site

#: The longest name (in bytes), e-mail address and address of a site, with the codes of their refusals.
LONGEST = {
    "author_name": (245, "comment_author_column_length"),
    "author_email": (100, "comment_author_email_column_length"),
    "author_url": (200, "comment_author_url_column_length"),
}
ACCOUNT = "SELECT id, name, email, url FROM users WHERE id = ?"


def author_columns(site: Site, args: dict[str, Any], row: Any, principal: Principal) -> dict[str, Any]:
    """Return the columns about the author that a write sets."""
    given = _cleaned(args)
    columns = (
        _new_author(site, args, given, principal)
        if row is None
        else _changed_author(site, args, given, principal)
    )
    _check_lengths(columns)
    if row is None:
        agent = args.get("author_user_agent")
        columns["author_ip"] = args.get("author_ip") or principal.address
        columns["author_user_agent"] = clean_line(principal.agent if agent is None else agent)
    elif principal.may("moderate_comments"):
        columns |= {
            name: clean_line(args[name])
            for name in ("author_ip", "author_user_agent")
            if args.get(name) is not None
        }
    return columns


def _cleaned(args: dict[str, Any]) -> dict[str, str]:
    given = {name: args[name] for name in LONGEST if args.get(name) is not None}
    if "author_name" in given:
        given["author_name"] = clean_line(given["author_name"])
    if "author_url" in given:
        given["author_url"] = html.escape(html.unescape(clean_url(given["author_url"])), quote=False)
    return given


def _new_author(
    site: Site, args: dict[str, Any], given: dict[str, str], principal: Principal
) -> dict[str, Any]:
    named = args.get("author")
    if not named and not any(args.get(name) for name in LONGEST) and principal.id:
        named = principal.id
    if named:
        account = _account(site, named)
        own = {"author_name": account["name"], "author_email": account["email"], "author_url": account["url"]}
        return {"author_id": account["id"], **own, **{name: value for name, value in given.items() if value}}
    if not given.get("author_name") or not given.get("author_email"):
        message = _("Send both a name and an e-mail address for the author.")
        raise ApiError("rest_comment_author_data_required", message)
    return {"author_id": 0, **given}


def _changed_author(
    site: Site, args: dict[str, Any], given: dict[str, str], principal: Principal
) -> dict[str, Any]:
    if args.get("author") is None:
        return dict(given)
    if not principal.may("moderate_comments"):
        raise ApiError("rest_comment_invalid_author", _("You may not give a comment another author."), 403)
    return {"author_id": _account(site, args["author"])["id"] if args["author"] else 0, **given}


def _account(site: Site, id: int) -> Any:
    row = site.database.row(ACCOUNT, (id,))
    if row is None:
        raise ApiError("rest_comment_author_invalid", _("There is no account with the id %(id)s.", id=id))
    return row


def _check_lengths(columns: dict[str, Any]) -> None:
    for name, (most, code) in LONGEST.items():
        if len(str(columns.get(name, "")).encode()) > most:
            raise ApiError(
                code, _("This is too long: %(name)s. It may have %(most)s bytes.", name=name, most=most)
            )

"""Who a comment is by: an account, or the name and address that were sent."""

from __future__ import annotations

import html
from collections.abc import Mapping

from cms.access.capabilities import Principal
from cms.context import SiteContext
from cms.db.models import CommentRow, UserRow
from cms.db.reader import Columns
from cms.errors import ApiError
from cms.i18n import _
from cms.rendering.addresses import clean_web_address
from cms.rendering.plain import clean_line, plain_line
from cms.resources.comments.moderation import CAPABILITY
from cms.schema.resource import Arguments

#: What may be sent of an author.
SENT = ("author_name", "author_email", "author_url")
#: How many characters of the name of a program are kept.
AGENT_LENGTH = 254


def author_columns(
    site: SiteContext, args: Arguments, row: CommentRow | None, principal: Principal
) -> Columns:
    """Return the columns about the author that a write sets; raises ApiError for an author that can't be."""
    sent = _cleaned(site, args)
    if row is None:
        return _new_author(site, args, sent, principal) | _origin(args, principal)
    columns = _changed_author(site, args, sent, principal)
    # Moderators alone may change where a comment that is there came from.
    if principal.may(CAPABILITY):
        if args.get("author_ip") is not None:
            columns["author_ip"] = args["author_ip"]
        if args.get("author_user_agent") is not None:
            columns["author_user_agent"] = clean_agent(args["author_user_agent"])
    return columns


def _cleaned(site: SiteContext, args: Arguments) -> dict[str, str]:
    sent = {name: args[name] for name in SENT if args.get(name) is not None}
    if "author_name" in sent:
        sent["author_name"] = clean_line(sent["author_name"])
    if "author_url" in sent:
        sent["author_url"] = site.own_files.store(escaped_url(sent["author_url"]))
    return sent


def escaped_url(sent: str) -> str:
    """Return the address of an author's site as it is stored: clean, with `&` escaped once."""
    return html.escape(html.unescape(clean_web_address(sent)), quote=False)


def clean_agent(sent: str) -> str:
    """Return the name of a program as it is stored: a line of plain text, cut to length."""
    return plain_line(sent)[:AGENT_LENGTH]


def dropped_addresses(args: Arguments) -> dict[str, list[str]]:
    """Return the address of the author's site where it can't be one."""
    sent = args.get("author_url")
    if not sent or escaped_url(sent):
        return {}
    return {"author_url": [sent]}


def _new_author(site: SiteContext, args: Arguments, sent: Mapping[str, str], principal: Principal) -> Columns:
    named = args.get("author")
    if not named and not any(args.get(name) for name in SENT):
        named = principal.id
    if named:
        account = _find_account(site, named)
        return {
            "author_id": account["id"],
            "author_name": account["name"],
            "author_email": account["email"],
            "author_url": account["url"],
            **{name: value for name, value in sent.items() if value},
        }
    if not sent.get("author_name") or not sent.get("author_email"):
        message = _("Send both a name and an e-mail address for the author.")
        raise ApiError("rest_comment_author_data_required", message)
    return {"author_id": 0, **sent}


def _origin(args: Arguments, principal: Principal) -> dict[str, str]:
    agent = args.get("author_user_agent")
    if agent is None:
        agent = principal.agent
    return {
        "author_ip": args.get("author_ip") or principal.address,
        "author_user_agent": clean_agent(agent),
    }


def _changed_author(
    site: SiteContext, args: Arguments, sent: Mapping[str, str], principal: Principal
) -> Columns:
    if args.get("author") is None:
        return dict(sent)
    if not principal.may(CAPABILITY):
        message = _("You may not give a comment another author.")
        raise ApiError("rest_comment_invalid_author", message, 403)
    author = _find_account(site, args["author"])["id"] if args["author"] else 0
    return {"author_id": author, **sent}


def _find_account(site: SiteContext, id: int) -> UserRow:
    row = site.stores.users.find(id)
    if row is None:
        message = _("There is no account with the id %(id)s.", id=id)
        raise ApiError("rest_comment_author_invalid", message)
    return row

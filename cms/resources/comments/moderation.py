"""What a new comment must pass: that it repeats nothing and floods nobody, and which status it begins with."""

from __future__ import annotations

import re

from cms.access.capabilities import Principal
from cms.access.rate_limit import Limit, Throttle, network
from cms.context import SiteContext
from cms.db.reader import ColumnValues
from cms.errors import ApiError, NotAllowed
from cms.hooks import Hooks
from cms.i18n import _
from cms.operations.results import Row
from cms.resources.comments.statuses import APPROVED, HOLD, status_columns

CAPABILITY = "moderate_comments"
MAX_LINKS = 2


def refuse_repetition(site: SiteContext, values: ColumnValues, principal: Principal) -> None:
    """Raise ApiError for what its author has said already, and for what comes too soon after their last comment."""
    if site.stores.comments.is_repeated(values):
        raise ApiError("comment_duplicate", _("You have said this already."), 409)
    if not principal.may(CAPABILITY):
        _refuse_flood(site, principal)


def _refuse_flood(site: SiteContext, principal: Principal) -> None:
    interval = site.config["comment_interval"]
    if interval <= 0:
        return
    # By an account, or by whoever writes from an address without one.
    sender = f"account {principal.id}" if principal.id else f"address {network(principal.address)}"
    seconds = Throttle(site.runtime, "comments", Limit(1, interval)).take(sender)
    if seconds:
        message = _("You comment too fast. Try again in %(seconds)s seconds.", seconds=seconds)
        raise ApiError("comment_flood", message, 429, retry_after=seconds)


def first_status(
    site: SiteContext,
    hooks: Hooks,
    values: ColumnValues,
    post: Row,
    principal: Principal,
    moderates: bool,
) -> dict[str, str]:
    """Return the columns of the status that a comment begins with: the site's own rule, unless plugins have a verdict.

    Raises NotAllowed where a plugin rejects the comment.
    """
    own = _own_status(site, values, principal, moderates)
    verdict = hooks.comment_check(dict(values), dict(post), principal)
    if verdict is None:
        return {"status": own}
    if verdict == "reject":
        raise NotAllowed(principal, "comment_rejected", _("This comment isn't accepted."))
    return status_columns(APPROVED if verdict == "approve" else verdict, own)


def _own_status(site: SiteContext, values: ColumnValues, principal: Principal, moderates: bool) -> str:
    is_own = principal.id != 0 and values["author_id"] == principal.id
    if is_own and moderates:
        return APPROVED
    links = len(re.findall(r"https?://", values["content"], re.IGNORECASE))
    if links < MAX_LINKS and _is_known(site, values, is_own):
        return APPROVED
    return HOLD


def _is_known(site: SiteContext, values: ColumnValues, is_own: bool) -> bool:
    """Tell whether an earlier comment of the author was approved, where the site asks for no more than that."""
    known = site.config["known_commenters"]
    if is_own:
        return known != "nobody" and site.stores.comments.has_approved(values["author_id"])
    is_visitor = values["author_id"] == 0
    name, email = values["author_name"], values["author_email"]
    return known == "names" and is_visitor and site.stores.comments.has_approved_visitor(name, email)

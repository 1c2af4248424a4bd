"""What a new comment must pass: that it isn't said twice or in a flood, and which state it starts in."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from cms.access.capabilities import Principal
from cms.access.rate_limit import Limit, Throttle, network
from cms.errors import ApiError, NotAllowed
from cms.hooks.markers import VERDICTS
from cms.i18n import _

if TYPE_CHECKING:
    from cms.site import Site

CAPABILITY = "moderate_comments"
MOST_LINKS = 2
STATE_OF_VERDICT = {"approve": "approved"}


def refuse_repetition(site: Site, values: Mapping[str, Any], principal: Principal) -> None:
    """Refuse what its author has said already, and what comes too soon after their last comment."""
    _refuse_duplicate(site, values)
    if not principal.may(CAPABILITY):
        _refuse_flood(site, principal)


def _refuse_duplicate(site: Site, values: Mapping[str, Any]) -> None:
    names = ("post_id", "parent_id", "author_id", "author_name", "author_email", "content")
    where = " AND ".join(f"{name} = ?" for name in names)
    sql = f"SELECT 1 FROM comments WHERE {where} AND status <> 'trash'"  # noqa: S608 (our own names)
    if site.database.row(sql, [values[name] for name in names]) is not None:
        raise ApiError("comment_duplicate", _("You have said this already."), 409)


def _refuse_flood(site: Site, principal: Principal) -> None:
    interval = site.config["comment_interval"]
    if interval <= 0:
        return
    # By an account, or by whoever writes from an address without one.
    sender = f"account {principal.id}" if principal.id else f"address {network(principal.address)}"
    seconds = Throttle(site.runtime, "comments", Limit(1, interval)).take(sender)
    if seconds:
        message = _("You comment too fast. Try again in %(seconds)s seconds.", seconds=seconds)
        raise ApiError("comment_flood", message, 429, retry_after=seconds)


def first_state(
    site: Site, values: Mapping[str, Any], post: Any, principal: Principal, moderates: bool
) -> dict[str, str]:
    """Return the columns of the state that a comment starts in: the site's own rule, unless plugins have a verdict."""
    own = _own_state(site, values, principal, moderates)
    found = site.plugins.hook.comment_check(comment=dict(values), post=dict(post), principal=principal)
    if not found:
        return {"status": own}
    verdict = max(found, key=VERDICTS.index)
    if verdict == "reject":
        raise NotAllowed(principal, "comment_rejected", _("This comment isn't accepted."))
    state = STATE_OF_VERDICT.get(verdict, verdict)
    return {"status": state, "status_before": own if state in ("spam", "trash") else ""}


def _own_state(site: Site, values: Mapping[str, Any], principal: Principal, moderates: bool) -> str:
    if not principal.id or values["author_id"] != principal.id:
        return "hold"
    if moderates:
        return "approved"
    known = site.database.row(
        "SELECT 1 FROM comments WHERE author_id = ? AND status = 'approved'", (principal.id,)
    )
    links = len(re.findall(r"https?://", values["content"], re.IGNORECASE))
    return "approved" if known and links < MOST_LINKS else "hold"

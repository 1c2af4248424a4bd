"""The passwords of protected items: whether one fits, and how many wrong ones may be tried."""

from __future__ import annotations

from hmac import compare_digest

from cms.access.capabilities import Principal
from cms.access.rate_limit import Limit, Throttle, network, require_room
from cms.context import SiteContext
from cms.operations.results import Row


def password_matches(row: Row, password: str | None) -> bool:
    """Tell whether this is the password of a protected item."""
    real = row["password"]
    return bool(real) and compare_digest((password or "").encode(), real.encode())


def try_password(site: SiteContext, row: Row, password: str | None, principal: Principal) -> bool:
    """Tell whether a password that was sent opens a protected item; a wrong one is counted.

    Raises ApiError with status 429 after too many wrong ones for this item from the principal's address.
    """
    if not row["password"] or not password:
        return False
    limit = Limit(site.config["item_password_failures"], site.config["sign_in_window"])
    throttle = Throttle(site.runtime, "item passwords", limit)
    guesser = f"{row['id']}\0{network(principal.address)}"
    fits = password_matches(row, password)
    require_room(throttle.settle(guesser, failed=not fits))
    return fits

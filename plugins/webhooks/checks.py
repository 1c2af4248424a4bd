"""What `cms doctor` says of webhooks: deliveries that nobody hears."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from cms.plugin import WARNING, Check, Deliveries, SiteContext

from .store import PLUGIN


def look_at_deliveries(site: SiteContext) -> Iterator[str]:
    """Find deliveries that have failed, by what comes next."""
    found = Counter(row["status"] for row in Deliveries(site, PLUGIN).failed())
    if found["set_aside"]:
        yield f"{found['set_aside']} delivery(s) have failed as often as they may, and aren't tried again."
    if found["waiting"]:
        yield f"{found['waiting']} delivery(s) have failed and are tried again."


STUCK = Check(
    "stuck",
    WARNING,
    "Other servers haven't heard what happened on the site.",
    "See why: cms webhooks. Once they answer again: cms webhooks retry --all.",
    look_at_deliveries,
)

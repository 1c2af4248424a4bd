"""How long entries are kept: the configuration, and the timed work that removes what is older."""

from __future__ import annotations

from cms.plugin import Config, ConfigError, Site, in_days

from .store import AuditStore

TABLE = "audit"
DAYS, MOST_DAYS = 365, 36_500
#: How many entries are removed in one transaction, so that other writes needn't wait for long.
BATCH = 1_000


def days_of(config: Config) -> int:
    """Return for how many days entries are kept, 0 for ever; raises ConfigError for what is no such number."""
    table = config.of(TABLE)
    unknown = sorted(set(table) - {"days"})
    if unknown:
        raise ConfigError(f"[{TABLE}] sets {', '.join(unknown)}; it takes days alone")
    days = table.get("days", DAYS)
    if isinstance(days, bool) or not isinstance(days, int) or not 0 <= days <= MOST_DAYS:
        raise ConfigError(f"[{TABLE}] sets days to {days!r}; it takes a number from 0 to {MOST_DAYS}")
    return days


def schedule_removal(site: Site, days: int) -> None:
    """Have entries removed every hour that are older than so many days; none where it is 0."""
    if not days:
        return

    def remove() -> None:
        before, store = in_days(site.now(), -days), AuditStore(site.database)
        while not site.worker.is_stopping() and store.remove_older(before, BATCH) == BATCH:
            pass

    site.worker.schedule_every(3_600, "audit: remove old entries", remove)

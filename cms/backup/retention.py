"""Which archives of a site are kept: of each purpose the newest, as many as the setting says."""

from __future__ import annotations

import re
from collections.abc import Collection
from datetime import UTC, datetime

from cms.backup.making import site_prefix
from cms.backup.targets import Target
from cms.context import SiteContext

BEFORE_RESTORE, BEFORE_UPGRADE = "before-restore", "before-upgrade"


def archives_of(site: SiteContext, target: Target, purpose: str = "") -> list[tuple[datetime, str]]:
    """Return a site's archives of one purpose with their moments, the oldest first; the schedule's have no purpose."""
    prefix = "-".join(filter(None, (site_prefix(site), purpose)))
    shape = re.compile(re.escape(prefix) + r"-(\d{8}-\d{6})(?:-(\d+))?\.tar", re.ASCII)
    found = []
    for name in target.names():
        if match := shape.fullmatch(name):
            moment = datetime.strptime(match[1], "%Y%m%d-%H%M%S").replace(tzinfo=UTC)
            found.append((moment, int(match[2] or 1), name))
    return [(moment, name) for moment, _number, name in sorted(found)]


def remove_old(site: SiteContext, target: Target, purpose: str = "", spared: Collection[str] = ()) -> None:
    """Remove the archives of one purpose beyond `backup_keep`, never the newest, nor those whose names are spared."""
    for _moment, name in archives_of(site, target, purpose)[: -site.config["backup_keep"]]:
        if name not in spared:
            target.remove(name)

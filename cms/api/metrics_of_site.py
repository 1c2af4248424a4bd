"""Numbers for Prometheus that any process can find out: sizes, what waits, when things were last done."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from cms.background.worker import HEARTBEAT
from cms.site import Site

log = logging.getLogger("cms")


class SiteCollector(Collector):
    """Looks at a site each time it is asked; what can't be found out is left out."""

    def __init__(self, site: Site) -> None:
        self._site = site

    def collect(self) -> Iterator[Metric]:
        """Yield the numbers."""
        for look in (self._sizes, self._waiting, self._work, self._backups):
            try:
                yield from look()
            except Exception as error:  # the others are worth having all the same
                log.warning("a number for /metrics can't be found out: %s", error)

    def _sizes(self) -> Iterator[Metric]:
        database = self._site.config.database
        if self._site.config.server:
            return  # it has numbers of its own
        for name, path in (("database", database), ("wal", Path(f"{database}-wal"))):
            size = path.stat().st_size if path.exists() else 0
            yield GaugeMetricFamily(f"cms_{name}_bytes", f"Size of the file {path.name}.", size)

    def _waiting(self) -> Iterator[Metric]:
        gauge = GaugeMetricFamily("cms_outbox", "Deliveries of events that wait.", labels=["status"])
        for status, number in self._site.outbox.lengths().items():
            gauge.add_metric([status], number)
        yield gauge

    def _work(self) -> Iterator[Metric]:
        runs = self._site.context.runtime.job_runs()
        gauge = GaugeMetricFamily("cms_job_last_run_seconds", "When a job was last run.", labels=["job"])
        for name, moment in runs.items():
            if name != HEARTBEAT:
                gauge.add_metric([name], moment)
        yield gauge
        yield GaugeMetricFamily(
            "cms_work_last_seconds", "When the timed work was last looked after.", runs.get(HEARTBEAT, 0)
        )

    def _backups(self) -> Iterator[Metric]:
        made = self._site.backups.last_made()
        if made is not None:
            yield GaugeMetricFamily(
                "cms_backup_last_seconds", "When the last scheduled backup was made.", made.timestamp()
            )

"""Backups by the clock: one for all processes, the newest kept, failures told."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from sites import Client

from cms.backup.schedule import BackupSchedule
from cms.cli import main
from cms.testing import recorder


@pytest.fixture
def heard() -> Any:
    """The events that were delivered, by name with their data."""
    events: list[tuple[str, dict[str, Any]]] = []
    stop = recorder.listen(lambda event: events.append((event.name, dict(event.data))))
    yield events
    stop()


class Clock:
    """A site's clock that a test sets."""

    def __init__(self) -> None:
        self.time = "2026-11-28T03:00:00"

    def now(self) -> str:
        return self.time


@pytest.fixture
def scheduled(make_client: Callable[..., Client], tmp_path: Path) -> Callable[..., tuple[Client, BackupSchedule, Clock]]:
    """Make a site with scheduled backups into a folder, and a clock for it."""

    def make(target: Path | None = None, **config: Any) -> tuple[Client, BackupSchedule, Clock]:
        client = make_client(backup_target=str(target or tmp_path / "archives"), plugins=["cms.testing.recorder"], **config)
        clock = Clock()
        object.__setattr__(client.site.context, "clock", clock)
        return client, BackupSchedule(client.site.context, client.site.outbox, lambda: False), clock

    return make


def run(schedule: BackupSchedule, clock: Clock, moment: str) -> None:
    clock.time = moment
    schedule.run_due()
    schedule.wait()


def test_a_backup_is_made_when_it_is_due_and_the_newest_are_kept(scheduled: Any, tmp_path: Path, heard: Any) -> None:
    client, schedule, clock = scheduled(backup_hours=24, backup_keep=2)
    folder = tmp_path / "archives"
    folder.mkdir()
    others = ["cms.example-before-restore-20200101-000000.tar", "other.example-20200101-000000.tar", "mine.tar"]
    for name in others:
        (folder / name).write_text("not ours to remove")

    for day in ("26", "27", "28"):
        for hour in ("03:00:00", "03:01:00", "23:00:00"):
            run(schedule, clock, f"2026-11-{day}T{hour}")

    made = ["cms.example-20261127-030000.tar", "cms.example-20261128-030000.tar"]
    assert sorted(path.name for path in folder.iterdir()) == sorted([*others, *made])
    client.site.outbox.deliver()
    assert [name for name, _data in heard] == ["backup.made"] * 3


def test_the_newest_of_one_second_is_never_the_one_that_is_removed(scheduled: Any, tmp_path: Path) -> None:
    _client, schedule, _clock = scheduled(backup_keep=1)
    left = []
    for _again in range(3):
        schedule.run()
        left.append([path.name for path in (tmp_path / "archives").iterdir()])

    assert left == [[f"cms.example-20261128-030000{number}.tar"] for number in ("", "-2", "-3")]


def test_without_a_target_or_an_interval_none_is_made(scheduled: Any, make_client: Any, tmp_path: Path) -> None:
    _client, schedule, clock = scheduled(backup_hours=0)
    run(schedule, clock, "2026-11-28T03:00:00")
    other = make_client()
    BackupSchedule(other.site.context, other.site.outbox, lambda: False).run_due()

    assert not (tmp_path / "archives").exists()
    assert not (other.site.config.instance / "backups").exists()


def test_a_failure_is_logged_and_told_and_tried_again_after_an_hour(
    scheduled: Any, tmp_path: Path, heard: Any, caplog: pytest.LogCaptureFixture
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way of the folder")
    client, schedule, clock = scheduled(target=blocked)
    with caplog.at_level(logging.ERROR, "cms"):
        for moment in ("03:00:00", "03:30:00", "04:00:00"):
            run(schedule, clock, f"2026-11-28T{moment}")
    client.site.outbox.deliver()

    assert [name for name, _data in heard] == ["backup.failed"] * 2
    assert str(blocked) in heard[0][1]["reason"]
    assert len([record for record in caplog.records if "the scheduled backup failed" in record.message]) == 2

    blocked.unlink()
    run(schedule, clock, "2026-11-28T05:00:00")
    client.site.outbox.deliver()
    assert heard[-1][0] == "backup.made"
    assert json.dumps(heard[-1][1]["missing"]) == "[]"


def test_the_timed_work_of_a_site_makes_it(make_client: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    client = make_client()
    monkeypatch.setenv("CMS_BACKUP_TARGET", str(tmp_path / "archives"))
    monkeypatch.delenv("CMS_PLUGINS", raising=False)

    for _minute in range(2):
        done = CliRunner().invoke(main, ["--instance", str(client.site.config.instance), "work", "--once"])
        assert done.exit_code == 0, done.output

    assert len(list((tmp_path / "archives").iterdir())) == 1

"""Local dates of an export: shown as they were where the site has no time zone yet, told where it has."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from transfer.test_import_rules import item, stored

from cms.dates import to_local
from cms.site import Site
from cms.transfer.importing.importer import Report

Bring = Callable[[str], Report]
TWO_YEARS = [datetime(2019, 1, 15, 12) + timedelta(days=30 * number) for number in range(24)]


def dated(number: int, gmt: datetime, local: datetime) -> str:
    return item(number, post_date=f"{local}", post_date_gmt=f"{gmt}")


def in_zone(name: str, dates: list[datetime]) -> str:
    zone = ZoneInfo(name)
    pairs = [(gmt, gmt.replace(tzinfo=UTC).astimezone(zone).replace(tzinfo=None)) for gmt in dates]
    return "".join(dated(number, *pair) for number, pair in enumerate(pairs, 1))


def off_by(hours: float) -> str:
    return "".join(dated(number, gmt, gmt + timedelta(hours=hours)) for number, gmt in enumerate(TWO_YEARS, 1))


@pytest.mark.parametrize(("body", "taken"), [
    (off_by(9), "UTC+9"), (off_by(-3), "UTC-3"), (off_by(5.5), "UTC+5:30"), (off_by(0), None), (item(1), None),
    (in_zone("Asia/Tokyo", TWO_YEARS), "UTC+9"), (in_zone("Europe/Berlin", TWO_YEARS), "Europe/Berlin"),
    (in_zone("America/New_York", TWO_YEARS), "America/New_York"), (in_zone("Europe/Paris", TWO_YEARS), "Europe/Berlin"),
    (in_zone("Australia/Lord_Howe", TWO_YEARS), "Australia/LHI"), (in_zone("Europe/Berlin", TWO_YEARS[5:8]), "UTC+2"),
])
def test_a_site_without_a_zone_takes_that_of_the_file(site: Site, bring: Bring, body: str, taken: str | None) -> None:
    report = bring(body)

    assert report.settings.get("timezone") == taken
    assert [notice.text for notice in report.notices if "local dates" in notice.text] == []


def test_both_dates_are_as_they_were(site: Site, bring: Bring) -> None:
    bring(in_zone("America/New_York", TWO_YEARS))
    for number, gmt in enumerate(TWO_YEARS, 1):
        date = stored(site, number)["date_gmt"]
        assert date == gmt.isoformat()
        local = gmt.replace(tzinfo=UTC).astimezone(ZoneInfo("America/New_York")).replace(tzinfo=None)
        assert to_local(date, site.settings.zone) == local.isoformat()


def test_drafts_with_local_dates_alone_are_of_that_zone(site: Site, bring: Bring) -> None:
    bring(off_by(9) + item(99, status="draft", post_date="2020-05-01 19:00:00", post_date_gmt="0000-00-00 00:00:00"))
    assert stored(site, 99)["date_gmt"] == "2020-05-01T10:00:00"


def test_a_site_with_a_zone_keeps_it_and_is_told_the_offset(site: Site, bring: Bring) -> None:
    site.settings.write({"timezone": "Asia/Jakarta"})
    report = bring(off_by(9))
    assert report.settings.get("timezone") is None
    (notice,) = [notice for notice in report.notices if "local dates" in notice.text]
    assert "24 items" in notice.text
    assert "Asia/Jakarta" in notice.text
    assert "UTC+9 (24 items)" in notice.text
    assert (notice.line, notice.item) == (6, 1)


@pytest.mark.parametrize("local", ["2019-01-15 21:07:03", "2019-01-15 02:00:00"])
def test_single_dates_that_do_not_fit_are_told(bring: Bring, local: str) -> None:
    report = bring(off_by(9) + dated(99, datetime(2019, 1, 15, 12), datetime.fromisoformat(local)))
    assert report.settings["timezone"] == "UTC+9"
    assert [notice.item for notice in report.notices if "1 items have local dates" in notice.text] == [99]


def test_dates_of_no_one_zone_are_told(bring: Bring) -> None:
    body = "".join(dated(number, gmt, gmt + timedelta(hours=number % 4)) for number, gmt in enumerate(TWO_YEARS, 1))
    report = bring(body)
    assert "timezone" not in report.settings
    assert len([notice for notice in report.notices if "local dates" in notice.text]) == 1

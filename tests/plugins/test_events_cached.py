"""The calendar of visitors is an answer that is cached: made once for each choice of venues, until the data changes."""

from __future__ import annotations

from collections.abc import Callable

from sites import Client


def test_a_choice_of_venues_is_made_once_until_something_is_written(bundled: Callable[..., Client]) -> None:
    client = bundled("events")
    venue = client.new("/event-venues", "administrator", name="Harbour")["id"]
    fields = {"status": "publish", "start": "2099-01-01T10:00:00", "event_venues": [venue]}
    client.new("/events", "administrator", title="First", **fields)
    path = f"/events/calendar?event_venues={venue}"

    answers = [client.get(path) for _time in range(3)]
    hits = client.site.answers.hits
    client.new("/events", "administrator", title="Second", **fields)
    later = client.get(path).text

    assert [answer.text.count("BEGIN:VEVENT") for answer in answers] == [1, 1, 1]
    assert hits == 2
    assert client.get(path, headers={"If-None-Match": client.get(path).headers["ETag"]}).status_code == 304
    assert "SUMMARY:First" in later
    assert "SUMMARY:Second" in later
    assert client.get(path, "administrator").text == later

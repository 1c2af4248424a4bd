"""Dates in the site's zone: read, written back, read again, they are the same."""

from __future__ import annotations

import pytest
from sites import Client

ZONES = ["UTC", "Asia/Kolkata", "Asia/Kathmandu", "Australia/Lord_Howe", "Europe/Berlin", "America/New_York",
         "America/Sao_Paulo", "Pacific/Auckland", "Pacific/Kiritimati", "America/St_Johns", "UTC+5:30", "UTC-3"]
#: Summer and winter, and the hours around the changes of the clock in both hemispheres, the doubled one included.
MOMENTS = ["2021-01-15T12:00:00", "2021-07-15T12:00:00",
           "2021-03-28T00:30:00", "2021-03-28T01:30:00", "2021-10-31T00:30:00", "2021-10-31T01:30:00",
           "2021-03-14T06:30:00", "2021-03-14T07:30:00", "2021-11-07T05:30:00", "2021-11-07T06:30:00",
           "2021-04-03T13:30:00", "2021-04-03T14:30:00", "2021-09-25T13:30:00", "2021-04-03T14:45:00",
           "2021-04-03T15:15:00", "2021-10-02T15:30:00"]


#: Comments have their dates from the same place: a zone of the north, one of the south, one without a name.
@pytest.mark.parametrize(("kind", "zone"), [
    *(("posts", zone) for zone in ZONES),
    *(("comments", zone) for zone in ("Europe/Berlin", "Pacific/Auckland", "UTC+5:30"))])
def test_writing_back_what_was_read_changes_nothing(client: Client, kind: str, zone: str) -> None:
    client.post("/settings", {"timezone": zone}, as_="administrator")
    post = client.new("/posts", title="Post", status="publish")["id"]
    for moment in MOMENTS:
        fields = {"posts": {"title": moment, "status": "publish"}, "comments": {"content": moment, "post": post}}[kind]
        item = client.new(f"/{kind}", **fields, date_gmt=moment)
        assert item["date_gmt"] == moment
        read = {name: item[name] for name in ("date", "date_gmt")}

        for sent in ({"date": read["date"]}, {"date_gmt": read["date_gmt"]}, read):
            changed = client.post(f"/{kind}/{item['id']}", sent).json
            assert {name: changed[name] for name in read} == read, (moment, sent)

        client.send("DELETE", f"/{kind}/{item['id']}?force=true", "editor")
        copied = client.new(f"/{kind}", **fields, **read)
        assert {name: copied[name] for name in read} == read, moment


def test_a_local_time_that_the_clock_skips_is_still_a_moment(client: Client) -> None:
    client.post("/settings", {"timezone": "Europe/Berlin"}, as_="administrator")

    post = client.new("/posts", title="In the gap", status="publish", date="2021-03-28T02:30:00")

    assert (post["date"], post["date_gmt"]) == ("2021-03-28T03:30:00", "2021-03-28T01:30:00")

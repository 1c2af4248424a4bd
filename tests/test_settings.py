"""The settings of a site: which values they take, and what a refusal says."""

from __future__ import annotations

from typing import Any

import pytest
from sites import URL, Client


@pytest.mark.parametrize(("zone", "offset"), [
    ("", "0"), ("UTC", "0"), ("UTC+5:30", "5.5"), ("UTC-3", "-3"), ("UTC-09:30", "-9.5"), ("UTC+14", "14"),
    ("Asia/Kolkata", "5.5"), ("Asia/Jakarta", "7"),
])
def test_a_zone_is_a_name_or_an_offset(client: Client, zone: str, offset: str) -> None:
    assert client.post("/settings", {"timezone": zone}, "administrator").json["timezone"] == zone

    document = client.get("//api/").json
    assert (document["timezone_string"], document["gmt_offset"]) == (zone, offset)


@pytest.mark.parametrize("zone", [
    "Mars/Phobos", "asia/jakarta ", "../x", "UTC+", "UTC5", "UTCx5", "UTC+ 5", "UTC+1_0", "UTC+٥", "UTC+15", "UTC+99",
    "UTC+5:60", "UTC+5:-30", "UTC+5:3", "utc+5", "UTC+5\n",
])
def test_another_zone_is_refused(client: Client, zone: str) -> None:
    answer = client.post("/settings", {"timezone": zone}, "administrator")

    assert (answer.status_code, answer.json["code"]) == (400, "rest_invalid_param")
    assert client.get("//api/").json["timezone_string"] == "UTC"


@pytest.mark.parametrize(("sent", "possible"), [
    ({"language": "xx_XX"}, "en_US, id_ID"),
    ({"timezone": "Mars/Phobos"}, "Asia/Jakarta"),
    ({"start_of_week": 9}, "from 0 to 6"),
    ({"start_of_week": -1}, "from 0 to 6"),
    ({"default_category": 9999}, "list of categories"),
    ({"default_post_format": "bogus"}, "standard, aside, chat"),
    ({"default_ping_status": "ajar"}, "open, closed"),
    ({"url": "bogus"}, URL),
])
def test_a_refusal_says_which_values_are_possible(client: Client, sent: dict[str, Any], possible: str) -> None:
    before = client.get("/settings", "administrator").json
    answer = client.post("/settings", {"title": "Not stored", **sent}, "administrator")

    assert answer.status_code == 400
    assert list(answer.json["data"]["params"]) == list(sent)
    assert possible in answer.json["data"]["params"][next(iter(sent))]
    assert client.get("/settings", "administrator").json == before


def test_the_address_may_be_sent_as_it_is(client: Client) -> None:
    for url in (URL, f"{URL}/"):
        assert client.post("/settings", {"url": url}, "administrator").json["url"] == URL


def test_null_takes_a_language_its_own_title_away(client: Client) -> None:
    client.post("/settings", {"title": "Rivers"}, "administrator")
    client.send("POST", "//id/api/cms/v2/settings", "administrator", json={"title": "Sungai"})
    assert client.get("//id/api/").json["name"] == "Sungai"

    told = client.send("POST", "//id/api/cms/v2/settings", "administrator", json={"title": None}).json

    assert told["title"] == "Rivers"
    assert [client.get(f"//{prefix}api/").json["name"] for prefix in ("", "id/", "en/")] == ["Rivers"] * 3


def test_reading_the_settings_takes_no_arguments(client: Client) -> None:
    read, write = client.get("//api/").json["routes"]["/cms/v2/settings"]["endpoints"]

    assert (read["methods"], read["args"]) == (["GET"], [])
    assert write["methods"] == ["POST", "PUT", "PATCH"]
    assert not [name for name, told in write["args"].items() if told["required"] or "default" in told]

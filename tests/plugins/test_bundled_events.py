"""Events: a whole type of content from a plugin, with its times, venues, list of upcoming ones and calendar."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from icalendar import Calendar

from cms.testing import URL, Client

INDONESIAN = {
    "start": "Kapan acara dimulai, dalam zona waktu situs.",
    "place": "Tempat acara, dengan kata-kata.",
    "events_upcoming_days": "Berapa hari ke depan yang dicakup daftar acara mendatang.",
}


@pytest.fixture
def cms_config() -> dict[str, Any]:
    return {"plugins": ["events"]}


def in_hours(hours: float) -> str:
    """Return a moment as it is sent, in GMT."""
    return (datetime.now(UTC) + timedelta(hours=hours)).strftime("%Y-%m-%dT%H:%M:%SZ")


def event(client: Client, title: str = "Fair", **fields: Any) -> dict[str, Any]:
    return client.new("/events", title=title, **{"status": "publish", **fields})


def titles(answer: Any) -> list[str]:
    assert answer.status_code == 200, answer.text
    return [item["title"]["rendered"] for item in answer.json]


def test_an_event_keeps_what_was_written(cms_client: Client) -> None:
    made = event(cms_client, start="2024-05-01T18:00:00", end="2024-05-01T20:30:00", place="Room 2", capacity=40,
                 content="All about it.", excerpt="Short.")

    wanted = {"start": "2024-05-01T18:00:00", "start_gmt": "2024-05-01T18:00:00", "end": "2024-05-01T20:30:00",
              "end_gmt": "2024-05-01T20:30:00", "place": "Room 2", "capacity": 40, "type": "event"}
    path = f"/events/{made['id']}"
    for shown in (made, cms_client.get(path).json, cms_client.get("/events").json[0]):
        assert {name: shown[name] for name in wanted} == wanted
    cms_client.post(path, {"end": None, "capacity": None})
    shown = cms_client.get(path).json
    assert (shown["start"], shown["end"], shown["end_gmt"], shown["capacity"]) == ("2024-05-01T18:00:00", None, None, None)
    assert cms_client.get("/posts").json == []


def test_an_event_without_times_has_none(cms_client: Client) -> None:
    made = event(cms_client)

    assert [made[name] for name in ("start", "start_gmt", "end", "end_gmt", "place", "capacity")] == [
        None, None, None, None, "", None]
    assert titles(cms_client.get("/events")) == ["Fair"]
    assert titles(cms_client.get("/events?starts_after=1970-01-01T00:00:00")) == []


def test_times_are_of_the_site_s_zone(cms_client: Client) -> None:
    cms_client.post("/settings", {"timezone": "Asia/Jakarta"}, "administrator")
    local = event(cms_client, start="2024-05-01T18:00:00")
    offset = event(cms_client, start="2024-05-01T18:00:00+02:00")

    assert (local["start"], local["start_gmt"]) == ("2024-05-01T18:00:00", "2024-05-01T11:00:00")
    assert (offset["start"], offset["start_gmt"]) == ("2024-05-01T23:00:00", "2024-05-01T16:00:00")


def test_an_instant_in_the_doubled_hour_stays_when_it_is_written_back(cms_client: Client) -> None:
    cms_client.post("/settings", {"timezone": "Europe/Berlin"}, "administrator")
    made = event(cms_client, start="2024-10-27T01:30:00Z")

    assert made["start"] == "2024-10-27T02:30:00"
    assert cms_client.post(f"/events/{made['id']}", {"start": made["start"]}).json["start_gmt"] == "2024-10-27T01:30:00"


@pytest.mark.parametrize(("fields", "wrong"), [
    ({"start": "soon"}, "start"), ({"end": "2024-02-30T10:00:00"}, "end"), ({"capacity": -1}, "capacity"),
    ({"capacity": "many"}, "capacity"), ({"place": ["here"]}, "place"), ({"event_venues": ["x"]}, "event_venues"),
])
def test_values_are_checked(cms_client: Client, fields: dict[str, Any], wrong: str) -> None:
    answer = cms_client.post("/events", {"title": "Fair", **fields})

    assert (answer.status_code, answer.json["code"]) == (400, "rest_invalid_param")
    assert list(answer.json["data"]["params"]) == [wrong]
    assert cms_client.get("/events?status=any", "editor").json == []


@pytest.mark.parametrize(("before", "sent", "fault"), [
    ({}, {"start": "2024-05-01T18:00:00", "end": "2024-05-01T17:59:59"}, "An event can't end before it starts."),
    ({}, {"end": "2024-05-01T18:00:00"}, "An event that ends must start. Send start too."),
    ({"start": "2024-05-01T18:00:00", "end": "2024-05-01T19:00:00"}, {"start": "2024-05-01T20:00:00"},
     "An event can't end before it starts."),
    ({"start": "2024-05-01T18:00:00", "end": "2024-05-01T19:00:00"}, {"start": None},
     "An event that ends must start. Send start too."),
    ({"start": "2024-05-01T18:00:00", "end": "2024-05-01T19:00:00"},
     {"start": "2024-05-02T18:00:00", "end": "2024-05-02T19:00:00"}, ""),
    ({"start": "2024-05-01T18:00:00"}, {"end": "2024-05-01T18:00:00"}, ""),
    ({"start": "2024-05-01T18:00:00", "end": "2024-05-01T19:00:00"}, {"start": None, "end": None}, ""),
])
def test_times_must_fit_each_other(cms_client: Client, before: dict[str, Any], sent: dict[str, Any], fault: str) -> None:
    made = event(cms_client, **before)
    answer = cms_client.post(f"/events/{made['id']}", {"title": "Changed", **sent})
    new = cms_client.post("/events", {"title": "New", **{**before, **sent}})

    assert answer.status_code == (400 if fault else 200)
    assert new.status_code == (400 if fault else 201)
    assert not fault or answer.json["data"]["params"] == new.json["data"]["params"] == {"end": fault}
    shown = cms_client.get(f"/events/{made['id']}").json
    assert shown["title"]["rendered"] == ("Fair" if fault else "Changed")
    wanted = before if fault else {**before, **sent}
    assert {name: shown[name] for name in ("start", "end")} == {"start": None, "end": None, **wanted}


@pytest.mark.parametrize(("query", "wanted"), [
    ("starts_after=2024-05-02T00:00:00", ["Late", "Middle"]),
    ("starts_after=2024-05-02T10:00:00", ["Late"]),
    ("starts_before=2024-05-02T10:00:00", ["Early"]),
    ("starts_after=2024-05-01T11:00:00&starts_before=2024-05-03T00:00:00", ["Middle"]),
    ("ends_after=2024-05-04T00:00:00", ["Early"]),
    ("place=Hall", ["Late", "Early"]),
    ("place=hall", []),
])
def test_lists_are_narrowed_with_right_totals(cms_client: Client, query: str, wanted: list[str]) -> None:
    event(cms_client, "Early", start="2024-05-01T10:00:00", end="2024-05-05T10:00:00", place="Hall")
    event(cms_client, "Middle", start="2024-05-02T10:00:00")
    event(cms_client, "Late", start="2024-05-03T10:00:00", place="Hall")
    event(cms_client, "Timeless")

    answer = cms_client.get(f"/events?{query}&orderby=start&per_page=1")
    whole = cms_client.get(f"/events?{query}&orderby=start")
    assert titles(whole) == wanted
    assert answer.headers["X-WP-Total"] == whole.headers["X-WP-Total"] == str(len(wanted))


def test_lists_are_ordered_by_start_and_capacity(cms_client: Client) -> None:
    for title, start, end, capacity in (("B", "2024-05-02T10:00:00", "2024-05-02T11:00:00", 5),
                                        ("C", "2024-05-03T10:00:00", "2024-05-03T11:00:00", 1),
                                        ("A", "2024-05-01T10:00:00", "2024-05-09T11:00:00", 9)):
        event(cms_client, title, start=start, end=end, capacity=capacity)

    assert titles(cms_client.get("/events?orderby=start&order=asc")) == ["A", "B", "C"]
    assert titles(cms_client.get("/events?orderby=start&order=asc&per_page=1&page=2")) == ["B"]
    assert titles(cms_client.get("/events?orderby=end")) == ["A", "C", "B"]
    assert titles(cms_client.get("/events?orderby=capacity&order=asc")) == ["C", "B", "A"]
    assert cms_client.get("/posts?orderby=start").status_code == 400


@pytest.mark.parametrize("path", ["/events", "/events/upcoming"])
def test_statements_do_not_grow_with_the_list(cms_client: Client, path: str) -> None:
    venue = cms_client.new("/event-venues", name="Hall")["id"]
    for number in range(5):
        event(cms_client, f"Event {number}", start=in_hours(number + 1), event_venues=[venue])
    cms_client.get(path)

    few, many = (len(cms_client.statements(lambda most=most: cms_client.get(f"{path}?per_page={most}&_embed")))
                 for most in (1, 5))
    assert few == many


def test_venues_group_events(cms_client: Client) -> None:
    venue = cms_client.new("/event-venues", name="Town hall", description="By the river")
    made = event(cms_client, event_venues=[venue["id"]])
    event(cms_client, "Elsewhere")

    assert venue["taxonomy"] == "event_venue"
    assert made["event_venues"] == [venue["id"]]
    assert titles(cms_client.get(f"/events?event_venues={venue['id']}")) == ["Fair"]
    assert titles(cms_client.get(f"/events?event_venues_exclude={venue['id']}")) == ["Elsewhere"]
    assert cms_client.get(f"/event-venues/{venue['id']}").json["count"] == 1
    embedded = cms_client.get(f"/events/{made['id']}?_embed").json["_embedded"]["wp:term"]
    assert [[term["name"] for term in terms] for terms in embedded] == [["Town hall"]]
    assert "event_venues" not in cms_client.new("/posts", title="Post")


@pytest.mark.parametrize(("role", "status"), [
    ("administrator", 201), ("editor", 201), ("author", 403), ("contributor", 403), (None, 401)])
def test_venues_take_a_right_of_their_own(cms_client: Client, role: str | None, status: int) -> None:
    assert cms_client.post("/event-venues", {"name": "Hall"}, role).status_code == status


@pytest.mark.parametrize(("role", "status"), [("author", 201), ("contributor", 403), ("subscriber", 403), (None, 401)])
def test_events_are_published_by_those_who_publish_posts(cms_client: Client, role: str | None, status: int) -> None:
    assert cms_client.post("/events", {"title": "Fair", "status": "publish"}, role).status_code == status


def test_upcoming_events_come_in_their_order(cms_client: Client) -> None:
    event(cms_client, "Over", start=in_hours(-5), end=in_hours(-1))
    event(cms_client, "Running", start=in_hours(-1), end=in_hours(1))
    event(cms_client, "Tomorrow", start=in_hours(24))
    event(cms_client, "In an hour", start=in_hours(1))
    event(cms_client, "Far", start=in_hours(24 * 40))
    event(cms_client, "Timeless")
    event(cms_client, "Draft", start=in_hours(2), status="draft")

    whole = cms_client.get("/events/upcoming")
    assert titles(whole) == ["Running", "In an hour", "Tomorrow"]
    assert (whole.headers["X-WP-Total"], whole.headers["X-WP-TotalPages"]) == ("3", "1")
    part = cms_client.get("/events/upcoming?per_page=2&page=2&_fields=title")
    assert part.json == [{"title": {"rendered": "Tomorrow"}}]
    assert f'<{URL}/api/cms/v2/events/upcoming?per_page=2&_fields=title&page=1>; rel="prev"' in part.headers["Link"]
    assert titles(cms_client.get("/events/upcoming?days=1")) == ["Running", "In an hour"]
    assert titles(cms_client.get("/events/upcoming?days=60"))[-1] == "Far"
    assert cms_client.get("/events/upcoming?days=0").json["data"]["params"].keys() == {"days"}
    assert cms_client.get("/events/upcoming?context=edit").status_code == 401
    assert "raw" in cms_client.get("/events/upcoming?context=edit", "editor").json[0]["title"]


def test_upcoming_events_reach_as_far_as_the_setting_says(cms_client: Client) -> None:
    event(cms_client, "Far", start=in_hours(24 * 40))
    hall = cms_client.new("/event-venues", name="Hall")["id"]
    event(cms_client, "Near", start=in_hours(24), event_venues=[hall])

    assert titles(cms_client.get("/events/upcoming")) == ["Near"]
    changed = cms_client.post("/settings", {"events_upcoming_days": 60}, "administrator").json
    assert changed["events_upcoming_days"] == 60
    assert titles(cms_client.get("/events/upcoming")) == ["Near", "Far"]
    assert titles(cms_client.get(f"/events/upcoming?event_venues={hall}")) == ["Near"]
    assert cms_client.post("/settings", {"events_upcoming_days": 0}, "administrator").status_code == 400
    assert cms_client.post("/settings", {"events_upcoming_days": 7}, "editor").status_code == 403


def entries(client: Client, query: str = "") -> list[Any]:
    answer = client.get(f"/events/calendar{query}")
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "text/calendar; charset=utf-8")
    return list(Calendar.from_ical(answer.data).walk("VEVENT"))


def test_the_calendar_holds_public_events(cms_client: Client) -> None:
    hall = cms_client.new("/event-venues", name="Hall & Garden")["id"]
    made = event(cms_client, "Fair; <em>big</em>, & loud – " + "ä" * 80, start="2099-05-01T18:00:00",
                 end="2099-05-01T20:00:00", place="Room 2", event_venues=[hall], excerpt="Come.\n\nAll of you.")
    event(cms_client, "Over", start="2001-05-01T18:00:00")
    event(cms_client, "Draft", start="2099-05-01T18:00:00", status="draft")
    event(cms_client, "Private", start="2099-05-01T18:00:00", status="private")
    event(cms_client, "Locked", start="2099-06-01T18:00:00", password="secret", excerpt="Hidden")

    found = entries(cms_client)
    assert [str(entry["summary"]) for entry in found] == ["Fair; big, & loud – " + "ä" * 80, "Locked"]
    entry = found[0]
    assert (entry["uid"], entry["url"]) == (f"event-{made['id']}@cms.example", made["link"])
    assert (entry.start, entry.end) == (datetime(2099, 5, 1, 18, tzinfo=UTC), datetime(2099, 5, 1, 20, tzinfo=UTC))
    assert str(entry["location"]) == "Room 2, Hall & Garden"
    assert str(entry["description"]).startswith("Come.")
    assert "Hidden" not in cms_client.get("/events/calendar").text
    assert max(len(line) for line in cms_client.get("/events/calendar").data.split(b"\r\n")) <= 75
    assert [str(e["summary"]) for e in entries(cms_client, f"?event_venues={hall}")] == [str(entry["summary"])]


def test_the_calendar_says_to_everybody_the_same(cms_client: Client) -> None:
    event(cms_client, start=in_hours(1))
    event(cms_client, "Private", start=in_hours(1), status="private")

    assert cms_client.get("/events/calendar", "administrator").data == cms_client.get("/events/calendar").data
    assert cms_client.get("/events/calendar?_embed&_envelope&_fields=id").data == cms_client.get("/events/calendar").data


def test_the_calendar_s_name_is_a_setting(cms_client: Client) -> None:
    cms_client.post("/settings", {"title": "Site & Co"}, "administrator")

    assert b"X-WR-CALNAME:Site & Co" in cms_client.get("/events/calendar").data
    cms_client.post("/settings", {"events_calendar_name": "What is on"}, "administrator")
    assert b"X-WR-CALNAME:What is on" in cms_client.get("/events/calendar").data


def test_the_calendar_is_kept_until_the_data_changes(cms_client: Client, cms_statements: Any) -> None:
    made = cms_client.new("/events", title="First", status="publish", start="2100-01-01T10:00:00")
    first = cms_client.get("/events/calendar").data

    assert cms_statements(lambda: cms_client.get("/events/calendar")) == []
    assert cms_client.get("/events/calendar").data == first
    cms_client.post(f"/events/{made['id']}", {"title": "Second"})
    assert b"SUMMARY:Second" in cms_client.get("/events/calendar").data
    cms_client.delete(f"/events/{made['id']}")
    assert b"SUMMARY" not in cms_client.get("/events/calendar").data


def test_the_calendar_is_as_long_as_it_must(cms_client: Client) -> None:
    for number in range(101):
        event(cms_client, f"Event {number}", start=in_hours(101 - number))

    assert [str(entry["summary"]) for entry in entries(cms_client)] == [f"Event {n}" for n in range(100, -1, -1)]


def test_everything_is_described_in_both_languages(cms_client: Client) -> None:
    for language, words in (("en", {}), ("id", INDONESIAN)):
        routes = cms_client.get(f"//{language}/api/").json["routes"]
        lists, creates = (endpoint["args"] for endpoint in routes["/cms/v2/events"]["endpoints"])
        assert {"starts_after", "starts_before", "ends_after", "place", "event_venues", "event_venues_exclude"} <= set(lists)
        assert {"start", "end", "capacity"} <= set(lists["orderby"]["enum"])
        assert {"/cms/v2/event-venues", "/cms/v2/events/upcoming", "/cms/v2/events/calendar",
                "/cms/v2/events/(?P<id>[\\d]+)"} <= set(routes)
        settings = routes["/cms/v2/settings"]["endpoints"][1]["args"]
        schema = cms_client.send("OPTIONS", f"//{language}/api/cms/v2/events").json["schema"]["properties"]
        told = {"start": creates["start"], "place": schema["place"], "events_upcoming_days": settings["events_upcoming_days"]}
        if words:
            assert {name: each["description"] for name, each in told.items()} == words
        else:
            assert told["start"]["description"] == "When the event starts, in the site's time zone."


def test_type_and_taxonomy_are_listed(cms_client: Client) -> None:
    kind = cms_client.get("/types/event").json
    taxonomy = cms_client.get("//id/api/cms/v2/taxonomies/event_venue").json

    assert (kind["name"], kind["rest_base"], kind["taxonomies"]) == ("Events", "events", ["event_venue"])
    assert cms_client.get("//id/api/cms/v2/types/event").json["name"] == "Acara"
    assert (taxonomy["name"], taxonomy["rest_base"], taxonomy["types"]) == ("Tempat acara", "event-venues", ["event"])


def test_deleted_events_leave_no_times(cms_client: Client) -> None:
    made = event(cms_client, start="2024-05-01T18:00:00")
    rows = "SELECT content_id FROM event_times"

    cms_client.delete(f"/events/{made['id']}")
    assert len(cms_client.site.database.rows(rows)) == 1
    cms_client.delete(f"/events/{made['id']}?force=true")
    assert cms_client.site.database.rows(rows) == []


def test_the_command_writes_the_calendar(plugged: Any, make_client: Callable[..., Any]) -> None:
    site = plugged({"plugins": ["events"]})
    applied = site.json("migrate", CMS_PLUGINS="events")["applied"]
    client = site.client()
    client.new("/events", title="Fair", status="publish", start="2099-05-01T18:00:00")

    assert "events: 0001_times" in applied
    printed = site.run("calendar", CMS_PLUGINS="events").stdout_bytes
    assert [str(entry["summary"]) for entry in Calendar.from_ical(printed).walk("VEVENT")] == ["Fair"]
    told = site.run("calendar", "--output", str(site.folder / "all.ics"), CMS_PLUGINS="events").stdout
    assert told == f"Wrote 1 event(s) to {site.folder / 'all.ics'}.\n"
    assert b"SUMMARY:Fair" in (site.folder / "all.ics").read_bytes()
    assert "No such command" in site.run("calendar", code=2).output


def test_without_the_plugin_there_are_no_events_and_the_site_serves_on(plugged: Any) -> None:
    site = plugged({"plugins": ["events"]})
    site.run("migrate", CMS_PLUGINS="events")
    made = site.client().new("/events", title="Fair", status="publish", start="2099-05-01T18:00:00")

    client = site.client(plugins=[])
    assert client.get("/events").status_code == client.get("/event-venues").status_code == 404
    assert "event" not in client.get("/types").json
    assert client.get("//api/").json["routes"].keys() & {"/cms/v2/events", "/cms/v2/events/upcoming"} == set()
    assert client.get("/posts").json == []
    assert site.client().get(f"/events/{made['id']}").json["start"] == "2099-05-01T18:00:00"


@pytest.mark.parametrize("path", ["/events/upcoming", "/events/calendar"])
def test_its_routes_have_aliases_of_wordpress(tmp_path: Any, path: str) -> None:
    from cms.testing import make_client

    client = make_client(tmp_path, plugins=["events", "wp_compat"])
    event(client, start=in_hours(1))  # type: ignore[arg-type]

    alias = client.http.get(f"/wp-json/wp/v2{path}")
    assert (alias.status_code, alias.content_type) == (200, client.get(path).content_type)
    assert b"Fair" in alias.data
    client.close()


@pytest.mark.parametrize(("role", "reads"), [(None, False), ("subscriber", False), ("editor", True)])
def test_the_place_of_a_protected_event_is_for_those_who_may_read_it(
        cms_client: Client, role: str | None, reads: bool) -> None:
    locked = event(cms_client, "Locked", start="2099-05-01T18:00:00", place="Cellar", password="pw")["id"]
    event(cms_client, "Open", start="2099-05-01T18:00:00", place="Hall")

    def places(query: str) -> list[tuple[str, str]]:
        items = cms_client.get(f"/events{query}", role).json
        return [(item["title"]["rendered"], item["place"]) for item in items]

    assert dict(places("")) == {"Open": "Hall", "Locked": ""}
    assert cms_client.get(f"/events/{locked}", role).json["place"] == ""
    assert cms_client.get(f"/events/{locked}?password=pw", role).json["place"] == "Cellar"
    assert [name for name, _place in places("?place=Cellar")] == (["Locked"] if reads else [])
    assert [name for name, _place in places("?orderby=place&order=asc")] == ["Locked", "Open"]
    assert [name for name, _place in places("?orderby=place&order=desc")] == ["Open", "Locked"]
    assert "Cellar" not in cms_client.get("/events/calendar", role).text + cms_client.get("/events/upcoming", role).text
    if reads:
        assert cms_client.get(f"/events/{locked}?context=edit", role).json["place"] == "Cellar"

"""Types, taxonomies, states, rights and settings of plugins have all that those of the core have."""

from __future__ import annotations

from typing import Any

import pytest
from sites import URL, Client

EVENTS = '''
from cms.plugin import Capability, ContentType, Status, Taxonomy

@hookimpl
def register_types():
    return [
        ContentType("event", "events", _("Events"), supports=("title", "editor", "author", "comments", "revisions"),
                    taxonomies=("post_tag",), description=_("What takes place."),
                    fields={"seats": Integer(_("How many may come."), column="menu_order", null=0, filterable=True,
                                             sortable=True, where=Content.menu_order.__eq__,
                                             order=Content.menu_order),
                            "fee": Integer(_("What a seat costs."), minimum=0, default=0, filterable=True)},
                    filters={"seats_from": Integer(_("Only those with at least as many seats."),
                                                   where=Content.menu_order.__ge__)}),
        ContentType("region", "regions", _("Regions"), hierarchical=True, supports=("title",), namespace="acme/v1"),
    ]

@hookimpl
def register_taxonomies():
    return [Taxonomy("place", "places", _("Places"), ("event", "post"), manage="edit_others_events",
                     create="edit_events", assign="edit_events", description=_("Where it takes place."))]

@hookimpl
def register_statuses():
    return [Status("archived", _("Archived"), public=True), Status("vip", _("For guests"), private=True),
            Status("review", _("In review"), protected=True, floating=True)]

@hookimpl
def register_capabilities():
    return [Capability("sell_tickets", ("editor",))]

@hookimpl
def register_settings():
    return {"event_hall": String(_("Name of the hall."), default="Town hall", null="Town hall"),
            "event_doors": DateTime(_("When the doors first opened."), default=None),
            "event_seats": Integer(_("Seats of the hall."), default=100, minimum=1)}

@hookimpl
def register_routes():
    sell = Endpoint(GET, lambda call: Answer({"seats": call.site.settings["event_seats"]}), "sell_tickets")
    return [Route("/tickets", (sell,), "acme/v1")]
'''


@pytest.fixture
def client(plugged: Any) -> Client:
    return plugged({"comment_interval": 0}, events=EVENTS).client()


def test_a_type_has_the_routes_of_posts(client: Client) -> None:
    event = client.new("/events", title="Fair", content="All day", status="publish", seats=7)

    assert event["type"] == "event"
    assert (event["seats"], event["fee"]) == (7, 0)
    assert client.post(f"/events/{event['id']}", {"fee": 20}).json["fee"] == 20
    assert client.get("/events?fee=20").headers["X-WP-Total"] == "1"
    assert client.get(f"/events/{event['id']}").json["title"]["rendered"] == "Fair"
    assert client.get("/posts").json == []
    assert client.get(f"/posts/{event['id']}").status_code == 404
    assert client.post(f"/events/{event['id']}", {"title": "Big fair"}).json["title"]["raw"] == "Big fair"
    assert [r["title"]["rendered"] for r in client.get(f"/events/{event['id']}/revisions", "editor").json] == [
        "Big fair", "Fair"]
    assert client.send("DELETE", f"/events/{event['id']}", "editor").json["status"] == "trash"
    assert client.send("DELETE", f"/events/{event['id']}?force=true", "editor").json["deleted"] is True


def test_a_type_has_only_what_it_supports(client: Client) -> None:
    event = client.new("/events", title="Fair", status="publish")
    region = client.new("//api/acme/v1/regions", title="North", status="publish")

    assert {"excerpt", "featured_media", "sticky", "format", "categories", "parent"} & set(event) == set()
    assert {"title", "content", "author", "comment_status", "tags", "places", "meta", "template"} <= set(event)
    assert {"content", "author", "comment_status", "tags"} & set(region) == set()
    assert {"title", "parent", "menu_order"} <= set(region)
    assert {"author", "replies", "version-history"} & set(region["_links"]) == set()
    schema = client.send("OPTIONS", "/events").json["schema"]["properties"]
    assert set(schema) == set(event) - {"_links"}


def test_levels_order_and_namespace_are_the_type_s_own(client: Client) -> None:
    north = client.new("//api/acme/v1/regions", title="North", status="publish")
    coast = client.new("//api/acme/v1/regions", title="Coast", parent=north["id"], status="publish")

    assert coast["_links"]["up"][0]["href"] == f"{URL}/api/acme/v1/regions/{north['id']}"
    assert coast["_links"]["self"][0]["href"] == f"{URL}/api/acme/v1/regions/{coast['id']}"
    assert [r["slug"] for r in client.get(f"//api/acme/v1/regions?parent={north['id']}").json] == ["coast"]
    shown = client.get(f"//api/acme/v1/regions/{coast['id']}?_embed").json
    assert shown["_embedded"]["up"][0]["title"]["rendered"] == "North"
    assert client.post("//api/acme/v1/regions", {"title": "X", "parent": 999}).status_code == 400
    document = client.get("//api/").json
    assert document["namespaces"] == ["cms/v2", "acme/v1"]
    part = client.get("//api/acme/v1").json
    assert set(part["routes"]) == {name for name in document["routes"] if name.startswith("/acme/v1")}
    assert set(part["routes"]) >= {"/acme/v1", "/acme/v1/regions", "/acme/v1/tickets"}


def test_lists_of_a_type_take_its_filters_orders_and_taxonomies(client: Client) -> None:
    place = client.new("/places", name="Jakarta")["id"]
    ids = [client.new("/events", title=f"Event {seats}", status="publish", seats=seats, places=[place] * (seats > 1))["id"]
           for seats in (3, 1, 2)]

    assert [e["id"] for e in client.get("/events?orderby=seats&order=asc").json] == [ids[1], ids[2], ids[0]]
    found = client.get("/events?seats=2")
    assert ([e["id"] for e in found.json], found.headers["X-WP-Total"]) == ([ids[2]], "1")
    assert client.get("/events?seats_from=2").headers["X-WP-Total"] == "2"
    found = client.get(f"/events?places={place}")
    assert (sorted(e["id"] for e in found.json), found.headers["X-WP-Total"]) == ([ids[0], ids[2]], "2")
    assert [e["id"] for e in client.get(f"/events?places_exclude={place}").json] == [ids[1]]
    assert client.get("/events?orderby=menu_order").status_code == 400
    assert client.get("/events?per_page=1&page=3").headers["X-WP-Total"] == "3"


def test_a_taxonomy_has_the_routes_of_tags(client: Client) -> None:
    place = client.new("/places", name="Jakarta")
    event = client.new("/events", title="Fair", status="publish", places=[place["id"]])
    post = client.new("/posts", title="Post", status="publish", places=[place["id"]])

    assert place["_links"]["wp:post_type"] == [{"href": f"{URL}/api/cms/v2/{kind}?places={place['id']}"}
                                               for kind in ("events", "posts")]
    assert client.get(f"/places/{place['id']}").json["count"] == 2
    assert post["places"] == event["places"] == [place["id"]]
    assert client.get(f"/places?post={event['id']}").json[0]["name"] == "Jakarta"
    embedded = client.get(f"/events/{event['id']}?_embed").json["_embedded"]["wp:term"]
    assert [[term["name"] for term in terms] for terms in embedded] == [[], ["Jakarta"]]
    assert client.post("/places", {"name": "Bogor"}, "contributor").status_code == 201
    assert client.post(f"/places/{place['id']}", {"name": "Bogor"}, "author").status_code == 403
    assert client.post(f"/places/{place['id']}", {"name": "DKI", "parent": 1}).json["code"] == "rest_taxonomy_not_hierarchical"


def test_kinds_are_told_of(client: Client) -> None:
    types = client.get("/types?context=edit", "editor").json
    taxonomies = client.get("/taxonomies?context=edit", "editor").json

    assert types["event"]["rest_base"] == "events"
    assert types["event"]["description"] == "What takes place."
    assert types["event"]["taxonomies"] == ["post_tag", "place"]
    assert types["event"]["capabilities"]["edit_posts"] == "edit_events"
    assert types["event"]["_links"]["wp:items"] == [{"href": f"{URL}/api/cms/v2/events"}]
    assert types["region"]["rest_namespace"] == "acme/v1"
    assert taxonomies["place"]["types"] == ["event", "post"]
    assert taxonomies["post_tag"]["types"] == ["post", "event"]
    assert taxonomies["place"]["capabilities"]["manage_terms"] == "edit_others_events"
    assert set(client.get("/taxonomies?type=event").json) == {"post_tag", "place"}
    assert client.get("/types/event").json["name"] == "Events"


def test_rights_of_a_type_are_given_to_roles_as_those_of_posts(client: Client) -> None:
    answers = {role: client.post("/events", {"title": "E", "status": "publish"}, role).status_code
               for role in ("subscriber", "contributor", "author", "editor", "administrator")}

    assert answers == {"subscriber": 403, "contributor": 403, "author": 201, "editor": 201, "administrator": 201}
    assert client.post("/events", {"title": "E"}, "contributor").status_code == 201
    own = client.new("/events", "author", title="Mine", status="publish")["id"]
    assert client.post(f"/events/{own}", {"title": "Ours"}, "author2").status_code == 403


def test_a_right_of_a_plugin_opens_its_route_to_the_roles_named(client: Client) -> None:
    codes = {role: client.get("//api/acme/v1/tickets", role).status_code
             for role in (None, "author", "editor", "administrator")}

    assert codes == {None: 401, "author": 403, "editor": 200, "administrator": 200}


def test_comments_stand_on_items_of_a_type(client: Client) -> None:
    event = client.new("/events", title="Fair", status="publish")
    region = client.new("//api/acme/v1/regions", title="North", status="publish")

    comment = client.new("/comments", post=event["id"], content="See you")
    assert comment["_links"]["up"][0] == {"embeddable": True, "post_type": "event",
                                          "href": f"{URL}/api/cms/v2/events/{event['id']}"}
    assert [c["id"] for c in client.get("/comments").json] == [comment["id"]]
    assert client.post("/comments", {"post": region["id"], "content": "?"}).json["code"] == "rest_comment_closed"


@pytest.mark.parametrize(("status", "seen_by"), [
    ("archived", {None, "subscriber", "author", "author2", "editor"}),
    ("vip", {"author", "editor"}),
    ("review", {"author", "editor"}),
])
def test_who_sees_items_in_a_state_of_a_plugin(client: Client, status: str, seen_by: set[str | None]) -> None:
    item = client.new("/posts", "author", title="Item", status=status)
    readers = (None, "subscriber", "author", "author2", "editor")

    assert item["status"] == status
    assert {r for r in readers if client.get(f"/posts/{item['id']}", r).status_code == 200} == seen_by
    listed = {reader: client.get(f"/posts?status={status}", reader) for reader in readers}
    assert {r for r, answer in listed.items() if answer.status_code == 200 and answer.json} == seen_by
    assert {answer.headers["X-WP-Total"] for r, answer in listed.items() if r in seen_by} == {"1"}
    assert client.get("/posts").json == []
    assert [p["id"] for p in client.get("/posts?status=any", "editor").json] == [item["id"]]


def test_states_take_the_right_to_publish_unless_they_float(client: Client) -> None:
    codes = {status: client.post("/posts", {"title": "Item", "status": status}, "contributor").status_code
             for status in ("archived", "vip", "review", "draft", "publish")}

    assert codes == {"archived": 403, "vip": 403, "review": 201, "draft": 201, "publish": 403}
    assert client.post("/posts", {"title": "Item", "status": "nowhere"}).status_code == 400


def test_states_are_told_of(client: Client) -> None:
    editor, visitor = client.get("/statuses", "editor").json, client.get("/statuses").json

    assert {"archived", "vip", "review"} <= set(editor)
    assert set(visitor) == {"publish", "archived"}
    assert editor["review"]["date_floating"] is True
    arguments = client.send("OPTIONS", "/events").json["endpoints"][0]["args"]
    assert "archived" in arguments["status"]["items"]["enum"]
    assert client.send("OPTIONS", "/pages").json["endpoints"][1]["args"]["status"]["enum"][-3:] == [
        "archived", "vip", "review"]


def test_settings_of_a_plugin_stand_among_the_others(client: Client) -> None:
    before = client.get("/settings", "administrator").json

    assert (before["event_hall"], before["event_seats"], before["event_doors"]) == ("Town hall", 100, None)
    sent = {"event_hall": "Arena", "event_seats": "250", "event_doors": "2020-02-03T10:00:00"}
    after = client.post("/settings", sent, "administrator").json
    assert after == {**before, "event_hall": "Arena", "event_seats": 250, "event_doors": "2020-02-03T10:00:00"}
    assert client.get("//api/acme/v1/tickets", "editor").json == {"seats": 250}
    refused = client.post("/settings", {"event_seats": 0}, "administrator")
    assert list(refused.json["data"]["params"]) == ["event_seats"]
    assert client.post("/settings", {"event_hall": None}, "administrator").json["event_hall"] == "Town hall"
    assert client.post("/settings", {"event_hall": "Mine"}, "editor").status_code == 403
    told = client.send("OPTIONS", "/settings", "administrator").json
    assert told["schema"]["properties"]["event_seats"]["description"] == "Seats of the hall."
    assert "event_seats" in client.get("//api/").json["routes"]["/cms/v2/settings"]["endpoints"][1]["args"]


def test_accounts_that_wrote_events_are_authors(client: Client) -> None:
    client.new("/events", "author", title="Fair", status="publish")

    assert [user["slug"] for user in client.get("/users").json] == ["author"]


def test_without_the_plugin_its_items_are_out_of_sight_and_the_site_serves_on(plugged: Any) -> None:
    site = plugged({"comment_interval": 0}, events=EVENTS)
    client = site.client()
    place = client.new("/places", name="Jakarta")["id"]
    event = client.new("/events", title="Fair", status="publish", places=[place], tags=[])["id"]
    post = client.new("/posts", title="Post", status="archived", places=[place])["id"]
    comment = client.new("/comments", post=event, content="See you")["id"]
    file = client.new("/posts", title="Other", status="publish")["id"]
    (site.folder / "plugins" / "events.py").unlink()

    client = site.client()
    for path in ("/posts", "/pages", "/comments", "/tags", "/users", "/media", "/types", "/statuses", "/taxonomies",
                 "/posts?search=Fair", f"/comments?post={event}", f"/tags?post={post}", "/posts?_embed"):
        for role in (None, "administrator"):
            assert client.get(path, role).status_code < 500, (path, role)
    assert [p["id"] for p in client.get("/posts").json] == [file]
    assert client.get("/comments").json == []
    for path in (f"/comments/{comment}", f"/posts/{post}", f"/tags?post={event}", f"/posts/{event}"):
        assert client.get(path).status_code in (401, 403, 404), path
        assert client.get(path, "administrator").status_code < 500, path
    assert client.post("/comments", {"post": event, "content": "?"}, "administrator").status_code == 403
    assert client.post(f"/comments/{comment}", {"content": "?"}, "administrator").status_code < 500
    assert client.post(f"/posts/{post}", {"status": "draft"}, "editor").json["status"] == "draft"
    assert client.get("/events").status_code == 404
    assert client.get("//api/").json["namespaces"] == ["cms/v2"]
    assert "event_hall" not in client.get("/settings", "administrator").json

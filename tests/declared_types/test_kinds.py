"""Each kind of field takes what it says, refuses the rest, and shows what was stored."""

from __future__ import annotations

from typing import Any

import pytest

TYPE = '[type]\nname = "thing"\nbase = "things"\nlabel = "Things"\n[[field]]\nname = "value"\n'
ALL = {
    "text": ('max_length = 9\nmin_length = 2', [("  ab\n c ", "ab c"), ("", "")], ["a", "abcdefghij", 1]),
    "text pattern": ("pattern = '[A-Z]\\d+'", [("A1", "A1")], ["a1", "A1b"]),
    "long_text": ("", [("a\nb", "a\nb")], [3]),
    "html": ("", [("<b>x</b><script>y</script>", "<b>x</b>y")], [[]]),
    "integer": ("minimum = 1\nmaximum = 9", [(3, 3), ("4", 4), (None, None)], [0, 10, 2.5, "x"]),
    "integer default": ("default = 7", [(None, 7), (3, 3)], ["x"]),
    "number": ("minimum = 0.5", [(2.5, 2.5), ("3", 3), (None, None)], [0.1, "x", True]),
    "boolean": ("", [(True, True), ("false", False), (None, False)], ["maybe"]),
    "date": ("", [("2026-02-03", "2026-02-03"), ("", None)], ["2026-02-30", "soon"]),
    "datetime": ("", [("2026-02-03T10:00:00", "2026-02-03T10:00:00"), (None, None)], ["2026-02-03", "soon"]),
    "choice": ('choices = ["a", "b"]', [("a", "a"), ("", None)], ["c", 1]),
    "choices": ('choices = ["a", "b"]\nmax_items = 1', [(["b", "b"], ["b"]), ("a", ["a"]), ([], [])],
                [["c"], ["a", "b"]]),
    "url": ("", [("https://x.org/a", "https://x.org/a"), ("/here", "/here"), ("", None)],
            ["javascript:alert(1)", "//evil", "x.org"]),
    "email": ("", [("a@x.org", "a@x.org"), ("", None)], ["a@", "x"]),
    "colour": ("", [("#3AF", "#33aaff"), ("102030", "#102030")], ["blue", "#12"]),
    "json": ("", [({"a": [1]}, {"a": [1]}), ([1, {"b": None}], [1, {"b": None}]), (None, None)], ["x", 3]),
}


@pytest.mark.parametrize("name", ALL)
def test_a_kind_takes_and_refuses(declared: Any, name: str) -> None:
    options, taken, refused = ALL[name]
    client = declared(thing=f'{TYPE}kind = "{name.split()[0]}"\n{options}\n').client()
    id = client.new("/things", title="Thing", status="publish")["id"]
    for sent, shown in taken:
        answer = client.post(f"/things/{id}", {"value": sent})
        assert (answer.status_code, answer.json.get("value")) == (200, shown), sent
        assert client.get(f"/things/{id}").json["value"] == shown
    for sent in refused:
        answer = client.post(f"/things/{id}", {"value": sent})
        assert (answer.status_code, list(answer.json["data"]["params"])) == (400, ["value"]), sent


def test_a_required_field_must_be_sent_and_cannot_be_emptied(declared: Any) -> None:
    client = declared(thing=TYPE + "required = true\n").client()
    assert client.post("/things", {"title": "Thing"}).json["data"]["params"] == ["value"]
    made = client.new("/things", title="Thing", value="some")
    assert client.post(f"/things/{made['id']}", {"value": ""}).status_code == 400
    assert client.post(f"/things/{made['id']}", {"value": None}).json["value"] == "some"


def test_a_field_for_editors_is_theirs_alone(client: Any) -> None:
    client.new("/chefs", title="Ann", status="publish", contact="ann@x.org")
    assert "contact" not in client.get("/chefs").json[0]
    assert client.get("/chefs?context=edit", "editor").json[0]["contact"] == "ann@x.org"


def test_groups_and_repeats_store_and_show_their_fields(client: Any) -> None:
    made = client.new("/recipes", title="Soup", ingredients=[{"what": "Eggs", "amount": "2"}, {"what": "Salt"}],
                      origin={"country": "fr", "found": "2026-01-02T03:04:05"})
    assert made["ingredients"] == [{"amount": 2, "what": "Eggs", "picture": None},
                                   {"amount": None, "what": "Salt", "picture": None}]
    assert made["origin"] == {"country": "fr", "found": "2026-01-02T03:04:05"}
    for fields, fault in (
        ({"ingredients": [{"amount": 1}]}, "what is missing."),
        ({"ingredients": [{"what": "x", "amount": "much"}]}, "amount: This must be of type number."),
        ({"ingredients": [{"what": "x", "taste": "y"}]},
         "There is no taste in this. Fields: amount, what, picture."),
        ({"ingredients": [{"what": "x"}] * 6}, "This may have 5 entries at most."),
        ({"ingredients": "x"}, "This must be of type array."),
        ({"origin": {"country": "de"}}, "country: This must be one of: fr, id."),
        ({"ingredients": [{"what": "x", "picture": 99}]}, "There is no item 99 of the type attachment."),
    ):
        answer = client.post(f"/recipes/{made['id']}", fields)
        assert (answer.status_code, list(answer.json["data"]["params"].values())) == (400, [fault])
    assert client.get(f"/recipes/{made['id']}?context=edit", "editor").json["ingredients"] == made["ingredients"]


@pytest.mark.parametrize(("one", "other"), [(("a-b", "code"), ("a_b", "code")), (("a__b", "c"), ("a", "b__c"))])
def test_values_are_unique_in_each_type_however_alike_the_names_are(site: Any, one: tuple[str, str], other: tuple[str, str]) -> None:
    names = {"one": one, "other": other}
    site.write(**{file: f'[type]\nname = "{type}"\n[[field]]\nname = "{field}"\nunique = true\nfilterable = true\n' for file, (type, field) in names.items()})
    client = site.client()
    for type, field in (one, other):
        client.new(f"/{type}", title="A", status="publish", **{field: "x"})
        again = client.post(f"/{type}", {"title": "B", "status": "publish", field: "x"})
        assert (again.status_code, list(again.json["data"]["params"])) == (400, [field])
        assert [item["title"]["rendered"] for item in client.get(f"/{type}?{field}=x").json] == ["A"]

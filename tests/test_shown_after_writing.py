"""What is stored is answered as stored, whatever plugins do to the item that is shown."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from sites import Client

#: What a plugin leaves of an item: the body of `prepare_items`.
LEAVES = {
    "without links": "[{k: v for k, v in item.items() if k != '_links'} for item in items]",
    "with nothing": "[{} for item in items]",
    "with links that are no links": "[{**item, '_links': {}} for item in items]",
    "with the id alone": "[{'id': item['id']} for item in items]",
}
FAILS = {"raises": "1 / 0", "returns too few": "[]", "returns no items": "[1 for item in items]"}
HOOK = """
@hookimpl
def prepare_items(items, resource):
    return {made} if resource in ("post", "comment", "category", "user", "attachment") else items
"""
WRITES = [
    ("/posts", {"title": "T", "status": "publish"}), ("/categories", {"name": "N"}),
    ("/users", {"username": "u1", "email": "u1@example.org", "password": "secret words"}),
]


@pytest.mark.parametrize("made", LEAVES.values(), ids=LEAVES)
@pytest.mark.parametrize(("path", "body"), WRITES)
def test_an_answer_does_not_depend_on_what_a_plugin_leaves(
        extended: Callable[..., Client], made: str, path: str, body: dict[str, str]) -> None:
    client = extended(HOOK.format(made=made))

    created = client.post(path, body, "administrator")

    assert created.status_code == 201
    address = created.headers["Location"].replace("http://cms.example/api/cms/v2", "")
    for answer in (client.get(address, "administrator"), client.get(f"{address}?_embed&_fields=id,title.x", "administrator"),
                   client.get(f"{path}?_embed", "administrator"), client.post(address, {"description": "D"}, "administrator"),
                   client.send("DELETE", f"{address}?force=true&reassign=1", "administrator")):
        assert answer.status_code == 200, answer.text
    assert client.site.posts.list(embed=True) is not None


@pytest.mark.parametrize("made", FAILS.values(), ids=FAILS)
@pytest.mark.parametrize(("path", "body"), WRITES)
def test_a_write_is_answered_though_a_plugin_fails_to_show_it(
        extended: Callable[..., Client], caplog: pytest.LogCaptureFixture, made: str, path: str, body: dict[str, str]) -> None:
    client = extended(HOOK.format(made=made))

    created = client.post(path, body, "administrator")

    assert created.status_code == 201
    assert set(created.json) == {"id"}
    assert "is stored, but can't be shown" in caplog.text
    address = f"{path}/{created.json['id']}"
    assert client.post(address, {"description": "D"}, "administrator").json == created.json
    assert client.get(address, "administrator").status_code == 500


def test_items_that_link_to_one_account_share_its_embedded_form(client: Client) -> None:
    for number in range(5):
        client.new("/posts", "author" if number % 2 else "editor", title=f"P{number}", status="publish")
    principal = client.site.authentication.by_login("admin")
    operations = client.site.operations["post"]
    items = operations.list(operations.list_loader.load({}), principal).items

    client.site.embedding.embed(items, frozenset({"author"}), principal)

    embedded = [item["_embedded"]["author"][0] for item in items]
    assert len({id(account) for account in embedded}) == len({account["id"] for account in embedded}) == 2


PERCENT = """
from marshmallow import ValidationError
from cms.plugin import String

class Share(String):
    def _deserialize(self, value, attr, data, **kwargs):
        if value == "plain":
            raise ValidationError("This may be 50% at most.")
        if value == "escaped":
            raise ValidationError([_("This may be 50%% at most.")])
        raise ValidationError([_("This may be %(most)s%% at most.", most=50)])

@hookimpl
def register_fields():
    return {"post": {"share": Share(_("At most 50% of all."))}}
"""


@pytest.mark.parametrize("value", ["plain", "escaped", "with a value"])
@pytest.mark.parametrize("prefix", ["", "/id"])
def test_a_message_has_one_per_cent_sign(extended: Callable[..., Client], prefix: str, value: str) -> None:
    client = extended(PERCENT)

    answer = client.send("POST", f"/{prefix}/api/cms/v2/posts", "editor", json={"title": "T", "share": value})

    assert answer.json["data"]["params"] == {"share": "This may be 50% at most."}
    described = client.get(f"/{prefix}/api/cms/v2").json["routes"]["/cms/v2/posts"]["endpoints"][1]["args"]
    assert described["share"]["description"] == "At most 50% of all."

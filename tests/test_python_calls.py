"""The operations as Python calls: names that there aren't are refused, errors say what is wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sites import Client

from cms.plugin import ApiError


@pytest.fixture
def site(client: Client) -> Any:
    client.new("/posts", title="One", content="text", status="publish")
    return client.site


WRONG: dict[str, tuple[Callable[[Any], Any], str]] = {
    "argument of a list": (lambda site: site.posts.list(foo=1), "posts: list() takes no 'foo'. There are: after, author, "),
    "near one": (lambda site: site.posts.list(serach="a"), "posts: list() takes no 'serach'. Did you mean search?"),
    "argument of an item": (lambda site: site.posts.get(1, pasword="a"), "posts: get() takes no 'pasword'. Did you mean password?"),
    "value": (lambda site: site.posts.create(user="admin", titel="A"), "posts: create() takes no 'titel'. Did you mean title?"),
    "changed value": (lambda site: site.posts.update(1, user="admin", contnt="A"), "posts: update() takes no 'contnt'. Did you mean content?"),
    "argument of a deletion": (lambda site: site.posts.delete(1, user="admin", forced=True), "posts: delete() takes no 'forced'. Did you mean force?"),
    "field": (lambda site: site.posts.list(fields="slg"), "posts: there is no field 'slg'. Did you mean slug?"),
    "fields": (lambda site: site.posts.list(fields=["slug", "titel.rendered"]), "posts: there is no field 'titel.rendered'."),
    "field of an item": (lambda site: site.posts.get(1, fields=["xyzzy"]), "posts: there is no field 'xyzzy'. There are: _embedded, "),
    "read-only value": (lambda site: site.posts.create(user="admin", link="https://a.example"), "posts: create() takes no 'link'."),
    "another resource": (lambda site: site.media.list(sticky=True), "media: list() takes no 'sticky'."),
    "an account": (lambda site: site.users.create(user="admin", login="jo"), "users: create() takes no 'login'."),
    "a term": (lambda site: site.categories.create(user="admin", nam="A"), "categories: create() takes no 'nam'. Did you mean name?"),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_name_that_there_isnt_is_refused(site: Any, case: str) -> None:
    call, told = WRONG[case]

    with pytest.raises(TypeError) as caught:
        call(site)

    assert str(caught.value).startswith(told)
    assert site.posts.list(user="admin", status="any").total == 1


@pytest.mark.parametrize("fields", ["slug", ["slug"], ("slug",), {"slug"}])
def test_a_text_is_one_field(site: Any, fields: Any) -> None:
    assert site.posts.list(fields=fields).items == [{"slug": "one"}]


def test_a_text_may_name_several_fields(site: Any) -> None:
    assert set(site.posts.list(fields="slug, title").items[0]) == {"slug", "title"}


@pytest.mark.parametrize("embed", ["author", ["author"], "author,wp:term", True])
def test_a_text_is_one_relation(site: Any, embed: Any) -> None:
    found = site.posts.list(embed=embed).items[0]["_embedded"]

    assert found["author"][0]["slug"]
    assert ("wp:term" in found) is (embed not in ("author", ["author"]))


REFUSALS: dict[str, tuple[Callable[[Any], Any], str]] = {
    "value": (lambda site: site.posts.list(per_page=0), "per_page: "),
    "two values": (lambda site: site.posts.list(per_page=0, order="up"), "order: This must be one of: asc, desc."),
    "no item": (lambda site: site.posts.get(999_999), "There is no"),
    "rights": (lambda site: site.posts.create(user=None, title="A"), ""),
    "nothing to store": (lambda site: site.posts.create(user="admin"), ""),
}


@pytest.mark.parametrize("case", REFUSALS)
def test_an_error_says_what_is_wrong(site: Any, case: str) -> None:
    call, told = REFUSALS[case]

    with pytest.raises(ApiError) as caught:
        call(site)

    assert told in str(caught.value)
    assert str(caught.value) != caught.value.code
    assert " " in str(caught.value)


def test_a_walk_sees_each_item_that_stays_once_while_others_write(client: Client) -> None:
    site = client.site
    made = [client.new("/posts", title=f"Post {number}", status="publish")["id"] for number in range(7)]
    seen = []
    for post in site.posts.walk(per_page=2, fields="id", orderby="id", order="asc"):
        seen.append(post["id"])
        if len(seen) == 2:
            site.posts.delete(made[0], user="admin", force=True)
            site.posts.delete(made.pop(5), user="admin", force=True)
    assert seen == made
    assert list(site.posts.walk(search="nowhere")) == []


def test_a_list_goes_on_behind_its_cursor(client: Client) -> None:
    site = client.site
    for number in range(3):
        client.new("/posts", title=f"Post {number}", status="publish")
    first = site.posts.list(cursor="*", per_page=2, fields="title")
    last = site.posts.list(cursor=first.cursor, cursor_total=True, per_page=2, fields="title")
    assert [post["title"]["rendered"] for post in (*first, *last)] == ["Post 2", "Post 1", "Post 0"]
    assert (first.total, last.total, last.pages, last.cursor) == (0, 3, 2, "")
    assert site.posts.list(per_page=2).cursor == ""


@pytest.mark.parametrize(("arguments", "code"), [
    ({"cursor": "*", "page": 1}, "rest_invalid_param"), ({"cursor": "A" * 3_001}, "rest_invalid_param"),
    ({"cursor": "else"}, "rest_invalid_cursor"), ({"cursor": "*", "orderby": "relevance", "search": "x"}, "rest_cursor_order"),
])
def test_what_is_no_cursor_of_a_list_is_refused(site: Any, arguments: dict[str, Any], code: str) -> None:
    with pytest.raises(ApiError) as caught:
        site.posts.list(**arguments)
    assert caught.value.code == code


def test_a_walk_asks_as_the_account_that_it_is_given(site: Any) -> None:
    site.posts.create(user="admin", title="Draft", status="draft")
    assert len(list(site.posts.walk(status="any", user="admin", context="edit"))) == 2
    assert len(list(site.posts.walk())) == 1

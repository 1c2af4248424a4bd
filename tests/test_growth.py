"""What a request costs the database doesn't grow with the site, whatever a list is filtered and ordered by."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest
from grown import SLACK, Growing
from servers import SERVER
from sites import Client

#: Arguments of lists with what they are tried with: values that few rows have, named as `Growing` names them.
VALUES = {
    "search": "zephyrine", "after": "2015-01-01T00:00:00", "before": "2015-01-01T00:00:00", "author": "{rare_author}",
    "author_exclude": "{rare_author}", "exclude": "{rare_post}", "include": "{rare_post}", "offset": "3", "slug": "rare-1",
    "status": "publish", "sticky": "true", "categories": "{rare_categories}", "categories_exclude": "{rare_categories}",
    "tags": "{rare_tags}", "tags_exclude": "{rare_tags}", "menu_order": "7", "parent": "{rare_parent}",
    "parent_exclude": "{rare_parent}", "mime_type": "video/mp4", "hide_empty": "true", "post": "{rare_post}",
    "author_email": "rare@example.org", "type": "comment", "roles": "author", "page": "2", "per_page": "20", "password": "x",
}
OF_LIST = {
    "media": {"parent": "{rare_post}", "status": "inherit", "include": "{rare_file}", "slug": "file-0"},
    "categories": {"include": "{rare_categories}", "exclude": "{rare_categories}", "slug": "rare-categories",
                   "parent": "{rare_categories}"},
    "tags": {"include": "{rare_tags}", "exclude": "{rare_tags}", "slug": "rare-tags"},
    "users": {"include": "{rare_author}", "exclude": "{rare_author}", "slug": "author2"},
    "comments": {"include": "{comment}", "parent": "{comment}", "parent_exclude": "{comment}", "status": "approve"},
}
#: What an order needs besides.
NEEDED = {"include": "include", "include_slugs": "slug", "relevance": "search"}
#: Arguments that people use together.
TOGETHER = {
    "posts": ("_embed", "_fields=id,title", "page=3", "status=publish,future,draft,pending,private", "status=draft,pending",
              "status=future", "status=any&context=edit", "context=edit&orderby=title", "author={usual_author}",
              "author={usual_author}&status=draft", "author={rare_author},{other}", "categories={usual_categories}",
              "categories={usual_categories}&order=asc", "categories={rare_categories}&orderby=title",
              "categories={rare_categories},{below}", "categories={usual_categories}&author={usual_author}",
              "search=zephyrine&categories={usual_categories}", "search=zephyrine&orderby=relevance",
              "after=2019-01-01T00:00:00&before=2021-01-01T00:00:00", "sticky=false", "slug=rare-1,rare-2",
              "exclude={rare_post}&per_page=3", "include={rare_post},1,2,3&orderby=include"),
    "pages": ("parent={rare_parent}&orderby=menu_order&order=asc", "parent=0&orderby=menu_order", "parent=0"),
    "media": ("parent={rare_post}&media_type=video",),
    "comments": ("post={rare_post}", "post={rare_post}&parent=0", "status=all", "status=any&orderby=id", "_embed"),
    "categories": ("post={rare_post}", "per_page=20", "orderby=name&hide_empty=true"),
    "users": ("orderby=name&per_page=5",),
}
#: What reads a whole taxonomy, all accounts or all comments by its nature, with why nothing better is kept.
READS_ALL = {
    r"(categories|tags|users)\?search=": "there is no index of parts of names",
    r"(categories|tags)\?orderby=description": "nobody pages through terms by what is said of them",
    r"(categories|tags)\?orderby=count": "what is scheduled has to be taken off before counts are put in order",
    r"users\?roles=": "roles stand in a list; accounts are few",
}
if SERVER:
    READS_ALL[r"media\?orderby=title"] = "files are put together of two statuses, each by the beginnings of titles alone"
    READS_ALL[r"users"] = "all files here are of one account, so that the server takes any index for as good"
#: Lists whose totals are kept, or counted among the few rows that are found.
WITH_TOTAL = (
    "posts", "posts?status=publish,future,draft", "posts?status=draft", "posts?author={usual_author}", "pages",
    "posts?categories={usual_categories}", "posts?categories={rare_categories}", "posts?tags={usual_tags}", "posts?slug=rare-1",
    "posts?search=zephyrine", "posts?sticky=true", "posts?context=edit&status=any", "posts?author={rare_author}",
    "comments?post={rare_post}", "categories?post={rare_post}", "pages?parent={rare_parent}", "media?parent={rare_post}", "users",
)
BOUNDED = r"USING (COVERING )?INDEX|VIRTUAL TABLE|CONSTANT ROW|SCAN \(|SCAN chosen$"
#: Those that SQLite makes its plans by: what migrations have written, nothing, and what ANALYZE finds.
OTHERS = [pytest.param(which, marks=pytest.mark.long) for which in ("none", "its own")]
STATISTICS = ["its own"] if SERVER else ["of a large site", *OTHERS]
#: What plans may read as a whole: tables with a few rows, and what subqueries have found.
SMALL = ("options", "found", "groups", "listed", "numbered", "merged", "above")

#: An address, who asks, and whether something was written before, so that totals aren't remembered.
Request = tuple[str, str | None, bool]


def requests(site: Growing) -> Iterator[str]:
    """Yield the lists with each argument that discovery names, and those that people use together."""
    for path, route in site.client.get("/").json["routes"].items():
        for endpoint in route["endpoints"]:
            if "GET" in endpoint["methods"] and "orderby" in endpoint["args"]:
                base = path.rsplit("/", 1)[1]
                queries = ["", *each_argument(base, endpoint["args"]), *TOGETHER.get(base, ())]
                yield from (f"{base}?{query.format(**site.names)}" for query in queries)


def each_argument(base: str, arguments: dict[str, Any]) -> Iterator[str]:
    """Yield each argument of a list with each value that it is tried with."""
    values = {**VALUES, **OF_LIST.get(base, {})}
    for name, about in arguments.items():
        if name == "orderby":
            for by in about["enum"]:
                needed = f"&{NEEDED[by]}={values[NEEDED[by]]}" if by in NEEDED else ""
                yield from (f"orderby={by}&order={order}{needed}" for order in ("asc", "desc"))
        else:
            yield from (f"{name}={value}" for value in about.get("enum") or [values[name]])


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Growing, dict[Request, int]]]:
    """A site with what its requests cost while it was small; it is ten times as large by now."""
    client = Client(tmp_path_factory.mktemp("growing"), comment_interval=0, answer_cache=0)
    site = Growing(client)
    site.grow(5)
    if SERVER:
        use_statistics(site, "its own")
    asked = [(path, False) for path in requests(site)] + [(path.format(**site.names), True) for path in WITH_TOTAL]
    costs = {(path, asker(site, path), after): site.cost(f"/{path}", asker(site, path), after) for path, after in asked}
    site.grow(50)
    yield site, costs
    client.site.close()


def asker(site: Growing, path: str) -> str | None:
    """Return who asks for a list: a visitor, or an administrator where visitors may not."""
    return None if site.client.get(f"/{path}").status_code == 200 else "administrator"


@pytest.mark.parametrize("statistics", STATISTICS)
def test_no_request_costs_more_on_a_larger_site(
        small: tuple[Growing, dict[Request, int]], statistics: str) -> None:
    site, costs = small
    use_statistics(site, statistics)

    grown = {}
    for (path, as_, after), cost in costs.items():
        now = site.cost(f"/{path}", as_, after)
        if now > 1.5 * cost + SLACK and not any(re.match(known, path) for known in READS_ALL):
            grown[path] = (cost, now)

    assert len(costs) > 300
    assert costs["posts?", None, False] > 0  # no answer is a cached one
    assert grown == {}


@pytest.mark.files_only
@pytest.mark.parametrize("statistics", STATISTICS)
def test_no_plan_scans_a_table(small: tuple[Growing, dict[Request, int]], statistics: str) -> None:
    site, costs = small
    use_statistics(site, statistics)

    scans = set()
    for path, as_, after in costs:
        for line in site.plans(f"/{path}", as_, after):
            # An index that is read in the order of the list is read as far as its page goes; `chosen` are a page's ids.
            if re.match(r"SCAN ", line) and not re.search(BOUNDED, line):
                scans.add((path, line))

    assert {scan for scan in scans if scan[1].split()[1] not in SMALL} == set()


def use_statistics(site: Growing, which: str) -> None:
    database = site.client.site.database
    if SERVER:
        if which == "its own":
            database.peewee.connection().run_own("VACUUM ANALYZE")
        return
    if which == "none":
        database.execute("DELETE FROM sqlite_stat1")
    elif which == "its own":
        database.execute("ANALYZE")
    else:
        import_module("cms.db.migrations.0022_statistics").up(None, database.peewee)
    database.close()  # they are read when a connection opens


def test_counts_order_terms_by_an_index_while_nothing_is_scheduled(small: tuple[Growing, object]) -> None:
    site, path = small[0], "/categories?orderby=count&order=desc"
    use_statistics(site, "of a large site")
    site.client.post(f"/posts/{site.names['future']}", {"status": "draft"})

    before = site.cost(path, None, after_writing=False)
    site.grow(10)

    slack = SLACK if SERVER else 0
    assert site.cost(path, None, after_writing=False) <= 1.5 * before + slack


def test_a_deletion_costs_no_more_on_a_larger_site(small: tuple[Growing, object]) -> None:
    site = small[0]
    terms = {"categories": [site.names["rare_categories"]], "tags": [site.names["rare_tags"]]}

    def cost() -> int:
        post = site.client.new("/posts", title="To be deleted", status="publish", **terms)["id"]
        return site.deletion_cost(f"/posts/{post}?force=true")

    cost()
    before = cost()
    site.grow(100)

    assert cost() < before + SLACK

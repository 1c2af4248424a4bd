"""What becomes of authors, terms and posts of an export, rule by rule."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from cms.site import Site
from cms.transfer.importing.importer import Report

Bring = Callable[[str], Report]
AUTHOR = "<wp:author><wp:author_login>{}</wp:author_login><wp:author_email>{}</wp:author_email></wp:author>"


def item(id: int = 7, **fields: str) -> str:
    """Write an item of the file; `inner` is added as it stands."""
    inner = fields.pop("inner", "")
    given = {"post_type": "post", "status": "publish", "post_name": f"p{id}", "post_date_gmt": "2020-01-02 03:04:05"}
    body = "".join(f"<wp:{name}>{value}</wp:{name}>" for name, value in (given | fields).items())
    return f"<item><title>Title</title><dc:creator>ann</dc:creator><wp:post_id>{id}</wp:post_id>{body}{inner}</item>"


def category(slug: str, parent: str = "", name: str = "", description: str = "") -> str:
    return (f"<wp:category><wp:category_nicename>{slug}</wp:category_nicename><wp:category_parent>{parent}"
            f"</wp:category_parent><wp:cat_name><![CDATA[{name or slug}]]></wp:cat_name>"
            f"<wp:category_description><![CDATA[{description}]]></wp:category_description></wp:category>")


def stored(site: Site, id: int = 7) -> dict[str, Any]:
    """Return an imported item's row, with the addresses of its own files as they are shown."""
    sql = "SELECT * FROM content WHERE source_site = 'https://old.example' AND source_id = ?"
    row = site.database.row(sql, (str(id),))
    assert row is not None
    shown = {name: site.own_files.show(row[name]) for name in ("content", "excerpt", "content_html")}
    return {**row, **shown}


def texts(report: Report) -> str:
    return "\n".join(notice.text for notice in report.notices)


@pytest.mark.parametrize(("given", "kept"), [
    ({"status": "publish"}, {"status": "publish"}),
    ({"status": "future", "post_date_gmt": "2999-01-01 00:00:00"},
     {"status": "publish", "date_gmt": "2999-01-01T00:00:00"}),
    ({"status": "pending"}, {"status": "pending", "slug": "p7"}),
    ({"status": "private", "post_password": "x"}, {"status": "private", "password": ""}),
    ({"status": "draft", "post_name": ""}, {"status": "draft", "slug": ""}),
    ({"status": "trash", "post_name": "old__trashed"},
     {"status": "trash", "slug": "old__trashed", "trashed_status": "draft"}),
    ({"status": "archived"}, {"status": "draft"}),
    ({"post_name": ""}, {"slug": "title"}),
    ({"post_name": "%e6%97%a5%E6%9C%AC"}, {"slug": "日本"}),
    ({"post_name": "e\u0301te\u0301-日"}, {"slug": "e\u0301te\u0301-日"}),
    ({"is_sticky": "1"}, {"is_sticky": 1, "password": ""}),
    ({"is_sticky": "1", "post_password": "x"}, {"is_sticky": 0, "password": "x"}),
    ({"comment_status": "closed", "ping_status": "?"}, {"comment_status": "closed", "ping_status": "open"}),
    ({"post_modified_gmt": "2021-05-06 07:08:09"},
     {"modified_gmt": "2021-05-06T07:08:09", "date_gmt": "2020-01-02T03:04:05"}),
    ({}, {"modified_gmt": "2020-01-02T03:04:05", "date_floats": 0, "format": "standard"}),
    ({"inner": '<category domain="post_format" nicename="post-format-aside">Aside</category>'}, {"format": "aside"}),
    ({"inner": '<category domain="post_format" nicename="post-format-poem">Poem</category>'}, {"format": "standard"}),
    ({"inner": "<content:encoded><![CDATA[<script>x</script>]]></content:encoded>"}, {"content": "x"}),
    ({"inner": "<content:encoded><![CDATA[R&D <em class='x'>y</em> 1 > 0]]></content:encoded>"},
     {"content": "R&D <em class='x'>y</em> 1 > 0"}),
])
def test_posts_are_stored(site: Site, bring: Bring, given: dict[str, str], kept: dict[str, Any]) -> None:
    report = bring(item(**given))
    assert report.imported["post"] == 1
    row = stored(site)
    assert {name: row[name] for name in kept} == kept


def test_a_trashed_post_remembers_its_state(site: Site, bring: Bring) -> None:
    meta = "<wp:postmeta><wp:meta_key>{}</wp:meta_key><wp:meta_value>{}</wp:meta_value></wp:postmeta>"
    inner = meta.format("_wp_trash_meta_status", "publish") + meta.format("_wp_trash_meta_time", "86400")
    bring(item(status="trash", is_sticky="1", inner=inner))
    row = stored(site)
    assert (row["trashed_status"], row["trashed_gmt"], row["is_sticky"]) == ("publish", "1970-01-02T00:00:00", 0)
    assert row["slug"] == "p7__trashed"


@pytest.mark.parametrize("status", ["auto-draft", "inherit"])
def test_unfinished_posts_are_left_out(site: Site, bring: Bring, status: str) -> None:
    report = bring(item(status=status))
    assert report.left_out == {("post", f"its state is {status}"): 1}
    assert "post" not in report.imported
    assert site.database.row("SELECT 1 FROM content") is None


def test_local_dates_are_of_the_sites_zone(site: Site, bring: Bring) -> None:
    site.settings.write({"timezone": "Asia/Jakarta"})
    dates = {"post_date": "2020-01-02 08:00:00", "post_date_gmt": "0000-00-00 00:00:00"}
    bring(item(1, **dates) + item(2, status="draft", **dates))
    assert stored(site, 1)["date_gmt"] == stored(site, 2)["date_gmt"] == "2020-01-02T01:00:00"
    assert not stored(site, 1)["date_floats"]
    assert stored(site, 2)["date_floats"]


def test_a_draft_without_a_date_gets_one_that_floats(site: Site, bring: Bring) -> None:
    before = site.now()
    report = bring(item(1, status="draft", post_date_gmt="0000-00-00 00:00:00") + item(2, post_date_gmt=""))
    assert before <= stored(site, 1)["date_gmt"] <= site.now()
    assert stored(site, 1)["date_floats"]
    assert before <= stored(site, 2)["date_gmt"] <= site.now()
    assert not stored(site, 2)["date_floats"]
    assert [notice.item for notice in report.notices if "no date" in notice.text] == [2]


def test_slugs_become_unique_and_never_empty(site: Site, bring: Bring) -> None:
    report = bring(item(1, post_name="same") + item(2, post_name="same") + item(3, post_name="SAME")
                   + item(4, post_name="same", status="trash") + item(5, post_name="")
                   + item(6, post_name="").replace("<title>Title</title>", "<title>!?</title>"))
    assert [stored(site, id)["slug"] for id in range(1, 6)] == ["same", "same-2", "same-3", "same__trashed", "title"]
    assert stored(site, 6)["slug"] == str(stored(site, 6)["id"])
    assert [notice.item for notice in report.notices if "was taken" in notice.text] == [2, 3]


def test_an_item_that_occurs_twice_counts_once_and_is_named(site: Site, bring: Bring) -> None:
    report = bring(item(1) + item(1))
    assert report.imported["post"] == 1
    assert report.left_out == {("post", "the file has another item with the same id"): 1}
    assert [(notice.item, '"Title" was left out' in notice.text) for notice in report.notices][1:] == [(1, True)]
    assert report.known == {}
    assert stored(site, 1)["slug"] == "p1"


def test_a_later_export_adds_only_what_is_new(site: Site, bring: Bring) -> None:
    bring(item(1))
    site.database.rows("UPDATE content SET title = 'Changed here' RETURNING id")
    report = bring(item(1) + item(2))
    assert (report.imported, report.known) == ({"post": 1}, {"user": 1, "post": 1})
    assert stored(site, 1)["title"] == "Changed here"


def test_parents_may_come_later_and_circles_are_cut(site: Site, bring: Bring) -> None:
    report = bring(category("child", "above") + category("above") + category("a", "b") + category("b", "a")
                   + category("under", "a") + category("lost", "nowhere") + category("low", "uncategorized"))
    parents = dict(site.database.tuples(
        "SELECT t.slug, p.slug FROM terms t LEFT JOIN terms p ON p.id = t.parent_id WHERE t.taxonomy = 'category'"))
    assert parents == {"uncategorized": None, "child": "above", "above": None, "a": None, "b": "a", "under": "a",
                       "lost": None, "low": "uncategorized"}
    assert texts(report).count("above itself") == 1
    assert '"nowhere"' in texts(report)


def test_terms_are_cleaned_and_made_of_items_too(site: Site, bring: Bring) -> None:
    name = "New &amp; &lt;b&gt;bold&lt;/b&gt;"
    inner = f'<category domain="post_tag" nicename="n%C3%A9w">{name}</category><category>Bare</category>'
    report = bring(category("x", name=" A  & B ", description="<script>x</script><em>ok</em>") + item(inner=inner))
    rows = {row["slug"]: row for row in site.database.rows("SELECT * FROM terms")}
    assert set(rows) == {"uncategorized", "x", "néw"}
    assert rows["x"]["name"] == "A &amp; B"
    assert "<script" not in rows["x"]["description"]
    assert "<em>ok</em>" in rows["x"]["description"]
    assert (rows["néw"]["taxonomy"], rows["néw"]["name"], rows["néw"]["count"]) == ("post_tag", "New &amp; bold", 1)
    assert report.imported == {"user": 1, "category": 1, "post_tag": 1, "post": 1}


def test_accounts_of_the_same_login_are_used(site: Site, bring: Bring) -> None:
    report = bring(AUTHOR.format("ADMIN", "other@example.org") + item().replace(">ann<", ">ADMIN<"))
    assert report.known == {"user": 1}
    assert "user" not in report.imported
    row = site.database.row("SELECT * FROM users")
    assert row is not None
    assert (row["id"], row["email"], row["roles"]) == (1, "admin@example.org", '["administrator"]')
    assert stored(site)["author_id"] == 1


def test_addresses_that_are_taken_or_none_are_left_empty(site: Site, bring: Bring) -> None:
    given = (("a", "Admin@example.org"), ("b", "nothing"), ("", "c@example.org"))
    report = bring("".join(AUTHOR.format(login, email) for login, email in given))
    rows = site.database.tuples("SELECT login, email, roles, password_hash FROM users WHERE id > 1")
    assert rows == [("a", "", '["author"]', "!"), ("b", "", '["author"]', "!")]
    assert report.left_out == {("user", "the author has no login"): 1}
    assert len(report.notices) == 2


def test_logins_are_cleaned_and_unique(site: Site, bring: Bring) -> None:
    report = bring("".join(AUTHOR.format(login, "") for login in ("Zoë  Q", "zoe q!", "日本", "x" * 90)))
    rows = [(row["login"], row["slug"]) for row in site.database.rows("SELECT login, slug FROM users WHERE id > 1")]
    assert rows == [("Zoe Q", "zoe-q"), ("zoe q-2", "zoe-q-2"), ("author", "author"), ("x" * 60, "x" * 50)]
    assert len(report.notices) == 4


def test_authors_that_only_items_name_get_accounts(site: Site, bring: Bring) -> None:
    report = bring(AUTHOR.format("bob", "") + item(1) + item(2, post_type="nav_menu_item").replace(">ann<", ">zed<"))
    logins = [row["login"] for row in site.database.rows("SELECT login FROM users ORDER BY id")]
    assert logins == ["admin", "bob", "ann"]
    assert texts(report) == 'the author "ann" isn\'t in the list of authors; an account was made'
    assert report.left_out == {("nav_menu_item", "the site has no menus"): 1}


def test_posts_without_an_author_go_to_the_administrator(site: Site, bring: Bring) -> None:
    report = bring(item().replace("<dc:creator>ann</dc:creator>", ""))
    assert stored(site)["author_id"] == 1
    assert "no author" in texts(report)


def test_nobody_signs_in_to_an_imported_account(site: Site, bring: Bring) -> None:
    bring(AUTHOR.format("ann", "ann@example.org"))
    for password in ("", "!", "ann"):
        assert not site.authentication.passwords.verify("!", password)


def test_notices_are_limited(bring: Bring) -> None:
    report = bring("".join(AUTHOR.format(f"u{number}", "nothing") for number in range(1_010)))
    assert (len(report.notices), report.further_notices) == (1_000, 10)
    assert report.as_dict()["further_notices"] == 10

"""An export of a real site, imported, then read as any client would."""

from __future__ import annotations

import re
from pathlib import Path

from sites import Client

from cms.dates import FORM
from cms.rendering.plain import encode_slug
from cms.transfer.importing.importer import import_wxr
from cms.transfer.wxr.reader import read
from cms.transfer.wxr.records import ItemRecord

THEME = Path(__file__).parent / "data" / "wxr" / "theme-unit-test.wxr.xml"
#: What an item without terms of a taxonomy gets.
NUMBERS = re.compile("[0-9]+")
DEFAULTS = {"category": {"uncategorized"}, "post_tag": set()}


def test_every_post_of_the_file_reads_back_over_http(client: Client) -> None:
    report = import_wxr(client.site, THEME, trust_markup=True)
    assert report.imported["post"] == 51
    query = "context=edit&status=publish,future,draft&per_page=100"
    posts = {post["title"]["raw"] + post["date_gmt"]: post for post in client.get(f"/posts?{query}", "editor").json}
    names = {base: {term["id"]: term["slug"] for page in (1, 2) for term in client.get(
        f"/{base}?per_page=100&page={page}").json} for base in ("categories", "tags")}

    items = [item for item in read(THEME) if isinstance(item, ItemRecord) and item.type == "post"]

    assert len(posts) == len(items) == 51
    for item in items:
        assert item.date_gmt
        post = posts[item.title.strip() + item.date_gmt.strftime(FORM)]
        assert NUMBERS.sub("", post["content"]["raw"]) == NUMBERS.sub("", item.content)  # ids of media are new
        assert post["excerpt"]["raw"] == item.excerpt
        assert post["slug"] in (encode_slug(item.slug), item.slug)
        assert post["password"] == item.password
        assert post["sticky"] is item.is_sticky
        for field, taxonomy in (("categories", "category"), ("tags", "post_tag")):
            wanted = {link.slug for link in item.terms if link.taxonomy == taxonomy}
            assert {names[field][id] for id in post[field]} == (wanted or DEFAULTS[taxonomy])


def test_the_public_sees_what_is_published(client: Client) -> None:
    import_wxr(client.site, THEME, trust_markup=True)

    answer = client.get("/posts?per_page=100")

    assert answer.headers["X-WP-Total"] == "49"
    assert {post["status"] for post in answer.json} == {"publish"}
    assert not any("password" in post for post in answer.json)
    locked = next(post for post in answer.json if post["content"]["protected"])
    assert locked["content"]["rendered"] == locked["excerpt"]["rendered"] == ""

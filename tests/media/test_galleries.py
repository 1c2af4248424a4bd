"""Galleries and playlists in texts: their files as they are now, and those alone that the reader may see."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from sites import Client

from media.uploading import read, send_raw

UPLOADS = "http://cms.example/uploads"
NAMES = ("harbour.png", "print.jpg", "turned.jpg", "jingle.mp3", "film.mp4", "letter.docx")


class Files:
    """A site with a file of each kind, all attached to one post."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.holder = client.new("/posts", title="Holder", status="publish")["id"]
        self.media = {name.partition(".")[0]: self.add(name, self.holder) for name in NAMES}
        client.post(f"/media/{self.media['print']['id']}", {"menu_order": 1, "title": "A print"})
        for name, number in (("print", 2), ("turned", 1)):
            client.site.database.execute(
                "UPDATE content SET menu_order = ? WHERE id = ?", (number, self.media[name]["id"]))

    def add(self, name: str, holder: int = 0) -> dict[str, Any]:
        made = send_raw(self.client, name, read(name), "editor", f"?post={holder}" if holder else "")
        assert made.status_code == 201, made.json
        return dict(made.json)

    def fill(self, text: str) -> str:
        """Write the ids of files and of the holder for their names in braces."""
        ids = {name: str(item["id"]) for name, item in self.media.items()}
        return re.sub(r"\{(\w+)\}", lambda name: {**ids, "holder": str(self.holder)}[name[1]], text)

    def shown(self, text: str, as_: str | None = None, **fields: Any) -> str:
        """Return the HTML of a new post with a text as somebody reads it."""
        post = self.client.new("/posts", title="Post", content=self.fill(text), status="publish", **fields)
        return self.read(post["id"], as_)

    def read(self, post: int, as_: str | None = None) -> str:
        return str(self.client.get(f"/posts/{post}", as_).json["content"]["rendered"])

    def names(self, html: str) -> list[str]:
        """Return the names of the files that HTML shows, in their order."""
        found = re.findall(r'<(?:img|audio|video)[^>]* src="[^"]*/([a-z]+)[-.0-9x]*', html)
        assert "\ufdd0" not in html
        return found


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Any:
    files = Files(Client(tmp_path_factory.mktemp("galleries")))
    yield files
    files.client.site.close()


def test_a_gallery_has_the_markup_of_wordpress(files: Files) -> None:
    client, harbour, turned = files.client, files.media["harbour"], files.media["turned"]
    client.post(f"/media/{harbour['id']}", {"caption": 'The "old" <em>harbour</em>', "alt_text": 'Boats & "masts"'})
    post = client.new("/posts", title="Post", status="publish",
                      content=f"Before\n\n[gallery ids=\"{harbour['id']},{turned['id']}\"]\n\nAfter")["id"]
    shown = [item["media_details"]["sizes"]["thumbnail"]["source_url"] for item in (harbour, turned)]
    try:
        assert files.read(post) == (
            f"<p>Before</p>\n<div id='gallery-1' class='gallery galleryid-{post} gallery-columns-3 gallery-size-thumbnail'>"
            f"<figure class='gallery-item'>\n\t\t\t<div class='gallery-icon landscape'>\n\t\t\t\t<a href='{harbour['link']}'>"
            f'<img width="150" height="150" src="{shown[0]}" class="attachment-thumbnail size-thumbnail"'
            f' alt="Boats &amp; &quot;masts&quot;" aria-describedby="gallery-1-{harbour["id"]}" /></a>\n\t\t\t</div>'
            f"\n\t\t\t\t<figcaption class='wp-caption-text gallery-caption' id='gallery-1-{harbour['id']}'>"
            "\n\t\t\t\tThe &#8220;old&#8221; <em>harbour</em>\n\t\t\t\t</figcaption></figure>"
            f"<figure class='gallery-item'>\n\t\t\t<div class='gallery-icon portrait'>\n\t\t\t\t<a href='{turned['link']}'>"
            f'<img width="150" height="150" src="{shown[1]}" class="attachment-thumbnail size-thumbnail" alt="" /></a>'
            "\n\t\t\t</div></figure>\n\t\t</div>\n<p>After</p>\n")
    finally:
        client.post(f"/media/{harbour['id']}", {"caption": "", "alt_text": ""})


ATTRIBUTES = [
    ('[gallery ids="{turned},{harbour}"]', ["turned", "harbour"]),
    ("[gallery ids='{turned}, {harbour},{turned}']", ["turned", "harbour"]),
    ("[gallery ids={turned},{harbour} /]", ["turned", "harbour"]),
    ("[gallery ids=”{turned},{harbour}”]", ["turned", "harbour"]),
    ('[gallery ids="{turned} {harbour}" order="DESC"]', ["turned", "harbour"]),
    ('[gallery ids="{turned},{harbour}" orderby="post__in"]', ["turned", "harbour"]),
    ('[gallery ids="{turned},{harbour},{print}" orderby="ID"]', ["harbour", "print", "turned"]),
    ('[gallery ids="{turned},{harbour},{print}" orderby="post_title"]', ["print", "harbour", "turned"]),
    ('[gallery ids="{turned},{harbour},{print}" orderby="title" order="desc"]', ["turned", "harbour", "print"]),
    ('[gallery ids="{turned},{harbour}" orderby="menu_order, ID" order="DESC"]', ["turned", "harbour"]),
    ('[gallery ids="{turned},{harbour}" orderby="(SELECT 1)"]', ["turned", "harbour"]),
    ('[gallery include="{turned},{harbour},{print}"]', ["harbour", "turned", "print"]),
    ('[gallery include="{turned},{harbour},{print}" order="DESC"]', ["print", "turned", "harbour"]),
    ('[gallery ids="{turned},99999,{jingle},{letter},{holder},0,-1"]', ["turned"]),
    ('[gallery ids="{turned}" exclude="{turned}"]', ["turned"]),
    ('[gallery id="{holder}"]', ["harbour", "turned", "print"]),
    ('[gallery id="{holder}" exclude="{turned},{jingle}"]', ["harbour", "print"]),
    ('[gallery id="{holder}" orderby="date" order="DESC"]', ["turned", "print", "harbour"]),
    ("[gallery]", []),
    ('[gallery ids=""]', []),
    ('[gallery ids="none"]', []),
    ('[gallery id="99999"]', []),
    ('[gallery id="{letter}"]', []),
    ('[playlist ids="{jingle},{film},{harbour}"]', ["jingle"]),
    ('[playlist type="video" ids="{jingle},{film}"]', ["film"]),
    ('[playlist id="{holder}"]', ["jingle"]),
    ('[playlist type="video" id="{holder}"]', ["film"]),
    ('[playlist ids="{harbour}"]', []),
    ('[gallery ids="{turned}"][gallery ids="{harbour}"] [playlist ids="{jingle}"]', ["turned", "harbour", "jingle"]),
    ('[[gallery ids="{turned}"]]', []),
    ('<code>[gallery ids="{turned}"]</code>', []),
    ('<!-- wp:shortcode -->\n[gallery ids="{turned}"]\n<!-- /wp:shortcode -->', ["turned"]),
    ('[caption width="9"]<img src="/x.jpg"> [gallery ids="{turned}"][/caption]', ["x", "turned"]),
]


@pytest.mark.parametrize(("text", "names"), ATTRIBUTES)
def test_attributes_choose_files_and_their_order(files: Files, text: str, names: list[str]) -> None:
    assert files.names(files.shown(text)) == names


def test_an_order_by_chance_has_all_files_and_lasts_a_day(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    files = Files(client)
    post = client.new("/posts", title="P", status="publish",
                      content=files.fill('[gallery id="{holder}" orderby="rand"]'))["id"]

    orders = set()
    for day in range(20):
        monkeypatch.setattr(client.site.context.clock, "now", lambda day=day: f"2090-01-{day + 10}T00:00:00")
        first = files.read(post)
        assert sorted(files.names(first)) == ["harbour", "print", "turned"]
        assert files.read(post) == first
        orders.add(tuple(files.names(first)))
    assert len(orders) > 2


@pytest.mark.parametrize(("attributes", "part"), [
    ("", "gallery-columns-3 gallery-size-thumbnail'"),
    ('columns="5" size="medium"', "gallery-columns-5 gallery-size-medium'"),
    ('columns="0"', "gallery-columns-0 "),
    ("columns=\"2' onclick='x\"", "gallery-columns-0 "),
    ("size=\"a' onclick='x\"", "gallery-size-aonclickx'"),
    ('size="medium"', 'width="300" height="225" src="%(medium)s" class="attachment-medium size-medium"'),
    ('size="full"', 'width="640" height="480" src="%(full)s" class="attachment-full size-full"'),
    ('size="odd"', 'width="640" height="480" src="%(full)s" class="attachment-odd size-odd"'),
    ('link="file"', "<a href='%(full)s'><img "),
    ('link="none"', "\t<img "),
    ('link="post"', "<a href='%(link)s'><img "),
    ("link=\"javascript:alert(1)\"", "<a href='%(link)s'><img "),
])
def test_attributes_shape_a_gallery(files: Files, attributes: str, part: str) -> None:
    harbour = files.media["harbour"]
    addresses = {name: size["source_url"] for name, size in harbour["media_details"]["sizes"].items()}

    html = files.shown(f'[gallery ids="{{harbour}}" {attributes}]')
    assert part % {**addresses, "link": harbour["link"]} in html
    assert ("<a " in html) == (attributes != 'link="none"')
    assert "onclick=" not in html
    assert "javascript" not in html


def test_a_playlist_has_players_with_titles(files: Files) -> None:
    files.client.post(f"/media/{files.media['jingle']['id']}", {"title": 'The "jingle" <em>here</em>'})
    source = files.media["jingle"]["source_url"]

    assert files.shown('[playlist ids="{jingle}" style="dark"]') == (
        '<div class="wp-playlist wp-audio-playlist wp-playlist-dark"><div class="wp-playlist-tracks">'
        f'<div class="wp-playlist-item"><a class="wp-playlist-caption" href="{source}">1. <span class="wp-playlist-item-title">'
        "The &#8220;jingle&#8221; here</span></a>"
        f'<audio controls="controls" preload="none" src="{source}"></audio></div></div></div>\n')


@pytest.mark.parametrize(("attributes", "numbers", "is_list"), [
    ("", ["1. ", "2. "], True), ('tracknumbers="true"', ["1. ", "2. "], True), ('tracknumbers="FALSE"', ["", ""], True),
    ('tracknumbers="0"', ["", ""], True), ('tracknumbers=""', ["", ""], True), ('tracklist="false"', [], False),
    ('tracklist="1" artists="false" images="false"', ["1. ", "2. "], True), ('tracklist="0" tracknumbers="true"', [], False),
    ("tracknumbers=\"x' onerror='y\"", ["1. ", "2. "], True),
])
def test_attributes_shape_a_playlist(client: Client, attributes: str, numbers: list[str], is_list: bool) -> None:
    files = Files(client)
    html = files.shown(f'[playlist ids="{{jingle}},{{jingle2}}" {attributes}]'.replace(
        "{jingle2}", str(files.add("jingle.mp3", 0)["id"])))

    assert re.findall(r'<a class="wp-playlist-caption" href="[^"]*">([^<]*)<span class="wp-playlist-item-title">', html) == numbers
    assert html.count('<div class="wp-playlist-current-item"><div class="wp-playlist-caption"><span') == (0 if is_list else 2)
    assert html.count("<audio ") == 2
    assert "onerror" not in html


@pytest.mark.parametrize(("attributes", "tags"), [
    ("", ("figure", "div", "figcaption")),
    ('itemtag="dl" icontag="dt" captiontag="dd"', ("dl", "dt", "dd")),
    ('itemtag="LI" icontag="Span" captiontag="h3"', ("li", "span", "h3")),
    ('itemtag="script" icontag="iframe" captiontag="style"', ("dl", "dt", "dd")),
    ('itemtag="div onclick=x" icontag="d i v" captiontag="p"', ("dl", "div", "p")),
    ('itemtag="form" icontag="img" captiontag="textarea"', ("dl", "dt", "dd")),
    ('itemtag="" icontag="" captiontag=""', ("dl", "dt", "dd")),
    ('captiontag="section"', ("figure", "div", "section")),
])
def test_attributes_name_the_elements_of_a_gallery(files: Files, attributes: str, tags: tuple[str, str, str]) -> None:
    item, icon, caption = tags
    files.client.post(f"/media/{files.media['harbour']['id']}", {"caption": "Boats"})
    html = files.shown(f'[gallery ids="{{harbour}}" {attributes}]')

    assert f"'><{item} class='gallery-item'>\n\t\t\t<{icon} class='gallery-icon landscape'>" in html
    assert f"</{icon}>\n\t\t\t\t<{caption} class='wp-caption-text gallery-caption'" in html
    assert f"</{caption}></{item}>\n\t\t</div>" in html
    assert not re.search("script|iframe|style|onclick|form|textarea", html)


def test_the_galleries_of_a_text_are_numbered(files: Files) -> None:
    html = files.shown('[gallery ids="{turned}"]\n\n[playlist ids="{jingle}"]\n\n[gallery id="{holder}"]')

    assert re.findall("<div id='([^']*)' class='gallery galleryid-", html) == ["gallery-1", "gallery-2"]
    assert f"galleryid-{files.holder} " in html


def test_nothing_is_left_of_a_gallery_without_files(files: Files) -> None:
    assert files.shown('Text\n\n[gallery ids="9999"]\n\nMore') == "<p>Text</p>\n<p>More</p>\n"
    assert files.shown("[gallery]") == ""


def test_a_gallery_has_the_files_attached_to_its_item(client: Client) -> None:
    files = Files(client)
    for path in ("/posts", "/pages"):
        item = client.new(path, title="Own", content="[gallery]", status="publish")["id"]
        files.add("harbour.png", item)
        html = client.get(f"{path}/{item}").json["content"]["rendered"]
        assert f"galleryid-{item} " in html
        assert files.names(html) == ["harbour"]


def test_a_gallery_has_its_files_as_they_are_now(client: Client) -> None:
    files = Files(client)
    post = client.new("/posts", title="P", content=files.fill('[gallery ids="{turned},{harbour}"]'), status="publish")["id"]
    first = client.get(f"/posts/{post}")
    assert first.headers["ETag"] == client.get(f"/posts/{post}").headers["ETag"]

    client.post(f"/media/{files.media['turned']['id']}", {"caption": "New words"})
    changed = client.get(f"/posts/{post}", headers={"If-None-Match": first.headers["ETag"]})
    assert changed.status_code == 200
    assert "New words" in changed.json["content"]["rendered"]

    client.send("DELETE", f"/media/{files.media['turned']['id']}?force=true", "editor")
    assert files.names(files.read(post)) == ["harbour"]


ROLES = (None, "subscriber", "contributor", "author", "author2", "editor")


@pytest.mark.parametrize(("state", "seen"), [
    ("publish", set(ROLES)), ("draft", {"author", "editor"}), ("private", {"author", "editor"}),
    ("future", {"author", "editor"}), ("trash", {"author", "editor"}), ("gone", set()), ("file private", set()),
    ("none", set(ROLES)),
])
def test_files_are_shown_to_those_who_may_see_them(client: Client, state: str, seen: set[str | None]) -> None:
    files = Files(client)
    holder = 0
    if state != "none":
        fields = {"date": "2099-01-01T00:00:00"} if state == "future" else {}
        status = state if state in ("publish", "draft", "private", "future") else "publish"
        holder = client.new("/posts", "author", title="Holder", status=status, **fields)["id"]
    hidden = send_raw(client, "boat.webp", read("boat.webp"), "author", f"?post={holder}" if holder else "").json["id"]
    if state == "trash":
        client.send("DELETE", f"/posts/{holder}", "author")
    if state == "gone":
        client.send("DELETE", f"/media/{hidden}?force=true", "author")
    if state == "file private":
        client.post(f"/media/{hidden}", {"status": "private"}, "author")
    text = f"[gallery ids=\"{hidden},{files.media['turned']['id']}\"]\n\n[gallery id=\"{holder or 99999}\"]"
    post = client.new("/posts", title="Post", content=text, status="publish")["id"]

    for role in ROLES:
        names = files.names(files.read(post, role))
        assert [name for name in names if name != "turned"] == ["boat"] * (role in seen) * (1 + bool(holder)), role
        assert names.count("turned") == 1


HIDES = '''
@hookimpl
def check_permission(principal, action, resource, row):
    if action == "read" and row is not None and "secret" in row["slug"]:
        return principal.may("manage_options") or False
'''


def test_files_that_plugins_hide_are_absent(extended: Callable[..., Client]) -> None:
    files = Files(extended(HIDES))
    files.client.post(f"/media/{files.media['turned']['id']}", {"slug": "secret-file"}, "administrator")
    secret = files.client.new("/posts", "administrator", title="Secret", slug="secret", status="publish")["id"]
    boat = files.add("harbour.png")["id"]
    files.client.post(f"/media/{boat}", {"post": secret}, "administrator")
    post = files.client.new("/posts", title="P", status="publish", content=files.fill(
        f'[gallery ids="{{turned}},{{print}},{boat}"] [gallery id="{secret}"]'))["id"]

    assert files.names(files.read(post)) == ["print"]
    assert files.names(files.read(post, "administrator")) == ["turned", "print", "harbour", "harbour"]


def test_a_protected_text_shows_no_gallery(files: Files) -> None:
    post = files.client.new("/posts", title="P", status="publish", password="words",
                            content=files.fill('[gallery ids="{turned}"]'))["id"]

    locked = files.client.statements(lambda: files.read(post))
    assert files.read(post) == ""
    assert not [sql for sql in locked if "media" in sql]
    unlocked = files.client.get(f"/posts/{post}?password=words").json["content"]["rendered"]
    assert files.names(unlocked) == ["turned"]


SIGN = "\ufdd0"
BY_HAND = [
    f'<div><!--{SIGN}{{"ids":[1]}}--></div>',
    f'<div><!--{SIGN}broken--></div>',
    '<div><!--&#xFDD0;{"ids":[1]}--></div>',
    f'<a title=\'<div><!--{SIGN}{{"item":1}}--></div>\' href="/x">x</a>',
    '<a title="&lt;div&gt;&lt;!--&#64976;{}--&gt;&lt;/div&gt;" href="/x">x</a>',
    f'<a title="&lt;div&gt;&lt;!--{SIGN}{{}}--&gt;&lt;/div&gt;" href="/x">x</a>',
    f'<div><!--{SIGN}{SIGN}{{}}--></div>',
    f'<div><!--&#xFD{SIGN}D0;{{}}--></div>',
    f'[caption width="9" caption="<div><!--{SIGN}{{}}--></div>"]<img src="/x.jpg">[/caption]',
    f'[audio src="/a.mp3?<div><!--{SIGN}{{}}--></div>"]',
    f'[embed]/x<div><!--{SIGN}{{}}--></div>[/embed]',
    '[audio src="/a.mp3?&lt;div&gt;&lt;!--&#xFDD0;{}--&gt;&lt;/div&gt;"]',
    f'&amp;#xFDD0; {SIGN}',
]


@pytest.mark.parametrize("role", ["contributor", "author", "administrator"])
@pytest.mark.parametrize("text", BY_HAND)
def test_a_placeholder_that_somebody_writes_is_nothing(files: Files, text: str, role: str) -> None:
    made = files.client.new("/posts", role, title=f"T {text}", content=text, excerpt=text)
    files.add("harbour.png", made["id"])

    answer = files.client.get(f"/posts/{made['id']}?context=edit", "administrator")
    for part in ("title", "content", "excerpt"):
        assert "gallery" not in answer.json[part]["rendered"]
    assert SIGN not in answer.json["content"]["rendered"]


def test_galleries_of_a_list_take_one_statement(files: Files) -> None:
    for number in range(12):
        own = files.client.new("/pages", title=f"Page {number}", status="publish",
                               content=files.fill('[gallery ids="{turned},{print}"] [gallery] [playlist id="{holder}"]'))["id"]
        files.client.new("/pages", title=f"Plain {number}", content="Plain [gallery_x] text", status="publish")
        if number % 2:
            files.add("harbour.png", own)

    def read(search: str, more: str = "") -> tuple[list[Any], int]:
        path = f"/pages?search={search}&per_page=10{more}"
        files.client.get(path)
        seen: list[Any] = []
        statements = files.client.statements(lambda: seen.extend(files.client.get(path).json))
        return seen, len(statements)

    plain, usual = read("Plain")
    pages, with_galleries = read("Page")
    assert (len(plain), len(pages)) == (10, 10)
    assert {tuple(files.names(page["content"]["rendered"])) for page in pages} == {
        ("turned", "print", "jingle"), ("turned", "print", "harbour", "jingle")}
    assert with_galleries == usual + 1
    assert read("Page", "&_fields=id,title,excerpt")[1] == read("Plain", "&_fields=id,title,excerpt")[1]


def test_other_forms_of_a_text_have_neither_files_nor_placeholders(files: Files) -> None:
    text = files.fill('Text [gallery ids="{turned}"] text')
    client = files.client
    made = client.new("/posts", title="T", content=text, status="publish")
    client.post(f"/posts/{made['id']}", {"content": f"{text} more"})

    assert made["content"]["raw"] == text
    assert files.names(made["content"]["rendered"]) == ["turned"]
    assert made["excerpt"]["rendered"] == "<p>Text text</p>\n"
    for query in ("", "?context=edit"):
        revision = client.get(f"/posts/{made['id']}/revisions{query}", "editor").json[0]
        assert revision["content"]["rendered"].split() == ["<p>Text", "</p>", "<p>", "text", "more</p>"]
    assert files.shown("[gallery]", excerpt='[gallery ids="{turned}"]') == ""


def test_a_description_of_a_file_has_its_gallery(files: Files) -> None:
    item = files.add("harbour.png")["id"]
    files.client.post(f"/media/{item}", {"description": files.fill('See [gallery ids="{turned}"]')})

    assert files.names(files.client.get(f"/media/{item}").json["description"]["rendered"]) == ["harbour", "turned"]


def test_stored_texts_of_older_rules_show_galleries(files: Files) -> None:
    post = files.client.new("/posts", title="Old", status="publish", content=files.fill('[gallery ids="{turned}"]'))["id"]
    files.client.site.database.execute("UPDATE content SET rendered_by = '', content_html = '' WHERE id = ?", (post,))

    assert files.names(files.read(post)) == ["turned"]


def test_a_text_shows_no_more_than_a_thousand_files_in_a_hundred_galleries(files: Files) -> None:
    many = files.shown('[gallery id="{holder}"]' * 150)
    assert len(files.names(many)) == 300

    bounded = files.shown('[gallery ids="' + ",".join(map(str, range(5_000, 5_900))) + '"]' + '[gallery ids="{turned}"]' * 101)
    assert len(files.names(bounded)) == 99

"""Addresses and ids inside texts: what is led to the files that are here, and what stays as it is."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from cms.db.sqlite.file_index import WantedFile
from cms.media.types import BY_ENDING
from cms.resources.media.files import StoredFile
from cms.transfer.importing.media.file_index import Files, place_of
from cms.transfer.importing.media.ids import IdRewriter
from cms.transfer.importing.media.urls import UrlRewriter
from cms.transfer.wxr.records import ItemRecord

OLD = "https://old.example/wp-content/uploads/2013/03"
NEW = "https://new.example/uploads/2013/03"
SIZES = {"thumbnail": (150, 150), "medium": (300, 200), "medium_large": (768, 512), "large": (1024, 683)}


def attachment(number: int, address: str) -> ItemRecord:
    return ItemRecord(number, "attachment", "", "", "", "", "", "", None, None, None, "", "", "", "inherit", None, 0, "",
                      False, address, (), (), (), (), number)


@pytest.fixture
def files() -> Iterator[Files]:
    """Files of an old site of which some are here."""
    found = Files()
    given = [("x.jpg", SIZES), ("x-300x200.jpg", {}), ("großes Bild.jpg", {}), ("big-scaled.jpg", SIZES), ("doc.pdf", None),
             ("gone.jpg", None)]
    for number, (name, _sizes) in enumerate(given, 1):
        found.add(attachment(number, f"{OLD}/{name}"), "")
    for wanted, (name, sizes) in zip(list(found.find_wanted()), given, strict=True):
        if name != "gone.jpg":
            found.add_stored(wanted, kept(wanted, name, sizes))
    found.assign_ids(100, lambda numbers: set())  # none of them is free
    yield found
    found.close()


def kept(wanted: WantedFile, name: str, sizes: dict[str, tuple[int, int]] | None) -> StoredFile:
    key = f"{wanted.month}/{name}"
    stem, _dot, ending = name.rpartition(".")
    details: dict[str, Any] = {"file": key}
    if sizes is not None:
        named = {size: {"file": f"{stem}-{w}x{h}.{ending}", "width": w, "height": h} for size, (w, h) in sizes.items()}
        details |= {"width": 1600, "height": 1067, "sizes": named}
    return StoredFile(key, BY_ENDING[ending], name, 1, details)


@pytest.fixture
def addresses(files: Files) -> UrlRewriter:
    return UrlRewriter(files, lambda key: f"https://new.example/uploads/{key}")


@pytest.mark.parametrize(("text", "wanted"), [
    (f"{OLD}/x.jpg", f"{NEW}/x.jpg"),
    (f'<img src="{OLD}/x.jpg">', f'<img src="{NEW}/x.jpg">'),
    (f"<a href='{OLD}/doc.pdf'>read</a>", f"<a href='{NEW}/doc.pdf'>read</a>"),
    ('<img src="/wp-content/uploads/2013/03/x.jpg">', f'<img src="{NEW}/x.jpg">'),
    ("<a href = '/wp-content/uploads/2013/03/doc.pdf'>", f"<a href = '{NEW}/doc.pdf'>"),
    ('<img src="/wp-content/uploads/2013/03/x-300x200.jpg">', f'<img src="{NEW}/x-300x200.jpg">'),
    ('<video poster="/wp-content/uploads/2013/03/x.jpg?w=310">', f'<video poster="{NEW}/x-300x200.jpg">'),
    ('<img src="https://old.example/wp-content/uploads/2013/03/großes Bild.jpg">', f'<img src="{NEW}/großes Bild.jpg">'),
    ('<img src="/wp-content/uploads/2013/03/gro%C3%9Fes%20Bild.jpg">', f'<img src="{NEW}/großes Bild.jpg">'),
    ('srcset="/wp-content/uploads/2013/03/x-300x200.jpg 300w, /wp-content/uploads/2013/03/x.jpg 1600w"',
     f'srcset="{NEW}/x-300x200.jpg 300w, {NEW}/x.jpg 1600w"'),
    ("<img data-srcset='/wp-content/uploads/2013/03/x.jpg?w=310,\n/wp-content/uploads/2013/03/gone.jpg 2x'>",
     f"<img data-srcset='{NEW}/x-300x200.jpg,\n/wp-content/uploads/2013/03/gone.jpg 2x'>"),
    ('<!-- wp:cover {"url":"/wp-content/uploads/2013/03/x.jpg","id":1} -->',
     f'<!-- wp:cover {{"url":"{NEW}/x.jpg","id":1}} -->'),
    ('{"a": "\\/wp-content\\/uploads\\/2013\\/03\\/x-300x200.jpg"}',
     '{"a": "https:\\/\\/new.example\\/uploads\\/2013\\/03\\/x-300x200.jpg"}'),
    ('["/wp-content/uploads/2013/03/x.jpg?w=310","/wp-content/uploads/2013/03/doc.pdf"]',
     f'["{NEW}/x-300x200.jpg","{NEW}/doc.pdf"]'),
    ('{"a":"/wp-content/uploads/2013/03/gro%C3%9Fes Bild.jpg"}', f'{{"a":"{NEW}/großes Bild.jpg"}}'),
    ("<div data-set='{&quot;src&quot;:&quot;/wp-content/uploads/2013/03/x.jpg&quot;}'>",
     f"<div data-set='{{&quot;src&quot;:&quot;{NEW}/x.jpg&quot;}}'>"),
    ('<i data-a="{\\"src\\":\\"/wp-content/uploads/2013/03/x.jpg\\"}">', f'<i data-a="{{\\"src\\":\\"{NEW}/x.jpg\\"}}">'),
    ('<p style="background:url(/wp-content/uploads/2013/03/x.jpg)">', f'<p style="background:url({NEW}/x.jpg)">'),
    ("url( '/wp-content/uploads/2013/03/x.jpg?w=310' )", f"url( '{NEW}/x-300x200.jpg' )"),
    (f"see {OLD}/x.jpg. Then", f"see {NEW}/x.jpg. Then"),
    (f"url({OLD}/x.jpg);min-height:2px", f"url({NEW}/x.jpg);min-height:2px"),
    (f"[audio src={OLD}/doc.pdf]", f"[audio src={NEW}/doc.pdf]"),
    ("http://www.old.example/wp-content/uploads/2013/03/x.jpg", f"{NEW}/x.jpg"),
    ("HTTPS://OLD.example/wp-content/uploads/2013/03/x.jpg", f"{NEW}/x.jpg"),
    ('src="//old.example/wp-content/uploads/2013/03/x.jpg"', f'src="{NEW}/x.jpg"'),
    ("https://i1.wp.com/old.example/wp-content/uploads/2013/03/x.jpg?resize=300%2C200&#038;ssl=1", f"{NEW}/x-300x200.jpg"),
    (f"{OLD}/x.jpg?w=310", f"{NEW}/x-300x200.jpg"),
    (f"{OLD}/x.jpg?w=760&amp;h=500", f"{NEW}/x-768x512.jpg"),
    (f"{OLD}/x.jpg?h=690", f"{NEW}/x-1024x683.jpg"),
    (f"{OLD}/x.jpg?w=5000", f"{NEW}/x.jpg"),
    (f"{OLD}/x.jpg?ver=3#top", f"{NEW}/x.jpg#top"),
    # The same size, one near it, another shape, one that is larger than the picture.
    (f"{OLD}/x-150x150.jpg", f"{NEW}/x-150x150.jpg"),
    (f"{OLD}/x-1024x683.jpg", f"{NEW}/x-1024x683.jpg"),
    (f"{OLD}/x-1024x682.jpg", f"{NEW}/x-1024x683.jpg"),
    (f"{OLD}/x-200x133.jpg", f"{NEW}/x-300x200.jpg"),
    (f"{OLD}/x-160x160.jpg", f"{NEW}/x-150x150.jpg"),
    (f"{OLD}/x-825x510.jpg", f"{NEW}/x-768x512.jpg"),
    (f"{OLD}/x-1536x1024.jpg", f"{NEW}/x.jpg"),
    # Named like a rendition, and a picture of its own.
    (f"{OLD}/x-300x200.jpg", f"{NEW}/x-300x200.jpg"),
    (f"{OLD}/big.jpg", f"{NEW}/big-scaled.jpg"),
    (f"{OLD}/big-300x200.jpg", f"{NEW}/big-scaled-300x200.jpg"),
    (f"{OLD}/gro%C3%9Fes%20Bild.jpg", f"{NEW}/großes Bild.jpg"),
    (f'srcset="{OLD}/x-300x200.jpg 300w, {OLD}/x-768x512.jpg 768w,{OLD}/x.jpg 1600w"',
     f'srcset="{NEW}/x-300x200.jpg 300w, {NEW}/x-768x512.jpg 768w,{NEW}/x.jpg 1600w"'),
    ('{"url":"https:\\/\\/old.example\\/wp-content\\/uploads\\/2013\\/03\\/x.jpg"}',
     '{"url":"https:\\/\\/new.example\\/uploads\\/2013\\/03\\/x.jpg"}'),
    ('{"url":"https://old.example/wp-content/uploads/2013/03/x.jpg?w=300\\u0026h=200"}', f'{{"url":"{NEW}/x-300x200.jpg"}}'),
])
def test_addresses_lead_to_files_that_are_here(addresses: UrlRewriter, text: str, wanted: str) -> None:
    assert addresses.rewrite(text) == wanted
    assert addresses.count == wanted.count("new.example")


@pytest.mark.parametrize("text", [
    'srcset="/2013/a.jpg 1x, /wp-content/uploads/2013/03/gone.jpg 2x"', 'srcset="/wp-content/uploads/2013/03/x.jpg 1x',
    '{"a":"//other.example/wp-content/uploads/2013/03/x.jpg"}', '{"a":"/2013/03/a-post/"}', "url(/wp-content/x.jpg)",
    '{"a":"x/wp-content/uploads/2013/03/x.jpg"}', '{"a":"/wp-content/uploads/2013/03/x.jpg', "a:/wp-content/uploads/2013/03/x.jpg",
    "", "no address", '<a href="/">', '<a href="/2013/03/a-post/">', '<img src="/x.jpg">', "/wp-content/uploads/2013/03/x.jpg",
    '<img src="//other.example/wp-content/uploads/2013/03/my photo.jpg">', '<img src="/wp-content/uploads/2013/03/x.jpg', "https://old.example/", "https://old.example/2013/03/a-post/", f"{OLD}/gone.jpg",
    f"{OLD}/gone-300x200.jpg", f"{OLD}/unknown.jpg", f"{OLD}/doc-pdf.jpg", f"{OLD}/x.jpg.html", f"{OLD}/x.jpeg",
    "https://other.example/wp-content/uploads/2013/03/x.jpg", "https://bold.example/wp-content/uploads/2013/03/x.jpg",
    "https://old.example.org/wp-content/uploads/2013/03/x.jpg", "ftp://old.example/wp-content/uploads/2013/03/x.jpg",
    f"https://web.archive.org/web/2013/{OLD}/x.jpg", f"https://other.example/?u={OLD}/x.jpg",
    "https://old.example:8080/wp-content/uploads/2013/03/x.jpg", "wp-content/uploads/2013/03/x.jpg", "a // b /// c",
])
def test_everything_else_stays_as_it_is(addresses: UrlRewriter, text: str) -> None:
    assert addresses.rewrite(text) == text
    assert addresses.count == 0


@pytest.mark.parametrize(("text", "wanted"), [
    ('[gallery ids="1,2, 3"]', '[gallery ids="101,102, 103"]'),
    ("[gallery columns=2 ids='1,99']", "[gallery columns=2 ids='101,99']"),
    ('[gallery include=1 columns="2" exclude="3"]', '[gallery include=101 columns="2" exclude="103"]'),
    ('[playlist type="audio" ids="5"]', '[playlist type="audio" ids="105"]'),
    ('[gallery]', '[gallery]'), ('[gallery id="1" columns="3"]', '[gallery id="1" columns="3"]'),
    ('[caption id="attachment_1" width="3"]', '[caption id="attachment_1" width="3"]'),
    ("ids=\"1,2\"", "ids=\"1,2\""),
    ('<!-- wp:image {"id":1,"width":2} -->', '<!-- wp:image {"id":101,"width":2} -->'),
    ('<!-- wp:image {"id":99} -->', '<!-- wp:image {"id":99} -->'),
    ('<!-- wp:core/cover {"url":"a-b","id":1,"dimRatio":3} /-->', '<!-- wp:core/cover {"url":"a-b","id":101,"dimRatio":3} /-->'),
    ('<!-- wp:media-text {"mediaId":2,"mediaType":"image"} -->', '<!-- wp:media-text {"mediaId":102,"mediaType":"image"} -->'),
    ('<!-- wp:gallery {"ids":["1","2"],"columns":3} -->', '<!-- wp:gallery {"ids":["101","102"],"columns":3} -->'),
    ('<!-- wp:gallery {"ids":[1, 2]} -->', '<!-- wp:gallery {"ids":[101, 102]} -->'),
    ('<!-- wp:paragraph {"id":1} -->', '<!-- wp:paragraph {"id":1} -->'),
    ('<img class="size-full wp-image-1 x"/>', '<img class="size-full wp-image-101 x"/>'),
    ('<img src="a" data-id="2" class="wp-image-2">', '<img src="a" data-id="102" class="wp-image-102">'),
    ('<li data-id="2">', '<li data-id="2">'), ("wp-image-12", "wp-image-12"), ("my-wp-image-", "my-wp-image-"),
])
def test_ids_of_media_are_those_of_the_items_here(files: Files, text: str, wanted: str) -> None:
    assert IdRewriter(partial(files.items.id_of, is_file=True)).rewrite(text) == wanted


@pytest.mark.parametrize("part", [
    "<!-- wp:image {", '[gallery ids="1,', "<img ", "https://old.example/", "//a", "\\/\\/a\\/", "wp-image-1", "-", "[gallery ",
    'srcset="', 'srcset="/a,', ':"/', ":&quot;/?a", "['/a ", ':"\\/a\\/', "url(/", "url('/?a ", ":   ",
    'src="/', 'src="//a/ ', "src='//a/ b ", 'href="/?', "<!--", f"{OLD}/x.jpg?&", "https:", "ids=", '<img data-id="',
])
def test_no_text_takes_long(files: Files, addresses: UrlRewriter, part: str) -> None:
    text = part * (400_000 // len(part))
    before = time.perf_counter()
    IdRewriter(partial(files.items.id_of, is_file=True)).rewrite(addresses.rewrite(text))
    assert time.perf_counter() - before < 2


@pytest.mark.parametrize(("address", "place"), [
    ("https://www.Old.example/a%20b.jpg?x#y", "old.example/a b.jpg"), ("http://u:p@old.example:81/a", "old.example:81/a"),
    ("http://old.example/e\u0301", "old.example/é"), ("nothing", ""), ("http://[x", ""), ("", ""),
])
def test_places_are_the_same_in_all_spellings(address: str, place: str) -> None:
    assert place_of(address) == place

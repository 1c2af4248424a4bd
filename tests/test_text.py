from __future__ import annotations

import pytest

from cms.rendering.markup import strip_tags
from cms.rendering.plain import clean_line, encode_slug, make_slug

SLUGS = [
    ("Mixed CASE and spaces", "mixed-case-and-spaces"),
    ("café-über/path?x=1&y", "cafe-uber-pathx1y"),
    ("日本語", "日本語"),
    ("Title -- of the <em>Day</em>, 100% & more!", "title-of-the-day-100-more"),
    ("Straße – “naïve” Łódź", "strase-naive-lodz"),
    ("under_score--double.dot", "under_score-double-dot"),
    ("Привет", "привет"),
    ("Йод", "йод"),
    ("évènement ☕", "evenement-☕"),
    ("Ünïcode Slug & More", "unicode-slug-more"),
    ("a/b?c=d", "a-bcd"),
    ("100% pure, really!", "100-pure-really"),
    ("Tom &amp; Jerry's \"show\"", "tom-jerrys-show"),
    ("e\u0301te\u0301", "ete"),
    ("İstanbul", "istanbul"),
    ("a\u200bb\u202ec", "abc"),
    ("한국어", "한국어"),
    ("0", "0"),
    ("---", ""),
    ("<br>", ""),
]


@pytest.mark.parametrize(("text", "slug"), SLUGS)
def test_slugs_are_made_of_titles(text: str, slug: str) -> None:
    assert make_slug(text) == slug


@pytest.mark.parametrize("slug", [slug for _, slug in SLUGS])
def test_a_slug_is_its_own_slug(slug: str) -> None:
    assert make_slug(slug) == slug


@pytest.mark.parametrize(("slug", "encoded"), [
    ("日本語", "%e6%97%a5%e6%9c%ac%e8%aa%9e"),
    ("привет", "%d0%bf%d1%80%d0%b8%d0%b2%d0%b5%d1%82"),
    ("evenement-☕", "evenement-%e2%98%95"),
    ("under_score-double-dot", "under_score-double-dot"),
])
def test_slugs_are_shown_percent_encoded(slug: str, encoded: str) -> None:
    assert encode_slug(slug) == encoded


@pytest.mark.parametrize(("text", "line"), [
    ("<b>Bold</b> <script>alert(1)</script>Name", "Bold Name"),
    ("a<i>b</i>", "ab"),
    ("  Spaced   out ", "Spaced out"),
    ("Line\nbreak\tand tab", "Line break and tab"),
    ("Tom & Zoë 😀", "Tom &amp; Zoë 😀"),
    ("Tom &amp; Zoë", "Tom &amp; Zoë"),
    ("O'Hara & \"Sons\"", "O'Hara &amp; \"Sons\""),
    ("1 < 2", "1 &lt; 2"),
    ("a <b", "a &lt;b"),
    ("<<b>script>alert(1)", "&lt;script&gt;alert(1)"),
    ("nul\x00l", "nul l"),
    ("<br>", ""),
])
def test_lines_are_cleaned_of_markup_and_space(text: str, line: str) -> None:
    assert clean_line(text) == line


@pytest.mark.parametrize(("text", "plain"), [
    ("A <b>bold</b> <!-- c -->one", "A bold one"),
    ("<style>p{}</style>x<script>y</script>z", "xz"),
    ("1 < 2 > 0", "1 < 2 > 0"),
    ("<<b>script>alert(1)</script>", "script>alert(1)"),
    ("<<b>!--<i>", "!--"),
    ("cut <b", "cut b"),
])
def test_tags_are_stripped_and_none_arises(text: str, plain: str) -> None:
    assert strip_tags(text) == plain

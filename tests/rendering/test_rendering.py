"""Rules that go further than the recorded texts."""

from __future__ import annotations

import re

import pytest

from cms.rendering import FINGERPRINT, render_comment, render_content, render_excerpt, render_title


@pytest.mark.parametrize(("raw", "rendered"), [
    ("He said \"<em>hi</em>\".", "He said &#8220;<em>hi</em>&#8221;."),
    ("<em>John</em>'s", "<em>John</em>&#8217;s"),
    ("\"pages 10\" and 6\" wide", "&#8220;pages 10&#8221; and 6&#8243; wide"),
    ("6' tall", "6&#8242; tall"),
    ("the 1990's and '20s", "the 1990&#8217;s and &#8217;20s"),
    ("'tis so", "&#8217;tis so"),
    ("so---\"yes\"", "so&#8212;&#8220;yes&#8221;"),
    ("xn--example", "xn--example"),
    ("0x10, abc9x9, 9x9cm, 2x3x4", "0x10, abc9x9, 9x9cm, 2&#215;3&#215;4"),
    ("&CounterClockwiseContourIntegral; &#x41; &#65; &#; &a",
     "&CounterClockwiseContourIntegral; &#x41; &#65; "
     "&#038;#; &#038;a"),
    ("<a href=\"?a=1&b=2\">x</a>", "<a href=\"?a=1&b=2\">x</a>"),
    ("<a title=\"a > 'b' < c\">it's</a>", "<a title=\"a > 'b' < c\">it&#8217;s</a>"),
    ("<code>\"a\" <b>\"b\"</b></code> \"c\"", "<code>\"a\" <b>\"b\"</b></code> &#8220;c&#8221;"),
    ("T :)", "T :)"),
])
def test_type_is_set_in_text_alone(raw: str, rendered: str) -> None:
    assert render_title(raw) == rendered


@pytest.mark.parametrize(("raw", "rendered"), [
    ("[[gallery ids=1]] [[other]]", "<p>[gallery ids=1] [[other]]</p>\n"),
    ("<!-- wp:latest-posts /-->", ""),
    ("<!-- wp:paragraph -->\n<p>a\nb</p>\n<!-- /wp:paragraph -->\n\nfree\ntext",
     "\n<p>a\nb</p>\n\n\nfree\ntext"),
    ("<pre>:)</pre>&nbsp;:)", "<pre>:)</pre>\n<p>&nbsp;🙂</p>\n"),
])
def test_marks_are_read(raw: str, rendered: str) -> None:
    assert render_content(raw, smilies=True) == rendered


@pytest.mark.parametrize(("raw", "excerpt"), [
    ("a<br />b", "<p>a b</p>\n"),
    ("One<!--nextpage-->Two", "<p>One</p>\n"),
    ("One<!--more Read on-->Two", "<p>One</p>\n"),
    ("a<b>b</b>c :)", "<p>abc 🙂</p>\n"),
    ("<p></p>", ""),
    ("<script>x</script>", ""),
    ("<<b>script>alert(1)", "<p>script>alert(1)</p>\n"),
])
def test_excerpts_hold_the_words_of_a_text(raw: str, excerpt: str) -> None:
    assert render_excerpt(" ", raw, smilies=True) == excerpt


CUT = " [&hellip;]"


@pytest.mark.parametrize(("raw", "excerpt"), [
    ("日本語" * 100, ("日本語" * 37)[:110] + CUT),
    ("東京は日本の首都です。", "東京は日本の首都です。"),
    ("中" * 110, "中" * 110),
    ("中" * 111, "中" * 110 + CUT),
    ("中文 " * 56, ("中文 " * 55).strip() + CUT),
    ("カタカナ、" * 30, "カタカナ、" * 22 + CUT),
    ("ไทย" * 60, ("ไทย" * 37)[:110] + CUT),
    ("ที่" * 111, "ที่" * 110 + CUT),  # the marks above a letter stay with it
    ("ខ្មែរ" * 80, None),
    ("မြန်မာ" * 80, None),
    ("猫&amp;犬" * 40, "猫&amp;犬" * 27 + "猫" + CUT),
    ("word " * 54 + "日本語", "word " * 54 + "日本" + CUT),
    ("word " * 55 + "日本語", ("word " * 55).strip() + CUT),
    ("단어 " * 56, ("단어 " * 55).strip() + CUT),
    ("слово " * 56, ("слово " * 55).strip() + CUT),
    ("😀" * 300, "😀" * 300),
])
def test_excerpts_of_scripts_without_spaces_are_cut_by_characters(raw: str, excerpt: str | None) -> None:
    shown = render_excerpt("", raw).removeprefix("<p>").removesuffix("</p>\n")

    assert excerpt is None or shown == excerpt
    assert len(shown) < 350


@pytest.mark.parametrize(("raw", "rendered"), [
    ("(see http://example.org/a_(b)--c?x=1&amp;y=2).",
     "(see <a href=\"http://example.org/a_(b)--c?x=1&amp;y=2\" "
     "rel=\"nofollow ugc\">http://example.org/a_(b)--c?x=1&amp;y=2</a>)."),
    *((f"{before}{address}{behind}", f'{before}<a href="{address}" rel="nofollow ugc">{address}</a>{behind}')
      for before, address, behind in [
          ("", "http://example.org/a_(b)", " c"), ("", "http://example.org/a_(b)", ""),
          ("(", "http://example.org/a_(b)", ")"), ("(", "http://example.org/a_(b)", ")."),
          ("", "http://example.org/a_((b)_c)", ","), ("", "http://example.org/(a)/(b)", ")!"),
          ("[", "http://example.org/x[1]", "]"), ("", "http://example.org/{a}", "}"),
          ("", "http://example.org/a", ")"), ("", "http://example.org/a", ").)"),
          ("see (", "ftp://example.org/a_(b)", ")"), ("", "http://example.org/(", ""),
      ]),
    ("<a href=\"http://a.example\">http://a.example</a>",
     "<a href=\"http://a.example\" rel=\"nofollow ugc\">http://a.example</a>"),
    ("<code>www.example.org</code>", "<code>www.example.org</code>"),
    ("<a name=\"x\">x</a>", "<a name=\"x\">x</a>"),
    ("me@example, @example.org", "me@example, @example.org"),
    ("<me@example.org>,", "<me@example.org>,"),
    ("<a rel=follow href=\"/x\">x</a>", "<a href=\"/x\" rel=\"nofollow ugc\">x</a>"),
])
def test_addresses_in_comments_become_links(raw: str, rendered: str) -> None:
    assert render_comment(raw) == f"<p>{rendered}</p>\n"


def test_only_comments_get_links() -> None:
    assert "<a" not in render_content("http://example.org www.example.org")


def test_the_fingerprint_is_short_and_stable() -> None:
    assert re.fullmatch("[0-9a-f]{12}", FINGERPRINT)

"""The editor never changes a byte of a block that isn't touched: every text of the exports and recordings, and odd ones."""

from __future__ import annotations

import pytest
from harness import exported_texts, recorded_texts
from nested import NESTED, OPAQUE
from playwright.sync_api import Page

ODD = [
    "", " ", "\n\n", "text", "text\n", "\r\n text\r\n\r\nmore \r\n", "a\n\n\n\nb", "<p>open", "a</p>b", "<!-- wp:paragraph -->\n<p>open",
    "<!-- /wp:paragraph -->", "<!-- wp:a --><!-- wp:b --><!-- /wp:a --><!-- /wp:b -->", "<!-- wp:x {\"a\":\"}\"} /-->", "<!--wp:paragraph-->",
    "<!-- wp:paragraph -->\r\n<p>a\r\nb &nbsp; &amp;&#8217;&notanentity; & < ></p>\r\n<!-- /wp:paragraph -->\r\n\r\n\r\nfree",
    "<!-- wp:paragraph {\"align\":\"center\"} -->\n<p style='text-align:center' CLASS=x>a <b>b <i>c</i></b> <i><b>d</b></i></p>\n<!-- /wp:paragraph -->",
    "<b>a</b><b>b</b>", "<b></b>x", "<i>a<b>b</i>c</b>", "a<br>b<br />\nc<BR/>", "<pre>\n a\r\n b</pre>", "a \u00a0 b\u2028c\u0000d", "<ul><li>a\n<ul>\n<li>b</li></ul>\n</li>\n</ul>",
    "<ul>\n\t<li>a</li>\n\t<li><p>b</p></li>\n</ul>", "<ol start=\"5\" reversed><li>a<li>b</ol>", "[caption id=\"x\"]<a href=x><img src=y></a> words[/caption]",
    "<blockquote>a\n\nb<cite>c</cite></blockquote>", "<blockquote><p>a</p>\n<p>b</p>\n<cite>c</cite></blockquote>", "text <!--more--> more\n<!--more Go on-->\n<!--nextpage-->",
    "<div>\n\n<p>a</p>\n\n</div>\n\nb", "<script>if (a < b) {\n\n}</script>\n\ntext", "<span style=\"color:red\">a</span> <font color=\"x\">b</font>",
    "<!-- wp:html -->\n<b>x\n\n</b>\n<!-- /wp:html -->\n<!-- wp:shortcode -->\n[a]\n<!-- /wp:shortcode -->", "<a name=x></a>text<!-- note -->", "😀 &#x1F600; \ufeff",
    "<!-- wp:quote -->\n<blockquote class=\"wp-block-quote\"><!-- wp:paragraph -->\n<p>a</p>\n<!-- /wp:paragraph -->\n\n<!-- wp:paragraph -->\n<p>b</p>\n<!-- /wp:paragraph --><cite>c</cite></blockquote>\n<!-- /wp:quote -->",
    "<!-- wp:list -->\n<ul class=\"wp-block-list\"><!-- wp:list-item -->\n<li>a<!-- wp:list -->\n<ul class=\"wp-block-list\"><!-- wp:list-item -->\n<li>b</li>\n<!-- /wp:list-item --></ul>\n<!-- /wp:list --></li>\n<!-- /wp:list-item -->\n\n<!-- wp:list-item -->\n<li>c</li>\n<!-- /wp:list-item --></ul>\n<!-- /wp:list -->",
    "<!-- wp:code -->\n<pre class=\"wp-block-code\"><code>a &lt;b&gt; \"c\" &#091;d]</code></pre>\n<!-- /wp:code -->",
]


@pytest.mark.parametrize("texts", [exported_texts(), recorded_texts(), ODD], ids=["exports", "recordings", "odd"])
def test_a_text_that_is_opened_comes_back_byte_for_byte(editor: Page, texts: list[str]) -> None:
    assert len(texts) > 20
    assert editor.evaluate("texts => window.openAll(texts)", texts) == []
    assert editor.evaluate("window.changes") == []


@pytest.mark.parametrize("seed", range(1, 6))
def test_changes_by_chance_lose_no_block_that_they_dont_touch(editor: Page, seed: int) -> None:
    texts = [text for text in exported_texts() + ODD if "\n\n" in text]
    touched = 0
    for number, text in enumerate(texts):
        result = editor.evaluate("([text, seed]) => window.changeByChance(text, seed)", [text, seed * 1000 + number])
        assert result["lost"] == [], text
        assert result["undone"], text
        touched += result["touched"]
    assert touched > len(texts)


@pytest.mark.parametrize("text", [
    "<p style='color:red' CLASS=x>a <b>b <i>c</i></b> &amp; d&#8217;e&nbsp;f</p>", "a <span style=\"color:red\">b&nbsp;c</span>\nd<br>e<br />\nf",
    "<!-- wp:paragraph -->\r\n<p>a\r\n  b<a class=x href=y>c</a><!-- n -->d <code>e</code></p>\r\n<!-- /wp:paragraph -->", "AT&T <u>a</u><u class=x>b</u>",
    "<!-- wp:preformatted -->\n<pre class=\"wp-block-preformatted\">a\r\n  b\n\n<em>c</em>\td</pre>\n<!-- /wp:preformatted -->",
    "<ul>\n\t<li>a <b>b</b>\n<ul>\n<li>c</li></ul>\n</li>\n</ul>", "<!-- wp:code -->\n<pre><code>a  b\r\n\tc &lt;</code></pre>\n<!-- /wp:code -->",
    "<blockquote><p>a</p>\n<p>b</p>\n<cite>c</cite></blockquote>",
    "<!-- wp:image {\"align\":\"left\"} -->\n<div class=\"wp-block-image\"><figure class=\"alignleft\"><a href=\"x\"><img src=\"/y\" alt=''/></a>"
    "<figcaption>A <b>caption of it</b></figcaption></figure></div>\n<!-- /wp:image -->", "<strong>a</strong><a href=\"b\">b</a>\u00a0 c",
])
def test_what_a_key_writes_is_added_and_nothing_else_changes(editor: Page, text: str) -> None:
    editor.evaluate("text => { window.mount(text); window.editor.focus(); }", text)
    assert "opaque" not in [block["type"] for block in editor.evaluate("window.blocks()")]
    editor.keyboard.press("Control+Home")
    for _place in range(14):
        editor.keyboard.type("Q")
        changed = editor.evaluate("window.editor.getValue()")
        assert "Q" in changed
        assert changed.replace("Q", "", 1) == text
        editor.keyboard.press("Control+z")
        assert editor.evaluate("window.editor.getValue()") == text
        editor.keyboard.press("ArrowRight")


@pytest.mark.parametrize("texts", [exported_texts(), recorded_texts(), ODD, NESTED], ids=["exports", "recordings", "odd", "nested"])
def test_a_character_that_is_typed_into_any_line_of_any_block_is_all_that_changes(editor: Page, texts: list[str]) -> None:
    results = editor.evaluate("texts => texts.map(window.typeEverywhere)", texts)
    assert [result["wrong"] for result in results if result["wrong"]] == []
    totals = {name: sum(result[name] for result in results) for name in ("blocks", "opaque", "nested")}
    assert totals["opaque"] < totals["blocks"] / 2
    assert totals["nested"] > 0


@pytest.mark.parametrize(("texts", "is_visual"), [(NESTED, True), (OPAQUE, False)], ids=["visual", "opaque"])
def test_blocks_in_blocks_and_tables_are_edited_visually_where_nothing_else_is_in_them(editor: Page, texts: list[str], is_visual: bool) -> None:
    for text in texts:
        editor.evaluate("text => window.mount(text)", text)
        assert editor.evaluate("window.editor.getValue()") == text
        types = editor.evaluate("window.blocks().map(block => block.type)")
        assert ("opaque" not in types) == is_visual, text

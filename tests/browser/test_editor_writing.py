"""Writing with the keyboard alone: new blocks are in WordPress' form, classic texts stay classic."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

PARAGRAPH = "<!-- wp:paragraph -->\n<p>{}</p>\n<!-- /wp:paragraph -->"
BLOCKS = PARAGRAPH.format("One") + "\n\n" + PARAGRAPH.format("Two")
COLUMNS = "<!-- wp:columns -->\n<div class=\"wp-block-columns\"><b>Side</b></div>\n<!-- /wp:columns -->"
Mount = Callable[[str], None]


def value(page: Page) -> str:
    """Return the text as it would be stored."""
    text: str = page.evaluate("window.editor.getValue()")
    return text


def press(page: Page, *keys: str) -> None:
    """Press keys, and type what stands in quotes."""
    for key in keys:
        if key.startswith("'"):
            page.keyboard.type(key[1:])
        else:
            page.keyboard.press(key)


def begin(page: Page, mount: Mount, text: str) -> None:
    """Open a text with the cursor at its start."""
    mount(text)
    page.evaluate("window.editor.focus()")
    press(page, "Control+Home")


@pytest.mark.parametrize(("keys", "written"), [
    (["'Words & more"], PARAGRAPH.format("Words &amp; more")),
    (["'One", "Enter", "'Two"], BLOCKS),
    (["'One", "Enter", "Enter", "'Two"], BLOCKS),
    (["'a", "Shift+Enter", "'b"], PARAGRAPH.format("a<br>b")),
    (["Control+b", "'a", "Control+b", "'b", "Control+i", "'c"], PARAGRAPH.format("<strong>a</strong>b<em>c</em>")),
    (["'a b", "Control+Shift+ArrowLeft", "Control+e"], PARAGRAPH.format("a <code>b</code>")),
    (["'## Words"], "<!-- wp:heading -->\n<h2 class=\"wp-block-heading\">Words</h2>\n<!-- /wp:heading -->"),
    (["'### Words", "Enter", "'x"], "<!-- wp:heading {\"level\":3} -->\n<h3 class=\"wp-block-heading\">Words</h3>\n<!-- /wp:heading -->\n\n" + PARAGRAPH.format("x")),
    (["'- a", "Enter", "'b", "Enter", "Tab", "'c"],
     "<!-- wp:list -->\n<ul class=\"wp-block-list\"><!-- wp:list-item -->\n<li>a</li>\n<!-- /wp:list-item -->\n\n<!-- wp:list-item -->\n<li>b"
     "<!-- wp:list -->\n<ul class=\"wp-block-list\"><!-- wp:list-item -->\n<li>c</li>\n<!-- /wp:list-item --></ul>\n<!-- /wp:list --></li>\n"
     "<!-- /wp:list-item --></ul>\n<!-- /wp:list -->"),
    (["'1. a"], "<!-- wp:list {\"ordered\":true} -->\n<ol class=\"wp-block-list\"><!-- wp:list-item -->\n<li>a</li>\n<!-- /wp:list-item --></ol>\n<!-- /wp:list -->"),
    (["'- a", "Enter", "Enter", "'b"],
     "<!-- wp:list -->\n<ul class=\"wp-block-list\"><!-- wp:list-item -->\n<li>a</li>\n<!-- /wp:list-item --></ul>\n<!-- /wp:list -->\n\n" + PARAGRAPH.format("b")),
    (["'> a"], f"<!-- wp:quote -->\n<blockquote class=\"wp-block-quote\">{PARAGRAPH.format('a')}</blockquote>\n<!-- /wp:quote -->"),
    (["'```", "'a < b", "Enter", "'c"], "<!-- wp:code -->\n<pre class=\"wp-block-code\"><code>a &lt; b\nc</code></pre>\n<!-- /wp:code -->"),
])
def test_new_blocks_are_in_wordpress_form(editor: Page, mount: Mount, keys: list[str], written: str) -> None:
    begin(editor, mount, "")
    press(editor, *keys)

    assert value(editor) == written
    assert editor.evaluate("window.changes.at(-1)") == written
    mount(written)
    assert value(editor) == written
    assert "opaque" not in [block["type"] for block in editor.evaluate("window.blocks()")]


@pytest.mark.parametrize(("text", "keys", "written"), [
    ("One\n\nTwo", ["End", "Enter", "'New"], "One\n\nNew\n\nTwo"),
    ("One\r\n\r\n\r\nTwo", ["End", "'!", "Enter", "'New", "Shift+Enter", "'line"], "One!\r\n\r\nNew\r\nline\r\n\r\nTwo"),
    ("<h2>Head</h2>\nText", ["End", "'!"], "<h2>Head!</h2>\nText"),
    ("Text", ["End", "Enter", "'- a", "Enter", "'b"], "Text\n\n<ul>\n<li>a</li>\n<li>b</li>\n</ul>"),
    ("<ul>\n\t<li>a</li>\n\t<li>b</li>\n</ul>", ["End", "Enter", "'x"], "<ul>\n\t<li>a</li>\n\t<li>x</li>\n\t<li>b</li>\n</ul>"),
    ("Text", ["End", "Enter", "'> q"], "Text\n\n<blockquote>q</blockquote>"),
    ("a\n\nb", ["End", "Delete"], "ab"),
    ("a\n\nb\n\nc", ["ArrowDown", "Shift+Home", "Delete", "Backspace"], "a\n\nc"),
])
def test_a_classic_text_stays_one(editor: Page, mount: Mount, text: str, keys: list[str], written: str) -> None:
    begin(editor, mount, text)
    press(editor, *keys)
    assert value(editor) == written


@pytest.mark.parametrize(("keys", "written"), [
    (["Control+End", "'!"], f"{PARAGRAPH.format('One')}\n{COLUMNS}\n\n\n{PARAGRAPH.format('Two!')}"),
    (["Alt+Shift+ArrowDown"], f"{COLUMNS}\n\n{PARAGRAPH.format('One')}\n\n{PARAGRAPH.format('Two')}"),
    (["ArrowDown", "Delete"], f"{PARAGRAPH.format('One')}\n\n{PARAGRAPH.format('Two')}"),
    (["Control+a", "Delete"], ""),
    (["Control+a", "Control+c", "Control+End", "Control+v"],
     "\n\n".join([f"{PARAGRAPH.format('One')}\n{COLUMNS}\n\n\n{PARAGRAPH.format('Two')}"] * 2)),
    (["Control+a", "Control+x", "Control+v"], f"{PARAGRAPH.format('One')}\n{COLUMNS}\n\n\n{PARAGRAPH.format('Two')}"),
])
def test_a_block_that_isnt_edited_visually_is_carried_along(editor: Page, mount: Mount, keys: list[str], written: str) -> None:
    begin(editor, mount, f"{PARAGRAPH.format('One')}\n{COLUMNS}\n\n\n{PARAGRAPH.format('Two')}")
    press(editor, *keys)
    assert value(editor) == written
    for _step in range(len(keys)):
        press(editor, "Control+z")
    assert value(editor) == f"{PARAGRAPH.format('One')}\n{COLUMNS}\n\n\n{PARAGRAPH.format('Two')}"


def test_the_toolbar_is_one_stop_and_its_buttons_are_reached_by_arrows(editor: Page, mount: Mount) -> None:
    begin(editor, mount, "One")
    press(editor, "Shift+End", "Alt+F10")
    expect(editor.get_by_role("button", name="Bold")).to_be_focused()
    press(editor, "ArrowRight")
    expect(editor.get_by_role("button", name="Italic")).to_be_focused()
    press(editor, "Enter")
    assert value(editor) == "<em>One</em>"
    expect(editor.get_by_role("textbox", name="Text")).to_be_focused()
    press(editor, "Alt+F10", "End")
    expect(editor.get_by_role("button", name="Source")).to_be_focused()
    press(editor, "Tab")
    expect(editor.get_by_role("textbox", name="Text")).to_be_focused()


def test_a_block_is_inserted_by_the_menu(editor: Page, mount: Mount) -> None:
    begin(editor, mount, BLOCKS)
    press(editor, "Alt+F10", "End", "ArrowLeft", "ArrowLeft", "Enter")
    expect(editor.get_by_role("menuitem", name="Paragraph")).to_be_focused()
    press(editor, "Escape")
    expect(editor.get_by_role("button", name="Insert")).to_be_focused()
    press(editor, "Enter", "End", "ArrowUp", "Enter", "'[gallery]")
    assert value(editor) == BLOCKS.replace("\n\n", "\n\n<!-- wp:shortcode -->\n[gallery]\n<!-- /wp:shortcode -->\n\n")


@pytest.mark.parametrize(("name", "written"), [
    ("Separator", "<!-- wp:separator -->\n<hr class=\"wp-block-separator has-alpha-channel-opacity\"/>\n<!-- /wp:separator -->"),
    ("More", "<!-- wp:more -->\n<!--more-->\n<!-- /wp:more -->"),
    ("Page break", "<!-- wp:nextpage -->\n<!--nextpage-->\n<!-- /wp:nextpage -->"),
])
def test_marks_are_inserted(editor: Page, mount: Mount, name: str, written: str) -> None:
    begin(editor, mount, "")
    editor.get_by_role("button", name="Insert").click()
    editor.get_by_role("menuitem", name=name).click()
    assert value(editor) == written


@pytest.mark.parametrize(("text", "address", "written"), [
    ("One", "/about", "<a href=\"/about\">One</a>"),
    ("<a class='x' href='/old' rel=me>One</a>", "/new?a=1&b=2", "<a class='x' href=\"/new?a=1&amp;b=2\" rel=me>One</a>"),
    ("One", "javascript:alert(1)", "One"),
    ("One", "java\tscript:alert(1)", "One"),
    ("One", " data:text/html,x", "One"),
])
def test_a_link_is_made_and_changed(editor: Page, mount: Mount, text: str, address: str, written: str) -> None:
    begin(editor, mount, text)
    press(editor, "Shift+End", "Control+k")
    editor.get_by_label("Address").fill(address)
    press(editor, "Enter")
    assert value(editor) == written
    expect(editor.get_by_role("textbox", name="Text")).to_be_focused()


def test_a_link_is_removed(editor: Page, mount: Mount) -> None:
    begin(editor, mount, "a <a href='/x'>link</a> b")
    press(editor, "ArrowRight", "ArrowRight", "ArrowRight", "Control+k")
    editor.get_by_role("button", name="Remove the link").click()
    assert value(editor) == "a link b"


def test_a_picture_of_the_library_is_put_in_with_its_alternative_text(editor: Page, mount: Mount) -> None:
    begin(editor, mount, PARAGRAPH.format("One"))
    editor.evaluate("window.chosen = {id: 5, source_url: '/uploads/a.png', alt_text: '', media_details: {width: 4, height: 3}}")
    editor.get_by_role("button", name="Image").click()
    editor.get_by_label("Alternative text").fill('A "tree"')
    press(editor, "Enter", "'Words")
    assert value(editor).removeprefix(PARAGRAPH.format("One")) == (
        "\n\n<!-- wp:image {\"id\":5,\"sizeSlug\":\"full\",\"linkDestination\":\"none\"} -->\n<figure class=\"wp-block-image size-full\">"
        "<img src=\"/uploads/a.png\" alt=\"A &quot;tree&quot;\" width=\"4\" height=\"3\" class=\"wp-image-5\"/>"
        "<figcaption class=\"wp-element-caption\">Words</figcaption></figure>\n<!-- /wp:image -->")
    editor.get_by_role("button", name="Image").click()
    expect(editor.get_by_label("Alternative text")).to_have_value('A "tree"')
    editor.get_by_label("Alternative text").fill("")
    press(editor, "Enter")
    assert 'alt=""' in value(editor)


def test_a_picture_that_only_decorates_is_asked_about_once(editor: Page, mount: Mount) -> None:
    begin(editor, mount, "One")
    editor.evaluate("window.chosen = {source_url: '/uploads/a.png', alt_text: '', wasAsked: true}")
    editor.get_by_role("button", name="Image").click()
    expect(editor.get_by_role("dialog")).to_have_count(0)
    assert value(editor) == "One\n\n<figure><img src=\"/uploads/a.png\" alt=\"\"/></figure>"


@pytest.mark.parametrize("text", ["a\r\nb\r\n\r\nc\r\n", "a\r\nb\nc\r\r\nd\n", BLOCKS, "", "<p>odd"])
def test_the_source_is_the_same_text(editor: Page, mount: Mount, text: str) -> None:
    begin(editor, mount, text)
    button = editor.get_by_role("button", name="Source")
    button.click()
    assert value(editor) == text
    field = editor.get_by_role("textbox", name="Text: Source")
    expect(field).to_be_focused()
    button.click()
    assert value(editor) == text
    button.click()
    press(editor, "Control+Home", "'x")
    assert value(editor) == f"x{text}"
    button.click()
    assert value(editor) == f"x{text}"
    press(editor, "Control+z")
    assert value(editor) == text


def test_a_block_is_edited_as_html_and_nothing_else_changes(editor: Page, mount: Mount) -> None:
    begin(editor, mount, f"{PARAGRAPH.format('One')}\n{COLUMNS}\n\n\n{PARAGRAPH.format('Two')}\n")
    editor.get_by_role("group", name="Columns").get_by_role("button", name="Edit as HTML").click()
    field = editor.get_by_role("dialog").get_by_role("textbox")
    expect(field).to_have_value(COLUMNS)
    field.fill(COLUMNS.replace("Side", "Other"))
    editor.get_by_role("button", name="Apply").click()
    changed = f"{PARAGRAPH.format('One')}\n{COLUMNS.replace('Side', 'Other')}\n\n\n{PARAGRAPH.format('Two')}\n"
    assert value(editor) == changed
    expect(editor.get_by_role("group", name="Columns")).to_contain_text("Other")
    press(editor, "Control+z")
    assert value(editor) == changed.replace("Other", "Side")
    press(editor, "Control+Home", "Alt+Shift+h", "Escape")
    assert value(editor) == changed.replace("Other", "Side")


def test_a_block_in_a_classic_text_makes_it_one_of_blocks(editor: Page, mount: Mount) -> None:
    begin(editor, mount, "One\n\nTwo")
    press(editor, "Alt+Shift+h")
    editor.get_by_role("dialog").get_by_role("textbox").fill(PARAGRAPH.format("New"))
    editor.get_by_role("button", name="Apply").click()
    assert value(editor) == f"{PARAGRAPH.format('New')}\n\nTwo"
    press(editor, "Control+z", "Control+z")
    assert value(editor) == "One\n\nTwo"


def test_another_text_is_set_and_the_editor_taken_away(editor: Page, mount: Mount) -> None:
    begin(editor, mount, "One")
    editor.evaluate("window.editor.setValue('Two\\r\\n')")
    assert value(editor) == "Two\r\n"
    press(editor, "Control+z")
    assert value(editor) == "Two\r\n"
    editor.evaluate("window.editor.destroy()")
    assert editor.locator("#place").inner_html() == ""

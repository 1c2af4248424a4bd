"""Columns, groups, galleries, buttons and tables are edited by the keyboard, and what isn't touched of them stays as it is."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from nested import (
    BUTTONS,
    CLASSIC_TABLE,
    COLUMN,
    COLUMNS,
    GALLERY,
    GROUP,
    IMAGE,
    OLD_GALLERY,
    PARAGRAPH,
    TABLE,
)
from playwright.sync_api import Page, expect
from test_editor_pasting import PASTE

Mount = Callable[[str], None]
LEFT = PARAGRAPH.format("Left") + "\n\n" + PARAGRAPH.format("More")


def value(page: Page) -> str:
    """Return the text as it would be stored."""
    text: str = page.evaluate("window.editor.getValue()")
    return text


def begin(page: Page, mount: Mount, text: str, word: str) -> None:
    """Open a text with the cursor before a word of it."""
    mount(text)
    page.evaluate("word => window.placeBefore(word)", word)


def press(page: Page, *keys: str) -> None:
    """Press keys, and type what stands behind a quote."""
    for key in keys:
        if key.startswith("'"):
            page.keyboard.type(key[1:])
        else:
            page.keyboard.press(key)


@pytest.mark.parametrize(("text", "word", "keys", "before", "after"), [
    (COLUMNS, "More", ["Alt+Shift+ArrowUp"], LEFT, PARAGRAPH.format("More") + "\n\n" + PARAGRAPH.format("Left")),
    (COLUMNS, "More", ["Alt+Shift+d"], PARAGRAPH.format("More"), PARAGRAPH.format("More") + "\n\n" + PARAGRAPH.format("More")),
    (COLUMNS, "More", ["Alt+Shift+Backspace"], LEFT, PARAGRAPH.format("Left")),
    (COLUMNS, "Left", ["End", "Enter", "'New"], PARAGRAPH.format("Left"), PARAGRAPH.format("Left") + "\n\n" + PARAGRAPH.format("New")),
    (COLUMNS, "Right", ["Backspace"], "", ""),
    (COLUMNS, "Right", ["Alt+Shift+ArrowUp"], "", ""),
    (COLUMNS, "Left", ["Escape", "Escape", "Alt+Shift+ArrowDown"], None, None),
    (COLUMNS, "More", ["End", "Enter", "Enter", "'- a"], PARAGRAPH.format("More"),
     PARAGRAPH.format("More") + "\n\n<!-- wp:list -->\n<ul class=\"wp-block-list\"><!-- wp:list-item -->\n<li>a</li>\n<!-- /wp:list-item --></ul>\n<!-- /wp:list -->"),
    (GROUP, "Out", ["'## "], PARAGRAPH.format("Out"), "<!-- wp:heading -->\n<h2 class=\"wp-block-heading\">Out</h2>\n<!-- /wp:heading -->"),
    (GALLERY, "Picture 2", ["Alt+Shift+ArrowUp"], IMAGE.format(1) + "\n\n" + IMAGE.format(2), IMAGE.format(2) + "\n\n" + IMAGE.format(1)),
    (OLD_GALLERY, "One", ["Alt+Shift+Delete"], "<li class=\"blocks-gallery-item\"><figure><img src=\"/1.png\" alt=\"\" data-id=\"1\"/><figcaption>One</figcaption></figure></li> ", ""),
    (BUTTONS, "Go", ["'Now ", "Enter"], "\">Go", "\">Now Go"),
    (TABLE, "Height", ["Tab", "'x"], "<td>High</td>", "<td>x</td>"),
    (TABLE, "Low", ["Tab", "Tab", "'New", "Tab", "'2"], "<tr><td>Low</td><td></td></tr>", "<tr><td>Low</td><td></td></tr><tr><td>New</td><td>2</td></tr>"),
    (TABLE, "High", ["'a", "Enter", "'b"], "High", "a<br>bHigh"),
    (TABLE, "Low", ["Shift+ArrowUp", "Shift+ArrowUp", "Delete"], None, None),
    (CLASSIC_TABLE, "d", ["Shift+Tab", "'x"], "<td>c</td>", "<td>x</td>"),
    (f"{PARAGRAPH.format('One')}\n\n{COLUMNS}", "One", ["End", "Delete"], "", ""),
])
def test_the_keys_change_what_they_mean_alone(
    editor: Page, mount: Mount, text: str, word: str, keys: list[str], before: str | None, after: str | None
) -> None:
    begin(editor, mount, text, word)
    press(editor, *keys)
    changed = value(editor)
    if before is None:
        # Either nothing was done or no table is torn; the page says nothing of either but that it goes on.
        assert changed.count("<tr") == changed.count("</tr>")
    else:
        assert changed == text.replace(before, after or "", 1)
    for _step in range(12):
        press(editor, "Control+z")
    assert value(editor) == text


@pytest.mark.parametrize(("word", "action", "rows"), [
    ("Low", "Add row", "<tr><td>Low</td><td></td></tr><tr><td></td><td></td></tr>"), ("Low", "Delete row", ""),
])
def test_rows_are_added_and_deleted(editor: Page, mount: Mount, word: str, action: str, rows: str) -> None:
    begin(editor, mount, TABLE, word)
    editor.get_by_role("button", name="Block").click()
    editor.get_by_role("menuitem", name=action).click()
    assert value(editor) == TABLE.replace("<tr><td>Low</td><td></td></tr>", rows)


def test_columns_are_added_and_deleted(editor: Page, mount: Mount) -> None:
    begin(editor, mount, TABLE, "Tide")
    for action, count in (("Add column", 3), ("Delete column", 2), ("Delete column", 1)):
        editor.get_by_role("button", name="Block").click()
        editor.get_by_role("menuitem", name=action).click()
        rows = value(editor).partition("<table")[2].partition("</table>")[0].split("<tr>")[1:]
        assert [row.count("<td") + row.count("<th>") + row.count("<th ") for row in rows] == [count] * 3
    assert "Tide" not in value(editor)
    assert "<th data-align=\"right\">Height</th>" in value(editor)


def test_actions_of_tables_stand_in_the_menu_in_tables_alone(editor: Page, mount: Mount) -> None:
    begin(editor, mount, f"{PARAGRAPH.format('One')}\n\n{TABLE}", "One")
    editor.get_by_role("button", name="Block").click()
    expect(editor.get_by_role("menuitem", name="Delete", exact=True)).to_be_visible()
    expect(editor.get_by_role("menuitem", name="Add row")).to_have_count(0)
    press(editor, "End")
    expect(editor.get_by_role("menuitem", name="Delete", exact=True)).to_be_focused()
    press(editor, "Escape")


@pytest.mark.parametrize(("name", "typed", "written"), [
    ("Table", ["'a", "Tab", "'b"],
     "<!-- wp:table -->\n<figure class=\"wp-block-table\"><table><tbody><tr><td>a</td><td>b</td></tr>" + "<tr><td></td><td></td></tr>" * 2
     + "</tbody></table></figure>\n<!-- /wp:table -->"),
    ("Columns", ["'a", "Enter", "'b"],
     "<!-- wp:columns -->\n<div class=\"wp-block-columns\">" + COLUMN.format(PARAGRAPH.format("a") + "\n\n" + PARAGRAPH.format("b"))
     + "\n\n" + COLUMN.format("") + "</div>\n<!-- /wp:columns -->"),
    ("Group", ["'a"], f"<!-- wp:group -->\n<div class=\"wp-block-group\">{PARAGRAPH.format('a')}</div>\n<!-- /wp:group -->"),
])
def test_they_are_made_in_wordpress_form_and_can_be_edited_on(editor: Page, mount: Mount, name: str, typed: list[str], written: str) -> None:
    begin(editor, mount, PARAGRAPH.format("One"), "One")
    editor.get_by_role("button", name="Insert").click()
    editor.get_by_role("menuitem", name=name).click()
    press(editor, *typed)
    assert value(editor) == f"{PARAGRAPH.format('One')}\n\n{written}"
    mount(written)
    assert "opaque" not in [block["type"] for block in editor.evaluate("window.blocks()")]


def test_a_gallery_is_made_of_pictures_of_the_library(editor: Page, mount: Mount) -> None:
    begin(editor, mount, PARAGRAPH.format("One"), "One")
    for id, name in ((5, "Gallery"), (6, "Image")):
        editor.evaluate("id => { window.chosen = {id, source_url: `/${id}.png`, alt_text: 'Tree', media_details: {}} }", id)
        editor.get_by_role("button", name="Insert").click()
        editor.get_by_role("menuitem", name=name).click()
    picture = ("<!-- wp:image {{\"id\":{0},\"sizeSlug\":\"full\",\"linkDestination\":\"none\"}} -->\n<figure class=\"wp-block-image size-full\">"
               "<img src=\"/{0}.png\" alt=\"Tree\" class=\"wp-image-{0}\"/></figure>\n<!-- /wp:image -->")
    assert value(editor) == (
        f"{PARAGRAPH.format('One')}\n\n<!-- wp:gallery {{\"linkTo\":\"none\"}} -->\n<figure class=\"wp-block-gallery has-nested-images columns-default is-cropped\">"
        f"{picture.format(5)}\n\n{picture.format(6)}</figure>\n<!-- /wp:gallery -->")


def test_a_block_in_a_block_is_edited_as_html_and_the_one_around_it_too(editor: Page, mount: Mount) -> None:
    begin(editor, mount, COLUMNS, "More")
    press(editor, "Alt+Shift+h")
    field = editor.get_by_role("dialog").get_by_role("textbox")
    expect(field).to_have_value(PARAGRAPH.format("More"))
    field.fill(PARAGRAPH.format("Changed"))
    editor.get_by_role("button", name="Apply").click()
    assert value(editor) == COLUMNS.replace("More", "Changed")
    editor.get_by_role("group", name="Columns", exact=True).get_by_role("button", name="Select: Columns").click()
    press(editor, "Alt+Shift+h")
    expect(editor.get_by_role("dialog").get_by_role("textbox")).to_have_value(COLUMNS.replace("More", "Changed"))
    press(editor, "Escape", "Alt+Shift+Delete")
    assert value(editor) == ""


@pytest.mark.parametrize(("text", "word", "html", "before", "after"), [
    (TABLE, "Low", "<p>a</p><p>b <b>c</b></p>", "<td>Low", "<td>a<br>b <strong>c</strong>Low"),
    (TABLE, "Low", "<table><tr><td>x</td><td>y</td></tr></table>", "<td>Low", "<td>x<br>yLow"),
    (TABLE, "Low", "<i>x</i>", "<td>Low", "<td><em>x</em>Low"),
    (BUTTONS, "Go", "<ul><li>a</li><li>b</li></ul>", ">Go", ">a<br>bGo"),
    (OLD_GALLERY, "One", "<p>a</p><p>b</p>", ">One", ">a<br>bOne"),
    (COLUMNS, "More", "<p>a</p><p>b</p>", PARAGRAPH.format("More"), PARAGRAPH.format("a") + "\n\n" + PARAGRAPH.format("bMore")),
])
def test_what_is_pasted_into_a_cell_a_button_or_a_caption_stays_in_it(
    editor: Page, mount: Mount, text: str, word: str, html: str, before: str, after: str
) -> None:
    begin(editor, mount, text, word)
    assert editor.evaluate(PASTE, [html, ""]) == text.replace(before, after, 1)
    press(editor, "Control+z")
    assert value(editor) == text


def test_a_button_leads_elsewhere_and_keeps_the_rest_of_its_tag(editor: Page, mount: Mount) -> None:
    begin(editor, mount, BUTTONS, "Go")
    press(editor, "Control+k")
    expect(editor.get_by_label("Address")).to_have_value("/go")
    editor.get_by_label("Address").fill("/there")
    press(editor, "Enter")
    assert value(editor) == BUTTONS.replace("/go", "/there")

from __future__ import annotations

import random
from html.parser import HTMLParser

import pytest

from cms.rendering import render_content
from cms.rendering.markup import BLOCKS, VOID

CASES = [
    ("<div>One\n\nTwo</div>", "<div>\n<p>One</p>\n<p>Two</p>\n</div>\n"),
    ("<div>One\nTwo</div>", "<div>One<br />\nTwo</div>\n"),
    ("<b>One\n\nTwo</b>", "<p><b>One<br />\n<br />\nTwo</b></p>\n"),
    ("<textarea>One\n\nTwo</textarea>", "<p><textarea>One\n\nTwo</textarea></p>\n"),
    ("<script>a()\n\nb()</script>", "<p><script>a()\n\nb()</script></p>\n"),
    ("<ul><li>One</li><li>Two</li></ul>", "<ul>\n<li>One</li>\n<li>Two</li>\n</ul>\n"),
    ("<ul>\n<li>One\n<ul>\n<li>Two</li>\n</ul>\n</li>\n</ul>",
     "<ul>\n<li>One\n<ul>\n<li>Two</li>\n</ul>\n</li>\n</ul>\n"),
    ("<a href=\"/x\"><div>Card</div></a>", "<a href=\"/x\">\n<div>Card</div>\n</a>\n"),
    ("<blockquote>\n<p>Said</p>\n</blockquote>", "<blockquote>\n<p>Said</p>\n</blockquote>\n"),
    ("<p>one<p>two", "<p>one\n<p>two\n"),
    ("Text\n<pre>a", "<p>Text</p>\n<pre>a\n"),
    (
        "<img alt=\"a\n\nb < c\" src=\"x\">\n\nNext",
        "<p><img alt=\"a\n\nb < c\" src=\"x\"></p>\n<p>Next</p>\n",
    ),
    ("a <b and\n\nc", "<p>a <b and</p>\n<p>c</p>\n"),
    ("   \n\n  ", ""),
    ("One<br/>\n<br/>\nTwo", "<p>One</p>\n<p>Two</p>\n"),
    ("One<br /><br />Two", "<p>One</p>\n<p>Two</p>\n"),
    ("One<br> <BR/>Two", "<p>One</p>\n<p>Two</p>\n"),
    ("One<br>\n\n<br>Two", "<p>One</p>\n<p>Two</p>\n"),
    ("One<br><br><br>Two", "<p>One</p>\n<p>Two</p>\n"),
    ("One<br>\n<br>\n<br>\n<br>Two", "<p>One</p>\n<p>Two</p>\n"),
    ("One<br>Two<br><br>Three", "<p>One<br />Two</p>\n<p>Three</p>\n"),
    ("One<br>\n\nTwo", "<p>One</p>\n<p>Two</p>\n"),
    ("One\n\n<br>Two", "<p>One</p>\n<p>Two</p>\n"),
    ("One\n\n<br>\n\nTwo", "<p>One</p>\n<p>Two</p>\n"),
    ("<br>One<br>", "<p>One</p>\n"),
    ("<br>", ""),
    ("<br><br>\n<br>", ""),
    ("One<br><h2>Two</h2><br>Three", "<p>One</p>\n<h2>Two</h2>\n<p>Three</p>\n"),
    ("<p>One<br><br>Two</p>", "<p>One</p>\n<p>Two</p>\n"),
    ("<p class=\"a\">One\n\nTwo</p>", "<p class=\"a\">One</p>\n<p>Two</p>\n"),
    ("<p>One<br></p>", "<p>One</p>\n"),
    ("<p>One\nTwo</p>", "<p>One<br />\nTwo</p>\n"),
    ("<div>One<br><br>Two</div>", "<div>\n<p>One</p>\n<p>Two</p>\n</div>\n"),
    ("<div>One<br></div>", "<div>One</div>\n"),
    ("<div><br></div>", "<div></div>\n"),
    ("<blockquote>One<br><br>Two</blockquote>", "<blockquote><p>One</p>\n<p>Two</p></blockquote>\n"),
    ("<ul><li>One<br><br>Two</li></ul>", "<ul>\n<li>\n<p>One</p>\n<p>Two</p>\n</li>\n</ul>\n"),
    ("<td>One<br></td>", "<td>One</td>\n"),
    ("<h2>One<br></h2>", "<h2>One<br /></h2>\n"),
    ("<b>One<br><br>Two</b>", "<p><b>One<br /><br />Two</b></p>\n"),
    ("<pre>One<br><br>Two</pre>", "<pre>One<br><br>Two</pre>\n"),
    ("One<br clear=\"all\"><br clear=\"all\">Two", "<p>One<br clear=\"all\"><br clear=\"all\">Two</p>\n"),
    ("One&nbsp;<br>\n&nbsp;<br>\nTwo", "<p>One&nbsp;<br />\n&nbsp;<br />\nTwo</p>\n"),
    ("One<br><!-- c --><br>Two", "<p>One<br /><!-- c --><br />Two</p>\n"),
]


@pytest.mark.parametrize(("raw", "rendered"), CASES)
def test_paragraphs_stand_only_where_they_may(raw: str, rendered: str) -> None:
    assert render_content(raw) == rendered


class _Checker(HTMLParser):
    """Fails on tags that don't match and on blocks in paragraphs."""

    def __init__(self) -> None:
        super().__init__()
        self.stack: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        assert not (tag in BLOCKS and "p" in self.stack), (tag, self.stack)
        assert not (tag == "p" and {"ul", "table", "tr"} & set(self.stack[-1:])), self.stack
        if tag not in VOID:
            self.stack.append(tag)

    def handle_startendtag(self, tag: str, attrs: object) -> None:
        assert tag in VOID

    def handle_endtag(self, tag: str) -> None:
        assert self.stack.pop() == tag


def check_nesting(html: str) -> None:
    checker = _Checker()
    checker.feed(html)
    checker.close()
    assert not checker.stack


TEXTS = [
    "word", " ", "\n", "\n\n", "one\ntwo", "\n\nthree\n\n", "\"q\" -- it's", "<br>", "<img src=\"x\">",
    "<!-- c -->",
]
FLOW = ["div", "blockquote", "section"]


def _inline(dice: random.Random, depth: int) -> str:
    pieces = []
    for _ in range(dice.randint(0, 4)):
        if depth < 3 and dice.random() < 0.3:
            tag = dice.choice(["b", "em", "code", "span"])
            pieces.append(f"<{tag}>{_inline(dice, depth + 1)}</{tag}>")
        else:
            pieces.append(dice.choice(TEXTS))
    return "".join(pieces)


def _flow(dice: random.Random, depth: int = 0) -> str:
    pieces = []
    for _ in range(dice.randint(1, 4)):
        kind = dice.choice(["inline", "p", "flow", "list", "table", "link"]) if depth < 4 else "inline"
        if kind == "inline":
            pieces.append(_inline(dice, 0))
        elif kind == "p":
            tag = dice.choice(["p", "h2", "pre"])
            pieces.append(f"<{tag}>{_inline(dice, 0)}</{tag}>")
        elif kind == "list":
            pieces.append(f"<ul>{dice.choice(['', chr(10)])}<li>{_flow(dice, depth + 1)}</li>\n\n</ul>")
        elif kind == "table":
            pieces.append(f"<table>\n\n<tr>\n<td>{_flow(dice, depth + 1)}</td> </tr></table>")
        else:
            tag = "a" if kind == "link" else dice.choice(FLOW)
            pieces.append(f"<{tag}>{_flow(dice, depth + 1)}</{tag}>")
    return "".join(pieces)


@pytest.mark.parametrize("seed", range(10))
def test_well_formed_html_stays_well_formed(seed: int) -> None:
    dice = random.Random(seed)
    for _ in range(150):
        raw = _flow(dice)
        check_nesting(raw)
        check_nesting(render_content(raw))


@pytest.mark.parametrize("broken", ["<div><p>a</div>", "<p><div>x</div></p>", "<b><i>x</b></i>"])
def test_the_check_of_nesting_notices_faults(broken: str) -> None:
    with pytest.raises(AssertionError):
        check_nesting(broken)

"""Texts made to take long: time must grow with length alone."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from cms.rendering import render_comment, render_content, render_excerpt, render_title
from cms.rendering.markup import strip_tags
from cms.rendering.plain import clean_line, make_slug
from cms.rendering.sanitising import sanitize_comment, sanitize_post

FUNCTIONS: list[Callable[[str], str]] = [
    render_title, render_content, render_comment, lambda raw: render_excerpt("", raw), sanitize_post,
    sanitize_comment, make_slug, clean_line, strip_tags,
]
UNITS = [
    "<div>", "<b></i>", "<ul><li>", "<p>", "&", "<", "<a ", "<a x=\"<a\" ", "<a x='", "\"", "'", "-", "1.",
    "<!--", "<!", "</", "<script>", "<script", "[gallery", "\n", "\n ", "\n\n", " ", "a", "a@", "www.",
    "<b>\n\n", "<br>\n", "</p>", "<svg><style><div>", "javascript:", "<a href=\"", "<b><li></b>",
    "<span><div></span></div>",
    "<div title=\"</div>\">",
    "<div><!-- </div> -->", "<b><table><td></b></table>", "<pre>\n", "=", "<i>x</i> ",
    "<br>", "<br> ", "<br>\n\n", "x<br><br>", "<b><br>", "<p>\n\n", "(http://e.org/(", "http://e.org/)", "語", "語 ",
    "ั", "<p style=\"/*", "<p style='a:;",
]


def _took(function: Callable[[str], str], text: str) -> float:
    start = time.process_time()
    function(text)
    return time.process_time() - start


@pytest.mark.parametrize("unit", UNITS)
def test_repetition_takes_no_more_than_its_length(unit: str) -> None:
    text = unit * (20_000 // len(unit))
    assert max(_took(function, text) for function in FUNCTIONS) < 4  # what grows with the square takes far longer


@pytest.mark.parametrize("unit", ["<div>", "<ul><li>", "<b></i>", "<a x=\"<a\" "])
def test_a_large_text_is_done_in_seconds(unit: str) -> None:
    text = unit * (200_000 // len(unit))
    assert _took(sanitize_post, text) < 15
    assert _took(render_content, text) < 15

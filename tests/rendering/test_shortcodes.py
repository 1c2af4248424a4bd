"""Shortcodes: what the core's own become, and what others are left as."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
from sites import Client

from cms.rendering import render_comment, render_content, render_excerpt, render_title

IMG = '<img src="http://e.org/a.jpg" alt="A" width="300" height="200" />'
LINKED = f'<a href="http://e.org/a.jpg">{IMG}</a>'


def figure(picture: str, text: str, id: str = ' id="attachment_5"', names: str = "alignnone", width: int = 300) -> str:
    return (f'<figure{id} style="width: {width}px" class="wp-caption {names}">{picture}'
            f'<figcaption class="wp-caption-text">{text}</figcaption></figure>\n')


def player(address: str, type: str, switches: str = "", preload: str = "none") -> str:
    return (f'<div class="wp-audio"><audio class="wp-audio-shortcode"{switches} preload="{preload}" style="width: 100%;" '
            f'controls="controls"><source type="{type}" src="{address}" /><a href="{address}">{address}</a>'
            "</audio></div>\n")


def film(address: str, type: str, width: int = 640, height: int = 360, more: str = "") -> str:
    return (f'<div style="width: {width}px;" class="wp-video"><video class="wp-video-shortcode" width="{width}" '
            f'height="{height}"{more} preload="metadata" controls="controls"><source type="{type}" src="{address}" />'
            f'<a href="{address}">{address}</a></video></div>\n')


CASES = [
    (f'[caption id="attachment_5" align="alignnone" width="300"]{IMG} The harbour[/caption]', figure(IMG, "The harbour")),
    (f'[caption id="attachment_5" align="alignleft" width="300" class="big"]{LINKED} "Said" -- it\'s[/caption]',
     figure(LINKED, "&#8220;Said&#8221; &#8212; it&#8217;s", names="alignleft big")),
    (f'[wp_caption id="attachment_5" width="300" caption="The harbour"]{IMG}[/wp_caption]', figure(IMG, "The harbour")),
    (f'[caption width="300"]{IMG} Two <em>words</em>[/caption]', figure(IMG, "Two <em>words</em>", id="")),
    (f'[caption id="attachment_5"]{IMG} No width[/caption]', f"<p>{IMG} No width</p>\n"),
    (f'[caption id="attachment_5" width="300"]{IMG}[/caption]', f"<p>{IMG}</p>\n"),
    (f'Before\n\n[caption id="attachment_5" width="300"]{IMG} C[/caption]\n\nAfter',
     f"<p>Before</p>\n{figure(IMG, 'C')}<p>After</p>\n"),
    (f'Before [caption id="attachment_5" width="300"]{IMG} C[/caption] after',
     f"<p>Before </p>\n{figure(IMG, 'C')}<p> after</p>\n"),
    (f'[caption id="x&quot; onclick=&quot;y" align="a&quot;b" width="9;color:red"]{IMG} C[/caption]',
     figure(IMG, "C", id=' id="x onclicky"', names="ab", width=9)),
    ('[audio src="http://e.org/a.mp3"]', player("http://e.org/a.mp3", "audio/mpeg")),
    ('[audio mp3="/a.mp3" loop="on" preload="auto"][/audio]', player("/a.mp3", "audio/mpeg", ' loop="1"', "auto")),
    ("[audio http://e.org/a.mp3]", ""),
    ('[audio src="http://e.org/a.xyz"]',
     '<p><a class="wp-embedded-audio" href="http://e.org/a.xyz">http://e.org/a.xyz</a></p>\n'),
    ('[audio src="javascript:alert(1)"]', ""),
    ('[audio src="http://e.org/&quot;onerror=x.mp3"]', player("http://e.org/&quot;onerror=x.mp3", "audio/mpeg")),
    ('[video src="http://e.org/v.mp4"]', film("http://e.org/v.mp4", "video/mp4")),
    ('[video width="320" height="180" mp4="http://e.org/v.mp4?x=1&amp;y=2" poster="/p.jpg"][/video]',
     film("http://e.org/v.mp4?x=1&amp;y=2", "video/mp4", 320, 180, ' poster="/p.jpg"')),
    ('[video src="https://www.youtube.com/watch?v=x"]',
     '<p><a class="wp-embedded-video" href="https://www.youtube.com/watch?v=x">https://www.youtube.com/watch?v=x</a></p>\n'),
    ('[video src="data:video/mp4,x"]', ""),
    ("[embed]https://e.org/?a=1&amp;b=2[/embed]",
     '<p><a href="https://e.org/?a=1&amp;b=2">https://e.org/?a=1&amp;b=2</a></p>\n'),
    ("See [embed width=\"9\"]https://e.org/a--b[/embed].",
     '<p>See <a href="https://e.org/a--b">https://e.org/a--b</a>.</p>\n'),
    ("[embed]java\tscript:alert(1)[/embed]", ""),
    ("[embed]java&#9;script:alert(1)[/embed]", ""),
    ("[embed]\x01javascript:alert(1)[/embed]", ""),
    ("[embed]javascript&amp;#58;alert(1)[/embed]", ""),
    ('[audio src="java&#10;script:alert(1)"]', ""),
    ('[video src="http://e.org/v.mp4" poster="java&#9;script:x"]', film("http://e.org/v.mp4", "video/mp4")),
    ('[caption width="3" caption="&lt;img src=x onerror=alert(1)&gt;"]Text[/caption]',
     figure("Text", "&lt;img src=x onerror=alert(1)&gt;", id="", width=3)),
    ("[embed]javascript:alert(1)[/embed]", ""),
    ("[embed][/embed]", ""),
    ("[/caption]", ""),
    ("a [/gallery] b", "<p>a  b</p>\n"),
    ('[[caption id="x"]]', '<p>[caption id="x"]</p>\n'),
    ("<code>[gallery]</code> <pre>[audio src=\"x\"]</pre>",
     "<p><code>[gallery]</code> </p>\n<pre>[audio src=\"x\"]</pre>\n"),
    ('[gallery_x] [galleryx a="b"]', "<p>[gallery_x] [galleryx a=&#8221;b&#8221;]</p>\n"),
    ('[audio src="a.mp3"] [audio src="b.mp3"]x[/audio]',
     player("a.mp3", "audio/mpeg") + player("b.mp3", "audio/mpeg")),
    (f'<!-- wp:shortcode -->\n[caption id="attachment_5" width="300"]{IMG} C[/caption]\n<!-- /wp:shortcode -->',
     f"\n{figure(IMG, 'C')}"),
]


@pytest.mark.parametrize(("raw", "rendered"), CASES)
def test_shortcodes_become_html(raw: str, rendered: str) -> None:
    assert render_content(raw) == rendered


def test_shortcodes_are_for_texts_alone() -> None:
    assert render_title("[gallery]") == "[gallery]"
    assert "[gallery]" in render_comment("[gallery]")
    assert render_excerpt("[gallery] given", "") == "<p>[gallery] given</p>\n"


@pytest.mark.parametrize(("raw", "excerpt"), [
    (f'[caption width="300"]{IMG} The harbour[/caption] Text', "Text"),
    ('One [gallery ids="1"] two [audio src="x"] three', "One two three"),
    ("One [embed]http://e.org[/embed] two", "One two"),
    ("[audio a] one [audio b]x[/audio] two", "one two"),
    ("One [/caption] two [unknown] three", "One two [unknown] three"),
])
def test_excerpts_leave_shortcodes_out_with_their_content(raw: str, excerpt: str) -> None:
    assert render_excerpt("", raw) == f"<p>{excerpt}</p>\n"


@pytest.mark.parametrize("unit", [
    "[caption]", "[/caption]", "[caption]x[/caption]", "[caption width=\"9\"]", "[embed][audio]", "[[gallery]", "[caption a=",
    "[audio a=\"", "[", "[caption]<img", "[video][caption][/video]", "]", "[audio ", "[embed]x[/embed] ",
])
def test_many_marks_take_no_more_than_their_length(unit: str) -> None:
    text = unit * (300_000 // len(unit))
    for end in ("", "[/caption]"):
        start = time.process_time()
        render_content(text + end)
        render_excerpt("", text + end)
        assert time.process_time() - start < 15


NOTES = '''
from html import escape

def note(attributes, content):
    if attributes.get("broken"):
        raise KeyError("broken")
    if attributes.get("wrong"):
        return 5
    if attributes.get("as") == "written":
        return None
    return f'<aside title="{escape(attributes.get("title", attributes.get("0", "")))}">{content}</aside>'

@hookimpl
def register_shortcodes():
    return {"note": note, "gallery": lambda attributes, content: "<b>Ours</b>"}
'''


@pytest.mark.parametrize(("raw", "rendered"), [
    ('[note title="A &amp; &quot;B&quot;"]It\'s "so"[/note]',
     '<aside title="A &amp; &quot;B&quot;">It&#8217;s &#8220;so&#8221;</aside>\n'),
    ("[note plain]", '<aside title="plain"></aside>\n'),
    ("[note title='It\"s'][embed]http://e.org[/embed][/note]",
     '<aside title="It&quot;s"><a href="http://e.org">http://e.org</a></aside>\n'),
    ("a [gallery] b", "<p>a <b>Ours</b> b</p>\n"),
    ('[note as="written"]"x"[/note]', '<p>[note as="written"]&#8220;x&#8221;[/note]</p>\n'),
    ('[[note a="b"]]', '<p>[note a="b"]</p>\n'),
])
def test_plugins_render_shortcodes(extended: Callable[..., Client], raw: str, rendered: str) -> None:
    client = extended(NOTES)

    assert client.new("/posts", title="T", content=raw)["content"]["rendered"] == rendered


@pytest.mark.parametrize(("attribute", "told"), [("broken", "failed: KeyError"), ("wrong", "returned int instead of str")])
def test_a_shortcode_that_fails_names_its_plugin(
        extended: Callable[..., Client], caplog: pytest.LogCaptureFixture, attribute: str, told: str) -> None:
    client = extended(NOTES)

    assert client.post("/posts", {"title": "T", "content": f'[note {attribute}="1"]'}).status_code == 500
    assert f"plugin plugin_one: shortcode note {told}" in caplog.text


def test_texts_are_rendered_anew_for_other_shortcodes(client: Client, extended: Callable[..., Client]) -> None:
    assert extended(NOTES).site.renderer.version != client.site.renderer.version


@pytest.mark.parametrize(("returned", "told"), [
    ("[]", "returned list instead of functions by the names of shortcodes"),
    ("{'a b': len}", "'a b' can't be a name"),
    ("{'note': 5}", "'note' is no function"),
])
def test_what_is_no_shortcode_stops_the_start(extended: Any, returned: str, told: str) -> None:
    with pytest.raises(Exception, match="plugin plugin_one: register_shortcodes: ") as fault:
        extended(f"@hookimpl\ndef register_shortcodes():\n    return {returned}\n")
    assert told in str(fault.value)

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from pathlib import Path

import nh3
import pytest

from cms.rendering import render_comment, render_content, render_excerpt, render_title
from cms.rendering.allowed import POST_TAGS, SCHEMES
from cms.rendering.sanitising import (
    MAX_DEPTH,
    sanitize_comment,
    sanitize_description,
    sanitize_post,
    sanitize_title,
)

POSTS = [
    ("A <script>alert(1)</script>title", "A alert(1)title"),
    ("Hi <script>alert(1)</script><img src=\"x.png\" onerror=\"alert(1)\"> <iframe src=\"https://example.org\">"
     "</iframe> <strong>ok</strong>", "Hi alert(1)<img src=\"x.png\">  <strong>ok</strong>"),
    ("<script>alert(1)</script><em onclick=\"x()\">fine</em>", "alert(1)<em>fine</em>"),
    (
        "<form action=\"/x\"><input name=\"a\"></form><p style=\"color:red\">p</p>",
        "<p style=\"color:red\">p</p>",
    ),
    ("<a href=\"javascript:alert(1)\">x</a> <a href=\"https://example.org/?a=1&amp;b=2\">y</a>",
     "<a href=\"alert(1)\">x</a> <a href=\"https://example.org/?a=1&amp;b=2\">y</a>"),
    ("<a href=\"&#106;avascript:alert(1)\">Link</a>", "<a href=\"alert(1)\">Link</a>"),
    ("<a href=\"data:text/html,x\">Link</a>", "<a href=\"text/html,x\">Link</a>"),
    ("<style>p{color:red}</style>", "p{color:red}"),
    ("<svg onload=\"alert(1)\"><circle/></svg>", ""),
    ("<p style=\"width: expression(alert(1))\">x</p>", "<p>x</p>"),
    ("<p style=\"color: red; position: absolute\">x</p>", "<p style=\"color:red\">x</p>"),
    ("<p foo=\"bar\">x</p>", "<p>x</p>"),
    ("<a href=http://example.org>bare</a>", "<a href=\"http://example.org\">bare</a>"),
    ("a < b", "a &lt; b"),
    ("a <b", "a &lt;b"),
    ("a &amp; b & c", "a &amp; b &amp; c"),
    ("<scr<script>ipt>alert(1)</script>", "&lt;script&gt;alert(1)"),
    ("<form><button>Go</button></form>", "<button>Go</button>"),
    ("open <!-- comment", "open &lt;!-- comment"),
    ("nul \0 <b\0>x</b>", "nul  x"),
]


@pytest.mark.parametrize(("given", "kept"), POSTS)
def test_authors_keep_what_may_stand_in_posts(given: str, kept: str) -> None:
    assert sanitize_post(given) == kept


STYLES = [
    ("background-image:url(https://e.org/a.png);min-height:2em", "min-height:2em"),
    ("background:url(//e.org/a) red;color:blue", "color:blue"),
    ("color:red;width:expression(alert(1));height:1px", "color:red;height:1px"),
    ("position:fixed;top:0;z-index:9;margin-top:1em", "margin-top:1em"),
    ("behavior:url(x);-moz-binding:url(x);display:none", "display:none"),
    ("color:red;/* a note; */width:1px", "color:red;width:1px"),
    ("co/**/lor:red;wid/* */th:ex/**/pression(1)", "color:red"),
    ("color:red;/* open; width:1px", "color:red"),
    ("COLOR:Red;Text-Align:center", "color:Red;text-align:center"),
    ("color:r\\65 d;height:1px", "height:1px"),
    ("color:red;;;width", "color:red"),
    ("@import 'x';color:red", "color:red"),
    ("font-family:'a;position:fixed;b';color:red", "font-family:&quot;a;position:fixed;b&quot;;color:red"),
    ("background-color:#fff;grid-template-rows:1fr 2fr;border-top-left-radius:4px",
     "background-color:#fff;grid-template-rows:1fr 2fr;border-top-left-radius:4px"),
    ("box-shadow:0 0 4px #000;cursor:image-set(url(x) 1x);gap:1em", "box-shadow:0 0 4px #000;gap:1em"),
]


@pytest.mark.parametrize(("style", "kept"), STYLES)
def test_of_a_style_the_risky_properties_alone_go(style: str, kept: str) -> None:
    assert sanitize_post(f'<p style="{style}">x</p>') == f'<p style="{kept}">x</p>'


@pytest.mark.parametrize("unit", ["/* ", "\"'", "';", ";a:", "/**/", "color:red;", "url("])
def test_a_long_style_takes_no_more_than_its_length(unit: str) -> None:
    start = time.process_time()
    sanitize_post('<p style="' + (unit * (300_000 // len(unit))).replace('"', "&quot;") + '">x</p>')
    assert time.process_time() - start < 4


HARMLESS = [
    "Just text, \"quoted\" -- it's 100% fine.",
    "<!-- wp:image {\"id\":5,\"x\":\"a--b\"} -->\n<figure class=\"wp-block-image\">"
    "<img src=\"https://e.org/a.png\" alt=\"x\"/></figure>\n<!-- /wp:image -->",
    "Before<!--more-->After<!--nextpage-->",
    "<p class=\"a b\" id=\"c\" dir=\"rtl\" lang=\"he\">שלום</p>",
    "<table>\n<tr>\n<td colspan=\"2\">&copy; x&nbsp;y</td>\n</tr>\n</table>",
    "<a href='http://example.org' title='a &amp; b'>single</a><br /><hr />",
    "<a href=\"mailto:a@example.org\">Mail</a> <a href=\"/x?a=b:c#d:e\">Rel</a>",
    "<p style=\"color: red; text-align: center;\">x</p>",
    "<div data-foo=\"1\" aria-label=\"L\" role=\"note\">x</div>",
    "<audio controls src=\"http://example.org/a.mp3\"></audio>",
    "<details><summary>S</summary>D</details>",
    "<img src=\"a.png\" srcset=\"a.png 1x, https://e.org/b.png 2x\" alt=\"A\" width=\"10\">",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "<pre>\n<code>x &lt; y</code></pre>\r\n<ul>\r\n<li>One</li>\r\n</ul>",
    "<blockquote cite=\"http://example.org\"><p>Q</p></blockquote>",
]


@pytest.mark.parametrize("html", HARMLESS)
def test_harmless_markup_stays_as_it_was_written(html: str) -> None:
    assert sanitize_post(html) == html


@pytest.mark.parametrize(("sanitize", "given", "kept"), [
    (sanitize_title, "<b>Bold</b> <i>it</i>", "<b>Bold</b> <i>it</i>"),
    (sanitize_title, "Plain & simple", "Plain &amp; simple"),
    (sanitize_title, "<h1>Heading</h1><span style=\"color:red\">Red</span>", "HeadingRed"),
    (sanitize_title, "<img src=x onerror=alert(1)>Picture<!-- c -->", "Picture"),
    (sanitize_comment, "<a href=\"http://example.org\" rel=\"friend\" target=\"_blank\">B</a>",
     "<a href=\"http://example.org\">B</a>"),
    (sanitize_comment, "<b>unclosed", "<b>unclosed</b>"),
    (sanitize_comment, "<pre>K\n\nk</pre><ul><li>F</li></ul>", "K\n\nkF"),
    (sanitize_comment, "<del datetime=\"2020-01-01\">I</del> <s class=\"x\">i</s>",
     "<del datetime=\"2020-01-01\">I</del> <s>i</s>"),
    (sanitize_description,
     "A <a href=\"http://example.org/\" onclick=\"x()\">link</a><script>alert(1)</script>",
     "A <a href=\"http://example.org/\">link</a>alert(1)"),
    (sanitize_description, "Two\nlines & <img src=x onerror=alert(1)>", "Two\nlines &amp; "),
])
def test_lines_keep_little_markup(sanitize: Callable[[str], str], given: str, kept: str) -> None:
    assert sanitize(given) == kept


def test_markup_deeper_than_anybody_writes_becomes_text() -> None:
    deep = "<div>" * (MAX_DEPTH + 1) + "x & y"
    assert sanitize_post(deep) == "x &amp; y"
    assert sanitize_post("<div>" * 9 + "x" + "</div>" * 9).count("<div>") == 9


ATTACKS = json.loads((Path(__file__).parent / "attacks.json").read_text("utf-8"))
AROUND = ["{}", "\"it's\" <b>{}</b> -- :)", "<p title=\"x\">{}\n\nwww.example.org", "<!-- a -->{}<!-- b -->"]
DANGEROUS = frozenset(
    [
        "applet", "base", "bgsound", "body", "embed", "form", "frame", "frameset", "head", "html", "iframe",
        "input", "isindex", "keygen", "link", "marquee", "math", "meta", "noembed", "noscript", "object",
        "option", "plaintext", "script", "select", "style", "svg", "template", "textarea", "title", "xmp",
        "animate",
    ]
)


def active_parts(html: str) -> list[str]:
    """Read HTML as a browser does and return what could run or load code there."""
    found: list[str] = []

    def watch(tag: str, attribute: str, value: str) -> str | None:
        seen = re.sub(r"[\x00-\x20\x7f-\xa0\u200b]", "", value)
        scheme = re.match(r"(?i:feed:(?=[^/?#:]*:))*([^/?#:]*):", seen)
        is_address = attribute in {
            "href", "src", "cite", "poster", "action", "data", "xlink:href", "background",
        }
        if (attribute.startswith("on") or attribute in {"srcdoc", "formaction", "action", "http-equiv"}
                or (is_address and scheme and scheme[1].lower() not in SCHEMES)
                or (attribute == "srcset" and "script:" in seen)
                or (attribute == "style" and re.search(r"url|expression|[\\<@}]|/\*", value))):
            found.append(f"{tag} {attribute}={value}")
        return None

    tags = POST_TAGS | DANGEROUS
    schemes = {"javascript", "vbscript", "data", "blob", "livescript", "x", *SCHEMES}
    names = set(re.findall(r"[a-z][a-z:-]*", html.lower()))
    nh3.clean(html, tags=set(tags), attributes={"*": names}, clean_content_tags=set(), link_rel=None,
              url_schemes=schemes, attribute_filter=watch)
    left = nh3.clean(html, tags=set(DANGEROUS), clean_content_tags=set(), attributes={})
    return found + re.findall("<[a-z]+", left)


@pytest.mark.parametrize("attack", [
    "<img src=x onerror=alert(1)>", "<a href=\"java\tscript:x\">x</a>", "<script>x</script>",
    "<p style=\"width:expression(1)\">", "<svg onload=alert(1)>", "<meta http-equiv=x>",
    "<a href=\"feed:javascript:x\">x</a>",
])
def test_the_check_sees_attacks(attack: str) -> None:
    assert active_parts(attack)


@pytest.mark.parametrize("attack", ATTACKS)
@pytest.mark.parametrize("around", AROUND)
def test_nothing_active_remains(attack: str, around: str) -> None:
    given = around.replace("{}", attack)
    post, line = sanitize_post(given), sanitize_comment(given)
    shown = [post, line, sanitize_title(given), render_title(line), render_content(post, smilies=True),
             render_content(line), render_excerpt(post, ""), render_excerpt("", post), render_comment(line),
             render_comment(post)]
    assert [active_parts(html) for html in shown] == [[]] * len(shown)


@pytest.mark.parametrize("attack", ATTACKS)
def test_sanitising_twice_changes_nothing_more(attack: str) -> None:
    assert sanitize_post(sanitize_post(attack)) == sanitize_post(attack)
    assert sanitize_title(sanitize_title(attack)) == sanitize_title(attack)

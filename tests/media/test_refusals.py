"""Hostile files: each gets the status it should have, and a refusal leaves no file behind."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable

import pytest
from servers import SERVER
from sites import Client

from media.uploading import fetch, kept_files, read, send_form, send_raw


def png_of(width: int, height: int) -> bytes:
    """Return a PNG of one colour, as small as such a file can be."""
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    packer = zlib.compressobj(9)
    line = b"\0" * (width // 8 + 2)
    body = b"".join(packer.compress(line) for _ in range(min(height, 3_000))) + packer.flush()
    header = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


HTML = b"<!doctype html><script>alert(document.cookie)</script>"
SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script><rect width="5" onclick="alert(2)"/></svg>'
PHP = b"<?php system($_GET['c']);"
REFUSED = {
    "html named jpg": ("page.jpg", HTML),
    "php named jpg": ("shell.jpg", PHP),
    "php named png": ("shell.png", PHP),
    "html": ("page.html", HTML),
    "htm in capitals": ("page.HTM", HTML),
    "xhtml": ("page.xhtml", HTML),
    "script": ("code.js", b"alert(1)"),
    "svg": ("drawing.svg", SVG),
    "svg named png": ("drawing.png", SVG),
    "svg packed": ("drawing.svgz", zlib.compress(SVG)),
    "php": ("shell.php", PHP),
    "php with a dot behind": ("shell.php.", PHP),
    "phtml": ("shell.phtml", PHP),
    "server settings": (".htaccess", b"AddType text/html .png"),
    "program": ("tool.exe", b"MZ" + b"\0" * 100),
    "program named pdf": ("tool.pdf", b"MZ" + b"\0" * 100),
    "html named pdf": ("page.pdf", HTML),
    "html named mp4": ("page.mp4", HTML),
    "bytes named txt": ("bytes.txt", b"\0\1\2\3" * 50),
    "picture named txt": ("picture.txt", read("harbour.png")),
    "zero bytes": ("empty.png", b""),
    "header alone": ("head.png", read("harbour.png")[:12]),
    "no ending": ("picture", read("harbour.png")),
    "only an ending": (".png", read("harbour.png")),
    "30,000 x 30,000 pixels": ("bomb.png", png_of(30_000, 30_000)),
    "8,000 x 8,000 pixels": ("large.png", png_of(8_000, 8_000)),
    "no width": ("flat.png", png_of(0, 10)),
}


@pytest.mark.parametrize("send", [send_raw, send_form], ids=["body", "form"])
@pytest.mark.parametrize("case", sorted(REFUSED))
def test_a_hostile_file_is_refused_and_leaves_nothing(
        client: Client, case: str, send: Callable[..., object]) -> None:
    name, data = REFUSED[case]

    answer = send(client, name, data, "administrator")

    assert answer.status_code == 400, answer.text
    assert answer.json["code"].startswith("rest_upload_")
    assert kept_files(client) == []
    assert client.get("/media", "administrator").json == []


def test_a_picture_of_too_many_pixels_is_small_as_a_file() -> None:
    assert len(REFUSED["30,000 x 30,000 pixels"][1]) < 50_000


POLYGLOTS = {
    "gif and script": ("both.gif", read("moving.gif") + b"/*" + HTML + b"*/"),
    "jpeg and php": ("both.jpg", read("turned.jpg") + PHP),
    "pdf and html": ("both.pdf", read("report.pdf") + HTML),
    "text that is html": ("notes.txt", HTML),
}


@pytest.mark.parametrize("case", sorted(POLYGLOTS))
def test_a_file_that_is_two_things_is_served_as_what_its_type_says(client: Client, case: str) -> None:
    name, data = POLYGLOTS[case]
    made = send_raw(client, name, data)

    assert made.status_code == 201, made.text
    answer = fetch(client, made.json["source_url"])
    assert answer.data == data
    assert answer.content_type.split(";")[0] in ("image/gif", "image/jpeg", "application/pdf", "text/plain")
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    assert "script-src" not in answer.headers["Content-Security-Policy"]


def test_svg_is_taken_where_the_site_says_so_and_cleaned(make_client: Callable[..., Client]) -> None:
    client = make_client(upload_types=["svg", "png"])

    made = send_raw(client, "drawing.svg", SVG)

    assert (made.status_code, made.json["mime_type"]) == (201, "image/svg+xml")
    answer = fetch(client, made.json["source_url"])
    assert b"<rect" in answer.data
    assert not [word for word in (b"script", b"alert", b"onclick") if word in answer.data]
    assert "sandbox" in answer.headers["Content-Security-Policy"]


@pytest.mark.parametrize("data", [
    b'<!DOCTYPE svg [<!ENTITY a "b"><!ENTITY c "&a;&a;&a;">]><svg xmlns="http://www.w3.org/2000/svg">&c;</svg>',
    b'<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg xmlns="http://www.w3.org/2000/svg">&x;</svg>',
    b"<svg", HTML, b"plain text",
], ids=["entities", "file", "cut", "html", "text"])
def test_what_is_no_clean_svg_is_refused(make_client: Callable[..., Client], data: bytes) -> None:
    client = make_client(upload_types=["svg", "png"])

    assert send_raw(client, "drawing.svg", data).status_code == 400
    assert kept_files(client) == []


def drawing(inner: bytes) -> bytes:
    return b'<svg xmlns="http://www.w3.org/2000/svg">' + inner + b"</svg>"


@pytest.mark.parametrize("data", [
    drawing(b"<g>" * 100_000 + b"</g>" * 100_000),
    drawing(b"<g>" * 100 + b"</g>" * 100),
    drawing(b"<g/>" * 50_000),
    drawing(b"<g>" * 90 + b"<g/>" * 49_000 + b"</g>" * 90),
    drawing(b"<text>" + b"a" * 5_000_000 + b"</text>"),
    drawing(b"<text>" + b">" * 3_000_000 + b"</text>"),
], ids=["nested", "one too deep", "many", "many and deep", "long", "long when it is clean"])
def test_a_drawing_that_would_take_much_memory_is_refused(make_client: Callable[..., Client], data: bytes) -> None:
    client = make_client(upload_types=["svg", "png"])

    assert send_raw(client, "drawing.svg", data).status_code == 400
    assert kept_files(client) == []


def test_a_drawing_of_many_shapes_in_groups_is_taken(make_client: Callable[..., Client]) -> None:
    client = make_client(upload_types=["svg", "png"])

    made = send_raw(client, "map.svg", drawing(b"<g>" * 30 + b'<path d="M0 0L9 9"/>' * 5_000 + b"</g>" * 30))

    assert made.status_code == 201
    assert fetch(client, made.json["source_url"]).data.count(b"<path") == 5_000


@pytest.mark.parametrize("most", [len(SVG) - 1, len(drawing(b"<g/>" * 40)) + 10])
def test_the_largest_upload_counts_before_and_behind_cleaning(make_client: Callable[..., Client], most: int) -> None:
    client = make_client(upload_types=["svg", "png"], max_upload=most)

    for data in (SVG, drawing(b"<g>" * 20 + b"</g>" * 20)):
        answer = send_raw(client, "drawing.svg", data)
        assert answer.status_code in (201, 413)
        assert answer.status_code == 413 or answer.json["media_details"]["filesize"] <= most
    assert send_raw(client, "drawing.svg", drawing(b"<g>" * 50 + b"</g>" * 50)).status_code == 413


def test_the_site_can_take_fewer_types(make_client: Callable[..., Client]) -> None:
    client = make_client(upload_types=["png"])

    assert send_raw(client, "harbour.png", read("harbour.png")).status_code == 201
    assert send_raw(client, "readme.txt", b"text").status_code == 400
    # Another picture can't hide behind the name.
    assert send_raw(client, "boat.png", read("boat.webp")).status_code == 400


@pytest.mark.parametrize("send", [send_raw, send_form], ids=["body", "form"])
def test_a_file_beyond_the_bound_is_refused(make_client: Callable[..., Client], send: Callable[..., object]) -> None:
    client = make_client(max_upload=5_000, max_body=2_000)

    fits, large = send(client, "fits.txt", b"x" * 5_000), send(client, "large.txt", b"x" * 5_001)

    assert (fits.status_code, large.status_code) == (201, 413)
    assert [path.rpartition("/")[2] for path in kept_files(client)] == ["fits.txt"]


@pytest.mark.parametrize("as_", [None, "subscriber", "contributor"])
def test_those_who_may_not_upload_fill_no_disk(client: Client, as_: str | None) -> None:
    for send in (send_raw, send_form):
        answer = send(client, "harbour.png", read("harbour.png"), as_)
        assert answer.json["code"] == "rest_cannot_create"
    assert kept_files(client) == []


@pytest.mark.parametrize("fields", [
    {"status": "nonsense"}, {"author": 999_999}, {"post": 999_999}, {"date": "soon"}, {"template": "nonsense.php"},
])
def test_a_refused_field_leaves_no_file(client: Client, fields: dict[str, object]) -> None:
    answer = send_form(client, "harbour.png", read("harbour.png"), "editor", **fields)

    assert answer.status_code in (400, 403)
    assert kept_files(client) == []


def test_a_failing_database_leaves_no_file(client: Client) -> None:
    if SERVER:
        client.site.database.peewee.connection().run_own("ALTER TABLE media ADD CHECK (false) NOT VALID")
    else:
        client.site.database.execute("CREATE TRIGGER stop BEFORE INSERT ON media BEGIN SELECT RAISE(ABORT, 'no'); END")

    answer = send_raw(client, "harbour.png", read("harbour.png"))

    assert (answer.status_code, answer.json["code"]) == (500, "rest_internal_error")
    assert kept_files(client) == []


@pytest.mark.parametrize("path", [
    "/uploads/../site.db", "/uploads/%2e%2e/site.db", "/uploads/..%2fsite.db", "/uploads//etc/passwd", "/uploads/.hidden",
    "/uploads/2026", "/uploads/", "/uploads/a%00b", "/uploads/2026/nothing.png", "/uploads/../../../../etc/passwd",
])
def test_nothing_outside_the_uploads_is_served(client: Client, path: str) -> None:
    (client.site.config.uploads / "2026").mkdir(parents=True)
    (client.site.config.uploads / ".hidden").write_text("hidden")

    assert client.http.get(path).status_code in (404, 308)


def test_a_link_in_the_uploads_leads_nowhere(client: Client) -> None:
    client.site.config.uploads.mkdir()
    (client.site.config.uploads / "link.txt").symlink_to(client.site.config.database)

    assert client.http.get("/uploads/link.txt").status_code == 404

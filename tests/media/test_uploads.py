"""Real files of each kind come in, and come out as they were sent."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO

import pytest
from PIL import Image
from sites import Client

from cms.db.migrate import migrate
from media.uploading import FILES, fetch, kept_files, read, send_form, send_raw

TYPES = {
    "harbour.png": "image/png", "turned.jpg": "image/jpeg", "print.jpg": "image/jpeg", "moving.gif": "image/gif",
    "boat.webp": "image/webp", "boat.avif": "image/avif", "report.pdf": "application/pdf", "jingle.mp3": "audio/mpeg",
    "sound.ogg": "audio/ogg", "sound.wav": "audio/wav", "sound.m4a": "audio/mp4", "sound.flac": "audio/flac",
    "film.mp4": "video/mp4", "film.webm": "video/webm", "readme.txt": "text/plain", "people.csv": "text/csv",
    "letter.docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
}
SIZES = {
    "harbour.png": {"thumbnail": (150, 150), "medium": (300, 225)},
    "turned.jpg": {"thumbnail": (150, 150), "medium": (225, 300)},
    "print.jpg": {"thumbnail": (150, 150), "medium": (300, 240)},
    "moving.gif": {"thumbnail": (150, 150), "medium": (300, 225)},
    "boat.webp": {"thumbnail": (150, 150), "medium": (300, 225)},
    "boat.avif": {"thumbnail": (150, 150), "medium": (300, 225)},
}


def test_every_real_file_is_in_the_table() -> None:
    assert {path.name for path in FILES.iterdir()} == set(TYPES)


@pytest.mark.parametrize("send", [send_raw, send_form], ids=["body", "form"])
@pytest.mark.parametrize("name", sorted(TYPES))
def test_a_real_file_comes_in_and_out_whole(client: Client, name: str, send: Callable[..., object]) -> None:
    made = send(client, name, read(name))

    assert made.status_code == 201, made.text
    assert made.json["mime_type"] == TYPES[name]
    assert made.json["media_type"] == ("image" if TYPES[name].startswith("image/") else "file")
    assert made.json["media_details"]["filesize"] == len(read(name))
    answer = fetch(client, made.json["source_url"])
    assert (answer.status_code, answer.data) == (200, read(name))
    assert answer.content_type.split(";")[0] == TYPES[name]
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]


@pytest.mark.parametrize("name", sorted(SIZES))
def test_a_picture_gets_the_renditions_that_are_smaller(client: Client, name: str) -> None:
    sizes = dict(send_raw(client, name, read(name)).json["media_details"]["sizes"])

    full = sizes.pop("full")
    assert {size: (told["width"], told["height"]) for size, told in sizes.items()} == SIZES[name]
    assert full["mime_type"] == TYPES[name]
    for told in sizes.values():
        with Image.open(BytesIO(fetch(client, told["source_url"]).data)) as picture:
            assert picture.size == (told["width"], told["height"])
            assert picture.get_format_mimetype() == told["mime_type"] == TYPES[name]
            assert picture.getexif().get(0x0112, 1) == 1


def test_the_orientation_that_a_camera_noted_is_applied(client: Client) -> None:
    made = send_raw(client, "turned.jpg", read("turned.jpg")).json

    details = made["media_details"]
    assert (details["width"], details["height"]) == (600, 800)
    assert (details["image_meta"]["camera"], details["image_meta"]["iso"]) == ("Test camera", "200")
    assert (details["image_meta"]["aperture"], details["image_meta"]["created_timestamp"]) == ("2.8", "1620284889")
    assert fetch(client, made["source_url"]).data == read("turned.jpg")
    # The yellow corner, at the top left before, is at the top right of the upright picture.
    with Image.open(BytesIO(fetch(client, details["sizes"]["medium"]["source_url"]).data)) as picture:
        red, _green, blue = picture.convert("RGB").getpixel((picture.width - 10, 10))
        assert red > 200 > 100 > blue


def noted(text: str) -> bytes:
    """Return a picture with a text in all notes of its camera."""
    exif, file = Image.Exif(), BytesIO()
    for tag in (0x010E, 0x0110, 0x013B, 0x8298):
        exif[tag] = text
    Image.new("RGB", (8, 8)).save(file, "JPEG", exif=exif)
    return file.getvalue()


NOTES = [
    ("<script>alert(1)</script>Harbour", "Harbour"),
    ("<b>Harbour</b> & <i onclick=x>sea</i>", "Harbour & sea"),
    ("<<b>img src=x onerror=alert(1)>", "img src=x onerror=alert(1)>"),
    ("Tom & Jerry, 1 < 2 \"quoted\"", "Tom & Jerry, 1 < 2 \"quoted\""),
    ("cut <img src=x", "cut img src=x"),
]


@pytest.mark.parametrize(("note", "shown"), NOTES)
def test_notes_of_a_camera_are_text(client: Client, note: str, shown: str) -> None:
    made = send_raw(client, "noted.jpg", noted(note)).json

    for answer in (made, client.get(f"/media/{made['id']}").json):
        notes = answer["media_details"]["image_meta"]
        assert {name: notes[name] for name in ("caption", "camera", "credit", "copyright")} == dict.fromkeys(
            ("caption", "camera", "credit", "copyright"), shown)


def test_notes_of_earlier_pictures_become_text(client: Client) -> None:
    made = send_raw(client, "noted.jpg", noted("Harbour")).json
    execute = client.site.database.execute
    execute("UPDATE media SET details = replace(details, 'Harbour', '<b>A</b> < <<i>script>b')")
    execute("DELETE FROM schema_migration WHERE name LIKE '0011%'")

    migrate(client.site.database, client.site.registry.migrations, client.site.registry.indexes)

    notes = client.get(f"/media/{made['id']}").json["media_details"]["image_meta"]
    assert notes["caption"] == "A < b"
    assert notes["iso"] == "0"


@pytest.mark.parametrize(("sent", "file", "title"), [
    ("صورة جميلة.png", "صورة-جميلة.png", "صورة جميلة"),
    ("../../x.png", "x.png", "x"),
    ("..\\..\\windows.png", "windows.png", "....windows"),
    ("/etc/passwd.png", "passwd.png", "passwd"),
    ("a" * 300 + ".png", "a" * 150 + ".png", "a" * 300),
    ("ж" * 300 + ".png", "ж" * 75 + ".png", "ж" * 300),
    ("Ünïcödé.PNG", "Ünïcödé.png", "Ünïcödé"),
    ("inner.php.png", "inner.php_.png", "inner.php"),
    (" spaced   out .png", "spaced-out.png", "spaced   out"),
    ("tab\there.png", "tabhere.png", "tabhere"),
])
def test_names_are_made_safe_and_stay_readable(client: Client, sent: str, file: str, title: str) -> None:
    made = send_form(client, sent, read("harbour.png"))

    assert made.status_code == 201, made.text
    assert made.json["title"]["raw"] == title
    assert made.json["media_details"]["file"].rpartition("/")[2] == file
    assert fetch(client, made.json["source_url"]).data == read("harbour.png")
    assert all(path.startswith("uploads/20") for path in kept_files(client))


@pytest.mark.parametrize(("header", "file"), [
    ("attachment; filename=\"plain.png\"; filename*=UTF-8''na%C3%AFve.png", "naïve.png"),
    ("attachment; filename*=UTF-8''%E2%82%AC%20rates.png; filename=rates.png", "€-rates.png"),
    ("attachment; filename=no-quotes.png", "no-quotes.png"),
    ("attachment; filename=no quotes.png", "no-quotes.png"),
    ("attachment; filename = \"spaces around.png\"", "spaces-around.png"),
    ("attachment ;filename= both ways.png ; size=3", "both-ways.png"),
    ("attachment; FILENAME=\"upper.png\"", "upper.png"),
    ("attachment; filename=\"my%20photo.png\"", "my-photo.png"),
    ("attachment; filename=my%20photo.png", "my-photo.png"),
    ("attachment; filename=\"na%C3%AFve.png\"", "naïve.png"),
    ("attachment; filename=\"100% sure.png\"", "100-sure.png"),
    ("attachment; filename=\"with \\\"quotes\\\".png\"", "with-quotes.png"),
    ("attachment; filename=\"plain.png\"; filename*=UTF-8''na%2520ive.png", "na20ive.png"),
    ("form-data; name=file; filename=\"semi;colon.png\"", "semicolon.png"),
])
def test_the_name_in_content_disposition_is_understood(client: Client, header: str, file: str) -> None:
    made = send_raw(client, "", read("harbour.png"), **{"Content-Disposition": header})

    assert made.status_code == 201, made.text
    assert made.json["media_details"]["file"].rpartition("/")[2] == file


def test_two_files_of_one_name_get_addresses_of_their_own(client: Client) -> None:
    one = send_raw(client, "same.txt", b"one").json
    two = send_raw(client, "same.txt", b"two").json

    assert one["source_url"] != two["source_url"]
    assert [fetch(client, each["source_url"]).data for each in (one, two)] == [b"one", b"two"]


def test_an_upload_never_takes_the_place_of_a_file_that_is_lost(client: Client) -> None:
    lost, other = (send_raw(client, "harbour.png", read("harbour.png")).json for _number in range(2))
    for each in (lost, other):
        (client.site.config.uploads / each["media_details"]["file"]).unlink()

    made = send_raw(client, "harbour.png", read("harbour.png")).json

    assert made["media_details"]["file"] not in {each["media_details"]["file"] for each in (lost, other)}
    assert fetch(client, made["source_url"]).status_code == 200
    assert [fetch(client, each["source_url"]).status_code for each in (lost, other)] == [404, 404]


def test_a_rendition_never_takes_the_place_of_an_upload(client: Client) -> None:
    first = send_raw(client, "harbour-300x225.png", read("boat.webp")).json
    rival = send_raw(client, "harbour-300x225.png", read("harbour.png")).json
    made = send_raw(client, "harbour.png", read("harbour.png")).json

    assert fetch(client, rival["source_url"]).data == read("harbour.png")
    medium = fetch(client, made["media_details"]["sizes"]["medium"]["source_url"])
    with Image.open(BytesIO(medium.data)) as picture:
        assert picture.size == (300, 225)
    assert fetch(client, first["source_url"]).data == read("boat.webp")


def test_a_picture_of_another_format_than_its_name_says_is_what_it_is(client: Client) -> None:
    made = send_raw(client, "boat.jpg", read("boat.webp")).json

    assert made["mime_type"] == "image/webp"
    assert made["source_url"].endswith("/boat.webp")


def test_an_upload_shows_up_as_the_picture_of_a_post(client: Client) -> None:
    picture = send_raw(client, "harbour.png", read("harbour.png"), "editor").json
    post = client.new("/posts", title="Harbour", status="publish", featured_media=picture["id"])

    shown = client.get(f"/posts/{post['id']}?_embed").json["_embedded"]["wp:featuredmedia"][0]

    assert (shown["id"], shown["source_url"]) == (picture["id"], picture["source_url"])
    assert shown["media_details"]["sizes"]["thumbnail"]["source_url"].endswith("-150x150.png")
    assert "description" not in shown


@pytest.mark.parametrize(("name", "begins"), [
    ("harbour.png", '<p class="attachment"><a href="http://cms.example/uploads/'),
    ("film.mp4", '<p class="attachment"><video controls preload="metadata" src="http://cms.example/uploads/'),
    ("jingle.mp3", '<p class="attachment"><audio controls preload="metadata" src="http://cms.example/uploads/'),
    ("report.pdf", '<p class="attachment"><a href="http://cms.example/uploads/'),
])
def test_a_description_begins_with_the_file(client: Client, name: str, begins: str) -> None:
    made = send_form(client, name, read(name), description="About <b>it</b>.", alt_text='A "sea"').json

    html = client.get(f"/media/{made['id']}").json["description"]["rendered"]
    assert html.startswith(begins)
    assert html.endswith("<p>About <b>it</b>.</p>\n")
    assert ('alt="A &quot;sea&quot;"' in html) == (name == "harbour.png")


def test_a_broken_picture_is_kept_and_its_missing_renditions_are_named(client: Client) -> None:
    made = send_raw(client, "cut.png", read("harbour.png")[:-800])

    assert made.status_code == 201
    assert made.json["missing_image_sizes"] == ["thumbnail", "medium"]
    assert "sizes" not in made.json["media_details"] or made.json["media_details"]["sizes"] == {}
    assert "missing" not in made.json["media_details"]
    assert "missing_image_sizes" not in client.get(f"/media/{made.json['id']}").json

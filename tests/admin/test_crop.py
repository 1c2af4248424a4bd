"""Cropping and turning a picture: a new item with that part, for those who may upload and read it."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import pytest
from PIL import Image
from sites import Client

from admin.pages import Browser

#: Red on the left, blue on the right.
COLOURS = {"red": (255, 0, 0), "blue": (0, 0, 255)}


@pytest.fixture
def client(make_client: Callable[..., Client]) -> Client:
    return make_client(admin=True)


def picture(format: str = "PNG", **options: Any) -> bytes:
    made, file = Image.new("RGB", (60, 40), COLOURS["red"]), io.BytesIO()
    made.paste(COLOURS["blue"], (30, 0, 60, 40))
    made.save(file, format, **options)
    return file.getvalue()


def upload(client: Client, data: bytes, name: str = "Harbour.png", as_: str = "author") -> dict[str, Any]:
    made = client.send("POST", "/media", as_, data={"file": (io.BytesIO(data), name), "title": "Harbour", "alt_text": "Boats"})
    assert made.status_code == 201
    return dict(made.json)


def crop(client: Client, role: str = "author", **part: Any) -> Any:
    browser = Browser(client)
    browser.sign_in(role)
    return browser.send("POST", "crop", part)


def file_of(client: Client, item: dict[str, Any]) -> Image.Image:
    with client.http.get(item["source_url"].removeprefix("http://cms.example")) as answer:
        return Image.open(io.BytesIO(answer.data))


@pytest.mark.parametrize(("name", "format"), [("a.png", "PNG"), ("a.jpg", "JPEG"), ("a.webp", "WEBP")])
@pytest.mark.parametrize(("rotate", "size", "corner"), [
    (0, (20, 10), "red"), (90, (10, 20), "red"), (180, (20, 10), "blue"), (270, (10, 20), "blue")])
def test_a_part_becomes_an_item_of_its_own(client: Client, name: str, format: str, rotate: int, size: tuple[int, int], corner: str) -> None:
    source = upload(client, picture(format), name)
    answer = crop(client, media=source["id"], x=20, y=5, width=20, height=10, rotate=rotate)

    assert answer.status_code == 201
    made = answer.json
    assert made["id"] != source["id"]
    assert (made["alt_text"], made["title"]["raw"], made["author"]) == ("Boats", "Harbour", client.id_of("author"))
    found = file_of(client, made)
    assert (found.format, found.size) == (format, size)
    pixel = found.convert("RGB").getpixel((1, 1))
    assert isinstance(pixel, tuple)
    assert max(abs(one - other) for one, other in zip(pixel, COLOURS[corner], strict=True)) < 40
    assert file_of(client, source).size == (60, 40)


def test_a_picture_that_lies_on_its_side_is_cut_as_it_is_seen(client: Client) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    source = upload(client, picture("JPEG", exif=exif), "side.jpg")
    made = crop(client, media=source["id"], x=0, y=0, width=40, height=60).json

    assert (file_of(client, made).size, file_of(client, made).getexif().get(0x0112)) == ((40, 60), None)


@pytest.mark.parametrize("part", [
    {"x": 50, "width": 20, "height": 10}, {"y": 39, "width": 1, "height": 2}, {"width": 0, "height": 10}, {"width": 10}, {"width": 5, "height": 5, "rotate": 45},
    {"x": -1, "width": 5, "height": 5}, {"width": 10**9, "height": 1}])
def test_nothing_is_made_of_a_part_that_there_isnt(client: Client, part: dict[str, int]) -> None:
    source = upload(client, picture())

    assert crop(client, media=source["id"], **part).status_code == 400
    assert len(client.get("/media", "administrator").json) == 1
    assert not list(client.site.config.incoming.iterdir())


def test_a_text_is_no_picture(client: Client) -> None:
    source = upload(client, b"Only words.", "words.txt")

    assert crop(client, media=source["id"], width=1, height=1).json["code"] == "cms_no_picture_part"


def test_it_takes_the_right_to_upload_and_to_read(client: Client) -> None:
    source = upload(client, picture(), as_="editor")

    assert crop(client, "subscriber", media=source["id"], width=5, height=5).status_code == 403
    assert crop(client, "author", media=source["id"], width=5, height=5).status_code == 403
    assert crop(client, "administrator", media=source["id"], width=5, height=5).status_code == 201
    assert crop(client, "administrator", media=999, width=5, height=5).status_code == 404
    assert Browser(client).send("POST", "crop", {"media": source["id"], "width": 5, "height": 5}).status_code == 401

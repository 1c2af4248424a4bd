"""Another file for a media item: at the same addresses, of the same type, by those who may change the item."""

from __future__ import annotations

import fcntl
import io
from collections.abc import Callable
from typing import Any

import pytest
from PIL import Image
from sites import Client

from admin.pages import Browser


@pytest.fixture
def client(make_client: Callable[..., Client]) -> Client:
    return make_client()


def picture(colour: str, size: tuple[int, int] = (900, 600), format: str = "PNG") -> bytes:
    file = io.BytesIO()
    Image.new("RGB", size, colour).save(file, format)
    return file.getvalue()


def upload(client: Client, data: bytes, name: str = "Harbour.png") -> dict[str, Any]:
    made = client.send("POST", "/media", "author", data={"file": (io.BytesIO(data), name), "alt_text": "Boats"})
    assert made.status_code == 201
    return dict(made.json)


def replace(client: Client, item: dict[str, Any], data: bytes, role: str = "author", name: str = "New.png") -> Any:
    browser = Browser(client)
    browser.sign_in(role)
    headers = {"X-CMS-Nonce": browser.nonce}
    return browser.http.post(f"/admin/api/media/{item['id']}/file", data={"file": (io.BytesIO(data), name)}, headers=headers)


def seen_at(client: Client, address: str) -> tuple[Any, tuple[int, int]]:
    with client.http.get(address.removeprefix("http://cms.example")) as answer:
        assert answer.status_code == 200, address
        found = Image.open(io.BytesIO(answer.data)).convert("RGB")
    return found.getpixel((0, 0)), found.size


@pytest.mark.parametrize("size", [(900, 600), (300, 700), (40, 30), (2400, 1600)])
def test_the_new_picture_is_at_all_addresses_of_the_former_one(client: Client, size: tuple[int, int]) -> None:
    item = upload(client, picture("red"))
    addresses = [item["source_url"], *(each["source_url"] for each in item["media_details"]["sizes"].values())]
    answer = replace(client, item, picture("blue", size))

    assert answer.status_code == 200
    changed = answer.json
    assert (changed["id"], changed["source_url"], changed["alt_text"]) == (item["id"], item["source_url"], "Boats")
    assert (changed["media_details"]["width"], changed["media_details"]["height"]) == size
    assert {seen_at(client, address)[0] for address in addresses} == {(0, 0, 255)}
    for each in changed["media_details"]["sizes"].values():
        assert seen_at(client, each["source_url"]) == ((0, 0, 255), (each["width"], each["height"]))
    stored = {key for key, _changed in client.site.context.storage.walk()}
    folder = changed["media_details"]["file"].rpartition("/")[0]
    known = {changed["media_details"]["file"], *(f"{folder}/{each['file']}" for each in changed["media_details"]["sizes"].values() if "file" in each)}
    assert stored == known


def test_a_file_of_another_type_is_refused(client: Client) -> None:
    item = upload(client, picture("red"))
    before = {key for key, _changed in client.site.context.storage.walk()}
    refused = replace(client, item, picture("blue", format="JPEG"), name="New.jpg")
    assert (refused.status_code, refused.json["code"]) == (400, "cms_other_file_type")
    assert seen_at(client, item["source_url"])[0] == (255, 0, 0)
    assert {key for key, _changed in client.site.context.storage.walk()} == before


@pytest.mark.parametrize(("role", "status"), [("editor", 200), ("contributor", 403), ("subscriber", 403)])
def test_it_takes_the_right_to_change_the_item(client: Client, role: str, status: int) -> None:
    item = upload(client, picture("red"))
    assert replace(client, item, picture("blue"), role).status_code == status
    assert seen_at(client, item["source_url"])[0] == ((0, 0, 255) if status == 200 else (255, 0, 0))


def test_it_waits_for_backups_and_needs_a_file(client: Client) -> None:
    item = upload(client, picture("red"))
    with client.site.config.uploads_lock.open("a") as file:
        fcntl.flock(file, fcntl.LOCK_SH)
        assert replace(client, item, picture("blue")).json["code"] == "cms_backup_running"
    browser = Browser(client)
    browser.sign_in("author")
    assert browser.send("POST", f"media/{item['id']}/file", {}).status_code == 400
    assert browser.send("POST", "media/99999/file", {}).status_code == 404
    assert seen_at(client, item["source_url"])[0] == (255, 0, 0)

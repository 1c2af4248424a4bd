"""Uploaded files are served with tags and ranges."""

from __future__ import annotations

import pytest
from sites import Client

from media.uploading import fetch, read, send_raw


@pytest.fixture
def address(client: Client) -> str:
    return str(send_raw(client, "jingle.mp3", read("jingle.mp3")).json["source_url"])


@pytest.mark.parametrize(("wanted", "part"), [
    ("bytes=0-9", slice(0, 10)), ("bytes=100-", slice(100, None)), ("bytes=-20", slice(-20, None)),
])
def test_a_part_of_a_file_is_served(client: Client, address: str, wanted: str, part: slice) -> None:
    answer = fetch(client, address, headers={"Range": wanted})

    whole = read("jingle.mp3")
    assert (answer.status_code, answer.data) == (206, whole[part])
    start = (part.start + len(whole)) % len(whole)
    assert answer.headers["Content-Range"] == f"bytes {start}-{start + len(answer.data) - 1}/{len(whole)}"


def test_a_part_beyond_the_end_is_refused(client: Client, address: str) -> None:
    answer = fetch(client, address, headers={"Range": "bytes=99999999-"})

    assert answer.status_code == 416
    assert answer.headers["Content-Range"] == f"bytes */{len(read('jingle.mp3'))}"


def test_a_file_that_is_known_isnt_sent_again(client: Client, address: str) -> None:
    first = fetch(client, address)
    second = fetch(client, address, headers={"If-None-Match": first.headers["ETag"]})

    assert (second.status_code, second.data) == (304, b"")
    assert first.headers["Accept-Ranges"] == "bytes"
    assert first.headers["Cache-Control"] == "public, max-age=86400"


def test_head_tells_the_size_and_sends_nothing(client: Client, address: str) -> None:
    answer = client.http.head(address.removeprefix("http://cms.example"), buffered=True)

    assert (answer.status_code, answer.data) == (200, b"")
    assert answer.headers["Content-Length"] == str(len(read("jingle.mp3")))


@pytest.mark.parametrize(("name", "shown"), [("jingle.mp3", "inline"), ("report.pdf", "inline"),
                                             ("people.csv", "attachment"), ("letter.docx", "attachment")])
def test_what_browsers_cant_show_is_saved(client: Client, name: str, shown: str) -> None:
    answer = fetch(client, send_raw(client, name, read(name)).json["source_url"])

    assert answer.headers["Content-Disposition"] == f"{shown}; filename*=UTF-8''{name}"


def test_files_can_be_fetched_from_pages_of_other_sites(client: Client, address: str) -> None:
    assert fetch(client, address).headers["Access-Control-Allow-Origin"] == "*"


def test_changing_methods_are_refused(client: Client, address: str) -> None:
    path = address.removeprefix("http://cms.example")

    assert [client.http.open(path, method=method).status_code for method in ("POST", "PUT", "DELETE")] == [405] * 3
    assert fetch(client, address).status_code == 200


@pytest.mark.parametrize("spelled", ["{0}//{1}", "{0}/./{1}", "{0}/{1}/", "{0}/{1}/.", "./{0}/{1}", "/{0}/{1}"])
def test_a_file_has_one_address_whether_its_item_is_deleted_or_not(
        client: Client, address: str, spelled: str) -> None:
    before, key = address.split("/uploads/")
    path = spelled.format(*key.rsplit("/", 1))

    shown = fetch(client, f"{before}/uploads/{path}")
    client.delete(f"/media/{client.get('/media').json[0]['id']}?force=true", "administrator")

    assert shown.status_code == 404
    assert [fetch(client, f"{before}/uploads/{each}").status_code for each in (key, path)] == [404, 404]

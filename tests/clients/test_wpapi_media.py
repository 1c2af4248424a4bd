"""The npm client wpapi uploads files to a served site."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import unquote

import pytest


@pytest.fixture(scope="module")
def outcome(run: Callable[[str], Any]) -> Any:
    return run("wpapi/media.mjs")


def test_file_from_memory_keeps_its_name_and_fields(outcome: Any) -> None:
    media = outcome["uploaded"]["fromMemory"]

    assert (media["mime_type"], media["media_type"]) == ("image/png", "image")
    assert (media["title"]["raw"], media["alt_text"], media["caption"]["raw"]) == ("The harbour", "Boats – süß", "At *noon*")
    assert unquote(media["source_url"]).endswith("/Häfen-港.png")


def test_uploaded_file_is_served_byte_for_byte(outcome: Any) -> None:
    uploaded = outcome["uploaded"]

    assert (uploaded["file"]["status"], uploaded["file"]["type"]) == (200, "image/png")
    assert uploaded["file"]["bytes"] == uploaded["sent"]


def test_rendition_is_served(outcome: Any) -> None:
    thumbnail = outcome["uploaded"]["thumbnail"]

    assert (thumbnail["status"], thumbnail["type"]) == (200, "image/png")
    assert thumbnail["bytes"] not in ("", outcome["uploaded"]["sent"])


def test_file_from_the_disk_takes_its_title_from_its_name(outcome: Any) -> None:
    media = outcome["uploaded"]["fromDisk"]

    assert (media["title"]["raw"], media["mime_type"], media["media_type"]) == ("report", "application/pdf", "file")
    assert (outcome["uploaded"]["pdf"]["status"], outcome["uploaded"]["pdf"]["type"]) == (200, "application/pdf")


@pytest.mark.parametrize(("what", "code", "status"), [
    ("script", "rest_upload_unknown_error", 400),
    ("empty", "rest_upload_no_data", 400),
    ("nothing", "rest_upload_no_content_disposition", 400),
    ("anonymous", "rest_cannot_create", 401),
])
def test_refused_uploads_say_why(outcome: Any, what: str, code: str, status: int) -> None:
    assert (outcome["refused"][what]["code"], outcome["refused"][what]["status"]) == (code, status)


def test_refused_uploads_leave_no_item(outcome: Any) -> None:
    assert [media["id"] for media in outcome["left"]] == [outcome["uploaded"]["fromDisk"]["id"]]


def test_list_is_filtered_by_type(outcome: Any) -> None:
    assert [media["id"] for media in outcome["listed"]] == [outcome["uploaded"]["fromMemory"]["id"]]


def test_client_updates_an_item_and_its_file_stays(outcome: Any) -> None:
    before, after = outcome["uploaded"]["fromMemory"], outcome["updated"]

    assert (after["title"]["raw"], after["alt_text"], after["caption"]["raw"]) == ("Harbour at night", "", "Dark")
    assert after["description"]["raw"] == "Long"
    assert after["source_url"] == before["source_url"]


def test_featured_picture_is_embedded(outcome: Any) -> None:
    [picture] = outcome["featured"]["read"]["_embedded"]["wp:featuredmedia"]

    assert picture["id"] == outcome["featured"]["read"]["featured_media"] == outcome["updated"]["id"]
    assert picture["source_url"] == outcome["updated"]["source_url"]
    assert "thumbnail" in picture["media_details"]["sizes"]


def test_picture_is_found_by_the_post_that_it_is_attached_to(outcome: Any) -> None:
    featured = outcome["featured"]

    assert featured["attached"]["post"] == featured["post"]["id"]
    assert [media["id"] for media in featured["children"]] == [featured["attached"]["id"]]


def test_deleted_item_is_gone_from_everywhere(outcome: Any) -> None:
    assert outcome["deleted"]["deleted"] is True
    assert (outcome["gone"]["code"], outcome["gone"]["status"]) == ("rest_post_invalid_id", 404)
    assert outcome["after"]["featured_media"] == 0

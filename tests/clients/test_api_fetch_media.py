"""The npm client @wordpress/api-fetch uploads forms to a served site."""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote

import pytest
from served import Served, run_client


@pytest.fixture(scope="module")
def outcome(served_as_wordpress: Served, clients: None) -> Any:
    return run_client("api_fetch/media.mjs", served_as_wordpress)


def test_form_is_uploaded_with_its_name_and_fields(outcome: Any) -> None:
    media = outcome["plain"]["answer"]

    assert (media["mime_type"], media["title"]["raw"], media["alt_text"]) == ("image/webp", "Лодка", "A boat")
    assert unquote(media["source_url"]).endswith("/Лодка-⛵.webp")


def test_watched_upload_is_sent_once_and_parsed(outcome: Any) -> None:
    seen = outcome["seen"]

    assert len(seen["sent"]) == 1
    assert seen["answer"]["title"]["raw"] == 'boat "two"'
    assert outcome["fileIsWhole"] is True


def test_refused_upload_is_thrown_as_an_object(outcome: Any) -> None:
    refusal = outcome["refused"]

    assert (refusal["code"], refusal["data"]["status"]) == ("rest_upload_unknown_error", 400)
    assert "response" not in refusal
    assert outcome["refusedUnparsed"]["response"] == 400


def test_client_updates_and_deletes_the_item(outcome: Any) -> None:
    assert outcome["updated"]["caption"]["raw"] == "Under way"
    assert outcome["deleted"]["previous"]["id"] == outcome["plain"]["answer"]["id"]
    assert outcome["gone"]["data"]["status"] == 404
    assert outcome["left"] == [outcome["seen"]["answer"]["id"]]

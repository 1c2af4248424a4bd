"""Every text of ours is said in every language that the core brings."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import read_mo, write_mo
from babel.messages.pofile import read_po
from sites import Client

LOCALES = Path(__file__).parent.parent / "cms" / "locales"
PLACE = re.compile(r"%\(\w+\)\w")
LANGUAGES = sorted(path.parent.parent.name for path in LOCALES.glob("*/LC_MESSAGES/cms.po"))


def marked_texts() -> set[str]:
    found = extract_from_dir(LOCALES.parent, method_map=[("**.py", "python")])
    return {str(msgid) for _file, _line, msgid, _comments, _context in found}


def read(language: str) -> Catalog:
    with (LOCALES / language / "LC_MESSAGES" / "cms.po").open("rb") as file:
        return read_po(file, locale=language, domain="cms")


def faults(texts: set[str], catalogue: Catalog) -> dict[str, str]:
    """Say of each text what is wrong with its translation."""
    found = {}
    for text in texts:
        message = catalogue.get(text)
        if message is None or not message.string:
            found[text] = "untranslated"
        elif message.fuzzy:
            found[text] = "fuzzy"
        elif sorted(PLACE.findall(text)) != sorted(PLACE.findall(str(message.string))):
            found[text] = "other places"
    return found


def test_indonesian_is_among_the_languages() -> None:
    assert "id_ID" in LANGUAGES
    assert {"Name of the site.", "The body is larger than %(most)s bytes."} <= marked_texts()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_marked_text_is_translated(language: str) -> None:
    assert faults(marked_texts(), read(language)) == {}


def test_each_fault_of_a_translation_is_found() -> None:
    catalogue = Catalog(locale="id_ID")
    catalogue.add("Empty", "")
    catalogue.add("Guessed", "Tebakan", flags=["fuzzy"])
    catalogue.add("Of %(most)s", "Dari %(least)s")
    catalogue.add("By %(name)s", "Oleh %(name)s")

    found = faults({"Absent", "Empty", "Guessed", "Of %(most)s", "By %(name)s"}, catalogue)

    assert found == {"Absent": "untranslated", "Empty": "untranslated", "Guessed": "fuzzy",
                     "Of %(most)s": "other places"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_compiled_catalogue_is_that_of_the_texts(language: str) -> None:
    fresh = io.BytesIO()
    write_mo(fresh, read(language))
    fresh.seek(0)
    with (LOCALES / language / "LC_MESSAGES" / "cms.mo").open("rb") as file:
        compiled = read_mo(file)

    assert {m.id: m.string for m in compiled if m.id} == {m.id: m.string for m in read_mo(fresh) if m.id}


def arguments(document: dict[str, Any]) -> Iterator[tuple[Any, dict[str, Any]]]:
    for path, route in document["routes"].items():
        for endpoint in route["endpoints"]:
            for name, told in (endpoint["args"] or {}).items():
                yield (path, *endpoint["methods"], name), told


def test_only_descriptions_differ_between_languages(client: Client) -> None:
    english = dict(arguments(client.get("//api/").json))
    indonesian = dict(arguments(client.get("//id/api/").json))

    assert list(english) == list(indonesian)
    described = 0
    for key, told in english.items():
        other = dict(indonesian[key])
        said = other.pop("description", None), told.pop("description", None)
        assert (said[0] is None) == (said[1] is None), key
        assert said == (None, None) or said[0] != said[1], key
        assert other == told, key
        described += said != (None, None)
    assert described > 300


def test_messages_are_said_in_the_language_of_the_address(client: Client) -> None:
    told = client.get("//id/api/cms/v2/posts?per_page=0&orderby=luck").json

    assert told["code"] == "rest_invalid_param"
    assert told["message"] == "Parameter tidak valid: per_page, orderby. Lihat rincian masing-masing."
    assert told["data"]["params"]["per_page"] == "Nilai ini harus dari 1 sampai 100."
    assert client.get("//id/api/cms/v2/nowhere").json["message"].startswith("Tidak ada rute")
    assert client.get("//en/api/cms/v2/nowhere").json["message"].startswith("No route")


def test_without_a_language_the_site_s_own_is_spoken(client: Client) -> None:
    english = client.get("//api/").json
    client.post("/settings", {"language": "id_ID"}, "administrator")

    argument = ("/cms/v2/posts", "GET", "page")
    assert dict(arguments(client.get("//api/").json))[argument]["description"].startswith("Halaman daftar")
    assert dict(arguments(client.get("//en/api/").json))[argument]["description"].startswith("Which page")
    assert client.get("//api/cms/v2/nowhere").json["message"].startswith("Tidak ada rute")

    client.post("/settings", {"language": "en_US"}, "administrator")
    assert client.get("//api/").json == english

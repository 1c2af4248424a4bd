"""Every text of ours is said in every language that the core and its bundled plugins bring."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Set
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import read_mo, write_mo
from babel.messages.pofile import read_po
from sites import Client

from cms.i18n import catalogue_path

ROOT = Path(__file__).parent.parent
CORE = ROOT / "cms"
PLACE = re.compile(r"%\(\w+\)\w")
#: Whose texts each catalogue says: the core's in its own languages and in those that bundled plugins bring; those of
#: a bundled plugin in its own.
CATALOGUES = [
    *((CORE, path) for path in sorted(CORE.glob("locales/*/LC_MESSAGES/cms.po"))),
    *((CORE, path) for path in sorted(ROOT.glob("plugins/locale_*/locales/*/LC_MESSAGES/cms.po"))),
    *((path.parents[3], path) for path in sorted(ROOT.glob("plugins/*/locales/*/LC_MESSAGES/cms.po"))
      if not path.parents[3].name.startswith("locale_")),
]
COMPILED = sorted([*CORE.glob("locales/*/LC_MESSAGES/cms.mo"), *ROOT.glob("plugins/*/locales/*/LC_MESSAGES/cms.mo")])

#: The modules of the editing page, where `t("…")` marks a text.
PAGE = [("**/vendor/**", "ignore"), ("**.js", "javascript")]


def name_of(catalogue: tuple[Path, Path]) -> str:
    return f"{catalogue[0].name}-{catalogue[1].parents[1].name}"


@cache
def marked_texts(source: Path = CORE) -> frozenset[str]:
    """Return the marked texts of a folder; a plugin's without those that the core says already."""
    found = [*extract_from_dir(source, [("**.py", "python")]),
             *extract_from_dir(source, PAGE, {"**.js": {"parse_template_string": "true"}}, {"t": None})]
    texts = frozenset(str(msgid) for _file, _line, msgid, _comments, _context in found)
    return texts if source == CORE else texts - marked_texts()


def read(path: Path) -> Catalog:
    with path.open("rb") as file:
        return read_po(file, locale=path.parents[1].name, domain="cms")


def faults(texts: Set[str], catalogue: Catalog) -> dict[str, str]:
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


def test_texts_and_catalogues_are_found() -> None:
    assert {"Name of the site.", "The body is larger than %(most)s bytes.", "Add new"} <= marked_texts()
    assert {"cms-id_ID", "cms-de_DE", "seo-id_ID"} <= set(map(name_of, CATALOGUES))
    assert {"id_ID", "de_DE"} <= {path.parents[1].name for path in COMPILED}


def test_every_bundled_plugin_with_texts_has_an_indonesian_catalogue() -> None:
    plugins = [path.parent for path in ROOT.glob("plugins/*/__init__.py") if marked_texts(path.parent)]

    assert [plugin.name for plugin in plugins if (plugin, catalogue_path("id_ID", plugin / "locales", "po")) not in CATALOGUES] == []
    assert [path.name for path in ROOT.glob("plugins/*.py") if "_(\"" in path.read_text(encoding="utf-8")] == []


@pytest.mark.parametrize("catalogue", CATALOGUES, ids=name_of)
def test_every_marked_text_is_translated(catalogue: tuple[Path, Path]) -> None:
    source, path = catalogue

    assert faults(marked_texts(source), read(path)) == {}


@pytest.mark.parametrize("catalogue", [each for each in CATALOGUES if each[0] != CORE], ids=name_of)
def test_a_plugin_s_text_that_the_core_says_too_is_translated_alike(catalogue: tuple[Path, Path]) -> None:
    language = catalogue[1].parents[1].name
    own, core = read(catalogue[1]), next(read(path) for source, path in CATALOGUES if source == CORE and language in path.parts)

    shared = {str(message.id): str(message.string) for message in own if message.id and core.get(message.id)}
    assert shared == {text: str(core.get(text).string) for text in shared}


def test_each_fault_of_a_translation_is_found() -> None:
    catalogue = Catalog(locale="id_ID")
    catalogue.add("Empty", "")
    catalogue.add("Guessed", "Tebakan", flags=["fuzzy"])
    catalogue.add("Of %(most)s", "Dari %(least)s")
    catalogue.add("By %(name)s", "Oleh %(name)s")

    found = faults({"Absent", "Empty", "Guessed", "Of %(most)s", "By %(name)s"}, catalogue)

    assert found == {"Absent": "untranslated", "Empty": "untranslated", "Guessed": "fuzzy",
                     "Of %(most)s": "other places"}


@pytest.mark.parametrize("path", COMPILED, ids=lambda path: path.parents[1].name)
def test_the_compiled_catalogue_is_that_of_the_texts(path: Path) -> None:
    fresh = io.BytesIO()
    write_mo(fresh, read(path.with_suffix(".po")))
    fresh.seek(0)
    with path.open("rb") as file:
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
        localized = other.pop("description", None), told.pop("description", None)
        assert (localized[0] is None) == (localized[1] is None), key
        assert localized == (None, None) or localized[0] != localized[1], key
        assert other == told, key
        described += localized != (None, None)
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

"""Languages of plugins, and what plugins say in languages that are there already."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from cms.hooks import PluginError

GERMAN = '''
from pathlib import Path
from cms.plugin import Locale

@hookimpl
def register_locales():
    return [Locale("de_DE", "de", "Deutsch", str(Path(__file__).parent))]
'''
CATALOGUE = '''
msgid ""
msgstr "Content-Type: text/plain; charset=utf-8\\n"

msgid "Name of the site."
msgstr "Name der Website."

msgid "No route takes this address and method. The discovery document lists all routes."
msgstr "Keine Route nimmt das."

msgid "A rank."
msgstr "Ein Rang."
'''
RANK = '''
from pathlib import Path

@hookimpl
def register_fields():
    return {"post": {"rank": Integer(_("A rank."), filterable=True)}}

@hookimpl
def register_translations():
    return Path(__file__).parent / "texts"
'''


def speak(folder: Path, language: str, text: str, compiled: bool = False) -> None:
    """Write a catalogue, as its source or compiled alone."""
    path = folder / language / "LC_MESSAGES" / "cms.po"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    if compiled:
        with path.open("rb") as source, path.with_suffix(".mo").open("wb") as target:
            write_mo(target, read_po(source, locale=language))
        path.unlink()


@pytest.fixture(params=[False, True], ids=["po", "mo"])
def german(plugged: Any, request: pytest.FixtureRequest) -> Any:
    """A site with a plugin that brings a catalogue and nothing else."""
    site = plugged(german____init__=GERMAN, rank____init__=RANK)
    speak(site.folder / "plugins" / "german", "de_DE", CATALOGUE, compiled=request.param)
    speak(site.folder / "plugins" / "rank" / "texts", "id_ID", CATALOGUE.replace("Ein Rang", "Peringkat"))
    return site


def test_a_language_of_a_plugin_is_spoken_under_its_prefix(german: Any) -> None:
    client = german.client()
    described = client.get("//de/api/").json["routes"]["/cms/v2/settings"]["endpoints"][1]["args"]

    assert described["title"]["description"] == "Name der Website."
    assert described["email"]["description"].startswith("Address for messages")
    assert client.get("//de/api/cms/v2/nowhere").json["message"] == "Keine Route nimmt das."
    assert client.get("//en/api/cms/v2/nowhere").json["message"].startswith("No route")
    assert client.get("//de/api/cms/v2/posts").json == []
    client.send("POST", "//de/api/cms/v2/settings", "administrator", json={"title": "Flüsse"})
    assert [client.get(f"//{prefix}api/").json["name"] for prefix in ("de/", "id/", "")] == [
        "Flüsse", "A new site", "A new site"]


def test_a_site_and_its_accounts_may_speak_it(german: Any) -> None:
    client = german.client()

    enum = client.get("//api/").json["routes"]["/cms/v2/users"]["endpoints"][1]["args"]["locale"]["enum"]
    assert enum == ["", "en_US", "id_ID", "de_DE"]
    assert client.post("/users/me", {"locale": "de_DE"}, "author").json["locale"] == "de_DE"
    assert client.post("/settings", {"language": "de_DE"}, "administrator").status_code == 200
    assert client.get("//api/cms/v2/nowhere").json["message"] == "Keine Route nimmt das."
    assert client.post("/settings", {"language": "fr_FR"}, "administrator").status_code == 400


def test_texts_of_a_plugin_are_said_in_languages_of_others(german: Any) -> None:
    client = german.client()

    def rank(prefix: str) -> str:
        listed = client.get(f"//{prefix}api/").json["routes"]["/cms/v2/posts"]["endpoints"][1]["args"]
        return str(listed["rank"]["description"])

    assert [rank(prefix) for prefix in ("", "en/", "id/", "de/")] == ["A rank.", "A rank.", "Peringkat.", "Ein Rang."]
    options = client.send("OPTIONS", "//id/api/cms/v2/posts").json
    assert options["schema"]["properties"]["rank"]["description"] == "Peringkat."


def test_another_site_in_the_process_doesn_t_speak_it(german: Any, plugged: Any) -> None:
    german.client()
    client = plugged().client()

    assert client.get("//de/api/").status_code == 404
    assert client.post("/users/me", {"locale": "de_DE"}, "author").status_code == 400


def test_the_bundled_plugin_seo_speaks_both_languages(plugged: Any) -> None:
    client = plugged().client(plugins=["seo"])
    routes = {prefix: client.get(f"//{prefix}/api/").json["routes"] for prefix in ("en", "id")}

    for path in ("posts", "pages", "categories", "tags", "media"):
        told = {prefix: {name: argument["description"]
                         for name, argument in found[f"/cms/v2/{path}"]["endpoints"][-1]["args"].items()
                         if name.startswith("seo_")} for prefix, found in routes.items()}
        assert len(told["en"]) == 5
        assert not set(told["en"].values()) & set(told["id"].values())


def test_a_catalogue_that_can_t_be_read_is_named(plugged: Any) -> None:
    site = plugged(german____init__=GERMAN)
    speak(site.folder / "plugins" / "german", "de_DE", 'msgid "broken\n')
    (site.folder / "plugins" / "german" / "de_DE" / "LC_MESSAGES" / "cms.mo").write_bytes(b"no catalogue")

    with pytest.raises(PluginError, match=r"plugin german: register_locales: .*cms\.mo"):
        site.client()

"""German: descriptions, messages and labels, with everything else as it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from sites import Client


@pytest.fixture
def client(make_client: Callable[..., Client]) -> Client:
    return make_client(plugins=["locale_de"])


def described(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every description of a document by its place, and all else without them."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from described(inner, f"{path}/{name}")
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from described(inner, f"{path}/{number}")
    else:
        yield path, value


@pytest.mark.parametrize(("method", "path"), [
    ("GET", "//{}/api/"), ("OPTIONS", "//{}/api/cms/v2/posts"), ("OPTIONS", "//{}/api/cms/v2/users/me"),
    ("OPTIONS", "//{}/api/cms/v2/settings"),
])
def test_every_description_is_german_and_nothing_else_differs(client: Client, method: str, path: str) -> None:
    english = dict(described(client.send(method, path.format("en"), "administrator").json))
    german = dict(described(client.send(method, path.format("de"), "administrator").json))

    told = {place for place in english if place.endswith("/description")} - {"/description"}
    addresses = {place for place in english if place.endswith(("/self", "/href"))}
    assert len(told) > 20
    assert [place for place in told if german[place] == english[place]] == []
    assert {place: german[place] for place in german.keys() - told - addresses} == {
        place: english[place] for place in english.keys() - told - addresses}


@pytest.mark.parametrize(("method", "path", "data", "code", "message"), [
    ("GET", "/posts?per_page=0&orderby=luck", None, "rest_invalid_param",
     "Ungültige Parameter: per_page, orderby. Einzelheiten stehen bei jedem."),
    ("GET", "/posts/999999", None, "rest_post_invalid_id", "Es gibt keinen Eintrag dieses Typs mit dieser ID."),
    ("GET", "/nowhere", None, "rest_no_route",
     "Keine Route nimmt diese Adresse und Methode an. Das Discovery-Dokument führt alle Routen auf."),
    ("GET", "/users/me", None, "rest_not_logged_in", "Hier wird das eigene Konto gezeigt. Bitte mit einem Konto anmelden, das es darf."),
    ("POST", "/tags", {}, "rest_missing_callback_param",
     "Fehlende Parameter: name. Bitte mitsenden und erneut versuchen."),
])
def test_messages_are_german(client: Client, method: str, path: str, data: Any, code: str, message: str) -> None:
    told = client.send(method, f"//de/api/cms/v2{path}", json=data).json

    assert (told["code"], told["message"]) == (code, message)


def test_details_of_faults_are_german(client: Client) -> None:
    told = client.get("//de/api/cms/v2/posts?per_page=0&orderby=luck&after=soon").json["data"]["params"]

    assert told["per_page"] == "Der Wert muss zwischen 1 und 100 liegen."
    assert told["orderby"].startswith("Der Wert muss einer von diesen sein: author, ")
    assert told["after"] == "Der Wert muss ein Datum mit Uhrzeit sein, etwa 2026-01-31T12:00:00."


def test_names_of_types_states_and_taxonomies_are_german(client: Client) -> None:
    def names(path: str) -> dict[str, str]:
        return {key: each["name"] for key, each in client.get(f"//de/api/cms/v2{path}", "editor").json.items()}

    assert names("/types") == {"post": "Beiträge", "page": "Seiten", "attachment": "Medien"}
    assert names("/taxonomies") == {"category": "Kategorien", "post_tag": "Schlagwörter"}
    assert names("/statuses") == {"publish": "Veröffentlicht", "future": "Geplant", "draft": "Entwurf",
                                  "pending": "Wartet auf Prüfung", "private": "Privat", "trash": "Papierkorb"}


def test_the_site_can_speak_german_everywhere(client: Client) -> None:
    chosen = client.post("/settings", {"language": "de_DE"}, "administrator")

    assert chosen.json["language"] == "de_DE"
    assert client.get("/nowhere").json["message"].startswith("Keine Route")
    assert client.get("//en/api/cms/v2/nowhere").json["message"].startswith("No route")
    assert client.get("//id/api/cms/v2/nowhere").json["message"].startswith("Tidak ada rute")


def test_an_account_can_have_the_language(client: Client) -> None:
    assert client.post("/users/me", {"locale": "de_DE"}, "editor").json["locale"] == "de_DE"


def test_dates_and_texts_of_the_site_are_the_same(client: Client) -> None:
    post = client.new("/posts", title="Selamat pagi", content="Text", status="publish", date="2024-03-05T10:00:00")

    german = client.get(f"//de/api/cms/v2/posts/{post['id']}").json
    assert german["date"] == "2024-03-05T10:00:00"
    assert german["title"]["rendered"] == "Selamat pagi"


def test_without_the_plugin_there_is_no_german(make_client: Callable[..., Client]) -> None:
    client = make_client()

    assert client.get("//de/api/").status_code == 404
    assert client.post("/settings", {"language": "de_DE"}, "administrator").status_code == 400
    assert client.get("//api/cms/v2/nowhere").json["message"].startswith("No route")

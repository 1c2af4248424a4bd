"""The page's texts, in the languages of the site."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from sites import Client

from cms.admin import texts


@pytest.fixture
def client(make_client: Callable[..., Client], monkeypatch: pytest.MonkeyPatch) -> Client:
    monkeypatch.setattr(texts, "page_texts", lambda: frozenset({"Language of the site.", "Not in any catalogue"}))
    return make_client(admin=True)


@pytest.mark.parametrize(("language", "text"), [
    ("id_ID", "Bahasa situs."), ("en_US", "Language of the site."), ("", "Language of the site."), ("xx", "Language of the site.")])
def test_texts_are_said_in_a_language(client: Client, language: str, text: str) -> None:
    answer = client.http.get(f"/admin/api/texts?language={language}")

    assert answer.json == {"Language of the site.": text, "Not in any catalogue": "Not in any catalogue"}


def test_the_sites_own_language_is_the_usual_one(client: Client) -> None:
    client.send("POST", "/settings", "administrator", json={"language": "id_ID"})

    assert client.http.get("/admin/api/texts").json["Language of the site."] == "Bahasa situs."


def test_texts_are_found_in_the_pages_own_modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = "html`<p title=${t(\"In a template\")}>${t('Of %(name)s', {name})}</p>`; say(t(\n  'On two lines'));"
    (tmp_path / "vendor").mkdir()
    (tmp_path / "parts").mkdir()
    (tmp_path / "vendor" / "other.js").write_text("t('Theirs')")
    (tmp_path / "parts" / "own.js").write_text(module)
    monkeypatch.setattr(texts, "FOLDER", tmp_path)
    texts.page_texts.cache_clear()

    assert {"In a template", "Of %(name)s", "On two lines"} <= texts.page_texts()
    assert "Theirs" not in texts.page_texts()
    texts.page_texts.cache_clear()

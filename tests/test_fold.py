"""One folding of texts: every search finds, and every name that exists already is known, whatever its case, accents, quotes."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from sites import Client

from cms.rendering.folding import fold

#: What is stored, and in what forms people look for it.
TEXTS = {
    "latin": ("Crème Brûlée", ["crème brûlée", "creme brulee", "CRÈME", "brulée"]),
    "german": ("Straße Übung", ["strasse", "STRASSE", "übung", "Ubung"]),
    "polish": ("Łódź", ["lodz", "łódź", "ŁÓDŹ"]),
    "turkish": ("İstanbul Işık", ["istanbul", "isik", "IŞIK"]),
    "vietnamese": ("Đà Nẵng", ["da nang", "đà nẵng", "NANG"]),
    "cyrillic": ("Привет, Ёж", ["привет", "ПРИВЕТ", "еж", "ёж"]),
    "greek": ("Ελλάδα Οδός", ["ελλαδα", "ΕΛΛΆΔΑ", "οδοσ"]),
    "hebrew": ("שָׁלוֹם", ["שלום"]),
    "arabic": ("مَرْحَبًا", ["مرحبا"]),
    "devanagari": ("हिन्दी भाषा", ["हिन्दी"]),
    "thai": ("ภาษาไทย", ["ไทย", "ภาษา"]),
    "japanese": ("ﾃｽﾄ がぞう", ["テスト", "がぞう"]),
    "chinese": ("中文網站", ["中文網"]),
    "korean": ("한국어 글", ["한국어"]),
    "armenian": ("Հայաստան", ["հայաստան", "ՀԱՅԱՍՏԱՆ"]),
    "georgian": ("საქართველო", ["საქართველო"]),
    "decomposed": ("Cafe\u0301", ["café", "cafe", "CAFÉ"]),
    "quotes": ("Women’s “best”", ["Women's", "women’s", "women‘s"]),
    "ampersand": ("Fish & Chips", ["fish & chips", "Fish &amp; Chips", "h & c"]),
    "dashes": ("2019–2020", ["2019-2020", "2019—2020"]),
    "full width": ("ＡＢＣ１２３", ["abc123", "ＡＢＣ"]),
}
CASES = [(stored, sought) for stored, forms in TEXTS.values() for sought in [stored, *forms]]
#: What folding must not confuse.
DIFFERENT = [("は", "ば"), ("हिन", "हीन"), ("가", "각"), ("abc", "abd"), ("и", "у"), ("כ", "ב"), ("ก", "ข")]


@pytest.mark.parametrize(("stored", "sought"), CASES)
def test_forms_of_a_text_fold_alike(stored: str, sought: str) -> None:
    assert fold(sought) in fold(stored)
    assert fold(fold(stored)) == fold(stored)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_other_letters_stay_apart(one: str, other: str) -> None:
    assert fold(one) != fold(other)


def found(client: Client, address: str, sought: str) -> list[int]:
    answer = client.get(f"{address}search={quote(sought)}", "administrator")
    assert answer.status_code == 200, answer.text
    return [item["id"] for item in answer.json]


@pytest.mark.parametrize("name", TEXTS)
def test_every_search_finds_every_form(client: Client, name: str) -> None:
    stored, forms = TEXTS[name]
    post = client.new("/posts", "administrator", title=f"x {stored} x", status="publish")["id"]
    inside = client.new("/posts", "administrator", title="T", content=f"<p>x {stored} x</p>", status="publish")["id"]
    page = client.new("/pages", "administrator", title="P", excerpt=stored, status="publish")["id"]
    comment = client.new("/comments", "administrator", post=post, content=f"say {stored}")["id"]
    by = client.new("/comments", "administrator", post=post, content="other", author_name=stored,
                    author_email="a@example.org")["id"]
    user = client.new("/users", "administrator", username="someone", email="s@example.org", password="secret words here",
                      name=stored)["id"]
    tag = client.new("/tags", "administrator", name=stored)["id"]
    category = client.new("/categories", "administrator", name=stored)["id"]
    for sought in [stored, *forms]:
        if len(fold(sought)) > 2:
            assert sorted(found(client, "/posts?", sought)) == [post, inside], sought
            assert found(client, "/pages?", sought) == [page], sought
        assert sorted(found(client, "/comments?status=all&", sought)) == sorted([comment, by]), sought
        assert found(client, "/users?", sought) == [user], sought
        assert found(client, "/tags?", sought) == [tag], sought
        assert found(client, "/categories?", sought) == [category], sought


@pytest.mark.parametrize("name", TEXTS)
def test_a_name_that_exists_already_is_known_in_every_form(client: Client, name: str) -> None:
    stored, forms = TEXTS[name]
    tag = client.new("/tags", "administrator", name=stored)["id"]
    for form in forms:
        if fold(form) == fold(stored):
            answer = client.post("/tags", {"name": form}, "administrator")
            assert (answer.status_code, answer.json["code"]) == (400, "term_exists"), form
            assert answer.json["data"]["term_id"] == tag


@pytest.mark.parametrize("name", TEXTS)
def test_every_form_of_a_slug_is_one(client: Client, name: str) -> None:
    stored, _forms = TEXTS[name]
    slugs = [client.new("/posts", "administrator", title=text, status="publish")["slug"] for text in (stored, stored.lower())]
    for slug in slugs:
        assert len(client.get(f"/posts?slug={slug}").json) == 1


@pytest.mark.parametrize("sought", ["café du monde", "CAFE DU MONDE", "du monde", "é d", "x é"])
def test_what_has_all_of_a_phrase_comes_first_whatever_its_form(client: Client, sought: str) -> None:
    apart = " ".join(reversed(sought.split()))
    texts = [
        {"title": f"Zwölf {sought.upper()}", "excerpt": "1", "content": "1"},
        {"title": "Item", "excerpt": f"zwölf {sought}", "content": "2"},
        {"title": "Item", "excerpt": "3", "content": f"zwölf {sought}"},
        {"title": "Item", "excerpt": "4", "content": f"zwölf {apart}"},
    ]
    wanted = [client.new("/posts", "administrator", status="publish", **each)["id"] for each in texts]

    assert found(client, "/posts?orderby=relevance&", sought) == wanted

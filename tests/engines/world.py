"""The content that both sites begin with: texts in several scripts, something of every kind and status, fields of every kind."""

from __future__ import annotations

from random import Random

from fuzzing.requests import ROLES
from type_files import FILES

from cms.testing import Client

#: Words that texts and searches are made of.
WORDS = ("Zürich", "apple", "Banana", "10", "9", "ß", "e\u0301clair", "%", "_", 'kiwi "fig"', "a_b", "100%", "back\\slash", "ÄPFEL", "äpfel",
         "İstanbul", "日本語", "O'Hara", "-", "  two  ", "🍒 cherry", "naïve", "Σίσυφος", "[x]", "*", "ﬁne")
DATES = ("2024-02-29T12:00:00", "2025-02-28T23:59:59", "2025-03-01T08:00:30", "2025-03-01T08:20:00", "2025-06-01T00:00:00",
         "2039-12-31T23:59:59", "1999-01-01T00:00:00", "2025-03-01T09:00:00+02:00")
#: Fields of a type with all kinds of single values: name, kind and options of each.
SAMPLED = (
    ("words", "text", 'default = "none"'), ("plain", "text", ""), ("longer", "long_text", ""), ("whole", "integer", "default = 7"),
    ("amount", "number", ""), ("price", "number", "default = 1.5"), ("flag", "boolean", ""), ("on", "boolean", "default = true"),
    ("day", "date", ""), ("moment", "datetime", ""), ("level", "choice", 'choices = ["low", "high", "10", "9"]'),
    ("address", "url", ""), ("mail", "email", ""), ("paint", "colour", ""))
SAMPLE = """
[type]
name = "sample"
base = "samples"
label = "Samples"
supports = ["title", "editor", "author", "revisions", "comments", "excerpt"]
taxonomies = ["post_tag", "category"]
""" + "".join(f"""
[[field]]
name = "{name}"
kind = "{kind}"
filterable = true
sortable = true
{more}
""" for name, kind, more in SAMPLED)
TYPES = {**FILES, "sample": SAMPLE}


def fill(client: Client) -> None:
    """Make accounts of all roles and content, always the same."""
    numbers = Random(7)
    for role in ROLES[1:]:
        client.account(str(role))
    terms = {base: [_term(client, base, numbers) for _number in range(8)] for base in ("tags", "categories", "cuisines")}
    posts = [_item(client, base, terms, numbers) for base in ("posts", "pages", "samples", "recipes", "events", "chefs") for _number in range(9)]
    for _number in range(20):
        client.post("/comments", {"post": numbers.choice(posts), "content": text(numbers), "author_name": numbers.choice(WORDS),
                                  "author_email": "someone@example.org"}, numbers.choice(["subscriber", "editor", None]))
    client.new("/menus", "administrator", name="Menu")
    client.new("/webhooks", "administrator", url="https://93.184.216.34/hook", events=["post.created"])


def text(numbers: Random, most: int = 4) -> str:
    """Return a few words."""
    return " ".join(numbers.choices(WORDS, k=numbers.randrange(1, most + 1)))


def _term(client: Client, base: str, numbers: Random) -> int:
    answer = client.post(f"/{base}", {"name": text(numbers), "description": text(numbers)}, "administrator")
    return int(answer.json["id"] if answer.status_code == 201 else answer.json["data"]["term_id"])


def _item(client: Client, base: str, terms: dict[str, list[int]], numbers: Random) -> int:
    fields = {
        "title": text(numbers), "content": text(numbers, 12), "excerpt": text(numbers), "status": numbers.choice(
            ["publish", "publish", "publish", "draft", "private", "pending"]), "date": numbers.choice(DATES),
        "menu_order": numbers.randrange(3), **numbers.choice([{}, {}, {}, {"sticky": True}, {"password": "word"}]),
        "tags": numbers.sample(terms["tags"], 2), "categories": numbers.sample(terms["categories"], 2),
        "start": "2030-01-01T10:00:00", "whole": numbers.randrange(-3, 12), "amount": numbers.choice([1, 1.0, 2.5, 10, 9, -0.1]),
        "price": numbers.choice([None, 1.5, 20]), "words": numbers.choice(WORDS), "flag": numbers.choice([True, False, None]),
        "on": numbers.random() < 0.5, "day": numbers.choice(["2025-01-31", "1999-12-31"]), "moment": numbers.choice(DATES),
        "level": numbers.choice(["low", "10", "9", None]), "serves": numbers.randrange(1, 12)}
    answer = client.post(f"/{base}", fields, numbers.choice(["editor", "administrator"]))
    assert answer.status_code == 201, answer.text
    return int(answer.json["id"])

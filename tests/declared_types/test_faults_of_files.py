"""What is wrong in a file stops the start, with file, line and what to write instead."""

from __future__ import annotations

from typing import Any

import pytest

HEAD = '[type]\nname = "thing"\nlabel = "Things"\n'
FIELD = HEAD + '\n[[field]]\nname = "value"\n'
FAULTS = {
    "syntax": (HEAD + "base = things\n", 4, "this isn't TOML"),
    "end": (HEAD + 'base = "things', 4, "this isn't TOML"),
    "nothing": ("", 1, "Write one table [type], or one table [taxonomy]"),
    "two": (HEAD + '[taxonomy]\nname = "x"\n', 1, "Write one table [type], or one table [taxonomy]"),
    "no name": ("[type]\n", 1, 'it has no name. Write name = "…"'),
    "name": ('[type]\nname = "Thing one"\n', 2, 'name = "Thing one" can\'t be. Write small letters'),
    "unknown": (HEAD + "hierachical = true\n", 4, 'hierachical isn\'t known here. Did you mean "hierarchical"?'),
    "unknown table": (HEAD + "[[fields]]\n", 4, 'fields isn\'t known here. Did you mean "field"?'),
    "too large": (HEAD + '[[field]]\nname = "a"\nmin_length = 99999999999999999999\n', 6, "Write a whole number from 0 to 9007199254740991"),
    "endless": (HEAD + '[[field]]\nname = "a"\nkind = "number"\nmaximum = inf\n', 7, "Write a number from -9007199254740991 to 9007199254740991"),
    "no number": (HEAD + '[[field]]\nname = "a"\nkind = "number"\nminimum = nan\n', 7, "Write a number from -9007199254740991"),
    "flag": (HEAD + 'public = "yes"\n', 4, 'public = "yes" can\'t be. Write true or false, without quotes'),
    "supports": (HEAD + 'supports = ["tilte"]\n', 4, 'supports has "tilte", which isn\'t one of title'),
    "label": ("[type]\nname = 'x'\nlabel = 3\n", 3, "label = 3 can't be. Write a text, or one for each language"),
    "address": (HEAD + 'address = "things"\n', 4, "Write a path that begins with a slash"),
    "roles": (HEAD + '[type.roles]\nedit = ["boss"]\n', 5, 'edit has "boss", which isn\'t one of administrator'),
    "kind": (FIELD + 'kind = "integr"\n', 7, 'kind = "integr" isn\'t a kind of field. Did you mean "integer"? Kinds:'),
    "field name": (HEAD + '[[field]]\nkind = "text"\n', 4, 'the field has no name. Write name = "…"'),
    "number": (FIELD + 'kind = "integer"\nminimum = "1"\n', 8, 'minimum = "1" can\'t be. Write a whole number'),
    "bounds": (FIELD + 'kind = "integer"\nminimum = 5\nmaximum = 1\n', 8, "minimum = 5 is more than maximum = 1"),
    "other option": (FIELD + "minimum = 1\n", 7, "minimum isn't known here"),
    "default": (FIELD + 'kind = "date"\ndefault = "soon"\n', 8, "has default='soon', which it refuses itself"),
    "required": (FIELD + 'required = true\ndefault = "x"\n', 7, "a required field has no default"),
    "pattern": (FIELD + 'pattern = "["\n', 7, "pattern isn't a regular expression"),
    "choices": (FIELD + 'kind = "choice"\n', 7, 'a choice needs its values. Write choices = ["one", "two"]'),
    "relation": (FIELD + 'kind = "relation"\n', 5, "a relation leads to items of a type. Write to ="),
    "terms": (FIELD + 'kind = "terms"\n', 5, 'a field of terms needs its taxonomy. Write taxonomy = "category"'),
    "empty group": (FIELD + 'kind = "group"\n', 7, "a group holds fields. Write [[field.field]]"),
    "sortable": (FIELD + 'kind = "json"\nsortable = true\n', 8, "a field of the kind json can't be sortable"),
    "inner": (FIELD + 'kind = "group"\n[[field.field]]\nname = "a"\nunique = true\n', 10, "not for those in a group"),
    "inner kind": (FIELD + 'kind = "group"\n[[field.field]]\nname = "a"\n[[field.field]]\nname = "b"\nkind = "x"\n',
                   12, 'kind = "x" isn\'t a kind'),
    "same": (FIELD + '[[field]]\nname = "value"\n', 7, 'thing has another field with the name "value"'),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_names_its_line_and_what_to_write(declared: Any, name: str) -> None:
    text, line, remedy = FAULTS[name]
    output = declared(thing=text).run("routes", code=1).output
    assert f"types/thing.toml, line {line}: " in output
    assert remedy in output


def test_two_files_have_names_of_their_own(declared: Any) -> None:
    output = declared(one=HEAD, two=HEAD).run("routes", code=1).output
    assert "two.toml, line 1: the name \"thing\" is that of one.toml already" in output


def test_all_faults_are_counted(declared: Any) -> None:
    assert "(1 more: cms types check)" in declared(one=HEAD + "a = 1\nb = 2\n").run("routes", code=1).output


@pytest.mark.parametrize(("name", "text", "fault"), [
    ("thing", HEAD + 'taxonomies = ["nowhere"]\n', "names the taxonomy 'nowhere', which nothing registers"),
    ("post", '[type]\nextends = "poste"\n[[field]]\nname = "a"\n', "there is no resource 'poste'"),
    ("post", '[type]\nextends = "post"\n[[field]]\nname = "title"\n', "'title' is already registered by core"),
])
def test_what_does_not_fit_the_site_stops_the_start(declared: Any, name: str, text: str, fault: str) -> None:
    output = declared(**{name: text}).run("routes", code=1).output
    assert fault in output
    assert "declared_types" in output


def test_without_the_folder_nothing_is_loaded(declared: Any) -> None:
    client = declared().client()
    assert list(client.site.plugins.loaded) == ["core"]


def test_an_empty_folder_changes_nothing_that_is_served(declared: Any) -> None:
    plain = declared().client()
    (declared().folder / "types").mkdir()
    site = declared()
    (site.folder / "types").mkdir()
    assert site.client().get("").json["routes"].keys() == plain.get("").json["routes"].keys()

"""The options that fields are declared with."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

from cms.i18n import Text
from cms.schema.fields import VIEW_EDIT, Boolean, DateTime, Field, Ids, Integer, List, Object, Raw, String

TYPES = (Boolean, DateTime, Ids, Integer, List, Object, Raw, String)


@pytest.mark.parametrize("type", TYPES)
def test_every_type_takes_every_option(type: Any) -> None:
    options: dict[str, Any] = {
        "default": None, "required": False, "readonly": True, "null": 1, "column": "a", "columns": ["b"],
        "edit_columns": ["c"], "read": lambda row, page: row["b"], "load": len, "where": bool, "hidden": True,
        "store": print, "filterable": True, "sortable": True, "order": list,
    }

    field = type(Text("A field."), VIEW_EDIT, **options)

    renamed = {"default": "load_default", "readonly": "dump_only", "read": "reader"}
    expected = {**options, "columns": ("b",), "edit_columns": ("c",)}
    assert {name: getattr(field, renamed.get(name, name)) for name in options} == expected
    assert field.needed("name", "edit") == ("b", "c")


@pytest.mark.parametrize("type", [Field, *TYPES])
def test_an_unknown_option_is_refused_by_its_name(type: Any) -> None:
    with pytest.raises(TypeError, match=r"a field has no option 'defualt'\. Options: answer, answer_values, codes, column, "):
        type(Text("A field."), defualt=1)


def test_the_options_are_grouped() -> None:
    assert all(len(inspect.signature(type).parameters) <= 9 for type in TYPES)

"""A table's columns are declared three times, for SQLite, for peewee and for mypy; they are the same."""

from __future__ import annotations

from typing import Any, get_type_hints

import pytest
from peewee import Model
from sites import Client

from cms.db import models

TABLES = {each._meta.table_name: each for each in vars(models).values() if isinstance(each, type) and issubclass(each, Model)}
ROWS = {name: getattr(models, f"{model.__name__}Row") for name, model in TABLES.items()
        if hasattr(models, f"{model.__name__}Row") and name != "deliveries"}


@pytest.mark.files_only  # `test_copy.py` holds the tables of a server to these
def test_every_table_has_a_model(client: Client) -> None:
    found = set(client.site.database.column(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB 'schema_migration*'"
        " AND name NOT GLOB 'content_search*' AND name NOT GLOB 'comment_search*'"))

    assert found == set(TABLES)


@pytest.mark.files_only
@pytest.mark.parametrize("table", TABLES)
def test_a_model_has_the_columns_of_its_table(client: Client, table: str) -> None:
    columns: list[Any] = client.site.database.column("SELECT name FROM pragma_table_info(?)", (table,))

    assert set(TABLES[table]._meta.fields) == set(columns)


@pytest.mark.parametrize("table", ROWS)
def test_a_row_has_the_columns_of_its_model(table: str) -> None:
    assert list(get_type_hints(ROWS[table])) == list(TABLES[table]._meta.fields)

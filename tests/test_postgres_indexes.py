"""The indexes of plugins' fields: their names and values may be long, and lists on a server are read from them."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from servers import SERVER
from sites import Client

from cms.db.migrate import migrate

#: Names whose indexes have their first 63 letters in common.
LONG = [f"a_name_that_is_nearly_as_long_as_names_of_fields_can_be_{name}" for name in ("one", "two")]
CODE = "a_code_that_has_nearly_as_long_a_name_as_fields_can_have"
FIELDS = f'''
from cms.plugin import VIEW_EDIT, Integer, String

@hookimpl
def register_fields(content_registry, config):
    return {{
        "post": {{
            "rank": Integer("Rank.", VIEW_EDIT, filterable=True, sortable=True),
            "{CODE}": String("Code.", VIEW_EDIT, unique=True),
            **{{name: Integer("Long.", VIEW_EDIT, filterable=True, sortable=True) for name in {LONG}}},
        }},
        "category": {{"note": String("Note.", VIEW_EDIT, filterable=True, sortable=True)}},
        "user": {{"note": String("Note.", VIEW_EDIT, filterable=True, sortable=True)}},
    }}
'''
COPY = """
INSERT INTO content ({columns}) SELECT {values} FROM content, generate_series(1000, 4000) AS number WHERE id = {id}
"""
SELECT_COLUMNS = "SELECT attname::text FROM pg_attribute WHERE attrelid = 'content'::regclass AND attnum > 0"
SELECT_READS = (
    "SELECT indexrelname::text, idx_scan FROM pg_stat_user_indexes WHERE indexrelname LIKE 'plugin_field_%'"
)


@pytest.fixture
def client(extended: Callable[..., Client]) -> Client:
    client = extended(FIELDS)
    migrate_again(client)
    return client


def migrate_again(client: Client) -> list[str]:
    site = client.site
    return migrate(site.database, site.registry.migrations, site.registry.indexes, site.config["search_mode"])


def test_values_too_long_for_an_index_are_stored_and_found(client: Client) -> None:
    text = Random(1).randbytes(4_000).hex()
    for ending in "ab":
        client.new("/categories", "administrator", name=ending, note=text + ending)
        client.new(
            "/users",
            "administrator",
            username=ending,
            password="a good phrase",
            email=f"{ending}@example.org",
            note=text + ending,
        )
    for path in ("/categories", "/users"):
        found = client.get(f"{path}?note={text}b", "administrator").json
        assert [(item["name"], item["note"] == text + "b") for item in found] == [("b", True)]
        ordered = client.get(f"{path}?orderby=note&order=desc", "administrator").json
        assert [item["name"] for item in ordered][:2] == ["b", "a"]


def test_long_values_are_unique_to_their_last_letter(client: Client) -> None:
    text = Random(1).randbytes(4_000).hex()
    answers = [client.post("/posts", {"title": "x", CODE: text + ending}) for ending in "aba"]
    assert [answer.status_code for answer in answers] == [201, 201, 400]
    assert answers[2].json["data"]["params"] == {CODE: "Another item has this value already."}


def test_long_names_that_begin_alike_are_different_indexes(client: Client) -> None:
    assert migrate_again(client) == []
    for number in (1, 2):
        client.new("/posts", title=f"Post {number}", status="publish", **{LONG[0]: number, LONG[1]: -number})
    for name, wanted in (LONG[0], ["Post 1", "Post 2"]), (LONG[1], ["Post 2", "Post 1"]):
        found = client.get(f"/posts?orderby={name}&order=asc").json
        assert [post["title"]["rendered"] for post in found] == wanted


needs_server = pytest.mark.skipif(not SERVER, reason="CMS_TEST_DATABASE names no server of PostgreSQL")


@needs_server
def test_the_server_looks_after_indexes_without_a_path_to_functions(client: Client) -> None:
    client.new("/posts", title="Post", status="publish", rank=5, **{CODE: "Code"})
    client.new("/categories", "administrator", name="Category", note="Note")
    own = client.site.database.peewee.connection().run_own
    own("SET search_path = ''")
    for table in ("content", "terms", "users"):
        own(f"REINDEX TABLE public.{table}")
        own(f"ANALYZE public.{table}")
    own("RESET search_path")
    assert len(client.get("/posts?rank=5").json) == 1


@needs_server
def test_lists_by_a_field_are_read_from_its_index(client: Client) -> None:
    id = client.new("/posts", title="Post", status="publish", rank=5)["id"]
    database = client.site.database
    columns = [name for (name,) in database.tuples(SELECT_COLUMNS)]
    other = {
        "id": "number",
        "slug": "'post-' || number",
        "meta": "json_set(meta, '$.rank', (number % 900)::text)",
    }
    own = database.peewee.connection().run_own
    own(
        COPY.format(
            columns=", ".join(columns), values=", ".join(other.get(name, name) for name in columns), id=id
        )
    )
    own("ANALYZE content")
    reads = dict(database.tuples(SELECT_READS))
    for query, index in (
        ("rank=5", "filter"),
        ("orderby=rank", "order"),
        ("orderby=rank&order=asc", "order"),
    ):
        assert client.get(f"/posts?{query}").status_code == 200
        own("SELECT pg_stat_force_next_flush()")
        before, reads = reads, dict(database.tuples(SELECT_READS))
        name = f"plugin_field_content_rank_{index}"
        assert reads[name] > before[name], query

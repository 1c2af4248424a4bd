"""What these fields read of the database."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

import orjson

from cms.plugin import Database

SELECT_SLUGS = """
SELECT c.content_id, t.taxonomy, t.slug FROM content_terms c CROSS JOIN terms t ON t.id = c.term_id
WHERE c.content_id IN (SELECT value FROM json_each(?)) ORDER BY c.content_id, t.taxonomy, t.sort_name, t.id
"""


def slugs_of_terms(database: Database, ids: Iterable[int]) -> dict[int, list[tuple[str, str]]]:
    """Return taxonomy and slug of the terms of items, by the items' ids."""
    found = defaultdict(list)
    for id, taxonomy, slug in database.tuples(SELECT_SLUGS, (orjson.dumps(list(ids)).decode(),)):
        found[id].append((taxonomy, slug))
    return found

"""Content to look at on a new site, written as any client would write it."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from cms.access.capabilities import Principal
from cms.site import Site

CONTENT = Path(__file__).with_name("content.toml")


def add_demo(site: Site) -> int:
    """Add the demo's categories, tags and posts in the name of the first account; returns how many posts."""
    content = tomllib.loads(CONTENT.read_text(encoding="utf-8"))
    author = site.authentication.by_id(site.stores.users.first_id())
    with site.database.write():
        categories = _add_terms(site, "category", content["categories"], author)
        tags = _add_terms(site, "post_tag", content["tags"], author)
        for post in content["posts"]:
            _create(site, "post", _post(post, categories, tags, site.now()), author)
    return len(content["posts"])


def _add_terms(
    site: Site, taxonomy: str, terms: Iterable[dict[str, Any]], author: Principal
) -> dict[str, int]:
    """Create terms and return their ids by slug; a category's parent stands before it."""
    ids: dict[str, int] = {}
    for term in terms:
        parent = {"parent": ids[term["parent"]]} if "parent" in term else {}
        ids[term["slug"]] = _create(site, taxonomy, {**term, **parent}, author)
    return ids


def _post(post: dict[str, Any], categories: dict[str, int], tags: dict[str, int], now: str) -> dict[str, Any]:
    """Return a post as the interface takes it: ids for slugs, a date for the number of hours ago."""
    sent = {name: value for name, value in post.items() if name != "hours_ago"}
    written = datetime.fromisoformat(now) - timedelta(hours=post["hours_ago"])
    return {
        "status": "publish",
        **sent,
        "content": post["content"].strip(),
        "date_gmt": written.isoformat(timespec="seconds"),
        "categories": [categories[slug] for slug in post.get("categories", ())],
        "tags": [tags[slug] for slug in post.get("tags", ())],
    }


def _create(site: Site, resource: str, values: dict[str, Any], author: Principal) -> int:
    operations = site.operations[resource]
    return int(operations.create(operations.create_loader.load(values), author).data["id"])

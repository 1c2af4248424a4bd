"""Fill a site with the posts of a benchmark's data module.

    python bench/seed.py DATA_MODULE INSTANCE COUNT

DATA_MODULE is a Python file whose `build(n)` gives authors, categories, tags and posts.
"""

from __future__ import annotations

import importlib.util
import shutil
import sys
from pathlib import Path
from typing import Any

from cms.assembly import open_site
from cms.config import load_config
from cms.install.bootstrap import OPERATOR, add_account, set_up
from cms.site import Site

PASSWORD = "bench-pass"


def load_data(path: str, count: int) -> dict[str, Any]:
    """Return what the data module builds."""
    spec = importlib.util.spec_from_file_location("bench_data", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.build(count)


def add_all(site: Site, data: dict[str, Any]) -> None:
    """Store authors, terms and posts, by the operations that HTTP uses too."""
    authors = {a["id"]: add_account(site, username=a["slug"], email=a["email"], password=PASSWORD, name=a["name"],
                                    roles=["author"])["id"] for a in data["authors"]}
    ids = {name: {t["id"]: add(site, name, name=t["name"], slug=t["slug"])["id"] for t in data[field]}
           for name, field in (("category", "categories"), ("post_tag", "tags"))}
    for post in data["posts"]:
        fields = {key: post[key] for key in ("title", "slug", "content", "excerpt", "status")}
        add(site, "post", **fields, date=post["date"].replace(" ", "T")[:19], author=authors[post["author"]],
            categories=[ids["category"][id] for id in post["categories"]],
            tags=[ids["post_tag"][id] for id in post["tags"]])


def add(site: Site, resource: str, **fields: Any) -> dict[str, Any]:
    """Create an item as an administrator."""
    operations = site.operations[resource]
    return operations.create(operations.create_loader.load(fields), OPERATOR).data


def main() -> None:
    """Make the instance anew, or lay a copy of the one that was made before."""
    module, instance, count = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
    kept = instance.with_name(f"{instance.name}-{count}")
    site = open_site(load_config(kept, {"synchronous": "normal"}))
    if set_up(site, password=PASSWORD) is not None:  # None: it is there, and migrated
        with site.database.write():
            add_all(site, load_data(module, count))
    site.close()
    shutil.rmtree(instance, ignore_errors=True)
    shutil.copytree(kept, instance)


if __name__ == "__main__":
    main()

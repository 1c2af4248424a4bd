"""Make a site of many posts, the same for the same number.

    python bench/make_site.py INSTANCE COUNT

The first 1,000 posts, with 5 authors, 20 categories, 50 tags and 2,000 comments, are made by the operations that HTTP
uses too; one post in 20 is a draft, 100 hold the word `zephyrine`. The rest are copies of the others under slugs and
dates of their own, with their terms and comments; each thousand brings 50 tags and an account that wrote nothing.
"""

from __future__ import annotations

import random
import sys
import time
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from copy_posts import Copier
from make_export import Maker

from cms.assembly import open_site
from cms.config import load_config
from cms.install.bootstrap import OPERATOR, add_account, set_up
from cms.site import Site

PASSWORD = "bench-pass"
WORD = "zephyrine"
FIRST = 1_000
AUTHORS, CATEGORIES, TAGS = 5, 20, 50
NEWEST = datetime(2024, 1, 1)
SETTINGS = {"synchronous": "normal", "password_cost": "low", "comment_interval": 0, "anonymous_comments": True}


def add(site: Site, resource: str, **fields: Any) -> int:
    """Create an item as an administrator and return its id."""
    operations = site.operations[resource]
    return int(operations.create(operations.create_loader.load(fields), OPERATOR).data["id"])


def text(maker: Maker, holds_word: bool) -> str:
    """Return about 3 KB of paragraphs."""
    word = f" A {WORD} note." if holds_word else ""
    return "\n".join(f"<h2>{maker.say(2, 4)}</h2>\n<p>{maker.say(60, 80)}.{word}</p>" for _ in range(6))


def add_first(site: Site) -> None:
    """Add accounts, terms, posts and comments."""
    maker, chance = Maker(), random.Random(2)
    authors = [add_account(site, username=f"author{n}", email=f"author{n}@bench.example", password=PASSWORD,
                           name=f"Author {n}", roles=["author"])["id"] for n in range(1, AUTHORS + 1)]
    categories = [add(site, "category", name=f"Category {n}") for n in range(1, CATEGORIES + 1)]
    tags = [add(site, "post_tag", name=f"Tag {n}") for n in range(1, TAGS + 1)]
    for number in range(1, FIRST + 1):
        holds_word = number % 10 == 1
        date = (NEWEST - timedelta(minutes=3 * (FIRST - number))).isoformat()
        post = add(site, "post", title=f"{maker.say(4, 7)} {WORD if holds_word else number}",
                   slug=f"post-{number}-of-bench", date=date,
                   content=text(maker, holds_word), excerpt=maker.say(15, 20),
                   status="draft" if number % 20 == 0 else "publish", author=chance.choice(authors),
                   categories=chance.sample(categories, chance.randint(1, 2)),
                   tags=chance.sample(tags, chance.randint(1, 4)))
        for answer in range(0 if number % 20 == 0 else 2):
            add(site, "comment", post=post, author_name=f"Reader {number}", author_email=f"r{number}@bench.example",
                content=f"{maker.say(10, 40)} {answer}", status="approved", date=date)


def make_site(instance: Path, count: int) -> None:
    """Make a site of so many posts in a folder that isn't there yet."""
    unfinished = instance.with_name(f"{instance.name}.unfinished")
    site = open_site(load_config(unfinished, SETTINGS))
    set_up(site, password=PASSWORD)
    tell(f"{FIRST} posts by the operations of the API")
    with site.database.write():
        add_first(site)
    if count > FIRST:
        Copier(site.database, tell).copy(count - FIRST)
    site.database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    site.close()
    unfinished.rename(instance)


BEGUN = time.monotonic()


def tell(said: str) -> None:
    """Say how far it has come."""
    print(f"{time.monotonic() - BEGUN:6.0f} s  {said}", file=sys.stderr, flush=True)


def main() -> None:
    """Make the site that is asked for."""
    instance, count = Path(sys.argv[1]), int(sys.argv[2])
    if not FIRST <= count <= 1_000_000:
        raise SystemExit(f"COUNT is a number from {FIRST} to 1000000")
    make_site(instance, count)
    tell(f"{count} posts in {instance}; sign in as admin with {PASSWORD}")


if __name__ == "__main__":
    main()

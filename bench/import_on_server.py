"""Tell how long others wait to write to a site on PostgreSQL while an import runs.

    CMS_TEST_DATABASE=postgresql://postgres@localhost:5432 python bench/import_on_server.py [POSTS]

Makes an export of POSTS (1,000) posts of 3 KB and imports it by `cms import` into a new site on the server, while a
second process makes a small post in it ten times a second.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from import_rate import writing
from make_export import write_posts
from transfer import run

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from servers import drop_database, new_database


def main() -> None:
    """Print how long the import took, and how long the writes beside it."""
    posts = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000
    address = new_database()
    with tempfile.TemporaryDirectory() as name:
        site, made = Path(name) / "site", Path(name) / "made.xml"
        site.mkdir()
        (site / "config.toml").write_text(f'database = "{address}"\n', encoding="utf-8")
        with made.open("w", encoding="utf-8") as file:
            write_posts(file, posts)
        run(site, "init", "--json")
        with writing(site) as seen:
            seconds, busy, _peak = run(site, "import", str(made), "--no-media")
    print(f"cms import {posts} posts: {seconds:.2f} s, {busy:.2f} s of the processor; a second process has made "
          f"{seen[0]} posts meanwhile, the median took {float(seen[1]):.3f} s, the longest {float(seen[2]):.3f} s")
    drop_database(address)


if __name__ == "__main__":
    main()

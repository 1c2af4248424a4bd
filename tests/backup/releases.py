"""Write the database that this version makes into tests/data/releases, for the tests of upgrades: run it at a release.

    python tests/backup/releases.py

It holds what `test_upgrade.py` looks for.
"""

from __future__ import annotations

import gzip
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

from cms.testing import make_client
from cms.version import __version__

HERE = Path(__file__).parents[1]


def main() -> None:
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        client = make_client(folder, url="http://site.example")
        tag = client.new("/tags", name="Old tag")["id"]
        post = client.new("/posts", title="An old post", content="<p>Straße, 日本</p>", status="publish", tags=[tag])
        client.post(f"/posts/{post['id']}", {"title": "An old post, changed"})
        client.new("/pages", title="An old page", status="publish")
        client.new("/posts", title="Ahead", status="publish", date_gmt="2999-01-01T00:00:00")
        client.new("/comments", "administrator", post=post["id"], content="An old comment")
        headers = {"Content-Disposition": 'attachment; filename="harbour.png"', "Content-Type": "image/png"}
        picture = (HERE / "media" / "files" / "harbour.png").read_bytes()
        client.send("POST", "/media", "administrator", data=picture, headers=headers)
        # The test has the file in this month.
        client.site.database.execute("UPDATE media SET file = '2026/11/harbour.png'")
        client.close()
        target = HERE / "data" / "releases" / f"{__version__}.db.gz"
        with closing(sqlite3.connect(folder / "site.db", isolation_level=None)) as file:
            file.execute("PRAGMA journal_mode = delete")
            file.execute("VACUUM")
        with gzip.GzipFile(target, "wb", mtime=0) as packed:
            packed.write((folder / "site.db").read_bytes())
        print(f"Wrote {target}")


if __name__ == "__main__":
    main()

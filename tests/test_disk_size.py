"""What a site takes on disk: the size of pages of new files, and what a post takes in each mode of search."""

from __future__ import annotations

import gzip
import json
import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

import cms
from cms.cli import main

pytestmark = pytest.mark.files_only
POSTS = 120
RELEASED = Path(__file__).parent / "data" / "releases" / "0.2.0.db.gz"


def page_size(file: Path) -> int:
    """Return the size of the pages of a database file."""
    with closing(sqlite3.connect(file)) as database:
        return int(database.execute("PRAGMA page_size").fetchone()[0])


def size(file: Path) -> int:
    """Return the bytes of a database file that has all that was written."""
    with closing(sqlite3.connect(file)) as database:
        assert database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0
    return file.stat().st_size


def paragraphs(chance: random.Random, words: list[str]) -> str:
    """Return about 3 KB of text."""
    said = [" ".join(chance.choices(words, k=68)) for _paragraph in range(6)]
    return "\n".join(f"<h2>{' '.join(chance.choices(words, k=3))}</h2>\n<p>{text}.</p>" for text in said)


@pytest.mark.parametrize(("mode", "most"), [("words", 9_000), ("parts", 11_000)])
def test_a_post_of_3_kb_takes_three_times_that_and_a_little_more_with_parts(tmp_path: Path, mode: str, most: int) -> None:
    settings = {"password_cost": "low", "background": False, "synchronous": "normal", "search_mode": mode}
    cms.create_site(settings, tmp_path)
    site = cms.create_app(settings, tmp_path).extensions["cms"]
    chance = random.Random(3)
    words = ["".join(chance.choices("aeilmnorst", k=6)) for _word in range(400)]
    tags = [site.tags.create(user="admin", name=f"Tag {number}")["id"] for number in range(9)]
    before = size(tmp_path / "site.db")

    lengths = 0
    for number in range(POSTS):
        post = site.posts.create(user="admin", title=f"{' '.join(chance.choices(words, k=5))} {number}", status="publish",
                                 content=paragraphs(chance, words), excerpt=" ".join(chance.choices(words, k=20)),
                                 tags=chance.sample(tags, 3))
        lengths += len(post["content"]["raw"])
    site.close()

    assert 3_000 < lengths / POSTS < 3_200
    assert lengths / POSTS < (size(tmp_path / "site.db") - before) / POSTS < most


def test_a_file_keeps_its_pages_and_its_copy_has_those_of_new_files(tmp_path: Path) -> None:
    cms.create_site({"password_cost": "low"}, tmp_path / "new")
    old = tmp_path / "old"
    old.mkdir()
    (old / "site.db").write_bytes(gzip.decompress(RELEASED.read_bytes()))

    for arguments in (["migrate"], ["copy", "--to", str(tmp_path / "copy.db"), "--json"]):
        done = CliRunner().invoke(main, ["--instance", str(old), *arguments])
        assert done.exit_code == 0, done.output

    assert json.loads(done.stdout)["written_meanwhile"] is False
    sizes = [page_size(file) for file in (tmp_path / "new" / "site.db", old / "site.db", tmp_path / "copy.db")]
    assert sizes == [2_048, 4_096, 2_048]

"""The PyPI client wpextract downloads a whole site under the addresses of WordPress and makes a data set of it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from served import Served

pytestmark = pytest.mark.long

KINDS = {"posts": 49, "pages": 21, "categories": 67, "tags": 112}


@pytest.fixture(scope="module")
def wpextract() -> str:
    """The command of the client, which is installed beside the tests' own Python."""
    command = shutil.which("wpextract", path=str(Path(sys.executable).parent))
    assert command is not None
    return command


@pytest.fixture(scope="module")
def downloaded(served_as_wordpress: Served, wpextract: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("downloaded")
    run(wpextract, "download", served_as_wordpress.home, str(folder))
    return folder


def run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stderr


def read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("kind", KINDS)
def test_every_item_of_a_kind_is_downloaded(downloaded: Path, kind: str) -> None:
    found = read(downloaded / f"{kind}.json")

    assert len(found) == len({item["id"] for item in found}) == KINDS[kind]


def test_media_and_accounts_are_downloaded(downloaded: Path) -> None:
    assert len(read(downloaded / "media.json")) > 10
    assert {"themedemos", "themereviewteam"} <= {user["slug"] for user in read(downloaded / "users.json")}


def test_a_data_set_is_made_of_what_was_downloaded(downloaded: Path, wpextract: str, tmp_path: Path) -> None:
    run(wpextract, "extract", str(downloaded), str(tmp_path))

    posts = {post["slug"]: post for post in read(tmp_path / "posts.json")}
    assert len(posts) == KINDS["posts"]
    post = posts["template-sticky"]
    assert "sticky" in post["content"]["text"]
    names = {category["id"]: category["slug"] for category in read(tmp_path / "categories.json")}
    assert {names[id] for id in post["categories"]} == {"classic", "uncategorized"}

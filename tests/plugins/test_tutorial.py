"""What the documentation for authors of plugins says works."""

from __future__ import annotations

import logging
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cms.testing import make_client

DOCS = Path(__file__).parents[2] / "docs" / "plugins"


def blocks(name: str) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```$", (DOCS / name).read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def test_the_tutorial_ends_with_a_working_plugin(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "plugins").mkdir()
    (tmp_path / "plugins" / "reading_time.py").write_text("\n\n".join(blocks("tutorial.md")), encoding="utf-8")
    client = make_client(tmp_path, background=False)
    for minutes in (1, 2, 4):
        client.new("/posts", title=f"{minutes}", content="x" * (minutes * 1200), status="publish")

    assert [post["reading_time"] for post in client.get("/posts?orderby=title&order=asc").json] == [1, 2, 4]
    found = client.get("/posts?longer_than=2")
    assert ([post["reading_time"] for post in found.json], found.headers["X-WP-Total"]) == ([4], "1")
    assert client.get("/posts?longer_than=soon").json["data"]["params"].keys() == {"longer_than"}
    assert "longer_than" in client.get("//api/").json["routes"]["/cms/v2/posts"]["endpoints"][0]["args"]
    assert client.get("//api/reading-time/v1/slowest").status_code == 401
    assert [each["minutes"] for each in client.get("//api/reading-time/v1/slowest", "editor").json] == [4, 2, 1]
    with caplog.at_level(logging.WARNING, "reading_time"):
        client.site.outbox.deliver()
    assert sorted(record.getMessage() for record in caplog.records) == [
        "1 takes 1 minutes", "2 takes 2 minutes", "4 takes 4 minutes"]
    client.close()


def test_the_first_step_of_the_tutorial_works_alone(tmp_path: Path) -> None:
    (tmp_path / "plugins").mkdir()
    (tmp_path / "plugins" / "reading_time.py").write_text(blocks("tutorial.md")[0], encoding="utf-8")
    client = make_client(tmp_path, background=False)
    client.new("/posts", title="Post", content="x" * 1201, status="publish")

    assert client.get("/posts?_fields=reading_time").json == [{"reading_time": 2}]
    client.close()


def test_the_example_of_a_test_passes(tmp_path: Path) -> None:
    (tmp_path / "test_example.py").write_text(blocks("testing.md")[0], encoding="utf-8")

    done: Any = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)],
                               capture_output=True, text=True, check=False, cwd=tmp_path, timeout=240)

    assert "1 passed" in done.stdout, done.stdout + done.stderr


def test_every_page_of_a_bundled_plugin_is_listed() -> None:
    listed = set(re.findall(r"^\| \[(\w+)\]\(([\w./-]+)\.md\)", (DOCS / "README.md").read_text(encoding="utf-8"), re.MULTILINE))
    bundled = {path.stem for path in (DOCS.parents[1] / "plugins").iterdir() if not path.name.startswith("_")}

    assert {name for name, _page in listed} == bundled
    assert all((DOCS / f"{page}.md").exists() for _name, page in listed)

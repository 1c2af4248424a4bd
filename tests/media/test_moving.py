"""`cms media move`: files follow where a plugin begins, or ends, to store them. `cms media render` tells what is missing."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from sites import Client

from cms.cli import main
from media.uploading import fetch, read, send_raw

#: A plugin that stores files in another folder; it can be told to spoil what it stores.
ELSEWHERE = '''
from pathlib import Path
from cms import hookimpl
from cms.media.storage import LocalStorage

class Elsewhere:
    def __init__(self, folder):
        self.inner = LocalStorage(folder)
        self.open, self.delete, self.walk = self.inner.open, self.inner.delete, self.inner.walk
        self.address = lambda key: None

    def put(self, source, key):
        if (self.inner.folder / "spoil").exists():
            source.write_bytes(b"spoilt")
        return self.inner.put(source, key)

@hookimpl
def media_storage(config):
    return Elsewhere(config.instance / "elsewhere")
'''


class Moving:
    """A site with a picture and a text, first without and then with the plugin."""

    def __init__(self, client: Client) -> None:
        self.folder = client.site.config.instance
        self.made = [send_raw(client, "harbour.png", read("harbour.png")).json, send_raw(client, "a.txt", b"text").json]
        client.site.close()
        (self.folder / "plugins").mkdir()
        (self.folder / "plugins" / "elsewhere.py").write_text(ELSEWHERE)
        (self.folder / "elsewhere").mkdir()
        self.there, self.old = self.folder / "elsewhere", self.folder / "uploads"

    def run(self, *arguments: str, code: int = 0, **environ: str) -> Result:
        done = CliRunner().invoke(main, ["--instance", str(self.folder), "media", *arguments],
                                  env={"CMS_INSTANCE": None, **environ})
        assert done.exit_code == code, done.output
        return done

    def json(self, *arguments: str, code: int = 0) -> Any:
        return json.loads(self.run(*arguments, "--json", code=code).stdout)

    def statuses(self) -> set[int]:
        client = Client(self.folder)
        urls = [size["source_url"] for made in self.made for size in made["media_details"].get("sizes", {}).values()]
        found = {fetch(client, url).status_code for url in [*urls, *(made["source_url"] for made in self.made)]}
        client.site.close()
        return found


@pytest.fixture
def moving(make_client: Callable[..., Client]) -> Moving:
    return Moving(make_client())


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_files_are_copied_and_stay_where_they_were(moving: Moving) -> None:
    before = files(moving.old)
    assert moving.statuses() == {404}

    assert moving.json("move") == {"copied": 4, "known": 0, "failed": {}}

    assert moving.statuses() == {200}
    assert files(moving.there) == files(moving.old) == before
    assert moving.json("move") == {"copied": 0, "known": 4, "failed": {}}
    assert moving.run("move").stdout == "Copied 0 file(s), 4 were there already.\n"


def test_files_come_back(moving: Moving) -> None:
    moving.run("move")
    for path in moving.old.rglob("*.*"):
        path.unlink()

    assert moving.json("move", "--back")["copied"] == 4
    assert files(moving.old) == files(moving.there)


def test_what_cant_be_copied_is_named(moving: Moving) -> None:
    key = moving.made[0]["media_details"]["file"]
    text = moving.made[1]["media_details"]["file"]
    (moving.old / key).unlink()
    (moving.there / text).parent.mkdir(parents=True)
    (moving.there / text).write_bytes(b"another")

    told = moving.run("move", code=1)

    assert told.stdout == "Copied 2 file(s), 0 were there already.\n"
    assert set(told.stderr.splitlines()) == {f"{key}: the file isn't there.", f"{text}: another file has this name there."}
    assert (moving.there / text).read_bytes() == b"another"


def test_a_copy_that_differs_is_removed(moving: Moving) -> None:
    (moving.there / "spoil").touch()
    before = files(moving.old)

    told = moving.json("move", code=1)

    assert (told["copied"], set(told["failed"].values()), len(told["failed"])) == (0, {"the copy wasn't the same"}, 4)
    assert files(moving.there) == {"spoil": b""}
    assert files(moving.old) == before


def test_without_a_plugin_there_is_nothing_to_move(moving: Moving) -> None:
    told = moving.run("move", code=1, CMS_LOAD_PLUGINS="none").stderr

    assert told == f"Error: No plugin or setting brings a storage: the files lie in {moving.old} already.\n"


def test_render_says_which_file_is_missing(moving: Moving) -> None:
    id, key = moving.made[0]["id"], moving.made[0]["media_details"]["file"]

    told = moving.run("render", code=1)

    assert told.stdout == "Made the renditions of 0 picture(s) anew.\n"
    assert told.stderr == f"Media item {id}: could not make anything, since the file {key} isn't in the storage.\n"
    assert list(moving.json("render", code=1)["failed"]) == [str(id)]
    moving.run("move")
    assert moving.json("render") == {"rendered": 1, "failed": {}}


@pytest.mark.parametrize("number", ["999", "2"])
def test_render_refuses_what_isnt_a_picture(moving: Moving, number: str) -> None:
    number = str(moving.made[1]["id"]) if number == "2" else number

    told = moving.run("render", str(moving.made[0]["id"]), number, code=1)

    assert (told.stdout, told.stderr) == ("", f"Error: No picture has the id {number}. The route /media lists all media.\n")

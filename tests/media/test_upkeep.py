"""Files of deleted items go after their days of grace; renditions are made anew."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from click.testing import CliRunner
from sites import Client

from cms.cli import main
from cms.media.storage import holding
from media.uploading import fetch, kept_files, read, send_raw


def cms(client: Client, *arguments: str) -> str:
    """Run a command on the client's site and return what it prints."""
    done = CliRunner().invoke(main, ["--instance", str(client.site.config.instance), *arguments])
    assert done.exit_code == 0, done.output
    return done.output


def clean(client: Client) -> dict[str, int]:
    return dict(json.loads(cms(client, "media", "clean", "--json")))


@pytest.fixture
def soon(make_client: Callable[..., Client], monkeypatch: pytest.MonkeyPatch) -> Client:
    """A client of a site whose unused files go at once."""
    client = make_client(unused_files_days=0)
    with (client.site.config.instance / "config.toml").open("a") as file:
        file.write('url = "http://cms.example"\nunused_files_days = 0\n')
    return client


def test_the_files_of_a_deleted_item_go_when_it_is_time(soon: Client) -> None:
    kept = send_raw(soon, "readme.txt", b"kept").json
    made = send_raw(soon, "harbour.png", read("harbour.png")).json
    soon.send("DELETE", f"/media/{made['id']}?force=true", "author")

    assert clean(soon) == {"unused": 3, "abandoned": 0}
    assert fetch(soon, made["source_url"]).status_code == 404
    assert fetch(soon, kept["source_url"]).data == b"kept"
    assert [path.rpartition("/")[2] for path in kept_files(soon)] == ["readme.txt"]


def test_the_trash_keeps_the_file(soon: Client) -> None:
    made = send_raw(soon, "harbour.png", read("harbour.png")).json
    soon.send("DELETE", f"/media/{made['id']}", "author")

    assert clean(soon)["unused"] == 0
    assert soon.post(f"/media/{made['id']}", {"status": "publish"}, "author").json["status"] == "inherit"
    assert fetch(soon, made["source_url"]).status_code == 200


def test_grace_is_given(client: Client) -> None:
    made = send_raw(client, "harbour.png", read("harbour.png")).json
    client.send("DELETE", f"/media/{made['id']}?force=true", "author")

    assert clean(client)["unused"] == 0
    assert len(kept_files(client)) == 3


@pytest.mark.parametrize("name", ["harbour.png", "readme.txt"])
@pytest.mark.parametrize("headers", [{}, {"Range": "bytes=0-3"}, {"If-None-Match": "*"}])
def test_the_files_of_a_deleted_item_are_served_no_more(client: Client, name: str, headers: dict[str, str]) -> None:
    content = read(name) if name.endswith("png") else b"text"
    made, other = (send_raw(client, name, content).json for _number in range(2))
    urls = [made["source_url"], *(size["source_url"] for size in made["media_details"].get("sizes", {}).values())]
    assert {fetch(client, url).status_code for url in urls} == {200}

    client.send("DELETE", f"/media/{made['id']}?force=true", "author")

    assert {client.http.get(url, headers=headers).status_code for url in urls} == {404}
    assert {client.http.head(url, headers=headers).status_code for url in urls} == {404}
    found = {path.name: path.stat().st_mode & 0o777 for path in client.site.config.uploads.rglob("*") if path.is_file()}
    closed = {url.rpartition("/")[2] for url in urls}
    assert {name: mode for name, mode in found.items() if mode != 0o644} == dict.fromkeys(closed, 0o600)
    assert fetch(client, other["source_url"]).data == content


OBJECTS = """
from cms.plugin import ApiError
@hookimpl
def after_write(action, resource, row, previous, principal, site):
    if action == "delete":
        raise ApiError("no", "No.", 409)
"""


def modes(client: Client) -> set[int]:
    """Return the permissions of all kept files."""
    return {path.stat().st_mode & 0o777 for path in client.site.config.uploads.rglob("*") if path.is_file()}


def test_a_deletion_that_is_undone_leaves_the_files_as_they_were(extended: Callable[..., Client]) -> None:
    client = extended(OBJECTS)
    made = send_raw(client, "harbour.png", read("harbour.png")).json

    assert client.send("DELETE", f"/media/{made['id']}?force=true", "author").status_code == 409
    assert modes(client) == {0o644}
    assert fetch(client, made["source_url"]).status_code == 200


@pytest.mark.parametrize(("fails", "mode"), [(False, 0o600), (True, 0o644)])
def test_files_are_closed_once_all_is_written(client: Client, fails: bool, mode: int) -> None:
    made = send_raw(client, "harbour.png", read("harbour.png")).json
    site = client.site

    with suppress(ZeroDivisionError), site.database.write():
        site.media.delete(made["id"], user="admin", force=True)
        assert modes(client) == {0o644}
        assert fails is False or 1 / 0
    assert modes(client) == {mode}
    assert fetch(client, made["source_url"]).status_code == (200 if fails else 404)


def test_a_file_that_cannot_be_closed_is_logged(
    client: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    made, other = (send_raw(client, name, b"text").json for name in ("one.txt", "two.txt"))
    chmod = Path.chmod

    def refuse(path: Path, mode: int) -> None:
        if path.name == "one.txt":
            raise PermissionError(1, "Operation not permitted", str(path))
        chmod(path, mode)

    monkeypatch.setattr(Path, "chmod", refuse)
    for item in (made, other):
        assert client.send("DELETE", f"/media/{item['id']}?force=true", "author").status_code == 200
        assert fetch(client, item["source_url"]).status_code == 404
    assert [record.message for record in caplog.records if "one.txt" in record.message]
    assert not [record.message for record in caplog.records if "two.txt" in record.message]
    assert modes(client) == {0o644, 0o600}


def test_nothing_goes_while_somebody_copies_the_site(soon: Client) -> None:
    made = send_raw(soon, "harbour.png", read("harbour.png")).json
    soon.send("DELETE", f"/media/{made['id']}?force=true", "author")

    with holding(soon.site.config.uploads_lock):
        assert clean(soon)["unused"] == 0
    assert clean(soon)["unused"] == 3


def test_a_command_runs_while_files_are_held(soon: Client) -> None:
    folder = str(soon.site.config.instance)
    made = send_raw(soon, "harbour.png", read("harbour.png")).json
    soon.send("DELETE", f"/media/{made['id']}?force=true", "author")
    inner = [sys.executable, "-m", "cms.cli", "--instance", folder, "media", "clean", "--json"]

    done = subprocess.run([sys.executable, "-m", "cms.cli", "--instance", folder, "media", "hold", *inner],
                          capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": os.environ.get("PYTHONPATH") or os.getcwd()})

    assert (done.returncode, json.loads(done.stdout)["unused"]) == (0, 0), done.stderr


def test_what_interrupted_uploads_left_goes_after_a_day(client: Client) -> None:
    made = send_raw(client, "readme.txt", b"kept").json
    config = client.site.config
    (config.incoming / "half").write_bytes(b"half of a file")
    (config.uploads / "stray.txt").write_bytes(b"no item has me")

    assert clean(client)["abandoned"] == 0
    yesterday = time.time() - 100_000
    for path in (config.incoming / "half", config.uploads / "stray.txt"):
        os.utime(path, (yesterday, yesterday))
    os.utime(config.uploads / made["media_details"]["file"], (yesterday, yesterday))
    assert clean(client)["abandoned"] == 2
    assert [path.rpartition("/")[2] for path in kept_files(client)] == ["readme.txt"]


def test_renditions_are_made_anew(soon: Client) -> None:
    made = send_raw(soon, "harbour.png", read("harbour.png")).json
    lost = made["media_details"]["sizes"]["medium"]["source_url"]
    (soon.site.config.uploads / lost.removeprefix("http://cms.example/uploads/")).unlink()

    told = json.loads(cms(soon, "media", "render", "--json"))

    assert told == {"rendered": 1, "failed": {}}
    sizes = soon.get(f"/media/{made['id']}").json["media_details"]["sizes"]
    assert fetch(soon, sizes["medium"]["source_url"]).status_code == 200
    assert set(sizes) == {"full", "medium", "thumbnail"}


def test_a_picture_whose_file_is_lost_is_named(soon: Client) -> None:
    made = send_raw(soon, "harbour.png", read("harbour.png")).json
    fine = send_raw(soon, "boat.webp", read("boat.webp")).json
    (soon.site.config.uploads / made["media_details"]["file"]).unlink()

    done = CliRunner().invoke(main, ["--instance", str(soon.site.config.instance), "media", "render", "--json"])

    lost = f"anything, since the file {made['media_details']['file']} isn't in the storage"
    assert (done.exit_code, json.loads(done.stdout)) == (1, {"rendered": 1, "failed": {str(made["id"]): [lost]}})
    assert json.loads(cms(soon, "media", "render", str(fine["id"]), "--json"))["rendered"] == 1


def test_a_running_site_removes_files_by_itself(soon: Client) -> None:
    made = send_raw(soon, "harbour.png", read("harbour.png")).json
    soon.send("DELETE", f"/media/{made['id']}?force=true", "author")

    soon.site.start(background=False)
    assert "files" in (soon.site.worker.run_due() or [])

    assert kept_files(soon) == []

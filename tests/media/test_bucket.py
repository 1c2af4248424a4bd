"""Uploads in a bucket: stored, claimed, served and removed as in a folder; without the store nothing is half made."""

from __future__ import annotations

import http.client
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from admin.test_replacing import replace
from click.testing import CliRunner, Result
from sites import URL, Client
from transfer.conftest import CHANNEL
from transfer.test_import_rules import item

from cms.assembly import open_site
from cms.cli import main
from cms.config import ConfigError, load_config
from cms.transfer.importing.importer import import_wxr
from cms.transfer.importing.media.sources import Folder
from cms.transfer.wxr.records import ImportRefused
from media.conftest import OwnBucket
from media.uploading import fetch, read, send_raw


def cms(client: Client, *arguments: str, code: int = 0) -> Result:
    """Run a command on the client's site, whose settings are in its file."""
    folder = client.site.config.instance
    lines = [f"{name} = {json.dumps(value)}" for name, value in settings_of(client).items()]
    (folder / "config.toml").write_text("\n".join(lines) + "\n")
    done = CliRunner().invoke(main, ["--instance", str(folder), *arguments], env={"CMS_INSTANCE": None})
    assert done.exit_code == code, done.output
    return done


def settings_of(client: Client) -> dict[str, object]:
    names = ["url", "uploads", "uploads_endpoint", "unused_files_days"]
    settings = {name: client.site.config[name] for name in names}
    server = client.site.config.server
    return {**settings, "database": server} if server else settings


def test_a_picture_and_its_renditions_lie_in_the_bucket(in_bucket: Client, bucket: OwnBucket) -> None:
    made = send_raw(in_bucket, "Größe ✓.png", read("harbour.png")).json

    key = made["media_details"]["file"]
    sizes = made["media_details"]["sizes"]
    assert bucket.names() == sorted([key, *(f"{key.rpartition('/')[0]}/{sizes[name]['file']}" for name in ("thumbnail", "medium"))])
    assert not in_bucket.site.config.uploads.exists()
    assert not list(in_bucket.site.config.incoming.iterdir())
    assert fetch(in_bucket, made["source_url"]).data == read("harbour.png")
    assert bucket.read(key) == read("harbour.png")


def test_a_large_file_comes_in_parts_and_is_served_in_ranges(in_bucket: Client, bucket: OwnBucket) -> None:
    content = b"0123456789abcdef" * (20 << 16)
    made = send_raw(in_bucket, "long.txt", content).json

    assert bucket.names() == [made["media_details"]["file"]]
    assert fetch(in_bucket, made["source_url"]).data == content
    for wanted, part in {"bytes=20000003-20000010": slice(20_000_003, 20_000_011), "bytes=-5": slice(-5, None)}.items():
        answer = fetch(in_bucket, made["source_url"], headers={"Range": wanted})
        assert (answer.status_code, answer.data) == (206, content[part])


def test_two_hosts_never_take_one_name(in_bucket: Client, bucket: OwnBucket, tmp_path: Path) -> None:
    other = in_bucket.site.context.storage
    storages = [open_site(load_config(tmp_path, {"url": URL, **bucket.settings}, environ={})).context.storage, other]
    sources = []
    for number in range(6):
        sources.append(tmp_path / str(number))
        sources[-1].write_bytes(bytes([number]) * (100 if number % 2 else 9 << 20))

    def put(number: int) -> str:
        return storages[number % 2].put(sources[number], "2026/11/one.txt")

    with ThreadPoolExecutor(6) as pool:
        keys = list(pool.map(put, range(6)))

    assert len(set(keys)) == 6
    for key, source in zip(keys, sources, strict=True):
        assert bucket.read(key) == source.read_bytes()


def test_a_store_that_writes_over_what_it_should_create_is_refused(
        in_bucket: Client, bucket: OwnBucket, caplog: pytest.LogCaptureFixture) -> None:
    (bucket.store.folder / ".plain").touch()

    assert send_raw(in_bucket, "a.txt", b"text").status_code == 503
    assert "If-None-Match" in caplog.text
    assert bucket.names() == []
    assert "object-storage" in cms(in_bucket, "doctor", code=1).stdout


@pytest.mark.parametrize("refused", [
    "PUT /", "PUT -150x150", pytest.param("POST uploads", marks=pytest.mark.long), pytest.param("PUT partNumber=2", marks=pytest.mark.long),
])
def test_what_cant_be_stored_is_refused_whole(in_bucket: Client, bucket: OwnBucket, refused: str) -> None:
    bucket.store.refuse(refused)
    is_large = refused != "PUT /" and "150" not in refused
    sent = ("big.txt", b"text" * (5 << 20)) if is_large else ("harbour.png", read("harbour.png"))

    answer = send_raw(in_bucket, *sent)

    assert (answer.status_code, answer.json["code"], answer.headers["Retry-After"]) == (503, "rest_unavailable", "30")
    assert bucket.names() == []
    assert in_bucket.get("/media").json == []
    bucket.store.refuse()
    assert send_raw(in_bucket, *sent).json["media_details"]["file"].rpartition("/")[2] == sent[0]


def test_what_cant_be_reached_is_answered_with_503(make_client: Callable[..., Client], bucket: OwnBucket) -> None:
    client = make_client(**{**bucket.settings, "uploads_endpoint": "http://127.0.0.1:9"})

    for answer in (client.http.get("/uploads/2026/11/a.txt"), send_raw(client, "a.txt", b"text")):
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "30")
    assert client.get("/media").json == []
    assert client.get("/posts").status_code == 200


def test_a_wrong_key_is_answered_with_503(
        make_client: Callable[..., Client], bucket: OwnBucket, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "not-this-one-not-this-one-at-all")
    client = make_client(**bucket.settings)

    assert send_raw(client, "a.txt", b"text").status_code == 503
    assert bucket.names() == []


def test_files_of_deleted_items_go_after_their_days(make_client: Callable[..., Client], bucket: OwnBucket) -> None:
    client = make_client(**bucket.settings, unused_files_days=0)
    made, other = (send_raw(client, "harbour.png", read("harbour.png")).json for _number in range(2))
    client.delete(f"/media/{made['id']}?force=true", "author")

    assert fetch(client, made["source_url"]).status_code == 404
    assert len(bucket.names()) == 6
    assert json.loads(cms(client, "media", "clean", "--json").stdout) == {"unused": 3, "abandoned": 0}
    assert len(bucket.names()) == 3
    assert fetch(client, other["source_url"]).status_code == 200


def test_doctor_finds_what_is_missing(in_bucket: Client, bucket: OwnBucket) -> None:
    made = send_raw(in_bucket, "a.txt", b"text").json
    assert "missing-files" not in cms(in_bucket, "doctor").stdout

    bucket.remove(made["media_details"]["file"])

    assert "missing-files" in cms(in_bucket, "doctor", code=1).stdout


def test_a_copy_of_the_site_brings_files_into_the_bucket(
    make_client: Callable[..., Client], bucket: OwnBucket, tmp_path: Path
) -> None:
    client = make_client(uploads_endpoint=bucket.settings["uploads_endpoint"])
    made = send_raw(client, "harbour.png", read("harbour.png")).json
    place = bucket.settings["uploads"]

    report = json.loads(cms(client, "copy", "--to", str(tmp_path / "new.db"), "--uploads", place, "--json").stdout)

    assert report["files"] == {"copied": 3, "known": 0, "failed": {}}
    assert (made["media_details"]["file"] in bucket.names(), len(bucket.names())) == (True, 3)
    client.site.close()
    moved = Client(client.site.config.instance, database=str(tmp_path / "new.db"), **bucket.settings)
    assert fetch(moved, made["source_url"]).data == read("harbour.png")
    moved.site.close()


def test_files_move_into_the_bucket_and_back(make_client: Callable[..., Client], bucket: OwnBucket) -> None:
    client = make_client()
    made = send_raw(client, "harbour.png", read("harbour.png")).json
    before = {path.name: path.read_bytes() for path in client.site.config.uploads.rglob("*.png")}
    client.site.close()
    moved = Client(client.site.config.instance, **bucket.settings)
    assert fetch(moved, made["source_url"]).status_code == 404

    assert json.loads(cms(moved, "media", "move", "--json").stdout) == {"copied": 3, "known": 0, "failed": {}}

    assert fetch(moved, made["source_url"]).data == read("harbour.png")
    for path in client.site.config.uploads.rglob("*.png"):
        path.unlink()
    assert json.loads(cms(moved, "media", "move", "--back", "--json").stdout)["copied"] == 3
    assert {path.name: path.read_bytes() for path in client.site.config.uploads.rglob("*.png")} == before
    moved.site.close()


def test_a_presigned_address_gives_the_file_and_ends_with_its_item(
        make_client: Callable[..., Client], bucket: OwnBucket) -> None:
    client = make_client(**bucket.settings, uploads_address="presigned")
    made = send_raw(client, "people.csv", read("people.csv")).json

    answer = fetch(client, made["source_url"])

    assert (answer.status_code, answer.headers["Cache-Control"]) == (302, "public, max-age=900")
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    status, headers, body = get(answer.headers["Location"])
    assert (status, body) == (200, read("people.csv"))
    assert headers["Content-Type"] == "text/csv; charset=utf-8"
    assert headers["Content-Disposition"] == "attachment; filename*=UTF-8''people.csv"
    assert get(answer.headers["Location"].replace("people", "others"))[0] == 403
    client.delete(f"/media/{made['id']}?force=true", "author")
    assert fetch(client, made["source_url"]).status_code == 404


def get(address: str) -> tuple[int, dict[str, str], bytes]:
    """Fetch something that isn't the site's."""
    parts = urlsplit(address)
    connection = http.client.HTTPConnection(parts.netloc)
    connection.request("GET", f"{parts.path}?{parts.query}")
    answer = connection.getresponse()
    found = answer.status, {name.title(): value for name, value in answer.getheaders()}, answer.read()
    connection.close()
    return found


def test_a_backup_has_the_files_and_brings_them_back(in_bucket: Client, bucket: OwnBucket, tmp_path: Path) -> None:
    made = send_raw(in_bucket, "harbour.png", read("harbour.png")).json
    key = made["media_details"]["file"]
    cms(in_bucket, "backup", str(tmp_path / "one.tar"))
    (tmp_path / "another").write_bytes(b"another")
    in_bucket.site.context.storage.replace(tmp_path / "another", key)
    for name in bucket.names():
        if name != key:
            bucket.remove(name)

    cms(in_bucket, "restore", "--check", str(tmp_path / "one.tar"))
    cms(in_bucket, "restore", str(tmp_path / "one.tar"))

    assert fetch(in_bucket, made["source_url"]).data == read("harbour.png")
    assert len(bucket.names()) == 3


def test_a_restore_without_the_store_changes_nothing(in_bucket: Client, bucket: OwnBucket, tmp_path: Path) -> None:
    made = send_raw(in_bucket, "a.txt", b"text").json
    cms(in_bucket, "backup", str(tmp_path / "one.tar"))
    bucket.remove(made["media_details"]["file"])
    in_bucket.post("/posts", {"title": "Later", "status": "publish"}, "author")
    bucket.store.refuse("PUT /")

    cms(in_bucket, "restore", str(tmp_path / "one.tar"), code=1)

    assert "Later" in {item["title"]["rendered"] for item in in_bucket.get("/posts").json}
    assert bucket.names() == []


@pytest.mark.parametrize("fails", [False, True])
def test_an_import_brings_its_files_into_the_bucket_or_none(
        in_bucket: Client, bucket: OwnBucket, tmp_path: Path, fails: bool) -> None:
    (tmp_path / "old" / "2013" / "03").mkdir(parents=True)
    for name in ("a.png", "b.png"):
        (tmp_path / "old" / "2013" / "03" / name).write_bytes(read("harbour.png"))
    old = "https://old.example/wp-content/uploads/2013/03"
    items = [item(1, post_type="attachment", status="inherit", attachment_url=f"{old}/a.png"),
             item(2, post_type="attachment", status="inherit", attachment_url=f"{old}/b.png")]
    (tmp_path / "export.xml").write_text(CHANNEL.format("".join(items)), "utf-8")
    if fails:
        bucket.store.refuse("PUT b-150x150")

    with pytest.raises(ImportRefused, match="Nothing was imported") if fails else nullcontext():
        import_wxr(in_bucket.site, tmp_path / "export.xml", source=Folder(tmp_path / "old"))

    assert (len(bucket.names()), len(in_bucket.get("/media").json)) == ((0, 0) if fails else (6, 2))


def test_a_file_in_a_bucket_isnt_replaced(in_bucket: Client, bucket: OwnBucket) -> None:
    made = send_raw(in_bucket, "harbour.png", read("harbour.png")).json

    answer = replace(in_bucket, made, read("harbour.png"), name="harbour.png")

    assert (answer.status_code, answer.json["code"]) == (409, "cms_no_replacing")
    assert len(bucket.names()) == 3


@pytest.mark.parametrize(("settings", "environ", "told"), [
    ({"uploads": "s3://Bucket"}, {}, "an address of a bucket such as s3://bucket or s3://bucket/prefix"),
    ({"uploads": "s3://"}, {}, "an address of a bucket"),
    ({"uploads": "s3://bucket/../x"}, {}, "an address of a bucket"),
    ({"uploads": "gs://bucket"}, {}, "the path of a folder, or s3://bucket/prefix"),
    ({"uploads": "s3://bucket"}, {}, "Set uploads_region, or AWS_REGION"),
    ({"uploads": "s3://bucket", "uploads_region": "eu-central-1"}, {"AWS_ACCESS_KEY_ID": "a"}, "not AWS_SECRET_ACCESS_KEY"),
    ({"uploads": "s3://bucket", "uploads_endpoint": "store:9000"}, {}, "it takes an address"),
])
def test_wrong_settings_are_named_at_the_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: dict[str, str],
                                               environ: dict[str, str], told: str) -> None:
    for name, value in environ.items():
        monkeypatch.setenv(name, value)

    with pytest.raises(ConfigError) as caught:
        open_site(load_config(tmp_path, settings, environ={}))

    assert told in str(caught.value)


def test_the_library_is_named_where_it_isnt_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "obstore.store", None)

    with pytest.raises(ConfigError) as caught:
        open_site(load_config(tmp_path, {"uploads": "s3://bucket", "uploads_region": "x"}, environ={}))

    assert str(caught.value) == "uploads is a bucket, which needs a library: pip install 'headless-cms[s3]'"

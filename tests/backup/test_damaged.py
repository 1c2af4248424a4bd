"""Archives that aren't whole, or aren't ours, are refused with what is wrong; the site stays as it was."""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from media.uploading import read

from backup.sites import Site, content_of, make_site
from cms.assembly import open_site
from cms.backup.making import make_backup
from cms.backup.restoring import restore
from cms.backup.targets import FolderTarget
from cms.cli import main
from cms.config import load_config
from cms.testing import Client

Members = list[tuple[tarfile.TarInfo, bytes]]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """A site with a picture, and an archive of it."""
    site = make_site(tmp_path_factory.mktemp("damaged") / "site")
    from serving.servers import PASSWORD
    client = Client(site.folder, {"url": "http://site.example", "password_cost": "low", "background": False}, "admin", PASSWORD)
    headers = {"Content-Disposition": 'attachment; filename="harbour.png"', "Content-Type": "image/png"}
    answer = client.send("POST", "/media", "administrator", data=read("harbour.png"), headers=headers)
    assert answer.status_code == 201, answer.data
    client.new("/posts", title="Kept", status="publish")
    make_backup(client.site.context, FolderTarget(site.folder.parent), "good.tar")
    client.new("/posts", title="Since", status="publish")
    client.close()
    return site


def members_of(path: Path) -> Members:
    with tarfile.open(path) as tar:
        return [(member, tar.extractfile(member).read()) for member in tar]  # type: ignore[union-attr]


def write(path: Path, members: Members) -> None:
    with tarfile.open(path, "w", format=tarfile.PAX_FORMAT) as tar:
        for member, data in members:
            member.size = len(data) if member.isreg() else 0
            tar.addfile(member, io.BytesIO(data))


def sealed(members: Members, change: Callable[[dict[str, Any]], None]) -> Members:
    """Return members whose manifest was changed by somebody who knows how to seal it."""
    found = []
    for member, data in members:
        if member.name == "manifest.json":
            manifest = json.loads(data)
            change(manifest)
            text = json.dumps(manifest).encode()
            data = text
        if member.name == "manifest.sha256":
            data = f"{hashlib.sha256(text).hexdigest()}  manifest.json\n".encode()
        found.append((member, data))
    return found


def truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def cut_the_end(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[: data.rindex(b"manifest.sha256")])


def flip(path: Path, where: int) -> None:
    data = bytearray(path.read_bytes())
    data[where] ^= 0x40
    path.write_bytes(data)


def flip_in(name: str) -> Callable[[Path], None]:
    def change(path: Path) -> None:
        with tarfile.open(path) as tar:
            member = next(each for each in tar if name in each.name)
        flip(path, member.offset_data + member.size // 2)
    return change


def flip_header(path: Path) -> None:
    with tarfile.open(path) as tar:
        flip(path, tar.getmembers()[1].offset + 5)


def leave_out(name: str) -> Callable[[Path], None]:
    def change(path: Path) -> None:
        write(path, [each for each in members_of(path) if name not in each[0].name])
    return change


def add(name: str, kind: bytes = tarfile.REGTYPE, data: bytes = b"x") -> Callable[[Path], None]:
    def change(path: Path) -> None:
        member = tarfile.TarInfo(name)
        member.type, member.linkname = kind, "/etc/passwd" if kind in (tarfile.SYMTYPE, tarfile.LNKTYPE) else ""
        write(path, [*members_of(path), (member, data)])
    return change


def rename(to: str) -> Callable[[Path], None]:
    """Have the manifest lead a file elsewhere."""
    def change(path: Path) -> None:
        def in_manifest(manifest: dict[str, Any]) -> None:
            entry = next(each for each in manifest["files"] if "harbour" in each["name"])
            entry["name"] = to
        members = members_of(path)
        next(member for member, _data in members if "harbour" in member.name).name = to
        write(path, sealed(members, in_manifest))
    return change


def change_manifest(**values: Any) -> Callable[[Path], None]:
    return lambda path: write(path, sealed(members_of(path), lambda manifest: manifest.update(values)))


def newer_schema(path: Path) -> None:
    """Give the database a migration that this version doesn't know."""
    import sqlite3
    members = members_of(path)
    copy = path.with_suffix(".db")
    copy.write_bytes(members[0][1])
    file = sqlite3.connect(copy)
    file.execute("INSERT INTO schema_migration (name, applied) VALUES ('9999_later', '2030-01-01')")
    file.commit()
    file.execute("PRAGMA journal_mode = delete")
    file.close()
    data = copy.read_bytes()
    members[0] = members[0][0], data
    copy.unlink()

    def note(manifest: dict[str, Any]) -> None:
        manifest["files"][0].update(size=len(data), sha256=hashlib.sha256(data).hexdigest())
        manifest["software"] = "9.0.0"
    write(path, sealed(members, note))


def fewer_posts(path: Path) -> None:
    write(path, sealed(members_of(path), lambda manifest: manifest["counts"].update(post=99)))


DAMAGE: dict[str, tuple[Callable[[Path], object], str]] = {
    "cut in the middle": (truncate, "is damaged: it "),
    "cut at its end": (cut_the_end, "ends early, after 'manifest.json', without its manifest.sha256"),
    "empty": (lambda path: path.write_bytes(b""), "is no archive of a site"),
    "something else": (lambda path: path.write_bytes(b"PK" * 2000), "is no archive of a site"),
    "compressed": (lambda path: path.write_bytes(__import__("gzip").compress(path.read_bytes())), "is no archive of a site"),
    "a byte of the database": (flip_in("site.db"), "site.db isn't what was written"),
    "a byte of an upload": (flip_in("harbour.png"), "harbour.png isn't what was written"),
    "a byte of the manifest": (flip_in("manifest.json"), "manifest.json isn't what was written"),
    "a byte of the seal": (flip_in("manifest.sha256"), "is damaged"),
    "a byte of a header": (flip_header, "ends early, after 'site.db'"),
    "without an upload": (leave_out("harbour.png"), "harbour.png' is missing"),
    "without the database": (leave_out("site.db"), "'site.db' is missing"),
    "without the manifest": (leave_out("manifest.json"), "without its manifest.json"),
    "one file more": (add("uploads/2026/11/other.png"), "'uploads/2026/11/other.png' in it isn't in its manifest"),
    "a file twice": (add("site.db"), "it has 'site.db' twice"),
    "a symbolic link": (add("uploads/link", tarfile.SYMTYPE), "'uploads/link' in it is no plain file"),
    "a hard link": (add("uploads/link", tarfile.LNKTYPE), "'uploads/link' in it is no plain file"),
    "a device": (add("uploads/null", tarfile.CHRTYPE), "'uploads/null' in it is no plain file"),
    "a pipe": (add("uploads/pipe", tarfile.FIFOTYPE), "'uploads/pipe' in it is no plain file"),
    "a folder": (add("uploads/2026", tarfile.DIRTYPE), "'uploads/2026' in it is no plain file"),
    "above the site": (rename("uploads/../../outside.png"), "isn't a name that a backup has"),
    "an absolute name": (rename("/tmp/outside.png"), "isn't a name that a backup has"),
    "a hidden name": (rename("uploads/.htaccess"), "isn't a name that a backup has"),
    "a module": (rename("plugins/evil.py"), "isn't a name that a backup has"),
    "a layout of the future": (change_manifest(format=2, software="9.0.0"), "it was made by version 9.0.0 in a layout"),
    "no layout": (change_manifest(format="x"), "can't be restored"),
    "a database of the future": (newer_schema, "has the migration 9999_later. Install that version first"),
    "other counts": (fewer_posts, "of post instead of 99"),
}


@pytest.mark.parametrize("name", DAMAGE)
def test_a_damaged_archive_is_refused_and_the_site_stays_as_it_was(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                                                   name: str) -> None:
    change, sentence = DAMAGE[name]
    archive = tmp_path / "site.tar"
    archive.write_bytes((site.folder.parent / "good.tar").read_bytes())
    change(archive)
    before, around = content_of(site.folder), sorted(site.folder.parent.iterdir())
    for variable, value in site.environ().items():
        monkeypatch.setenv(variable, value)

    for command in (["restore"], ["restore", "--check"]):
        done = CliRunner().invoke(main, [*command, str(archive)])

        assert done.exit_code == 1, done.output
        assert sentence in done.output
        assert "Traceback" not in done.output
    assert "The site is as it was." in CliRunner().invoke(main, ["restore", str(archive)]).output
    assert content_of(site.folder) == before
    assert sorted(site.folder.parent.iterdir()) == around
    assert not (site.folder / "backups").exists() or not list((site.folder / "backups").iterdir())
    assert not list((site.folder / "incoming").iterdir())


def test_a_restore_without_room_is_refused(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    from cms.backup import making
    before = content_of(site.folder)
    monkeypatch.setattr(making, "RESERVE", 1 << 60)
    for variable, value in site.environ().items():
        monkeypatch.setenv(variable, value)

    done = CliRunner().invoke(main, ["restore", str(site.folder.parent / "good.tar")])

    assert done.exit_code == 1
    assert "There isn't enough room in" in done.output
    assert content_of(site.folder) == before


@pytest.mark.parametrize("where", [0, 4096 * 20])
def test_a_damaged_site_is_told_how_it_gets_its_backup_back(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                                            where: int) -> None:
    folder = tmp_path / "site"
    folder.mkdir()
    data = bytearray((site.folder / "site.db").read_bytes())
    data[where:where + 8192] = bytes(8192)
    (folder / "site.db").write_bytes(data)
    for variable, value in {**site.environ(), "CMS_INSTANCE": str(folder)}.items():
        monkeypatch.setenv(variable, value)
    archive = str(site.folder.parent / "good.tar")

    done = CliRunner().invoke(main, ["restore", archive])

    assert done.exit_code == 1, done.output
    assert f"move {folder / 'site.db'} and the files beside it that begin with its name away" in done.output
    assert (folder / "site.db").read_bytes() == data
    for path in folder.glob("site.db*"):
        path.unlink()
    assert CliRunner().invoke(main, ["restore", archive]).exit_code == 0
    assert list(folder.rglob("harbour.png"))


def test_a_crash_before_the_database_leaves_the_old_state_and_one_after_it_is_made_good(site: Site, tmp_path: Path) -> None:
    from cms.backup import restoring
    from cms.backup.uploads import finish_uploads, journal_folder

    config = load_config(site.folder, {"url": "http://site.example", "password_cost": "low"}, environ={})
    opened = open_site(config)
    picture = next((site.folder / "uploads").rglob("harbour.png"))
    good, stored = site.folder.parent / "good.tar", picture.read_bytes()
    for moment, is_restored in (("replace_database", False), ("finish_uploads", True)):
        picture.write_bytes(b"another picture of this name")
        real, calls = getattr(restoring, moment), [0]

        def crash(*arguments: Any, moment: str = moment, real: Any = real, calls: list[int] = calls) -> Any:
            calls[0] += 1
            if moment == "finish_uploads" and calls[0] == 1:
                return real(*arguments)
            raise SystemExit  # nothing is cleared away, as after a power cut
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(restoring, moment, crash)
            patched.setattr(restoring.Uploads, "take_back", lambda *_arguments: None)
            with pytest.raises(SystemExit):
                restoring.restore(opened.context, opened.outbox, good)
        assert journal_folder(config).exists()

        finish_uploads(config, opened.context.storage)

        assert (picture.read_bytes() == stored) == is_restored
        assert (opened.database.scalar("SELECT COUNT(*) FROM content WHERE title = 'Since'") == 0) == is_restored
        assert not journal_folder(config).exists()
    opened.close()


def test_texts_of_a_restored_database_are_rendered_by_the_present_rules(site: Site, tmp_path: Path) -> None:
    client = Client(site.folder, {"url": "http://site.example", "password_cost": "low", "background": False}, "admin", "")
    client.site.database.execute("UPDATE content SET rendered_by = 'older' WHERE title = 'Kept'")
    made = make_backup(client.site.context, FolderTarget(tmp_path), "older.tar")
    client.site.start(background=False)
    client.site.worker.run_due()
    assert client.site.database.scalar("SELECT COUNT(*) FROM content WHERE rendered_by = 'older'") == 0
    restore(client.site.context, client.site.outbox, Path(made.place))
    assert client.site.database.scalar("SELECT COUNT(*) FROM content WHERE rendered_by = 'older'") == 1

    client.site.worker.run_due()

    assert client.site.database.scalar("SELECT COUNT(*) FROM content WHERE rendered_by = 'older'") == 0
    client.close()

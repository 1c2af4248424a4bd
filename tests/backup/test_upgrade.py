"""Upgrades of databases that earlier versions made, with `cms upgrade`: done wholly, or not at all."""

from __future__ import annotations

import gzip
import shutil
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest
from clients.served import ROOT

from backup.sites import POSTS, Site, content_of, make_site

RELEASES = sorted((Path(__file__).parents[1] / "data" / "releases").glob("*.db.gz"))
#: The latest, and those before it.
EACH = [*(pytest.param(release, marks=pytest.mark.long) for release in RELEASES[:-1]), RELEASES[-1]]
MIGRATIONS = {path.stem for path in (ROOT / "cms" / "db" / "migrations").glob("0*.py")}
PLUGIN = '''
from pathlib import Path

from cms.plugin import hookimpl


@hookimpl
def register_migrations() -> Path:
    """Bring the plugin's migrations."""
    return Path(__file__).parent / "acme_migrations"
'''
GOOD = 'def up(migrator, db):\n    db.execute_sql("CREATE TABLE acme (id INTEGER PRIMARY KEY)")\n'
BROKEN = GOOD + '    db.execute_sql("INSERT INTO nowhere VALUES (1)")\n'
HARMFUL = GOOD + '    db.execute_sql("DROP TABLE content_terms")\n'


def old_site(folder: Path, release: Path) -> Site:
    """Put a database of an earlier version into a folder, with one of its files."""
    (folder / "uploads" / "2026" / "11").mkdir(parents=True)
    (folder / "site.db").write_bytes(gzip.decompress(release.read_bytes()))
    shutil.copy(Path(__file__).parents[1] / "media" / "files" / "harbour.png", folder / "uploads" / "2026" / "11")
    return Site(folder, {"CMS_PASSWORD_COST": "low", "CMS_URL": "http://site.example", "CMS_BACKGROUND": "false"})


def add_plugin(site: Site, migration: str) -> None:
    folder = site.folder / "plugins" / "acme_migrations"
    folder.mkdir(parents=True, exist_ok=True)
    (site.folder / "plugins" / "acme.py").write_text(PLUGIN, encoding="utf-8")
    (folder / "0001_acme.py").write_text(migration, encoding="utf-8")


def tables(site: Site) -> set[str]:
    with closing(sqlite3.connect(site.folder / "site.db")) as file:
        return {name for (name,) in file.execute("SELECT name FROM sqlite_schema")}


def is_of_now(site: Site) -> bool:
    """Tell whether nothing has to be migrated, as right after a release."""
    with closing(sqlite3.connect(site.folder / "site.db")) as file:
        return {name for (name,) in file.execute("SELECT name FROM schema_migration")} >= MIGRATIONS


@pytest.mark.parametrize("release", EACH, ids=lambda path: path.name.removesuffix(".db.gz"))
def test_a_released_version_is_upgraded_with_its_content(tmp_path: Path, release: Path) -> None:
    site = old_site(tmp_path / "site", release)
    if is_of_now(site):
        add_plugin(site, GOOD)
    assert "Run: cms upgrade" in site.cms("serve", "--bind", f"unix:{site.folder}/cms.sock", code=1)

    told = site.told("upgrade")

    assert told["applied"]
    assert site.told("upgrade") == {"applied": [], "kept": "", "serving": []}
    assert site.cms("restore", "--check", told["kept"])
    with site.served(workers=1) as served:
        assert "An old post, changed" in served.titles()
        assert "Ahead" not in served.titles()
        post = served.server.ask("GET", f"{POSTS}?search=stra%C3%9Fe").json[0]
        assert post["content"]["rendered"] == "<p>Straße, 日本</p>\n"
        assert served.server.ask("GET", f"/api/cms/v2/comments?post={post['id']}").json[0]["content"]
        assert served.ask("GET", f"{POSTS}/{post['id']}/revisions").json
        assert served.server.ask("GET", "/uploads/2026/11/harbour.png").status == 200
        assert served.post("A new post")


@pytest.mark.long
@pytest.mark.parametrize("release", RELEASES, ids=lambda path: path.name.removesuffix(".db.gz"))
def test_a_backup_of_a_released_version_is_restored_into_the_running_site(tmp_path: Path, release: Path) -> None:
    old = old_site(tmp_path / "old", release)
    archive = old.told("backup", str(tmp_path / "old.tar"))["file"]
    site = make_site(tmp_path / "site")
    with site.served(workers=1) as served:
        served.post("Of this version")

        told = site.told("restore", archive)

        assert told["migrated"] or is_of_now(old)
        assert "An old post, changed" in served.titles()
        assert "Of this version" not in served.titles()
        assert served.server.ask("GET", "/uploads/2026/11/harbour.png").status == 200


FAILURES = ((BROKEN, "plugin acme: migration 0001_acme failed"),
            (HARMFUL, "The migrated copy of the site doesn't work: /api/cms/v2/"))


@pytest.mark.long
def test_where_an_upgrade_fails_the_old_site_is_whole_and_served(tmp_path: Path) -> None:
    site = make_site(tmp_path / "site")
    with site.served(workers=1) as served:
        served.post("Before")
        before = content_of(site.folder)
        for migration, sentence in FAILURES:
            add_plugin(site, migration)

            told = site.cms("upgrade", code=1)

            assert sentence in told
            assert content_of(site.folder) == before
            assert "acme" not in tables(site)
        served.post("After")
        assert {"Before", "After"} <= served.titles()


@pytest.mark.long
@pytest.mark.parametrize("release", RELEASES, ids=lambda path: path.name.removesuffix(".db.gz"))
def test_a_broken_migration_leaves_a_released_version_as_it_was(tmp_path: Path, release: Path) -> None:
    site = old_site(tmp_path / "site", release)
    before, content = tables(site), content_of(site.folder)
    add_plugin(site, BROKEN)

    told = site.cms("upgrade", code=1)

    assert "plugin acme: migration 0001_acme failed" in told
    assert (tables(site), content_of(site.folder)) == (before, content)
    add_plugin(site, GOOD)
    assert "acme: 0001_acme" in site.told("upgrade")["applied"]
    with site.served(workers=1) as served:
        assert "An old post, changed" in served.titles()


@pytest.mark.long
def test_who_still_serves_the_old_version_is_named(tmp_path: Path) -> None:
    site = make_site(tmp_path / "site")
    with site.served(workers=1) as served:
        served.post("Before")
        add_plugin(site, GOOD)
        told = site.cms("upgrade")
        numbers = ", ".join(map(str, served.server.workers()))
        assert f"The old version serves it still (processes {numbers})" in told
        assert "start it anew" in told
    add_plugin(site, GOOD)
    (site.folder / "plugins" / "acme_migrations" / "0002_more.py").write_text(GOOD.replace("acme", "more"))
    told = site.cms("upgrade")
    assert "Serve it now" in told
    assert "The old version" not in told


@pytest.mark.long
def test_archives_from_before_upgrades_are_as_many_as_the_setting_says(tmp_path: Path) -> None:
    site = make_site(tmp_path / "site")
    add_plugin(site, GOOD)
    kept = []
    for name in ("acme", "more", "most"):
        (site.folder / "plugins" / "acme_migrations" / f"000{len(kept) + 1}_{name}.py").write_text(GOOD.replace("acme", name))
        kept.append(Path(site.told("upgrade", CMS_BACKUP_KEEP="2")["kept"]))
    assert set(kept[0].parent.glob("*-before-upgrade-*")) == set(kept[1:])


@pytest.mark.long
def test_what_is_written_while_an_upgrade_runs_is_in_the_upgraded_site(tmp_path: Path) -> None:
    site = make_site(tmp_path / "site")
    with site.served(workers=1) as served:
        written, ending = [], threading.Event()

        def write() -> None:
            while not ending.is_set():
                written.append(served.post(f"Post {len(written)}")["title"]["rendered"])
        writer = threading.Thread(target=write)
        writer.start()
        add_plugin(site, GOOD)
        try:
            told = site.told("upgrade")
        finally:
            ending.set()
            writer.join()

        assert told["applied"] == ["acme: 0001_acme"]
        assert "acme" in tables(site)
        assert set(written) <= served.titles()

"""An empty site to import into."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from adapter import copy_site, put_on_server
from furniture import furnish
from servers import SERVER, drop_database
from sites import Client

from cms.assembly import open_site
from cms.config import load_config
from cms.install.bootstrap import set_up
from cms.site import Site
from cms.transfer.importing import staging
from cms.transfer.importing.importer import Report, import_wxr
from cms.transfer.importing.media.fetch import Source

CHANNEL = """<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/" xmlns:wp="http://wordpress.org/export/1.2/"
 xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel><title>Old site</title><wp:wxr_version>1.2</wp:wxr_version>
<wp:base_blog_url>https://old.example</wp:base_blog_url>
{}
</channel></rss>
"""


def open_in(folder: Path) -> Site:
    return open_site(load_config(folder, {"password_cost": "low"}, environ={}))


@pytest.fixture(scope="session")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a new site, which is made once."""
    folder = tmp_path_factory.mktemp("empty")
    if SERVER:
        put_on_server(folder)
    made = open_in(folder)
    set_up(made, password="correct-horse-battery")
    made.close()
    assert not (folder / "site.db-wal").exists()  # all of it is in the one file
    return folder


@pytest.fixture(autouse=True)
def staged(monkeypatch: pytest.MonkeyPatch) -> None:
    """Imports go through a copy, however small they are."""
    monkeypatch.setattr(staging, "FEW_ROWS", 0)


@pytest.fixture
def site(tmp_path: Path, empty: Path) -> Iterator[Site]:
    copy_site(empty, tmp_path)
    opened = open_in(tmp_path)
    yield opened
    opened.close()
    drop_database(opened.config.server)


@pytest.fixture
def bring(site: Site, tmp_path: Path) -> Callable[..., Report]:
    """Import an export whose channel holds the given XML, with files from a source."""

    def import_text(body: str, source: Source | None = None, trust_markup: bool = False) -> Report:
        path = tmp_path / "export.xml"
        path.write_text(CHANNEL.format(body), "utf-8")
        return import_wxr(site, path, source=source, trust_markup=trust_markup)

    return import_text


@pytest.fixture
def full(make_client: Callable[..., Client]) -> Client:
    """A site that holds something of everything."""
    client = make_client(templates=["wide.html"], comment_interval=0)
    furnish(client)
    return client

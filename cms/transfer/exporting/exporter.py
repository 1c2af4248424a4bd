"""Exporting a site as WXR, the format that WordPress exports and many programs read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import BinaryIO

from cms.dates import zone
from cms.db.snapshots import snapshot_of
from cms.db.stores import ExportStore
from cms.site import Site
from cms.transfer.exporting.channel import CLOSING, accounts_xml, site_xml, terms_xml
from cms.transfer.exporting.items import ItemWriter

#: Called with the stage ("writing": items), how far it is, and how far it goes.
Progress = Callable[[str, int, int | None], None]


def export_wxr(site: Site, file: BinaryIO, progress: Progress | None = None) -> dict[str, int]:
    """Write the whole site to a file, part by part, and return how many things of each kind it holds.

    All parts are of one moment, whatever is written to the site meanwhile.
    """
    counted: Counter[str] = Counter()
    with snapshot_of(site.database) as snapshot:
        for kind, part in _parts(site, ExportStore(snapshot), progress):
            file.write(part.encode())
            if kind:
                counted[kind] += 1
    return dict(counted)


def _parts(site: Site, store: ExportStore, progress: Progress | None) -> Iterator[tuple[str, str]]:
    """Yield the parts of the file, each with the kind of thing that it completes, if any."""
    settings, show = site.settings.read(store.options()), site.own_files.show
    yield "", site_xml(settings, site.url, site.front_url)
    for account in accounts_xml(store, show):
        yield "user", account
    yield from terms_xml(store, show)
    writer = ItemWriter(site, store, site.now(), zone(settings["timezone"]))
    total = store.count_items()
    for number, row in enumerate(store.items(), 1):
        yield from writer.parts(row)
        if progress:
            progress("writing", number, total)
    yield "", CLOSING

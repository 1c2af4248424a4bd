"""Addresses in the texts of a site, rewritten when what they lead to has moved."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from urllib.parse import urlsplit

from cms.access.actions import Action
from cms.access.capabilities import OPERATOR
from cms.db.reader import Row
from cms.db.stores.addresses import TEXTS
from cms.rendering.own_files import STORED_FORMS
from cms.site import Site

#: Called with the stage ("rewriting": rows), how far it is, and how far it goes.
Progress = Callable[[str, int, int | None], None]


class NoAddress(ValueError):
    """Say that something isn't an address that texts can hold."""


class AddressRewriter:
    """Replaces an address, and all below it, by another one: by http or https or without a scheme, slashes of JSON too.

    Raises NoAddress where one of the two isn't the address of a site or of a folder in it.
    """

    def __init__(self, old: str, new: str) -> None:
        self.word, place = _host(old), _place(old)
        self._place = place
        _host(new)
        self._new = new.rstrip("/")
        slash = "(?P=slash)"
        path = slash.join(map(re.escape, place.split("/")))
        # An address inside another's path, as archives have them, is part of that; what goes on is another host.
        self._pattern = re.compile(
            rf"(?P<scheme>(?<![\w/\\])https?:|(?<![\w/\\:]))(?P<slash>\\{{0,2}}/){slash}{path}(?![\w.:@-]*[\w@-])",
            re.IGNORECASE,
        )
        self.count = 0

    def rewrite(self, text: str) -> str:
        """Return a text with the new addresses, and count those that changed."""
        return self._pattern.sub(self._replace, text)

    def is_below(self, address: str) -> bool:
        """Tell whether what is rewritten lies below an address, or is it."""
        return f"{self._place}/".lower().startswith(f"{_place(address)}/".lower())

    def _replace(self, match: re.Match[str]) -> str:
        new = self._new
        if not match["scheme"]:
            new = new[new.index("//") :]
        new = new.replace("/", match["slash"])
        self.count += new != match[0]
        return new


def rewrite_addresses(
    site: Site, rewriter: AddressRewriter, dry: bool, progress: Progress | None = None
) -> dict[str, int]:
    """Rewrite addresses in all texts, and return how many rows of each table that changes.

    Texts are made anew outside of transactions, so that others get to write; what somebody changed meanwhile is left
    for another run. With `dry` nothing is written. The site's own files, whose addresses are stored without the site's,
    follow the setting; they are rewritten where what is rewritten lies among them.
    """
    store = site.stores.addresses
    changed = dict.fromkeys(TEXTS, 0)
    words = [rewriter.word]
    if rewriter.is_below(site.own_files.address):
        words += STORED_FORMS
    total = sum(store.count(table, words) for table in TEXTS)
    done = 0
    for table in TEXTS:
        for rows in store.holding(table, words):
            updates = []
            for row in rows:
                columns = _changes(site, rewriter, table, row)
                if columns:
                    updates.append((row, columns))
            changed[table] += len(updates) if dry else _store(site, table, updates)
            done += len(rows)
            if progress:
                progress("rewriting", done, total)
    return {table: number for table, number in changed.items() if number}


def _store(site: Site, table: str, updates: Sequence[tuple[Row, Mapping[str, str]]]) -> int:
    """Store the changes of rows, and return of how many: those apart that somebody else has changed meanwhile."""
    stored = 0
    with site.database.write():
        for row, columns in updates:
            stored += site.stores.addresses.store(table, row, columns)
        if stored:
            data = {"rows": stored}
            site.hooks.actions.after_action(
                Action("addresses.rewritten", table, principal=OPERATOR, data=data)
            )
    return stored


def _changes(site: Site, rewriter: AddressRewriter, table: str, row: Row) -> dict[str, str]:
    texts, changed = {}, {}
    for name in TEXTS[table]:
        texts[name] = _rewrite(site, rewriter, row[name])
        if texts[name] != row[name]:
            changed[name] = texts[name]
    if table == "content" and changed.keys() - {"meta"}:
        rendered = site.renderer.content_columns(
            row["type"], row["title"], texts["content"], texts["excerpt"]
        )
        return {**changed, **rendered}
    if table == "comments" and "content" in changed:
        return {**changed, **site.renderer.comment_columns(texts["content"])}
    if table == "revisions" and changed.keys() - {"meta"}:
        return {**changed, "rendered_by": ""}  # rendered anew when they are read, and by timed work
    return changed


def _rewrite(site: Site, rewriter: AddressRewriter, text: str) -> str:
    files = site.own_files
    if rewriter.is_below(files.address):
        text = files.show(text)
    return files.store(rewriter.rewrite(text))


def _host(address: str) -> str:
    try:
        parts = urlsplit(address)
    except ValueError as error:
        raise NoAddress(address) from error
    is_plain = re.fullmatch(r"[\w.:/~%+\[\]-]+", address, re.ASCII) is not None
    if parts.scheme not in ("http", "https") or not parts.hostname or not is_plain:
        raise NoAddress(address)
    return parts.netloc


def _place(address: str) -> str:
    return address.partition("://")[2].rstrip("/")

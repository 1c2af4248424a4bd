"""Checks of a site whose database lies on a server: those of the server, and those that look at a file otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

from cms.context import SiteContext
from cms.db.errors import DATABASE_ERRORS
from cms.doctor import rows
from cms.doctor.checks import FAULT, FILE, MACHINE, NOTE, ROWS, WARNING, Check, check

if TYPE_CHECKING:
    from cms.db.postgres.health import ServerState

#: What is looked at in the place of the check of the same name, or besides.
SERVER_CHECKS: dict[str, Check] = {}
#: Checks of the file of a database, or of what a server sees to by itself.
ABOUT_FILES = (
    "broken-references",
    "damaged",
    "disk-narrow",
    "journal",
    "large-log",
    "log-removed",
    "network-file-system",
    "sqlite-version",
    "statistics",
)
UNREACHABLE = "server-unreachable"
OLDEST, MOST_SECONDS = 15, 5


server_check = partial(check, needs=MACHINE, among=SERVER_CHECKS)


def _state(site: SiteContext) -> ServerState:
    from cms.db.postgres import health  # nothing of it is imported for a file

    return health.state_of(site.config.server)


@server_check(
    UNREACHABLE,
    FAULT,
    "The server of the database can't be reached, or doesn't let the site in.",
    "Look whether it runs, and at the address, account and password in database.",
)
def look_at_server(site: SiteContext) -> Iterator[str]:
    """Find a server that doesn't answer."""
    try:
        _state(site)
    except DATABASE_ERRORS as error:
        yield " ".join(str(error).split())


@server_check(
    "server-version",
    FAULT,
    "The server is older than what the site is tried with.",
    "Bring PostgreSQL to version 15 or later.",
    needs=FILE,
)
def look_at_version(site: SiteContext) -> Iterator[str]:
    """Find a server that is too old."""
    version = _state(site).version
    if version < OLDEST:
        yield f"It is of version {version}."


@server_check(
    "server-encoding",
    FAULT,
    "The database doesn't hold texts in UTF-8: most letters can't be stored.",
    "Make another one (createdb --encoding=UTF8 --template=template0) and bring the site there: cms copy.",
    needs=FILE,
)
def look_at_encoding(site: SiteContext) -> Iterator[str]:
    """Find a database of another encoding."""
    encoding = _state(site).encoding
    if encoding != "UTF8":
        yield f"Its encoding is {encoding}."


@server_check(
    "server-extensions",
    FAULT,
    "The database lacks extensions that names and searches are compared with, or the server was built without ICU.",
    "Have them made: CREATE EXTENSION. On Debian they are in the package of the server.",
    needs=FILE,
)
def look_at_extensions(site: SiteContext) -> Iterator[str]:
    """Find extensions that aren't there."""
    missing = _state(site).missing
    if missing:
        yield f"It lacks {', '.join(missing)}."


@server_check(
    "server-clock",
    WARNING,
    "The clocks of the server and of this host differ by more than 5 seconds: hosts publish and expire at other times.",
    "Set the clocks by NTP on all of them.",
)
def look_at_clocks(site: SiteContext) -> Iterator[str]:
    """Find a clock that is another than the server's."""
    there, here = _state(site).now, site.now()
    seconds = abs((datetime.fromisoformat(there) - datetime.fromisoformat(here)).total_seconds())
    if seconds > MOST_SECONDS:
        yield f"It is {there} at the server and {here} here."


@server_check(
    "server-without-tls",
    WARNING,
    "The database is on another machine, and what the site says to it goes over the net as it is.",
    "Add sslmode=verify-full to the address in database, where the net between them isn't your own.",
)
def look_at_net(site: SiteContext) -> Iterator[str]:
    """Find an open connection to another machine."""
    if _state(site).open_net:
        yield "The connection has no TLS."


@server_check(
    "server-superuser",
    NOTE,
    "The site's account may do everything on the server, with other databases and files too.",
    "Give the site an account of its own, which owns its database.",
)
def look_at_account(site: SiteContext) -> Iterator[str]:
    """Find an account with all rights."""
    if _state(site).is_superuser:
        yield "It is a superuser."


@server_check(
    "unsafe-writes",
    NOTE,
    "A power cut may lose the last acknowledged writes, and with fsync off the whole database.",
    "Set them to on in postgresql.conf, where that matters.",
)
def look_at_writes(site: SiteContext) -> Iterator[str]:
    """Find writes that aren't waited for."""
    unsafe = _state(site).unsafe
    if unsafe:
        yield f"The server has {', '.join(unsafe)} off."


def _make_parts(site: SiteContext) -> str:
    from cms.db.postgres import health

    missing = health.missing_parts(site.database, rows.wanted_schema(site).parts)
    health.bring_parts(site.database, missing)
    return f"Made {', '.join(sorted(missing))}."


@server_check(
    "schema",
    FAULT,
    "An index or a trigger isn't there, is switched off, or was never finished: reading is slow, or numbers go wrong.",
    "Make it again: cms doctor --fix.",
    needs=ROWS,
    repair=_make_parts,
)
def look_at_schema(site: SiteContext) -> Iterator[str]:
    """Find indexes and triggers that the migrations made and that can't be used."""
    from cms.db.postgres import health

    missing = health.missing_parts(site.database, rows.wanted_schema(site).parts)
    if missing:
        yield f"Not as the migrations made them: {', '.join(sorted(missing))}."


@server_check(
    "search-index",
    FAULT,
    "What searches look at doesn't fit the texts: searches miss items.",
    "Make it once more: cms doctor --reindex.",
    needs=ROWS,
    repair=rows.reindex,
)
def look_at_search(site: SiteContext) -> Iterator[str]:
    """Find folded texts that aren't those of their rows."""
    from cms.db.postgres import health

    mode = site.config["search_mode"]
    if not health.is_search_there(site.database, mode):
        yield f"Its tables, indexes and triggers aren't as the mode {mode} has them."
        return
    found = health.wrongly_folded(site.config.server)
    if found:
        yield f"Rows with other texts than the index: {rows.numbers(found)}."

"""The manifest of an archive: what it holds, with sizes and SHA-256 digests, and of which site it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import cast

import orjson

from cms.backup.errors import BackupError
from cms.version import __version__

#: The layout of archives; a program that doesn't know a number can't read them. The second one has a dump.
FORMAT, DUMP_FORMAT = 1, 2
MANIFEST = "manifest.json"
SEAL = "manifest.sha256"
#: The file of a database, and the dump of one that lies on a server of PostgreSQL.
DATABASE, DUMP = DATABASES = ("site.db", "site.dump")
SETTINGS = "config.toml"
UPLOADS = "uploads/"


@dataclass(frozen=True)
class Entry:
    """A file in an archive."""

    name: str
    size: int
    sha256: str


@dataclass(frozen=True)
class Manifest:
    """What an archive says of itself: `schema` are applied migrations by plugin, `missing` files that weren't there."""

    made_gmt: str
    url: str
    search_mode: str
    schema: Mapping[str, list[str]]
    counts: Mapping[str, int]
    files: list[Entry]
    missing: list[str] = field(default_factory=list)
    software: str = __version__
    format: int = FORMAT

    @property
    def size(self) -> int:
        """How many bytes its files have together."""
        return sum(entry.size for entry in self.files)

    def entry(self, name: str) -> Entry | None:
        """Return what is known of a file, None where there is no such file."""
        return next((entry for entry in self.files if entry.name == name), None)

    @property
    def database(self) -> Entry:
        """What is known of the database; raises BackupError for a manifest without one."""
        entry = self.entry(DATABASE) or self.entry(DUMP)
        if entry is None:
            raise BackupError("The archive has no database in it.")
        return entry

    def encode(self) -> bytes:
        """Return the manifest as it stands in an archive."""
        return orjson.dumps(asdict(self), option=orjson.OPT_INDENT_2)


def read_manifest(text: bytes) -> Manifest:
    """Return a manifest; raises BackupError for what is none, or for one of a newer version."""
    try:
        found = orjson.loads(text)
        number = found["format"]
        files = [Entry(str(each["name"]), int(each["size"]), str(each["sha256"])) for each in found["files"]]
        newest = DUMP_FORMAT if any(entry.name == DUMP for entry in files) else FORMAT
        if not isinstance(number, int) or number > newest:
            raise BackupError(_too_new(str(found.get("software", "a newer version"))))
        known = {
            name: found[name] for name in ("made_gmt", "url", "search_mode", "missing", "software", "format")
        }
        schema = cast(dict[str, list[str]], dict(found["schema"]))
        return Manifest(schema=schema, counts=dict(found["counts"]), files=files, **known)
    except (ValueError, KeyError, TypeError) as error:
        raise BackupError(f"its {MANIFEST} can't be read ({type(error).__name__}: {error})") from None


def _too_new(software: str) -> str:
    return (
        f"it was made by version {software} in a layout that version {__version__} doesn't know. "
        f"Install that version first: pip install --upgrade headless-cms"
    )

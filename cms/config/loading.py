"""Settings of an installation, from arguments, the environment, the instance's file or their defaults.

The first of these that sets a value wins.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from cms.config.server import SERVERS
from cms.config.setting import Setting
from cms.config.settings import SETTINGS
from cms.media.buckets import Bucket, parse_bucket

PREFIX = "CMS_"
FILE = "config.toml"
#: Variables with the prefix that set nothing: the folder, what our tests need, and what Kubernetes tells of a service
#: that is called cms.
NO_SETTINGS = re.compile(
    r"CMS_(INSTANCE|REQUIRE_CLIENTS|TEST_(DATABASE|BUCKETS)|(SERVICE|PORT)(_\w+)?)", re.ASCII
)

#: A value that was found for a setting, and the words for where.
Found = tuple[object, str]


class ConfigError(Exception):
    """A setting that is wrong: its name, where it was set and what it may be."""


@dataclass(frozen=True)
class Config:
    """The settings of one site, all of them present."""

    instance: Path
    values: Mapping[str, Any]
    #: The settings of plugins, by the plugin's name.
    tables: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Any:  # each setting has a type of its own
        return self.values[name]

    def of(self, plugin: str) -> Mapping[str, Any]:
        """Return the table of a plugin's settings as it was read; the plugin itself has to check it."""
        return self.tables.get(plugin, {})

    @property
    def database(self) -> Path:
        """The path of the database file; beside it lie the site's locks, so there is an empty one with a server too."""
        if self.server:
            return self.instance / "site.server"
        return self.instance / str(self.values["database"])

    @property
    def server(self) -> str:
        """The address of a database on a server of PostgreSQL, empty where the site lies in a file."""
        address = str(self.values["database"])
        return address if address.startswith(SERVERS) else ""

    @property
    def uploads(self) -> Path:
        """The folder of uploaded files; the usual one where they lie in a bucket."""
        if self.bucket:
            return self.instance / "uploads"
        return self.instance / str(self.values["uploads"])

    @property
    def bucket(self) -> Bucket | None:
        """The bucket of uploaded files, None where they lie in a folder."""
        return parse_bucket(str(self.values["uploads"]))

    @property
    def incoming(self) -> Path:
        """The folder of files that are being received; never below the uploads, which a web server may serve."""
        return self.instance / "incoming"

    @property
    def uploads_lock(self) -> Path:
        """The file that is locked by those who copy the uploads, so that nothing is removed meanwhile."""
        return self.instance / "uploads.lock"

    @property
    def work_lock(self) -> Path:
        """The file that is locked by the process that does the site's timed work."""
        return self.database.with_suffix(".working")

    @property
    def state(self) -> Path:
        """The path of the file of runtime data, which may be deleted at any time."""
        return self.instance / "state.db"


def load_config(
    instance: Path | str = "instance",
    overrides: Mapping[str, object] | None = None,
    environ: Mapping[str, str] = os.environ,
) -> Config:
    """Return all settings of a site; raises ConfigError for unknown names and unreadable values.

    A table under an unknown name is a plugin's.
    """
    folder = Path(environ.get(PREFIX + "INSTANCE", instance)).absolute()
    found = {**_from_file(folder / FILE), **_from_environment(environ), **_from_arguments(overrides or {})}
    tables = _plugin_tables(found)
    values = {}
    for setting in SETTINGS:
        value, where = found.get(setting.name, (setting.default, "the default"))
        values[setting.name] = _read(setting, value, where)
    return Config(folder, values, tables)


def _from_file(file: Path) -> dict[str, Found]:
    if not file.exists():
        return {}
    try:
        values = tomllib.loads(file.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{file} isn't valid TOML: {error}") from None
    except UnicodeDecodeError as error:
        raise ConfigError(f"{file} isn't a text in UTF-8: byte {error.start} can't be read") from None
    except OSError as error:
        raise ConfigError(f"{file} can't be read: {error.strerror}") from None
    return {name: (value, str(file)) for name, value in values.items()}


def _from_environment(environ: Mapping[str, str]) -> dict[str, Found]:
    found: dict[str, Found] = {}
    known = {PREFIX + setting.name.upper(): setting.name for setting in SETTINGS}
    for variable, value in environ.items():
        if variable in known:
            found[known[variable]] = value, f"the variable {variable}"
        elif variable.startswith(PREFIX) and not NO_SETTINGS.fullmatch(variable):
            hint = _hint(variable, known, PREFIX) or f" Settings: {', '.join(sorted(known))}."
            raise ConfigError(f"the environment has {variable}, which is no setting.{hint}")
    return found


def _hint(name: str, known: Iterable[str], prefix: str = "") -> str:
    near = get_close_matches(name.removeprefix(prefix), [each.removeprefix(prefix) for each in known], 1)
    return f" Did you mean {prefix}{near[0]}?" if near else ""


def _from_arguments(overrides: Mapping[str, object]) -> dict[str, Found]:
    return {name: (value, "an argument") for name, value in overrides.items()}


def _plugin_tables(found: Mapping[str, Found]) -> dict[str, Mapping[str, object]]:
    known = sorted(setting.name for setting in SETTINGS)
    tables: dict[str, Mapping[str, object]] = {}
    for name, (value, where) in found.items():
        if name in known:
            continue
        if not isinstance(value, Mapping):
            hint = _hint(name, known) or f" Settings: {', '.join(known)}."
            raise ConfigError(f"{where} sets {name!r}, which is no setting.{hint}")
        tables[name] = value
    return tables


def _read(setting: Setting, value: object, where: str) -> object:
    try:
        return setting.read(value)
    except ValueError as error:
        raise ConfigError(f"{where} sets {setting.name} to {value!r}; it takes {error}.") from None

"""Settings of an installation: one table; argument over environment over instance file over default."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cms.media.types import BY_ENDING, USUAL

PREFIX = "CMS_"
FILE = "config.toml"


class ConfigError(Exception):
    """Say which setting is wrong, where it was set and what it may be."""


def boolean(value: Any) -> bool:
    """Read true and false in the notations that files and environments use."""
    word = str(value).lower()
    if word not in ("1", "true", "yes", "on", "0", "false", "no", "off"):
        raise ValueError("true or false")
    return word in ("1", "true", "yes", "on")


def positive(value: Any) -> int:
    """Read a whole number above zero."""
    number = int(value)
    if number < 1:
        raise ValueError("a number above 0")
    return number


def names(value: Any) -> tuple[str, ...]:
    """Read a list, or a text with commas."""
    parts = value.split(",") if isinstance(value, str) else value
    return tuple(part.strip() for part in parts if part.strip())


def endings(value: Any) -> tuple[str, ...]:
    """Read endings of file names, all of them known."""
    found = tuple(name.lower().lstrip(".") for name in names(value))
    if set(found) - set(BY_ENDING):
        raise ValueError(f"endings among {', '.join(BY_ENDING)}")
    return found


def one_of(*allowed: str) -> Callable[[Any], str]:
    """Make a reader that takes these words alone."""

    def read(value: Any) -> str:
        if value not in allowed:
            raise ValueError(" or ".join(allowed))
        return str(value)

    return read


def plugin_choice(value: Any) -> str | tuple[str, ...]:
    """Read `all`, `none` or a list of names."""
    return value if value in ("all", "none") else names(value)


@dataclass(frozen=True)
class Setting:
    """A setting: its name, what reads it, its default and a sentence about it."""

    name: str
    read: Callable[[Any], Any]
    default: Any
    help: str


SETTINGS = (
    Setting("database", str, "site.db", "The database file, relative to the instance folder."),
    Setting(
        "url",
        str,
        "http://127.0.0.1:8000",
        "The address under which visitors reach the site, without a slash at the end.",
    ),
    Setting(
        "plugins",
        names,
        (),
        "Plugins to load besides those that are installed or lie in the instance folder: bundled ones by their "
        "name, others by that of their module.",
    ),
    Setting(
        "load_plugins",
        plugin_choice,
        "all",
        "Which of all these plugins are loaded: all, none, or a list of names.",
    ),
    Setting(
        "password_cost",
        one_of("normal", "low"),
        "normal",
        "What hashing a password costs; low is for tests alone.",
    ),
    Setting(
        "synchronous",
        one_of("full", "normal"),
        "full",
        "Whether an acknowledged write survives a power cut (full) or only a crash (normal).",
    ),
    Setting("sign_in_memory", int, 60, "Seconds for which a verified password needs no new hash."),
    Setting("sign_in_window", positive, 600, "Seconds for which a failed sign-in counts."),
    Setting(
        "sign_in_failures", int, 10, "How many sign-ins may fail by account and address; 0 for any number."
    ),
    Setting("sign_in_failures_address", int, 50, "How many sign-ins may fail by address; 0 for any number."),
    Setting(
        "sign_in_failures_account",
        int,
        100,
        "How many sign-ins to one account may fail before addresses that have failed are barred from it; 0 for any "
        "number.",
    ),
    Setting("revisions", int, 30, "How many revisions of an item are kept; -1 for all, 0 for none."),
    Setting("anonymous_comments", boolean, False, "Whether visitors may comment without an account."),
    Setting(
        "comment_interval",
        int,
        5,
        "Seconds that must pass between two comments of one author, moderators excepted; 0 for none.",
    ),
    Setting("templates", names, (), "Templates that the front end has and items may be shown with."),
    Setting(
        "cors_origins", names, (), "Origins whose pages may send credentials, such as https://example.org."
    ),
    Setting("uploads", str, "uploads", "The folder of uploaded files, relative to the instance folder."),
    Setting(
        "upload_types",
        endings,
        USUAL,
        "Endings of the files that may be uploaded. With svg, pictures in SVG are taken and cleaned of scripts.",
    ),
    Setting("max_upload", positive, 500_000_000, "Largest file in bytes that may be uploaded."),
    Setting(
        "max_pixels",
        positive,
        50_000_000,
        "Largest picture that may be uploaded, in pixels: width times height. Decoding takes 4 bytes for each.",
    ),
    Setting("unused_files_days", int, 7, "Days for which the files of deleted media are kept."),
    Setting("max_body", int, 10_000_000, "Largest request body in bytes, uploads of files excepted."),
    Setting(
        "background",
        boolean,
        True,
        "Whether a process that serves the site does its timed work too; without it, run cms work.",
    ),
)


@dataclass(frozen=True)
class Config:
    """The settings of one site, all of them present."""

    instance: Path
    values: Mapping[str, Any]
    #: What is set for plugins, by the plugin's name.
    tables: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    def of(self, plugin: str) -> Mapping[str, Any]:
        """Return what is set for a plugin: the table of its name, which the plugin itself has to check."""
        return self.tables.get(plugin, {})

    @property
    def database(self) -> Path:
        """Where the database file lies."""
        return self.instance / str(self.values["database"])

    @property
    def uploads(self) -> Path:
        """Where uploaded files lie."""
        return self.instance / str(self.values["uploads"])

    @property
    def incoming(self) -> Path:
        """Where files lie while they are received; never below the uploads, which a web server may show."""
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
        """Where the file lies that the site can do without."""
        return self.instance / "state.db"


def load_config(
    instance: Path | str = "instance",
    overrides: Mapping[str, Any] | None = None,
    environ: Mapping[str, str] = os.environ,
) -> Config:
    """Read all settings of a site; raises ConfigError for unknown names and unreadable values.

    A table under an unknown name is a plugin's.
    """
    folder = Path(environ.get(PREFIX + "INSTANCE", instance)).absolute()
    found = _from_file(folder / FILE)
    found.update({k: (v, "the environment") for k, v in _from_environment(environ).items()})
    found.update({k: (v, "an argument") for k, v in (overrides or {}).items()})
    known = {setting.name for setting in SETTINGS}
    tables = {k: v for k, (v, _where) in found.items() if k not in known and isinstance(v, Mapping)}
    for name, (_value, where) in found.items():
        if name not in known and name not in tables:
            raise ConfigError(
                f"{where} sets {name!r}, which is no setting. Settings: {', '.join(sorted(known))}."
            )
    return Config(
        folder, {s.name: _read(s, *found.get(s.name, (s.default, "the default"))) for s in SETTINGS}, tables
    )


def _from_file(path: Path) -> dict[str, tuple[Any, str]]:
    if not path.exists():
        return {}
    try:
        return {k: (v, str(path)) for k, v in tomllib.loads(path.read_text(encoding="utf-8")).items()}
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path} isn't valid TOML: {error}") from None


def _from_environment(environ: Mapping[str, str]) -> dict[str, str]:
    names_set = {PREFIX + s.name.upper(): s.name for s in SETTINGS}
    return {names_set[key]: value for key, value in environ.items() if key in names_set}


def _read(setting: Setting, value: Any, where: str) -> Any:
    try:
        return setting.read(value)
    except (ValueError, TypeError) as error:
        raise ConfigError(f"{where} sets {setting.name} to {value!r}; it takes {error}.") from None

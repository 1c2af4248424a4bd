"""Settings of an installation, from arguments, the environment, the instance's file or their defaults.

The first of these that sets a value wins.
"""

from __future__ import annotations

import ipaddress
import os
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from cms.config_values import address, names, number, origins, path
from cms.media.types import BY_ENDING, DEFAULT_ENDINGS

PREFIX = "CMS_"
FILE = "config.toml"
#: Variables with the prefix that set nothing: the folder, what our tests need, and what Kubernetes tells of a service
#: that is called cms.
NO_SETTINGS = re.compile(r"CMS_(INSTANCE|REQUIRE_CLIENTS|(SERVICE|PORT)(_\w+)?)", re.ASCII)


Network = ipaddress.IPv4Network | ipaddress.IPv6Network
#: What stands for whoever connects to a socket file, among proxies.
SOCKET_FILE = "unix"

#: A value that was found for a setting, and the words for where.
Found = tuple[object, str]


class ConfigError(Exception):
    """A setting that is wrong: its name, where it was set and what it may be."""


def boolean(value: object) -> bool:
    """Read true and false in the notations of files and environments.

    Raises ValueError for anything else; its message is what the setting may be, as in all readers here.
    """
    word = str(value).lower()
    if word in ("1", "true", "yes", "on"):
        return True
    if word in ("0", "false", "no", "off"):
        return False
    raise ValueError("true or false")


def endings(value: object) -> tuple[str, ...]:
    """Read endings of file names, in lower case without the dot; raises ValueError for an unknown one."""
    found = tuple(name.lower().lstrip(".") for name in names(value))
    if set(found) - set(BY_ENDING):
        raise ValueError(f"endings among {', '.join(BY_ENDING)}")
    return found


def proxies(value: object) -> tuple[Network | str, ...]:
    """Read addresses and networks of proxies; raises ValueError for anything else."""
    try:
        return tuple(name if name == SOCKET_FILE else ipaddress.ip_network(name) for name in names(value))
    except ValueError as error:
        kinds = "addresses and networks, such as 127.0.0.1 or 10.0.0.0/8, or unix for a socket file"
        raise ValueError(f"{kinds} ({error})") from None


def hosts(value: object) -> tuple[str, ...]:
    """Read names of hosts without port; raises ValueError for anything else."""
    found = tuple(name.lower() for name in names(value))
    if not all(re.fullmatch(r"\.?[\w-]+(\.[\w-]+)*", name) for name in found):
        raise ValueError(
            "names of hosts without port, such as www.example.org, or .example.org for all below it"
        )
    return found


def one_of(*allowed: str) -> Callable[[object], str]:
    """Return a reader of these words alone; it raises ValueError for any other value."""

    def read_word(value: object) -> str:
        """Return the word; raises ValueError for one that isn't allowed."""
        if value not in allowed:
            raise ValueError(" or ".join(allowed))
        return str(value)

    return read_word


def plugin_choice(value: object) -> str | tuple[str, ...]:
    """Read `all`, `none` or a list of names; raises ValueError for anything else."""
    if value == "all" or value == "none":
        return str(value)
    try:
        return names(value)
    except ValueError:
        raise ValueError("all, none, or a list of names") from None


@dataclass(frozen=True)
class Setting:
    """A setting: its name, the reader of its value, its default and a sentence about it.

    The reader raises ValueError, whose message is what it takes, for a value that isn't allowed.
    """

    name: str
    read: Callable[[Any], Any]
    default: Any
    help: str


SETTINGS = (
    Setting("database", path, "site.db", "The database file, relative to the instance folder."),
    Setting(
        "url",
        address,
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
        "password_length",
        int,
        8,
        "Fewest characters of a password that is set; the commonest passwords are refused too. 0 for any password.",
    ),
    Setting(
        "synchronous",
        one_of("full", "normal"),
        "full",
        "Whether an acknowledged write survives a power cut (full) or only a crash (normal).",
    ),
    Setting("sign_in_memory", number(0), 60, "Seconds for which a verified password needs no new hash."),
    Setting("sign_in_window", number(1), 600, "Seconds for which a failed sign-in counts."),
    Setting(
        "sign_in_failures",
        number(0),
        10,
        "How many sign-ins may fail by account and address; 0 for any number.",
    ),
    Setting(
        "sign_in_failures_address", number(0), 50, "How many sign-ins may fail by address; 0 for any number."
    ),
    Setting(
        "sign_in_failures_account",
        number(0),
        100,
        "How many sign-ins to one account may fail before addresses that have failed are barred from it; 0 for any "
        "number.",
    ),
    Setting(
        "item_password_failures",
        number(0),
        20,
        "How many wrong passwords of a protected item may be sent from an address; 0 for any number.",
    ),
    Setting("revisions", number(-1), 30, "How many revisions of an item are kept; -1 for all, 0 for none."),
    Setting("anonymous_comments", boolean, False, "Whether visitors may comment without an account."),
    Setting(
        "known_commenters",
        one_of("accounts", "names", "nobody"),
        "accounts",
        "Whose comments need no approval once one was: accounts, or visitors of the same name and address too.",
    ),
    Setting(
        "comment_interval",
        number(0),
        5,
        "Seconds that must pass between two comments of one author, moderators excepted; 0 for none.",
    ),
    Setting("templates", names, (), "Templates that the front end has and items may be shown with."),
    Setting(
        "cors_origins", origins, (), "Origins whose pages may send credentials, such as https://example.org."
    ),
    Setting(
        "trusted_proxies",
        proxies,
        (),
        "Addresses and networks of the proxies in front, whose X-Forwarded-For and X-Forwarded-Proto are believed; "
        "unix for whoever connects to a socket file.",
    ),
    Setting(
        "allowed_hosts",
        hosts,
        (),
        "Hosts that the site answers to besides that of url; .example.org stands for all below it. Empty for any.",
    ),
    Setting("uploads", path, "uploads", "The folder of uploaded files, relative to the instance folder."),
    Setting(
        "upload_types",
        endings,
        DEFAULT_ENDINGS,
        "Endings of the files that may be uploaded. With svg, pictures in SVG are taken and cleaned of scripts.",
    ),
    Setting("max_upload", number(1), 500_000_000, "Largest file in bytes that may be uploaded."),
    Setting(
        "max_pixels",
        number(1),
        50_000_000,
        "Largest picture that may be uploaded, in pixels: width times height. Decoding takes 4 bytes for each.",
    ),
    Setting("unused_files_days", number(0), 7, "Days for which the files of deleted media are kept."),
    Setting("max_body", number(1), 10_000_000, "Largest request body in bytes, uploads of files excepted."),
    Setting(
        "max_visitor_body",
        number(1),
        400_000,
        "Largest request body in bytes of those who aren't signed in: the longest comment in any notation.",
    ),
    Setting(
        "max_list_items",
        number(1),
        100,
        "How many values a list may have that narrows or orders what is read, such as include.",
    ),
    Setting(
        "max_written_list_items",
        number(1),
        1_000,
        "How many values a list may have that is written, such as the tags of a post.",
    ),
    Setting(
        "statement_seconds",
        number(0),
        10,
        "Seconds for which one search in the database may take a request; 0 for any time.",
    ),
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
    #: The settings of plugins, by the plugin's name.
    tables: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Any:  # each setting has a type of its own
        return self.values[name]

    def of(self, plugin: str) -> Mapping[str, Any]:
        """Return the table of a plugin's settings as it was read; the plugin itself has to check it."""
        return self.tables.get(plugin, {})

    @property
    def database(self) -> Path:
        """The path of the database file."""
        return self.instance / str(self.values["database"])

    @property
    def uploads(self) -> Path:
        """The folder of uploaded files."""
        return self.instance / str(self.values["uploads"])

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

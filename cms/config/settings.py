"""The settings of an installation: names, what they may be, defaults, and a sentence about each."""

from __future__ import annotations

from cms.config.admin_page import ADMIN_SETTINGS
from cms.config.mail import MAIL_SETTINGS
from cms.config.server import SERVER_SETTINGS
from cms.config.setting import Setting
from cms.config.uploads import UPLOAD_SETTINGS
from cms.config.values import (
    address,
    address_or_none,
    boolean,
    header_value,
    hosts,
    link_patterns,
    names,
    number,
    one_of,
    origins,
    path,
    plugin_choice,
    proxies,
    text,
)

SETTINGS = (
    Setting(
        "database",
        path,
        "site.db",
        "The database file, relative to the instance folder, or the address of a database of PostgreSQL.",
    ),
    *SERVER_SETTINGS,
    Setting(
        "url",
        address,
        "http://127.0.0.1:8000",
        "The address of the site and its API, without a slash at the end.",
    ),
    Setting(
        "front_url",
        address_or_none,
        "",
        "The address of the front end, which shows items, terms and authors, where it isn't url.",
    ),
    Setting(
        "links",
        link_patterns,
        {},
        "Where the front end shows items, by type: patterns of {slug}, {path} (with the slugs of the items above), "
        "{id}, {year}, {month} and {day}. Types without one have /{path}/.",
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
        number(0),
        8,
        "Fewest characters of a password that is set; the commonest passwords are refused too. 0 for any password.",
    ),
    Setting(
        "allow_network_disk",
        boolean,
        False,
        "Whether a site whose database lies on a network file system is served all the same.",
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
        "How many sign-ins may fail by account and address, and codes of a second factor by account; 0 for any number.",
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
    Setting(
        "hsts_seconds",
        number(0),
        0,
        "Seconds for which browsers reach the host of url by HTTPS alone; 0 to leave that to the proxy.",
    ),
    *UPLOAD_SETTINGS,
    Setting("max_body", number(1), 10_000_000, "Largest request body in bytes, uploads of files excepted."),
    Setting(
        "max_visitor_body",
        number(1),
        400_000,
        "Largest request body in bytes of those who aren't signed in: the longest comment in any notation.",
    ),
    Setting(
        "max_text",
        number(1),
        2_000_000,
        "Largest text of an item in bytes: a content, a description of a file.",
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
        "search_mode",
        one_of("parts", "words"),
        "parts",
        "What a search of content finds: parts of words in any script, or the beginnings of words (words), with a "
        "smaller index. After a change run cms search reindex.",
    ),
    Setting(
        "answer_cache",
        number(0),
        4_000_000,
        "How many bytes of answers to visitors each process keeps, as long as the data stays as it is; 0 for none.",
    ),
    Setting(
        "cache_control",
        header_value,
        "no-cache",
        "What answers to visitors say in Cache-Control to browsers and caches in front, such as public, max-age=60. "
        "no-cache has them ask each time whether their copy still holds; empty for no header.",
    ),
    Setting(
        "surrogate_keys",
        boolean,
        False,
        "Whether answers to visitors name what they show in Surrogate-Key, for a cache in front to drop them by.",
    ),
    Setting(
        "api_docs",
        boolean,
        True,
        "Whether there is a page at /docs on which people read the interface and try it.",
    ),
    *ADMIN_SETTINGS,
    *MAIL_SETTINGS,
    Setting(
        "backup_target",
        text,
        "",
        "The folder that backups go to, relative to the instance folder; better on another disk. "
        "Empty for no scheduled ones.",
    ),
    Setting("backup_hours", number(0), 24, "Hours between two scheduled backups; 0 for none."),
    Setting(
        "backup_keep",
        number(1),
        7,
        "How many scheduled backups are kept, and how many archives from before restores and upgrades each; older ones "
        "are removed.",
    ),
    Setting(
        "worker",
        one_of("gthread", "asgi"),
        "gthread",
        "The kind of gunicorn's worker that cms serve takes: gthread, whose threads wait for clients too, or asgi, "
        "where an event loop does.",
    ),
    Setting(
        "threads",
        number(1),
        4,
        "How many requests a process that serves the site works on at once.",
    ),
    Setting(
        "request_log",
        one_of("text", "json", "off"),
        "text",
        "How cms serve logs requests: a line each as text or as json, or off.",
    ),
    Setting(
        "slow_milliseconds",
        number(0),
        0,
        "Milliseconds from which on a request or a statement in the database is logged as slow; 0 for never.",
    ),
    Setting(
        "metrics_token",
        header_value,
        "",
        "What Prometheus sends as its bearer token to read /metrics; empty for no metrics.",
    ),
    Setting(
        "background",
        boolean,
        True,
        "Whether a process that serves the site does its timed work too; without it, run cms work.",
    ),
)
